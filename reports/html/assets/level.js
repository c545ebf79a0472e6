"use strict";
// A level: its scene, its facts, and how every session fared; two attempts side by side.
PBB.views.level = async (id) => {
  const { h, report, dot, pips, dollars, number, sessionName, OUTCOMES } = PBB;
  const level = await PBB.load(`l/${id}`);
  const { facts } = level, scene = facts.scene, levels = report().levels, here = levels.findIndex((l) => l.id === id);
  const fact = (name, value) => value !== null && value !== undefined && value !== "" && h("div", {}, h("dt", {}, name), h("dd", {}, value));
  const rows = report().sessions.flatMap((session) => (session.outcomes[id] || []).map((row) => ({ session, row })));
  const won = rows.filter(({ row }) => row.outcome === "success").map(({ row }) => row.cost);
  const attempts = rows.flatMap(({ session, row }) => [...row.path].map((letter, i) => ({ letter, value: `${row.key}.${i + 1}`, text: `${sessionName(session)}${session.samples > 1 ? ` sample ${row.sample}` : ""}, call ${i + 1} (${OUTCOMES[PBB.STATUS[letter]][1]})` })).filter((a) => a.letter !== "V"));
  const choose = (name, index) => h("label", {}, name, h("select", { name }, attempts.map((a, i) => h("option", { value: a.value, selected: i === index }, a.text))));
  const compare = attempts.length > 1 && h("form", { class: "filters", onsubmit: (e) => { e.preventDefault(); const f = new FormData(e.target); location.hash = `#/compare/${f.get("A")}/${f.get("B")}`; } },
    choose("A", 0), choose("B", attempts.length - 1), h("button", { type: "submit" }, "Replay side by side"));
  return h("div", {},
    PBB.crumbs([["Levels", "#/levels"], [level.name]], levels[here - 1] && `#/level/${levels[here - 1].id}`, levels[here + 1] && `#/level/${levels[here + 1].id}`),
    h("h1", {}, level.name), scene && h("p", { class: "lead" }, scene.description),
    h("div", { class: "columns" }, h("div", {}, scene ? PBB.bridge.draw(scene, null).element : h("p", { class: "muted" }, "The session has no scene of this level.")),
      h("dl", { class: "facts" }, fact("Family", facts.family), fact("Group", facts.group), fact("Suite", facts.suite), fact("Span", typeof facts.span_m === "number" && `${number(facts.span_m, 1)} m`), fact("Tags", (facts.tags || []).join(", ")),
        scene && fact("Vehicles", scene.vehicles.map((v) => `${v.weight_pg} PG`).join(", ")), scene && fact("Materials", scene.materials.join(", ")), fact("Strict limit", dollars(facts.strict_limit_usd)),
        typeof facts.reference_cost_usd === "number" && fact("Reference cost", dollars(facts.reference_cost_usd)), won.length > 0 && fact("Cheapest success here", dollars(Math.min(...won))))),
    level.scenes.length > 1 && h("p", { class: "error" }, "These sessions did not see the same scene; the first is shown, and each episode shows its own."),
    h("h2", {}, "Sessions"),
    h("div", { class: "scroll" }, h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ["Session", "Outcome", "Calls", "Cost", "Codes", ""].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, rows.map(({ session, row }) => h("tr", {}, h("th", { scope: "row" }, sessionName(session), session.samples > 1 && ` · sample ${row.sample}`), h("td", {}, dot(row.outcome), " ", OUTCOMES[row.outcome || "none"][1]),
        h("td", {}, pips(row.path)), h("td", {}, dollars(row.cost)), h("td", { class: "small" }, (row.codes || []).join(", ") || "–"), h("td", {}, h("a", { href: `#/episode/${row.key}` }, "Open episode"))))))),
    compare && h("h2", {}, "Two attempts"), compare,
    scene && h("details", {}, h("summary", {}, "Level data"), h("pre", {}, JSON.stringify({ parameters: facts.parameters, scene }, null, 1))));
};

PBB.views.compare = async (a, b) => {
  const { h } = PBB;
  const sides = await Promise.all([a, b].map(async (text, i) => {
    const [key, number] = text.split(".");
    const episode = await PBB.load(`e/${key}`), call = episode.calls.find((c) => c.n === Number(number));
    if (!call || !call.replay || !call.design) throw new Error(`${key}, call ${number}: has no replay`);
    const session = PBB.report().sessions.find((s) => s.id === episode.session);
    return { episode, view: await PBB.replay.view(episode, call, `${"AB"[i]}: ${PBB.sessionName(session)}, call ${number}`) };
  }));
  const { levelId, level } = sides[0].episode;
  return h("div", {}, PBB.crumbs([["Levels", "#/levels"], [level, `#/level/${levelId}`], ["Side by side"]]), h("h1", {}, "Side by side"), PBB.replay.player(sides.map((side) => side.view)));
};
