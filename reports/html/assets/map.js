"use strict";
// The level map: a grid of thumbnails by family, coloured by outcome.
PBB.views.levels = () => {
  const { h, report, dot, sessionName, OUTCOMES } = PBB;
  const { sessions, levels } = report();
  const unique = (values) => [...new Set(values)].filter(Boolean).sort();
  const any = (values) => [["", "all"], ...values.map((v) => [v, v])];
  const select = (name, label, options) => {
    const listed = options.map(([value, text]) => h("option", { value }, text));
    return h("label", {}, label, h("select", { name }, listed));
  };
  const outcomes = Object.entries(OUTCOMES).map(([name, [, label]]) => [name, label]);
  const hint = { placeholder: "name, family, description", autocomplete: "off" };
  const text = h("input", { type: "search", name: "text", ...hint });
  const choices = [
    select(
      "session",
      "Colour by",
      sessions.map((s) => [s.id, sessionName(s)]),
    ),
    select("group", "Group", any(unique(levels.map((l) => l.group)))),
    select("tag", "Tag", any(unique(levels.flatMap((l) => l.tags)))),
    select("outcome", "Outcome", [["", "all"], ...outcomes]),
    h("label", {}, "Text", text),
  ];
  const stay = (event) => event.preventDefault();
  const form = h("form", { class: "filters", role: "search", onsubmit: stay }, choices);
  const count = h("p", { class: "muted", role: "status" });
  const grid = h("div", { class: "map" });

  const summary = (rows) => {
    const kinds = (rows || []).map((r) => r.outcome || "none");
    return kinds.includes("success") ? "success" : kinds[0] || "none";
  };

  function card(level, session) {
    const outcome = summary(session.outcomes[level.id]);
    const size = { width: 320, height: 200 };
    const label = `${level.name}, ${OUTCOMES[outcome][1]}`;
    return h(
      "a",
      { class: `tile ${outcome}`, href: `#/level/${level.id}`, "aria-label": label },
      level.thumb
        ? h("img", { src: level.thumb, alt: "", loading: "lazy", ...size })
        : h("span", { class: "nothumb" }),
      h("span", { class: "tilename" }, dot(outcome, true), " ", level.name),
      sessions.length > 1 &&
        h(
          "span",
          { class: "pips" },
          sessions.map((s) => dot(summary(s.outcomes[level.id]), true)),
        ),
    );
  }

  function update() {
    const chosen = Object.fromEntries(new FormData(form));
    const session = sessions.find((s) => s.id === chosen.session) || sessions[0];
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = levels.filter((level) => {
      const told = `${level.name} ${level.family} ${level.about}`.toLowerCase();
      return (
        (!chosen.group || level.group === chosen.group) &&
        (!chosen.tag || level.tags.includes(chosen.tag)) &&
        (!chosen.outcome || summary(session.outcomes[level.id]) === chosen.outcome) &&
        words.every((word) => told.includes(word))
      );
    });
    const families = new Map();
    for (const l of kept) families.set(l.family, [...(families.get(l.family) || []), l]);
    grid.replaceChildren(...[...families].map(([name, list]) => family(name, list, session)));
    count.textContent = `${kept.length} of ${levels.length} levels`;
  }

  function family(name, list, session) {
    const won = list.filter((l) => summary(session.outcomes[l.id]) === "success").length;
    const told = `${list[0].group} · ${won} of ${list.length} solved`;
    return h(
      "section",
      {},
      h("h2", {}, name, " ", h("span", { class: "muted small" }, told)),
      h(
        "div",
        { class: "tiles" },
        list.map((l) => card(l, session)),
      ),
    );
  }

  form.addEventListener("input", update);
  if (sessions.length) update();
  return h("div", {}, h("h1", {}, "Levels"), form, count, grid);
};
