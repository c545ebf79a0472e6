"use strict";
// The scene and a design as SVG: lengths, costs, and what the validator names.
PBB.bridge = (() => {
  const { h, s, number, dollars } = PBB;
  const MATERIAL = {
    1: { name: "Road", cost: 200, longest: 2 },
    2: { name: "Wood", cost: 180, longest: 2 },
    3: { name: "Steel", cost: 450, longest: 4 },
  };
  const material = (type) => MATERIAL[type] || { name: `type ${type}`, cost: NaN, longest: NaN };
  const points = (list) => list.map(([x, y]) => `${x},${-y}`).join(" ");

  // The part of the world that is shown: banks, design and a bit of road at both ends.
  function bounds(scene, nodes) {
    const xs = [], ys = [];
    const add = (x, y) => { if (Math.abs(x) < 200 && Math.abs(y) < 200) { xs.push(x); ys.push(y); } };
    if (scene) {
      add(scene.banks.left.edge.x - 4, scene.banks.left.edge.y + 2);
      add(scene.banks.right.edge.x + 4, scene.banks.right.edge.y + 2);
      add(scene.banks.left.edge.x, -4.5);
      for (const a of scene.anchors) add(a.x, a.y);
    }
    for (const n of nodes || []) add(n.x, n.y);
    if (!xs.length) { add(0, 0); add(10, 3); }
    const x0 = Math.min(...xs) - 0.6, x1 = Math.max(...xs) + 0.6;
    const y0 = Math.min(...ys) - 0.6, y1 = Math.max(...ys) + 0.8;
    return { x0, y0, x1, y1, width: x1 - x0, height: y1 - y0 };
  }

  function ground(scene, box) {
    const deep = box.y0 - 1, far = 60;
    const side = (bank, dir) => {
      const edge = bank.edge, toe = bank.toe, out = edge.x + dir * far;
      return [[out, edge.y], [edge.x, edge.y], [toe.x, toe.y], [toe.x, deep], [out, deep]];
    };
    return {
      earth: [side(scene.banks.left, -1), side(scene.banks.right, 1)],
      platforms: scene.platforms.map((p) => [[p.x_start, p.surface_y], [p.x_end, p.surface_y], [p.x_end, p.bottom_y], [p.x_start, p.bottom_y]]),
      rocks: scene.rocks.map((r) => r.vertices.map((v) => [v.x, v.y])),
    };
  }

  function sceneLayer(scene, box) {
    if (!scene) return [];
    const g = ground(scene, box);
    return [
      typeof scene.water_y === "number" && s("rect", { class: "water", x: box.x0, y: -scene.water_y, width: box.width, height: Math.max(0, scene.water_y - box.y0) + 1 }),
      g.earth.map((p) => s("polygon", { class: "earth", points: points(p) })),
      g.platforms.map((p) => s("polygon", { class: "platform", points: points(p) })),
      g.rocks.map((p) => s("polygon", { class: "rock", points: points(p) }, s("title", {}, "Forbidden region"))),
      scene.flags.map((f) => s("path", { class: "flag", d: `M${f.x},${-f.y} v-1.3 l.7,.25 l-.7,.25` })),
      scene.vehicles.map((v) => s("g", { class: "vehicle", transform: `translate(${v.start_x},${-scene.banks.left.edge.y})` },
        s("rect", { x: -1.3, y: -0.75, width: 2.6, height: 0.5, rx: 0.15 }), s("circle", { cx: -0.8, cy: -0.25, r: 0.25 }), s("circle", { cx: 0.8, cy: -0.25, r: 0.25 }),
        s("title", {}, `Vehicle of ${v.weight_pg} PG`))),
    ];
  }

  function measure(design) {
    const at = new Map(design.nodes.map((n) => [n.id, n]));
    return design.edges.map((edge) => {
      const a = at.get(edge.anchorAID), b = at.get(edge.anchorBID);
      const length = a && b ? Math.hypot(a.x - b.x, a.y - b.y) : NaN;
      return { edge, a, b, length, cost: length * material(edge.type).cost };
    });
  }

  function describe(m, messages) {
    const name = `${material(m.edge.type).name} member ${m.edge.id}`;
    const ends = `nodes ${m.edge.anchorAID}–${m.edge.anchorBID}`;
    return [`${name} · ${ends} · ${number(m.length, 2)} m · ${dollars(m.cost)}`, ...(messages || [])].join("\n");
  }

  // design may be null: the scene alone. Returns {element, mark(ids)}.
  function draw(scene, design, violations) {
    const nodes = design ? design.nodes : [];
    const box = bounds(scene, nodes);
    const named = new Map();
    for (const v of violations || []) for (const id of v.ids) named.set(id, [...(named.get(id) || []), `${v.code}: ${v.message}`]);
    const readout = h("p", { class: "readout muted small" }, design ? "Point at a member or tab to it for its length and cost." : "");
    const shown = new Map();
    const tell = (text) => { readout.textContent = PBB.clean(text); };
    const members = (design ? measure(design) : []).filter((m) => m.a && m.b).map((m) => {
      const text = describe(m, named.get(m.edge.id));
      const line = { x1: m.a.x, y1: -m.a.y, x2: m.b.x, y2: -m.b.y };
      const group = s("g", {
        class: `member m${m.edge.type}${named.has(m.edge.id) ? " named" : ""}`, tabindex: 0, role: "img", "aria-label": text,
        onmouseenter: () => tell(text), onfocus: () => tell(text),
      }, s("line", { class: "hit", ...line }), s("line", { class: "bar", ...line }), s("title", {}, text));
      shown.set(m.edge.id, group);
      return group;
    });
    const joints = nodes.map((n) => {
      const text = [`${n.isKinematic ? "Anchor" : "Node"} ${n.id} at (${n.x}, ${n.y})`, ...(named.get(n.id) || [])].join("\n");
      const joint = s("circle", { class: `node${n.isKinematic ? " anchor" : ""}${named.has(n.id) ? " named" : ""}`, cx: n.x, cy: -n.y, r: n.isKinematic ? 0.17 : 0.12, onmouseenter: () => tell(text) }, s("title", {}, text));
      shown.set(n.id, joint);
      return joint;
    });
    const anchors = design || !scene ? [] : scene.anchors.map((a) => s("circle", { class: "node anchor", cx: a.x, cy: -a.y, r: 0.17 }, s("title", {}, `Anchor ${a.id} at (${a.x}, ${a.y})`)));
    const svg = s("svg", { class: "bridge", viewBox: `${box.x0} ${-box.y1} ${box.width} ${box.height}`, role: "group", "aria-label": design ? `Bridge of ${nodes.length} nodes and ${design.edges.length} members` : "Scene of the level" },
      s("rect", { class: "sky", x: box.x0, y: -box.y1, width: box.width, height: box.height }), sceneLayer(scene, box), members, joints, anchors);
    const mark = (ids, on) => { for (const id of ids) { const e = shown.get(id); if (e) { e.classList.toggle("marked", on); if (on) tell(e.getAttribute("aria-label") || e.textContent); } } };
    return { element: h("div", { class: "drawing" }, svg, key(design), readout), mark, ids: shown };
  }

  const key = (design) => design && h("ul", { class: "key small" }, [1, 2, 3].map((t) => h("li", {}, h("span", { class: `swatch m${t}` }), MATERIAL[t].name)), h("li", {}, h("span", { class: "swatch anchor" }), "Anchor"));

  function memberTable(design) {
    return h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["Member", "Material", "Nodes", "Length", "Cost"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, measure(design).map((m) => h("tr", {}, h("th", { scope: "row" }, m.edge.id), h("td", {}, material(m.edge.type).name), h("td", {}, `${m.edge.anchorAID}–${m.edge.anchorBID}`),
        h("td", {}, `${number(m.length, 3)} m`), h("td", {}, dollars(m.cost))))));
  }
  return { draw, bounds, ground, memberTable, material };
})();
