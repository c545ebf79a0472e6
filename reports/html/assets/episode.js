"use strict";
// An episode, call by call: what was shown, what came back, what the checks and physics said.
PBB.story = (() => {
  const { h, dot, number, amount, seconds, OUTCOMES } = PBB;
  const fold = (title, ...content) => h("details", {}, h("summary", {}, title), content);
  const pre = (text) => h("pre", { dir: "ltr", tabindex: 0 }, text);
  const muted = (text) => h("p", { class: "muted" }, text);

  function picture(shown) {
    if (!shown.src) return muted(`${shown.name}: not in the record`);
    const image = h("img", { src: shown.src, alt: shown.name, loading: "lazy" });
    return h("a", { href: shown.src, class: "shot" }, image);
  }

  async function part(content) {
    if (content.image !== undefined) return muted(`[picture ${content.image}]`);
    return pre(content.ref ? await PBB.load(content.ref) : content.text);
  }

  function messages(call) {
    if (!call.messages.length) return null;
    const body = h("div");
    const opened = async () => {
      if (!box.open || body.childNodes.length) return;
      for (const message of call.messages) {
        body.append(h("h4", {}, message.role));
        for (const content of message.parts) body.append(await part(content));
      }
    };
    const box = h("details", { ontoggle: opened }, h("summary", {}, "The request in full"), body);
    return box;
  }

  function verdict(call, drawing) {
    if (!call.violations.length) return null;
    const line = (violation) => {
      const mark = (on) => () => drawing && drawing.mark(violation.ids, on);
      const point = { onmouseenter: mark(true), onmouseleave: mark(false) };
      const focus = { onfocus: mark(true), onblur: mark(false) };
      const tabindex = violation.ids.length ? 0 : null;
      const code = h("code", { class: "chip warn" }, violation.code);
      return h("li", { tabindex, ...point, ...focus }, code, " ", violation.message);
    };
    return h("ul", { class: "violations" }, call.violations.map(line));
  }

  function replay(episode, call) {
    if (!PBB.player.has(call)) return null;
    const stage = h("div", {});
    const load = async () => {
      start.disabled = true;
      try {
        const view = await PBB.player.view(episode, call, `call ${call.n}`);
        stage.replaceChildren(PBB.player.of([view]));
        start.remove();
        view.canvas.focus({ preventScroll: true });
      } catch (error) {
        start.disabled = false;
        PBB.say(error.message);
        stage.append(h("p", { class: "error" }, error.message));
      }
    };
    const look = { type: "button", class: "load", onclick: load };
    const start = h("button", look, "▶ Load the replay");
    return h("div", { class: "replaybox" }, stage, start);
  }

  function physics(episode, call) {
    if (!call.execution) return null;
    const { summary, facts } = call.execution;
    const end = facts.end_s ?? summary.duration_s;
    return h(
      "section",
      {},
      h("h3", {}, "What physics said"),
      h(
        "p",
        {},
        dot(summary.outcome),
        " ",
        OUTCOMES[summary.outcome]?.[1],
        typeof end === "number" && ` after ${seconds(end)}`,
        PBB.domain.told(facts).map((text) => `; ${text}`),
        ".",
      ),
      replay(episode, call),
      call.sheet.map((shown) =>
        h(
          "figure",
          {},
          picture(shown),
          h("figcaption", {}, "Contact sheet, as the model was shown it"),
        ),
      ),
    );
  }

  function spent(row) {
    if (!row) return null;
    const { tokens, finish_reason: finish, notes, timing } = row;
    const texts = [
      tokens.input !== null && `${number(tokens.input)} tokens in`,
      tokens.output !== null && `${number(tokens.output)} out`,
      finish && finish !== "stop" && `finish: ${finish}`,
      notes.wrapped && "answer was wrapped",
      timing.reply_s >= 0.05 && `${number(timing.reply_s, 1)} s`,
    ].filter(Boolean);
    return texts.length > 0 && h("p", { class: "muted small" }, texts.join(" · "));
  }

  function price(row, limit) {
    const measured = row && row.design;
    if (!measured || typeof measured.cost !== "number") return null;
    const of = typeof limit === "number" && ` of ${amount(limit)}`;
    const tally = PBB.domain.tally(measured).map((text) => ` · ${text}`);
    return h("p", {}, h("strong", {}, amount(measured.cost)), of, tally);
  }

  function heading(status) {
    if (!status) return "not finished";
    if (status === "invalid") return "refused by the checks";
    return status === "success" ? PBB.domain.won : "built, and failed";
  }

  function shown(call) {
    const repairs = call.row && call.row.repairs;
    const told = repairs === "violations";
    return h(
      "section",
      {},
      h("h3", {}, "What was shown"),
      repairs &&
        muted(
          told
            ? "With the messages of the checks on the last draft."
            : "With what physics said of the last design.",
        ),
      call.shown.map(picture),
      call.context && fold("Context", pre(JSON.stringify(call.context, null, 1))),
      messages(call),
    );
  }

  function answered(call, drawing, limit) {
    const parts = call.design && PBB.domain.parts(call.design);
    return h(
      "section",
      {},
      h("h3", {}, "What came back"),
      call.thought ? h("blockquote", {}, call.thought) : muted("No thought was given."),
      drawing && drawing.element,
      price(call.row, limit),
      spent(call.row),
      verdict(call, drawing),
      parts && fold(parts.title, parts.element),
      call.reasoning && fold("Reasoning", pre(call.reasoning)),
      call.reply !== null && fold("The answer as it came", pre(call.reply)),
    );
  }

  return (episode, call, scene) => {
    const status = call.row ? call.row.status : null;
    const drawing = call.design ? PBB.domain.draw(scene, call.design, call.violations) : null;
    return h(
      "article",
      { class: `call ${status || "none"}`, id: `call-${call.n}` },
      h("h2", {}, dot(status), ` Call ${call.n}: `, heading(status)),
      h("div", { class: "columns" }, shown(call), answered(call, drawing, episode.facts.limit)),
      physics(episode, call),
    );
  };
})();

PBB.views.episode = async (key) => {
  const { h, dot, amount, OUTCOMES } = PBB;
  const episode = await PBB.load(`e/${key}`);
  const level = await PBB.load(`l/${episode.levelId}`);
  const session = PBB.report().sessions.find((s) => s.id === episode.session);
  const scene = PBB.sceneOf(level, session.id);
  const rows = Object.values(session.outcomes).flat();
  const here = rows.findIndex((row) => row.key === key);
  const at = (place) => rows[place] && `#/episode/${rows[place].key}`;
  const name = PBB.sessionName(session);
  const sample = session.samples > 1 ? ` · sample ${episode.sample}` : "";
  const { infra } = episode;

  function step(call) {
    const status = call.row ? call.row.status : "none";
    const codes = (call.row ? call.row.codes : []).filter((c) => c !== "RUN_FALSE_AFTER_VALID");
    const onclick = () =>
      document.getElementById(`call-${call.n}`).scrollIntoView({ behavior: "smooth" });
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: `step ${status}`, onclick },
        dot(call.row && call.row.status, true),
        ` Call ${call.n}`,
        h("span", { class: "small muted" }, call.row ? ` ${codes.join(", ")}` : ""),
      ),
    );
  }

  return h(
    "div",
    {},
    PBB.crumbs(
      [["Levels", "#/levels"], [level.name, `#/level/${episode.levelId}`], [name]],
      at(here - 1),
      at(here + 1),
    ),
    h("h1", {}, level.name),
    h(
      "p",
      { class: "lead" },
      dot(episode.outcome),
      " ",
      h("strong", {}, OUTCOMES[episode.outcome || "none"][1]),
      ` · ${name}${sample} · limit ${amount(episode.facts.limit)}`,
    ),
    infra &&
      h("p", { class: "error" }, `No result (${infra.where}): ${infra.error}: ${infra.message}`),
    h("ol", { class: "steps" }, episode.calls.map(step)),
    episode.calls.map((call) => PBB.story(episode, call, scene)),
  );
};
