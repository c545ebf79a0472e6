"use strict";
// Addresses after the #: pages of the shell, or a view made of loaded data.
(() => {
  const { h } = PBB;
  PBB.crumbs = (steps, before, after) => h("nav", { class: "crumbs", "aria-label": "Where you are" },
    h("ol", {}, steps.map(([text, href]) => h("li", {}, href ? h("a", { href }, text) : h("span", { "aria-current": "page" }, text)))),
    h("span", { class: "turn" }, before && h("a", { href: before, rel: "prev" }, "← previous"), after && h("a", { href: after, rel: "next" }, "next →")));
  const shell = new Set(["overview", "tables"]);
  let turn = 0;

  async function show() {
    const mine = ++turn;
    const [page = "overview", ...rest] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
    if (!shell.has(page) && !Object.hasOwn(PBB.views, page)) return;
    for (const link of document.querySelectorAll("header nav a")) {
      const here = link.dataset.page === page || (link.dataset.page === "levels" && !shell.has(page));
      here ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
    }
    const view = document.getElementById("view");
    let content = [];
    if (!shell.has(page)) {
      view.setAttribute("aria-busy", "true");
      try { content = [await PBB.views[page](...rest)]; } catch (error) { content = [h("p", { class: "error", role: "alert" }, `Cannot be shown: ${error.message}`)]; }
      if (mine !== turn) return;
      view.removeAttribute("aria-busy");
    }
    view.replaceChildren(...content);
    for (const section of document.querySelectorAll("[data-view]")) section.hidden = section.dataset.view !== (shell.has(page) ? page : "view");
    const heading = document.querySelector("section:not([hidden]) h1");
    document.title = `${heading && page !== "overview" ? `${heading.textContent} – ` : ""}PolyBridgeBench report`;
    if (turn > 1) { scrollTo(0, 0); document.getElementById("main").focus({ preventScroll: true }); }
    document.body.dataset.ready = page;
  }
  addEventListener("hashchange", show);
  document.body.dataset.script = "on";
  show();
})();
