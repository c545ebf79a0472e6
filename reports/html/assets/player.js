"use strict";
// One set of controls that drives one or two replays. A view has: canvas, label, end and step (s),
// moments ([{name, time}]), facts() and paint(time).
PBB.player = (() => {
  const { h, seconds } = PBB;
  const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
  const KEYS =
    " Space plays or pauses, ← → step, Shift steps 1 s, Home and End jump, + − change the speed.";

  class Player {
    constructor(views) {
      this.views = views;
      this.end = Math.max(...views.map((view) => view.end));
      this.step = views[0].step;
      Object.assign(this, { time: 0, playing: false, last: 0, speed: 1 });
      this.element = this.build();
      this.listen();
      requestAnimationFrame(() => this.go(0));
    }

    build() {
      const { end, step } = this;
      const jump = (time) => () => {
        this.pause();
        this.go(time);
      };
      const press = () => this.toggle();
      this.play = h("button", { type: "button", class: "play", onclick: press }, "▶ Play");
      const scrubbed = () => jump(Number(this.scrub.value))();
      const range = { type: "range", min: 0, max: end, step, value: 0 };
      this.scrub = h("input", { ...range, "aria-label": "Time", oninput: scrubbed });
      this.clock = h("output", { class: "clock" });
      const picked = () => {
        this.speed = Number(this.pick.value);
      };
      this.pick = h(
        "select",
        { "aria-label": "Speed", onchange: picked },
        SPEEDS.map((v) => h("option", { value: v, selected: v === 1 }, `${v}×`)),
      );
      const jumps = this.views.flatMap((view, i) => {
        const side = this.views.length > 1 ? `${"AB"[i]}: ` : "";
        return view.moments.map(({ name, time }) => {
          const text = `${side}${name} ${seconds(time)}`;
          return h("button", { type: "button", onclick: jump(time) }, text);
        });
      });
      const { play, scrub, clock, pick } = this;
      return h(
        "div",
        { class: "player" },
        h("div", { class: `stage n${this.views.length}` }, this.views.map(figure)),
        h("div", { class: "controls" }, play, scrub, clock, pick, jumps),
        h("p", { class: "muted small" }, PBB.domain.legend(), KEYS),
      );
    }

    listen() {
      const jump = (time) => {
        this.pause();
        this.go(time);
      };
      const keys = {
        " ": () => this.toggle(),
        ArrowLeft: (event) => jump(this.time - (event.shiftKey ? 1 : this.step)),
        ArrowRight: (event) => jump(this.time + (event.shiftKey ? 1 : this.step)),
        Home: () => jump(0),
        End: () => jump(this.end),
        "+": () => this.hasten(1),
        "-": () => this.hasten(-1),
      };
      for (const view of this.views) {
        view.canvas.addEventListener("keydown", (event) => {
          if (!keys[event.key]) return;
          event.preventDefault();
          keys[event.key](event);
        });
      }
      const repaint = () => {
        if (this.element.isConnected) this.go(this.time);
        else for (const name of ["resize", "pbb-theme"]) removeEventListener(name, repaint);
      };
      for (const name of ["resize", "pbb-theme"]) addEventListener(name, repaint);
    }

    go(time) {
      this.time = Math.min(this.end, Math.max(0, time));
      this.scrub.value = this.time;
      this.clock.textContent = `${this.time.toFixed(2)} / ${this.end.toFixed(2)} s`;
      this.scrub.setAttribute("aria-valuetext", `${this.time.toFixed(2)} seconds`);
      this.element.dataset.time = this.time.toFixed(3);
      this.element.dataset.ended = this.time >= this.end;
      for (const view of this.views) view.paint(this.time);
    }

    // The frame loop of the window runs only while it plays.
    frame(now) {
      if (!this.playing || !this.element.isConnected) {
        this.playing = false;
        return;
      }
      this.go(this.time + this.speed * Math.min(0.1, (now - this.last) / 1000));
      this.last = now;
      if (this.time >= this.end) this.pause();
      else requestAnimationFrame((next) => this.frame(next));
    }

    pause() {
      this.playing = false;
      this.play.textContent = "▶ Play";
      this.play.setAttribute("aria-pressed", "false");
    }

    toggle() {
      if (this.playing) {
        this.pause();
        return;
      }
      if (this.time >= this.end) this.go(0);
      this.playing = true;
      this.play.textContent = "❚❚ Pause";
      this.play.setAttribute("aria-pressed", "true");
      this.last = performance.now();
      requestAnimationFrame((now) => this.frame(now));
    }

    hasten(by) {
      const place = SPEEDS.indexOf(this.speed) + by;
      this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))];
      this.pick.value = this.speed;
    }
  }

  const figure = (view) => {
    const below = h("span", { class: "muted" }, view.facts());
    return h("figure", {}, view.canvas, h("figcaption", {}, view.label, h("br"), below));
  };

  const has = (call) => Boolean(PBB.domain.view && call.replay && call.design);

  async function view(episode, call, label) {
    const states = PBB.unpack(call.replay);
    const level = await PBB.load(`l/${episode.levelId}`);
    return PBB.domain.view(PBB.sceneOf(level, episode.session), call.design, await states, label);
  }
  return { has, view, of: (views) => new Player(views).element };
})();
