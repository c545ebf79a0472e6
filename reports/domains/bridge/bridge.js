"use strict";
// The scene and a design as SVG: lengths, costs, and what the validator names.
PBB.bridge = (() => {
  const { h, s, number, amount, seconds } = PBB;
  const MATERIAL = {
    1: { name: "Road", cost: 200 },
    2: { name: "Wood", cost: 180 },
    3: { name: "Steel", cost: 450 },
  };
  const material = (type) => MATERIAL[type] || { name: `type ${type}`, cost: NaN };
  const points = (list) => list.map(([x, y]) => `${x},${-y}`).join(" ");

  // The part of the world that is shown: banks, design and a bit of road at both ends.
  function bounds(scene, nodes) {
    const xs = [];
    const ys = [];
    const add = (x, y) => {
      if (Math.abs(x) >= 200 || Math.abs(y) >= 200) return;
      xs.push(x);
      ys.push(y);
    };
    if (scene) {
      const { left, right } = scene.banks;
      add(left.edge.x - 4, left.edge.y + 2);
      add(right.edge.x + 4, right.edge.y + 2);
      add(left.edge.x, -4.5);
      for (const a of scene.anchors) add(a.x, a.y);
    }
    for (const n of nodes || []) add(n.x, n.y);
    if (!xs.length) {
      add(0, 0);
      add(10, 3);
    }
    const [x0, x1] = [Math.min(...xs) - 0.6, Math.max(...xs) + 0.6];
    const [y0, y1] = [Math.min(...ys) - 0.6, Math.max(...ys) + 0.8];
    return { x0, y0, x1, y1, width: x1 - x0, height: y1 - y0 };
  }

  function ground(scene, box) {
    const deep = box.y0 - 1;
    const far = 60;
    const side = ({ edge, toe }, direction) => {
      const out = edge.x + direction * far;
      return [
        [out, edge.y],
        [edge.x, edge.y],
        [toe.x, toe.y],
        [toe.x, deep],
        [out, deep],
      ];
    };
    const platform = (p) => [
      [p.x_start, p.surface_y],
      [p.x_end, p.surface_y],
      [p.x_end, p.bottom_y],
      [p.x_start, p.bottom_y],
    ];
    return {
      earth: [side(scene.banks.left, -1), side(scene.banks.right, 1)],
      platforms: scene.platforms.map(platform),
      rocks: scene.rocks.map((rock) => rock.vertices.map((v) => [v.x, v.y])),
    };
  }

  function water(scene, box) {
    if (typeof scene.water_y !== "number") return null;
    const height = Math.max(0, scene.water_y - box.y0) + 1;
    return s("rect", { class: "water", x: box.x0, y: -scene.water_y, width: box.width, height });
  }

  function vehicle(v, level) {
    const wheel = (cx) => s("circle", { cx, cy: -0.25, r: 0.25 });
    return s(
      "g",
      { class: "vehicle", transform: `translate(${v.start_x},${-level})` },
      s("rect", { x: -1.3, y: -0.75, width: 2.6, height: 0.5, rx: 0.15 }),
      wheel(-0.8),
      wheel(0.8),
      s("title", {}, `Vehicle of ${v.weight_pg} PG`),
    );
  }

  function sceneLayer(scene, box) {
    if (!scene) return [];
    const { earth, platforms, rocks } = ground(scene, box);
    const shape = (look) => (list) => s("polygon", { class: look, points: points(list) });
    const flag = (f) => s("path", { class: "flag", d: `M${f.x},${-f.y} v-1.3 l.7,.25 l-.7,.25` });
    const rock = (list) =>
      s("polygon", { class: "rock", points: points(list) }, s("title", {}, "Forbidden region"));
    return [
      water(scene, box),
      earth.map(shape("earth")),
      platforms.map(shape("platform")),
      rocks.map(rock),
      scene.flags.map(flag),
      scene.vehicles.map((v) => vehicle(v, scene.banks.left.edge.y)),
    ];
  }

  function measure(design) {
    const at = new Map(design.nodes.map((n) => [n.id, n]));
    return design.edges.map((edge) => {
      const a = at.get(edge.anchorAID);
      const b = at.get(edge.anchorBID);
      const length = a && b ? Math.hypot(a.x - b.x, a.y - b.y) : NaN;
      return { edge, a, b, length, cost: length * material(edge.type).cost };
    });
  }

  function describe({ edge, length, cost }, messages) {
    const name = `${material(edge.type).name} member ${edge.id}`;
    const ends = `nodes ${edge.anchorAID}–${edge.anchorBID}`;
    const told = `${name} · ${ends} · ${number(length, 2)} m · ${amount(cost)}`;
    return [told, ...messages].join("\n");
  }

  // A drawing of one design: what is named by violations, what is marked, what is read out.
  class Drawing {
    constructor(design, violations) {
      this.design = design;
      this.named = new Map();
      for (const { ids, code, message } of violations || []) {
        for (const id of ids) this.named.set(id, [...this.messages(id), `${code}: ${message}`]);
      }
      this.shown = new Map();
      const hint = design ? "Point at a member or tab to it for its length and cost." : "";
      this.readout = h("p", { class: "readout muted small" }, hint);
    }
    messages(id) {
      return this.named.get(id) || [];
    }
    tell(text) {
      this.readout.textContent = PBB.clean(text);
    }
    look(id, name) {
      return this.named.has(id) ? `${name} named` : name;
    }
    member(measured) {
      const { edge, a, b } = measured;
      const text = describe(measured, this.messages(edge.id));
      const tell = () => this.tell(text);
      const line = { x1: a.x, y1: -a.y, x2: b.x, y2: -b.y };
      const told = { tabindex: 0, role: "img", "aria-label": text };
      const group = s(
        "g",
        {
          class: this.look(edge.id, `member m${edge.type}`),
          ...told,
          onmouseenter: tell,
          onfocus: tell,
        },
        s("line", { class: "hit", ...line }),
        s("line", { class: "bar", ...line }),
        s("title", {}, text),
      );
      this.shown.set(edge.id, group);
      return group;
    }
    joint(node) {
      const name = `${node.isKinematic ? "Anchor" : "Node"} ${node.id} at (${node.x}, ${node.y})`;
      const text = [name, ...this.messages(node.id)].join("\n");
      const joint = s(
        "circle",
        {
          class: this.look(node.id, `node${node.isKinematic ? " anchor" : ""}`),
          cx: node.x,
          cy: -node.y,
          r: node.isKinematic ? 0.17 : 0.12,
          onmouseenter: () => this.tell(text),
        },
        s("title", {}, text),
      );
      this.shown.set(node.id, joint);
      return joint;
    }
    mark(ids, on) {
      for (const id of ids) {
        const element = this.shown.get(id);
        if (!element) continue;
        element.classList.toggle("marked", on);
        if (on) this.tell(element.getAttribute("aria-label") || element.textContent);
      }
    }
  }

  function anchorDot(anchor) {
    const text = `Anchor ${anchor.id} at (${anchor.x}, ${anchor.y})`;
    const place = { cx: anchor.x, cy: -anchor.y, r: 0.17 };
    return s("circle", { class: "node anchor", ...place }, s("title", {}, text));
  }

  // design may be null: the scene alone.
  function draw(scene, design, violations) {
    if (!scene && !design) return null;
    const nodes = design ? design.nodes : [];
    const box = bounds(scene, nodes);
    const drawing = new Drawing(design, violations);
    const measured = (design ? measure(design) : []).filter(({ a, b }) => a && b);
    const members = measured.map((m) => drawing.member(m));
    const joints = nodes.map((node) => drawing.joint(node));
    const anchors = design || !scene ? [] : scene.anchors.map(anchorDot);
    const label = design
      ? `Bridge of ${nodes.length} nodes and ${design.edges.length} members`
      : "Scene of the level";
    const viewBox = `${box.x0} ${-box.y1} ${box.width} ${box.height}`;
    const sky = { x: box.x0, y: -box.y1, width: box.width, height: box.height };
    const svg = s(
      "svg",
      { class: "bridge", viewBox, role: "group", "aria-label": label },
      s("rect", { class: "sky", ...sky }),
      sceneLayer(scene, box),
      members,
      joints,
      anchors,
    );
    return {
      element: h("div", { class: "drawing" }, svg, design && key(), drawing.readout),
      mark: (ids, on) => drawing.mark(ids, on),
    };
  }

  function key() {
    const swatch = (look) => h("span", { class: `swatch ${look}` });
    const materials = [1, 2, 3].map((t) => h("li", {}, swatch(`m${t}`), MATERIAL[t].name));
    return h("ul", { class: "key small" }, materials, h("li", {}, swatch("anchor"), "Anchor"));
  }

  function memberTable(design) {
    const columns = ["Member", "Material", "Nodes", "Length", "Cost"];
    const line = ({ edge, length, cost }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, edge.id),
        h("td", {}, material(edge.type).name),
        h("td", {}, `${edge.anchorAID}–${edge.anchorBID}`),
        h("td", {}, `${number(length, 3)} m`),
        h("td", {}, amount(cost)),
      );
    const head = columns.map((text) => h("th", { scope: "col" }, text));
    return h(
      "table",
      { class: "plain" },
      h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, measure(design).map(line)),
    );
  }

  function tally(measured) {
    const metres = Object.entries(measured.metres_by_material || {});
    const used = metres.map(([name, length]) => `${name} ${number(length, 1)} m`);
    return [`${measured.members} members`, used.join(", ")];
  }

  function told(facts) {
    const broke = typeof facts.first_break_s === "number";
    return [
      broke && `the first member broke at ${seconds(facts.first_break_s)}`,
      !broke && facts.clean && "nothing broke",
      facts.continuous_deck === false && "the deck had a gap",
    ].filter(Boolean);
  }

  const size = (facts) => [
    ["Span", typeof facts.span_m === "number" && `${number(facts.span_m, 1)} m`],
  ];
  const about = (scene) => [
    ["Vehicles", scene.vehicles.map((v) => `${v.weight_pg} PG`).join(", ")],
    ["Materials", scene.materials.join(", ")],
  ];

  Object.assign(PBB.domain, {
    won: "a bridge that works",
    parts: (design) => ({ title: "Members", element: memberTable(design) }),
    ...{ draw, tally, told, size, about },
  });
  return { bounds, ground, material };
})();
