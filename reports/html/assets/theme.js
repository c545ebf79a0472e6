"use strict";
// Runs before the first paint, so that a chosen theme does not flash.
(() => {
  const root = document.documentElement;
  const stored = () => {
    try {
      return localStorage.getItem("pbb-theme");
    } catch {
      return null;
    }
  };
  const dark = () =>
    (root.dataset.theme ||
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const chosen = stored();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try {
        localStorage.setItem("pbb-theme", root.dataset.theme);
      } catch {
        /* a page from disk may store nothing */
      }
      dispatchEvent(new Event("pbb-theme"));
    });
  });
})();
