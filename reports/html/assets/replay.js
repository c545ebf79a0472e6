"use strict";
// Replays of recorded states on canvas; one set of controls drives one or two of them.
PBB.replay = (() => {
  const { h, seconds } = PBB;
  const BODY = [[-1.325, -0.15], [1.325, -0.15], [1.325, 0.15], [1.225, 0.2], [0.85, 0.24], [0.55, 0.55], [-0.8, 0.55], [-1.225, 0.22], [-1.325, 0.12]];
  const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

  function colour(use) {
    const x = Math.min(1, Math.abs(use)) * (RAMP.length - 1), i = Math.min(RAMP.length - 2, Math.floor(x)), t = x - i;
    return `rgb(${RAMP[i].map((c, k) => Math.round(c + t * (RAMP[i + 1][k] - c))).join(",")})`;
  }

  class View {
    constructor(scene, design, states, label) {
      Object.assign(this, { scene, design, states, label });
      this.canvas = h("canvas", { class: "replay", tabindex: 0, role: "img", "aria-label": `Replay: ${label}. Space plays, arrow keys step.` });
      this.box = PBB.bridge.bounds(scene, design.nodes);
      const index = new Map(design.nodes.map((n, i) => [n.id, i]));
      this.ends = design.edges.map((e) => [index.get(e.anchorAID), index.get(e.anchorBID)]);
      this.records = states.positions_m.length;
      this.end = Math.max(states.end_s, (this.records - 1) / states.hz);
      const breaks = states.break_s.map((t, i) => [t, i]).filter(([t]) => t !== null).sort((a, b) => a[0] - b[0]);
      this.firstBreak = breaks.length ? { time: breaks[0][0], member: design.edges[breaks[0][1]] } : null;
    }
    paint(time) {
      const { canvas, box, states } = this;
      const width = canvas.clientWidth || 640, ratio = Math.min(2, devicePixelRatio || 1);
      const height = Math.round(Math.min(460, Math.max(180, width * box.height / box.width)));
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); 
      }
      const c = canvas.getContext("2d"), scale = Math.min(canvas.width / box.width, canvas.height / box.height);
      const css = getComputedStyle(canvas), ink = (name) => css.getPropertyValue(name).trim();
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.fillStyle = ink("--sky"); c.fillRect(0, 0, canvas.width, canvas.height);
      c.setTransform(scale, 0, 0, -scale, canvas.width / 2 - scale * (box.x0 + box.x1) / 2, canvas.height / 2 + scale * (box.y0 + box.y1) / 2);
      this.paintScene(c, ink);
      const record = Math.min(this.records - 1, Math.floor(time * states.hz + 1e-6));
      this.paintBridge(c, record, ink);
      this.paintVehicles(c, record, ink);
    }
    paintScene(c, ink) {
      if (!this.scene) return;
      const fill = (points, name) => { c.beginPath(); points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y))); c.closePath(); c.fillStyle = ink(name); c.fill(); };
      const g = PBB.bridge.ground(this.scene, this.box);
      if (typeof this.scene.water_y === "number") { c.fillStyle = ink("--water"); c.fillRect(-100, this.scene.water_y, 300, -60); }
      g.earth.forEach((p) => fill(p, "--earth"));
      g.platforms.forEach((p) => fill(p, "--platform"));
      g.rocks.forEach((p) => fill(p, "--rock"));
      for (const f of this.scene.flags) { fill([[f.x, f.y], [f.x, f.y + 1.3], [f.x + 0.7, f.y + 1.05], [f.x + 0.08, f.y + 0.8], [f.x + 0.08, f.y]], "--flag"); }
    }
    paintBridge(c, record, ink) {
      const { states } = this, at = states.positions_m[record];
      c.lineCap = "round";
      this.ends.forEach(([a, b], m) => {
        if (a === undefined || b === undefined) return;
        const alive = states.alive[record][m];
        const draw = (width, style) => { c.lineWidth = width; c.strokeStyle = style; c.beginPath(); c.moveTo(...at[a]); c.lineTo(...at[b]); c.stroke(); };
        if (!alive) { c.setLineDash([0.12, 0.22]); draw(0.06, ink("--broken")); c.setLineDash([]); return; }
        draw(0.24, ink("--outline"));
        draw(0.17, colour(states.utilisation[record][m]));
      });
      this.design.nodes.forEach((n, i) => { c.beginPath(); c.arc(at[i][0], at[i][1], n.isKinematic ? 0.16 : 0.09, 0, 7); c.fillStyle = ink(n.isKinematic ? "--anchor" : "--outline"); c.fill(); });
    }
    paintVehicles(c, record, ink) {
      // The first version has angles, the second cosine and sine.
      const { poses, vehicles } = this.states;
      for (const [x, y, cos, sin] of (poses || vehicles)[record]) {
        const angle = sin === undefined ? cos : Math.atan2(sin, cos);
        c.save(); c.translate(x, y); c.rotate(angle);
        c.beginPath(); BODY.forEach(([px, py], i) => (i ? c.lineTo(px, py) : c.moveTo(px, py))); c.closePath();
        c.fillStyle = ink("--vehicle"); c.fill(); c.lineWidth = 0.06; c.strokeStyle = "#20242a"; c.stroke();
        for (const dx of [-0.8, 0.8]) { c.beginPath(); c.arc(dx, -0.2, 0.25, 0, 7); c.fillStyle = "#2c2c32"; c.fill(); c.beginPath(); c.arc(dx, -0.2, 0.11, 0, 7); c.fillStyle = "#bebec2"; c.fill(); }
        c.restore();
      }
    }
    facts() {
      const b = this.firstBreak, broken = this.states.break_s.filter((t) => t !== null).length;
      const peak = Math.max(0, ...this.states.peak_utilisation);
      return [`Ended: ${this.states.ending} at ${seconds(this.states.end_s)}.`,
        b ? `First break at ${seconds(b.time)}: ${PBB.bridge.material(b.member.type).name} member ${b.member.id}; ${broken} broke in all.` : "Nothing broke.",
        `Peak utilisation ${(100 * peak).toFixed(0)}%.`].join(" ");
    }
  }

  // Controls over views; a window-wide frame loop runs only while it plays.
  function player(views) {
    const end = Math.max(...views.map((v) => v.end)), step = 1 / views[0].states.hz;
    let time = 0, playing = false, last = 0, speed = 1;
    const play = h("button", { type: "button", class: "play", onclick: () => toggle() }, "▶ Play");
    const scrub = h("input", { type: "range", min: 0, max: end, step, value: 0, "aria-label": "Time", oninput: () => { pause(); go(Number(scrub.value)); } });
    const clock = h("output", { class: "clock" });
    const pick = h("select", { "aria-label": "Speed", onchange: () => { speed = Number(pick.value); } }, SPEEDS.map((v) => h("option", { value: v, selected: v === 1 }, `${v}×`)));
    const jumps = views.filter((v) => v.firstBreak).map((v, i) => h("button", { type: "button", onclick: () => { pause(); go(v.firstBreak.time); } }, `${views.length > 1 ? "AB"[views.indexOf(v)] + ": " : ""}first break ${seconds(v.firstBreak.time)}`));
    const element = h("div", { class: "player" }, h("div", { class: `stage n${views.length}` }, views.map((v) => h("figure", {}, v.canvas, h("figcaption", {}, v.label, h("br"), h("span", { class: "muted" }, v.facts()))))),
      h("div", { class: "controls" }, play, scrub, clock, pick, jumps),
      h("p", { class: "muted small" }, h("span", { class: "ramp", "aria-hidden": true }), " utilisation 0 to 100% of strength; dashed: broken. Space plays or pauses, ← → step, Shift steps 1 s, Home and End jump, + − change the speed."));

    function go(t) {
      time = Math.min(end, Math.max(0, t));
      scrub.value = time; clock.textContent = `${time.toFixed(2)} / ${end.toFixed(2)} s`;
      scrub.setAttribute("aria-valuetext", `${time.toFixed(2)} seconds`);
      element.dataset.time = time.toFixed(3); element.dataset.ended = time >= end;
      for (const v of views) v.paint(time);
    }
    function frame(now) {
      if (!playing || !element.isConnected) { playing = false; return; }
      go(time + speed * Math.min(0.1, (now - last) / 1000)); last = now;
      if (time >= end) pause(); else requestAnimationFrame(frame);
    }
    function pause() { playing = false; play.textContent = "▶ Play"; play.setAttribute("aria-pressed", "false"); }
    function toggle() {
      if (playing) { pause(); return; }
      if (time >= end) go(0);
      playing = true; play.textContent = "❚❚ Pause"; play.setAttribute("aria-pressed", "true"); last = performance.now(); requestAnimationFrame(frame);
    }
    function hasten(by) { const i = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(speed) + by)); speed = SPEEDS[i]; pick.value = speed; }
    const keys = { " ": toggle, ArrowLeft: (e) => { pause(); go(time - (e.shiftKey ? 1 : step)); }, ArrowRight: (e) => { pause(); go(time + (e.shiftKey ? 1 : step)); }, Home: () => { pause(); go(0); }, End: () => { pause(); go(end); }, "+": () => hasten(1), "-": () => hasten(-1) };
    for (const v of views) v.canvas.addEventListener("keydown", (e) => { if (keys[e.key]) { e.preventDefault(); keys[e.key](e); } });
    const repaint = () => { if (element.isConnected) go(time); else { removeEventListener("resize", repaint); removeEventListener("pbb-theme", repaint); } };
    addEventListener("resize", repaint); addEventListener("pbb-theme", repaint);
    requestAnimationFrame(() => go(0));
    return element;
  }

  async function view(episode, call, label) {
    const [level, states] = await Promise.all([PBB.load(`l/${episode.levelId}`), PBB.unpack(call.replay)]);
    return new View(PBB.sceneOf(level, episode.session), call.design, states, label);
  }
  return { view, player };
})();
