"use strict";
// Recorded states of a bridge on a canvas.
(() => {
  const { h, seconds } = PBB;
  const { bounds, ground, material } = PBB.bridge;
  const BODY = [
    [-1.325, -0.15],
    [1.325, -0.15],
    [1.325, 0.15],
    [1.225, 0.2],
    [0.85, 0.24],
    [0.55, 0.55],
    [-0.8, 0.55],
    [-1.225, 0.22],
    [-1.325, 0.12],
  ];
  const RAMP = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
  ];

  function colour(use) {
    const x = Math.min(1, Math.abs(use)) * (RAMP.length - 1);
    const i = Math.min(RAMP.length - 2, Math.floor(x));
    const mixed = RAMP[i].map((low, k) => Math.round(low + (x - i) * (RAMP[i + 1][k] - low)));
    return `rgb(${mixed.join(",")})`;
  }

  function fill(c, outline, style) {
    c.beginPath();
    outline.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.closePath();
    c.fillStyle = style;
    c.fill();
  }

  function disc(c, x, y, radius, style) {
    c.beginPath();
    c.arc(x, y, radius, 0, 7);
    c.fillStyle = style;
    c.fill();
  }

  class View {
    constructor(scene, design, states, label) {
      Object.assign(this, { scene, design, states, label });
      const spoken = `Replay: ${label}. Space plays, arrow keys step.`;
      const look = { class: "replay", tabindex: 0, role: "img", "aria-label": spoken };
      this.canvas = h("canvas", look);
      this.box = bounds(scene, design.nodes);
      const index = new Map(design.nodes.map((n, i) => [n.id, i]));
      this.ends = design.edges.map((e) => [index.get(e.anchorAID), index.get(e.anchorBID)]);
      this.records = states.positions_m.length;
      this.step = 1 / states.hz;
      this.end = Math.max(states.end_s, (this.records - 1) / states.hz);
      const breaks = states.break_s.map((time, i) => ({ time, member: design.edges[i] }));
      this.breaks = breaks.filter((b) => b.time !== null).sort((a, b) => a.time - b.time);
      this.moments = this.breaks.slice(0, 1).map(({ time }) => ({ name: "first break", time }));
    }

    paint(time) {
      const { canvas, box, states } = this;
      this.fit();
      const c = canvas.getContext("2d");
      const scale = Math.min(canvas.width / box.width, canvas.height / box.height);
      const css = getComputedStyle(canvas);
      const ink = (name) => css.getPropertyValue(name).trim();
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.fillStyle = ink("--sky");
      c.fillRect(0, 0, canvas.width, canvas.height);
      const left = canvas.width / 2 - (scale * (box.x0 + box.x1)) / 2;
      const top = canvas.height / 2 + (scale * (box.y0 + box.y1)) / 2;
      c.setTransform(scale, 0, 0, -scale, left, top);
      this.paintScene(c, ink);
      const record = Math.min(this.records - 1, Math.floor(time * states.hz + 1e-6));
      this.paintBridge(c, record, ink);
      this.paintVehicles(c, record, ink);
    }

    // As many pixels as the window shows.
    fit() {
      const { canvas, box } = this;
      const width = canvas.clientWidth || 640;
      const ratio = Math.min(2, devicePixelRatio || 1);
      const fitting = (width * box.height) / box.width;
      const height = Math.round(Math.min(460, Math.max(180, fitting)));
      const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (canvas.width !== across || canvas.height !== down) {
        canvas.width = across;
        canvas.height = down;
      }
    }

    paintScene(c, ink) {
      if (!this.scene) return;
      const { earth, platforms, rocks } = ground(this.scene, this.box);
      if (typeof this.scene.water_y === "number") {
        c.fillStyle = ink("--water");
        c.fillRect(-100, this.scene.water_y, 300, -60);
      }
      earth.forEach((list) => fill(c, list, ink("--earth")));
      platforms.forEach((list) => fill(c, list, ink("--platform")));
      rocks.forEach((list) => fill(c, list, ink("--rock")));
      for (const { x, y } of this.scene.flags) {
        const cloth = [
          [x, y],
          [x, y + 1.3],
          [x + 0.7, y + 1.05],
          [x + 0.08, y + 0.8],
          [x + 0.08, y],
        ];
        fill(c, cloth, ink("--flag"));
      }
    }

    paintBridge(c, record, ink) {
      const { states } = this;
      const at = states.positions_m[record];
      c.lineCap = "round";
      this.ends.forEach(([a, b], m) => {
        if (a === undefined || b === undefined) return;
        const draw = (width, style) => {
          c.lineWidth = width;
          c.strokeStyle = style;
          c.beginPath();
          c.moveTo(...at[a]);
          c.lineTo(...at[b]);
          c.stroke();
        };
        if (!states.alive[record][m]) {
          c.setLineDash([0.12, 0.22]);
          draw(0.06, ink("--broken"));
          c.setLineDash([]);
          return;
        }
        draw(0.24, ink("--outline"));
        draw(0.17, colour(states.utilisation[record][m]));
      });
      this.design.nodes.forEach((node, i) => {
        const style = ink(node.isKinematic ? "--anchor" : "--outline");
        disc(c, at[i][0], at[i][1], node.isKinematic ? 0.16 : 0.09, style);
      });
    }

    paintVehicles(c, record, ink) {
      // The first version has angles, the second cosine and sine.
      const { poses, vehicles } = this.states;
      for (const [x, y, cos, sin] of (poses || vehicles)[record]) {
        const angle = sin === undefined ? cos : Math.atan2(sin, cos);
        c.save();
        c.translate(x, y);
        c.rotate(angle);
        fill(c, BODY, ink("--vehicle"));
        c.lineWidth = 0.06;
        c.strokeStyle = "#20242a";
        c.stroke();
        for (const dx of [-0.8, 0.8]) {
          disc(c, dx, -0.2, 0.25, "#2c2c32");
          disc(c, dx, -0.2, 0.11, "#bebec2");
        }
        c.restore();
      }
    }

    facts() {
      const [first] = this.breaks;
      const peak = Math.max(0, ...this.states.peak_utilisation);
      return [
        `Ended: ${this.states.ending} at ${seconds(this.states.end_s)}.`,
        first ? broken(first, this.breaks.length) : "Nothing broke.",
        `Peak utilisation ${(100 * peak).toFixed(0)}%.`,
      ].join(" ");
    }
  }

  function broken({ time, member }, all) {
    const name = `${material(member.type).name} member ${member.id}`;
    return `First break at ${seconds(time)}: ${name}; ${all} broke in all.`;
  }

  Object.assign(PBB.domain, {
    view: (scene, design, states, label) => new View(scene, design, states, label),
    legend: () => [
      h("span", { class: "ramp", "aria-hidden": true }),
      " utilisation 0 to 100% of strength; dashed: broken.",
    ],
  });
})();
