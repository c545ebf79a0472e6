"use strict";
// An episode, call by call: what was shown, what came back, what the checks and physics said.
PBB.views.episode = async (key) => {
  const { h, dot, number, dollars, seconds, OUTCOMES } = PBB;
  const episode = await PBB.load(`e/${key}`);
  const level = await PBB.load(`l/${episode.levelId}`);
  const session = PBB.report().sessions.find((s) => s.id === episode.session);
  const scene = PBB.sceneOf(level, session.id);
  const limit = episode.facts.limit_usd;
  const picture = (p) => p.src ? h("a", { href: p.src, class: "shot" }, h("img", { src: p.src, alt: p.name, loading: "lazy" })) : h("p", { class: "muted" }, `${p.name}: not in the record`);
  const fold = (title, ...content) => h("details", {}, h("summary", {}, title), content);
  const pre = (text) => h("pre", { dir: "ltr", tabindex: 0 }, text);

  function messages(call) {
    const body = h("div");
    const box = h("details", { ontoggle: async () => {
      if (!box.open || body.childNodes.length) return;
      for (const message of call.messages) {
        body.append(h("h4", {}, message.role));
        for (const part of message.parts) body.append(part.image !== undefined ? h("p", { class: "muted" }, `[picture ${part.image}]`) : pre(part.ref ? await PBB.load(part.ref) : part.text));
      }
    } }, h("summary", {}, "The request in full"), body);
    return call.messages.length > 0 && box;
  }

  function verdict(call, drawing) {
    if (!call.violations.length) return null;
    return h("ul", { class: "violations" }, call.violations.map((v) => h("li", {
      tabindex: v.ids.length ? 0 : null, onmouseenter: () => drawing && drawing.mark(v.ids, true), onmouseleave: () => drawing && drawing.mark(v.ids, false),
      onfocus: () => drawing && drawing.mark(v.ids, true), onblur: () => drawing && drawing.mark(v.ids, false),
    }, h("code", { class: "chip warn" }, v.code), " ", v.message)));
  }

  function physics(call) {
    if (!call.execution) return null;
    const stage = h("div", {});
    const label = `call ${call.n}`;
    const start = h("button", { type: "button", class: "load", onclick: async () => {
      start.disabled = true;
      try { const view = await PBB.replay.view(episode, call, label); stage.replaceChildren(PBB.replay.player([view])); start.remove(); view.canvas.focus({ preventScroll: true }); } catch (error) { start.disabled = false; PBB.say(error.message); stage.append(h("p", { class: "error" }, error.message)); }
    } }, "▶ Load the replay");
    const f = call.execution.facts;
    return h("section", {}, h("h3", {}, "What physics said"), h("p", {}, dot(call.execution.summary.outcome), " ", OUTCOMES[call.execution.summary.outcome]?.[1], ` after ${seconds(f.end_s ?? call.execution.summary.duration_s)}`,
      typeof f.first_break_s === "number" ? `; the first member broke at ${seconds(f.first_break_s)}` : f.clean ? "; nothing broke" : "", f.continuous_deck === false ? "; the deck had a gap" : "", "."),
      call.replay && call.design && h("div", { class: "replaybox" }, stage, start), call.sheet.map((p) => h("figure", {}, picture(p), h("figcaption", {}, "Contact sheet, as the model was shown it"))));
  }

  function story(call) {
    const row = call.row, status = row ? row.status : null, drawing = call.design ? PBB.bridge.draw(scene, call.design, call.violations) : null;
    const cost = row && row.design ? row.design.cost_usd : null;
    const spent = row && [row.tokens.input !== null && `${number(row.tokens.input)} tokens in`, row.tokens.output !== null && `${number(row.tokens.output)} out`, row.finish_reason && row.finish_reason !== "stop" && `finish: ${row.finish_reason}`, row.notes.wrapped && "answer was wrapped", row.timing.reply_s >= 0.05 && `${number(row.timing.reply_s, 1)} s`].filter(Boolean);
    return h("article", { class: `call ${status || "none"}`, id: `call-${call.n}` },
      h("h2", {}, dot(status), ` Call ${call.n}: `, status === "invalid" ? "refused by the checks" : status === "success" ? "a bridge that works" : status ? "built, and failed" : "not finished"),
      h("div", { class: "columns" },
        h("section", {}, h("h3", {}, "What was shown"), row && row.repairs && h("p", { class: "muted" }, row.repairs === "violations" ? "With the messages of the checks on the last draft." : "With what physics said of the last design."), call.shown.map(picture),
          call.context && fold("Context", pre(JSON.stringify(call.context, null, 1))), messages(call)),
        h("section", {}, h("h3", {}, "What came back"), call.thought ? h("blockquote", {}, call.thought) : h("p", { class: "muted" }, "No thought was given."), drawing && drawing.element,
          typeof cost === "number" && h("p", {}, h("strong", {}, dollars(cost)), typeof limit === "number" && ` of ${dollars(limit)}`, ` · ${row.design.members} members · `, Object.entries(row.design.metres_by_material || {}).map(([m, v]) => `${m} ${number(v, 1)} m`).join(", ")),
          spent && spent.length > 0 && h("p", { class: "muted small" }, spent.join(" · ")), verdict(call, drawing), call.design && fold("Members", PBB.bridge.memberTable(call.design)), call.reasoning && fold("Reasoning", pre(call.reasoning)), call.reply !== null && fold("The answer as it came", pre(call.reply)))),
      physics(call));
  }

  const rows = Object.values(session.outcomes).flat(), at = rows.findIndex((r) => r.key === key);
  return h("div", {}, PBB.crumbs([["Levels", "#/levels"], [level.name, `#/level/${episode.levelId}`], [PBB.sessionName(session)]], rows[at - 1] && `#/episode/${rows[at - 1].key}`, rows[at + 1] && `#/episode/${rows[at + 1].key}`),
    h("h1", {}, level.name), h("p", { class: "lead" }, dot(episode.outcome), " ", h("strong", {}, OUTCOMES[episode.outcome || "none"][1]), ` · ${PBB.sessionName(session)}${session.samples > 1 ? ` · sample ${episode.sample}` : ""} · limit ${dollars(limit)}`),
    episode.infra && h("p", { class: "error" }, `No result (${episode.infra.where}): ${episode.infra.error}: ${episode.infra.message}`), h("ol", { class: "steps" }, episode.calls.map((c) => h("li", {}, h("button", { type: "button", class: `step ${c.row ? c.row.status : "none"}`, onclick: () => document.getElementById(`call-${c.n}`).scrollIntoView({ behavior: "smooth" }) }, dot(c.row && c.row.status, true), ` Call ${c.n}`, h("span", { class: "small muted" }, c.row ? ` ${c.row.codes.filter((code) => code !== "RUN_FALSE_AFTER_VALID").join(", ")}` : ""))))), episode.calls.map(story));
};
