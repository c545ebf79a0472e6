"use strict";
// The level map: a grid of thumbnails by family, coloured by outcome.
PBB.views.levels = () => {
  const { h, report, dot, sessionName, OUTCOMES } = PBB;
  const { sessions, levels } = report();
  const unique = (values) => [...new Set(values)].filter(Boolean).sort();
  const select = (name, label, options) => h("label", {}, label, h("select", { name }, options.map(([value, text]) => h("option", { value }, text))));
  const any = (values) => [["", "all"], ...values.map((v) => [v, v])];
  const text = h("input", { type: "search", name: "text", placeholder: "name, family, description", autocomplete: "off" });
  const form = h("form", { class: "filters", role: "search", onsubmit: (e) => e.preventDefault() },
    select("session", "Colour by", sessions.map((s) => [s.id, sessionName(s)])), select("group", "Group", any(unique(levels.map((l) => l.group)))),
    select("tag", "Tag", any(unique(levels.flatMap((l) => l.tags)))), select("outcome", "Outcome", [["", "all"], ...Object.entries(OUTCOMES).map(([k, v]) => [k, v[1]])]), h("label", {}, "Text", text));
  const count = h("p", { class: "muted", role: "status" });
  const grid = h("div", { class: "map" });
  const summary = (rows) => {
    const kinds = (rows || []).map((r) => r.outcome || "none");
    return kinds.includes("success") ? "success" : kinds[0] || "none";
  };
  function card(level, session) {
    const outcome = summary(session.outcomes[level.id]);
    return h("a", { class: `tile ${outcome}`, href: `#/level/${level.id}`, "aria-label": `${level.name}, ${OUTCOMES[outcome][1]}` },
      level.thumb ? h("img", { src: level.thumb, alt: "", loading: "lazy", width: 320, height: 200 }) : h("span", { class: "nothumb" }),
      h("span", { class: "tilename" }, dot(outcome, true), " ", level.name),
      sessions.length > 1 && h("span", { class: "pips" }, sessions.map((s) => dot(summary(s.outcomes[level.id]), true))));
  }
  function update() {
    const f = Object.fromEntries(new FormData(form));
    const session = sessions.find((s) => s.id === f.session) || sessions[0];
    const words = f.text.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = levels.filter((l) => (!f.group || l.group === f.group) && (!f.tag || l.tags.includes(f.tag)) &&
      (!f.outcome || summary(session.outcomes[l.id]) === f.outcome) && words.every((w) => `${l.name} ${l.family} ${l.about}`.toLowerCase().includes(w)));
    const families = new Map();
    for (const l of kept) families.set(l.family, [...(families.get(l.family) || []), l]);
    grid.replaceChildren(...[...families].map(([family, list]) => {
      const won = list.filter((l) => summary(session.outcomes[l.id]) === "success").length;
      return h("section", {}, h("h2", {}, family, " ", h("span", { class: "muted small" }, `${list[0].group} · ${won} of ${list.length} solved`)), h("div", { class: "tiles" }, list.map((l) => card(l, session))));
    }));
    count.textContent = `${kept.length} of ${levels.length} levels`;
  }
  form.addEventListener("input", update);
  if (sessions.length) update();
  return h("div", {}, h("h1", {}, "Levels"), form, count, grid);
};
