"use strict";
// A level: its scene, its facts, and how every session fared; two attempts side by side.
PBB.views.level = async (id) => {
  const { h, report, amount } = PBB;
  const level = await PBB.load(`l/${id}`);
  const scene = level.facts.scene;
  const { levels, sessions } = report();
  const here = levels.findIndex((l) => l.id === id);
  const rows = sessions.flatMap((session) =>
    (session.outcomes[id] || []).map((row) => ({ session, row })),
  );
  const at = (place) => levels[place] && `#/level/${levels[place].id}`;
  const drawing = scene && PBB.domain.draw(scene, null);

  function facts() {
    const { family, group, suite, tags, strict_limit } = level.facts;
    const won = rows.filter(({ row }) => row.outcome === "success").map(({ row }) => row.cost);
    const known = [
      ["Family", family],
      ["Group", group],
      ["Suite", suite],
      ...PBB.domain.size(level.facts),
      ["Tags", (tags || []).join(", ")],
      ...(scene ? PBB.domain.about(scene) : []),
      ["Strict limit", amount(strict_limit)],
      ["Cheapest success here", won.length > 0 && amount(Math.min(...won))],
    ];
    return h(
      "dl",
      { class: "facts" },
      known
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .filter(([, value]) => value !== false)
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
  }

  return h(
    "div",
    {},
    PBB.crumbs([["Levels", "#/levels"], [level.name]], at(here - 1), at(here + 1)),
    h("h1", {}, level.name),
    scene && h("p", { class: "lead" }, scene.description),
    h(
      "div",
      { class: "columns" },
      h("div", {}, drawing ? drawing.element : h("p", { class: "muted" }, noScene(scene))),
      facts(),
    ),
    level.scenes.length > 1 &&
      h(
        "p",
        { class: "error" },
        "These sessions did not see the same scene; the first is shown, and each episode shows " +
          "its own.",
      ),
    h("h2", {}, "Sessions"),
    h("div", { class: "scroll" }, PBB.outcomeTable(rows)),
    PBB.compareForm(rows),
    scene &&
      h(
        "details",
        {},
        h("summary", {}, "Level data"),
        h("pre", {}, JSON.stringify({ parameters: level.facts.parameters, scene }, null, 1)),
      ),
  );

  function noScene(known) {
    return known ? "This kind of scene is not drawn." : "The session has no scene of this level.";
  }
};

// How every session fared on a level.
PBB.outcomeTable = (rows) => {
  const { h, dot, pips, amount, sessionName, OUTCOMES } = PBB;
  const columns = ["Session", "Outcome", "Calls", "Cost", "Codes", ""];
  const line = ({ session, row }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, sessionName(session), sampleOf(session, row)),
      h("td", {}, dot(row.outcome), " ", OUTCOMES[row.outcome || "none"][1]),
      h("td", {}, pips(row.path)),
      h("td", {}, amount(row.cost)),
      h("td", { class: "small" }, (row.codes || []).join(", ") || "–"),
      h("td", {}, h("a", { href: `#/episode/${row.key}` }, "Open episode")),
    );
  const sampleOf = (session, row) => session.samples > 1 && ` · sample ${row.sample}`;
  const head = columns.map((text) => h("th", { scope: "col" }, text));
  return h(
    "table",
    { class: "plain" },
    h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map(line)),
  );
};

// Which two attempts of a level to replay side by side.
PBB.compareForm = (rows) => {
  const { h, sessionName, OUTCOMES, STATUS } = PBB;
  const attempts = rows
    .flatMap(({ session, row }) => {
      const name = `${sessionName(session)}${session.samples > 1 ? ` sample ${row.sample}` : ""}`;
      return [...row.path].map((letter, i) => ({
        letter,
        value: `${row.key}.${i + 1}`,
        text: `${name}, call ${i + 1} (${OUTCOMES[STATUS[letter]][1]})`,
      }));
    })
    .filter((attempt) => attempt.letter !== "V");
  if (attempts.length < 2) return null;
  const option = (attempt, selected) =>
    h("option", { value: attempt.value, selected }, attempt.text);
  const choose = (name, index) =>
    h(
      "label",
      {},
      name,
      h(
        "select",
        { name },
        attempts.map((attempt, i) => option(attempt, i === index)),
      ),
    );
  const go = (event) => {
    event.preventDefault();
    const chosen = new FormData(event.target);
    location.hash = `#/compare/${chosen.get("A")}/${chosen.get("B")}`;
  };
  return [
    h("h2", {}, "Two attempts"),
    h(
      "form",
      { class: "filters", onsubmit: go },
      choose("A", 0),
      choose("B", attempts.length - 1),
      h("button", { type: "submit" }, "Replay side by side"),
    ),
  ];
};

PBB.views.compare = async (a, b) => {
  const { h } = PBB;
  async function side(text, letter) {
    const [key, number] = text.split(".");
    const episode = await PBB.load(`e/${key}`);
    const call = episode.calls.find((c) => c.n === Number(number));
    if (!call || !PBB.player.has(call)) throw new Error(`${key}, call ${number}: has no replay`);
    const session = PBB.report().sessions.find((s) => s.id === episode.session);
    const label = `${letter}: ${PBB.sessionName(session)}, call ${number}`;
    return { episode, view: await PBB.player.view(episode, call, label) };
  }
  const sides = await Promise.all([side(a, "A"), side(b, "B")]);
  const { levelId, level } = sides[0].episode;
  const steps = [["Levels", "#/levels"], [level, `#/level/${levelId}`], ["Side by side"]];
  return h(
    "div",
    {},
    PBB.crumbs(steps),
    h("h1", {}, "Side by side"),
    PBB.player.of(sides.map((one) => one.view)),
  );
};
