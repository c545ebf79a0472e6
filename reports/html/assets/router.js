"use strict";
// Addresses after the #: pages of the shell, or a view made of loaded data.
(() => {
  const { h } = PBB;
  const shell = new Set(["overview", "tables"]);
  let turn = 0;

  PBB.crumbs = (steps, before, after) => {
    const step = ([text, href]) =>
      h("li", {}, href ? h("a", { href }, text) : h("span", { "aria-current": "page" }, text));
    return h(
      "nav",
      { class: "crumbs", "aria-label": "Where you are" },
      h("ol", {}, steps.map(step)),
      h(
        "span",
        { class: "turn" },
        before && h("a", { href: before, rel: "prev" }, "← previous"),
        after && h("a", { href: after, rel: "next" }, "next →"),
      ),
    );
  };

  async function show() {
    const mine = ++turn;
    const address = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
    const [page = "overview", ...rest] = address;
    if (!shell.has(page) && !Object.hasOwn(PBB.views, page)) return;
    markLinks(page);
    const view = document.getElementById("view");
    let content = [];
    if (!shell.has(page)) {
      view.setAttribute("aria-busy", "true");
      content = [await made(page, rest)];
      if (mine !== turn) return;
      view.removeAttribute("aria-busy");
    }
    view.replaceChildren(...content);
    reveal(page);
  }

  function markLinks(page) {
    for (const link of document.querySelectorAll("header nav a")) {
      const inLevels = link.dataset.page === "levels" && !shell.has(page);
      if (link.dataset.page === page || inLevels) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  async function made(page, rest) {
    try {
      return await PBB.views[page](...rest);
    } catch (error) {
      return h("p", { class: "error", role: "alert" }, `Cannot be shown: ${error.message}`);
    }
  }

  function reveal(page) {
    const shown = shell.has(page) ? page : "view";
    for (const section of document.querySelectorAll("[data-view]")) {
      section.hidden = section.dataset.view !== shown;
    }
    const heading = document.querySelector("section:not([hidden]) h1");
    const title = heading && page !== "overview" ? `${heading.textContent} – ` : "";
    document.title = `${title}PolyBridgeBench report`;
    if (turn > 1) {
      scrollTo(0, 0);
      document.getElementById("main").focus({ preventScroll: true });
    }
    document.body.dataset.ready = page;
  }

  addEventListener("hashchange", show);
  document.body.dataset.script = "on";
  show();
})();
