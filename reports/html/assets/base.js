"use strict";
// Shared tools. Text of models is only ever put in as text: no innerHTML anywhere.
const PBB = (() => {
  const store = new Map();
  const waiting = new Map();
  const SVG = "http://www.w3.org/2000/svg";
  const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f]/g;
  const OUTCOMES = {
    success: ["✓", "Success"],
    failure_or_timeout: ["✕", "Failed in physics"],
    invalid: ["!", "Never valid"],
    infra_error: ["?", "Infrastructure error"],
    none: ["·", "Not run"],
  };
  const STATUS = { S: "success", F: "failure_or_timeout", V: "invalid" };

  const clean = (text) =>
    String(text).replace(CONTROLS, (c) => `[U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : clean(value));
    }
    for (const child of children.flat(3)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(child instanceof Node ? child : clean(child));
    }
    return element;
  }
  const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  function receive([key, value]) {
    store.set(key, value);
  }

  // fetch() is blocked on file://, a script element is not.
  function load(key) {
    if (store.has(key)) return Promise.resolve(store.get(key));
    if (!/^[a-z]\/[a-z0-9-]+$/.test(key)) return Promise.reject(new Error(`no such page: ${key}`));
    if (!waiting.has(key)) {
      waiting.set(key, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = `data/${key}.js`;
        script.onload = () => { script.remove(); waiting.delete(key); store.has(key) ? resolve(store.get(key)) : reject(new Error(`${key} holds no data`)); };
        script.onerror = () => { script.remove(); waiting.delete(key); reject(new Error(`data/${key}.js cannot be read`)); };
        document.head.append(script);
      }));
    }
    return waiting.get(key);
  }

  async function unpack(key) {
    const packed = Uint8Array.from(atob(await load(key)), (c) => c.charCodeAt(0));
    store.delete(key); // large; the browser's cache has it
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  const number = (value, digits = 0) =>
    typeof value === "number" ? value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
  const dollars = (value) => (typeof value === "number" ? `$${number(value)}` : "–");
  const seconds = (value) => (typeof value === "number" ? `${value.toFixed(2)} s` : "–");

  function dot(outcome, small) {
    const [sign, label] = OUTCOMES[outcome || "none"] || OUTCOMES.none;
    return h("span", { class: `dot ${outcome || "none"}${small ? " small" : ""}`, role: "img", "aria-label": label, title: label }, sign);
  }
  const pips = (path) => h("span", { class: "pips" }, [...path].map((letter) => dot(STATUS[letter], true)));
  const say = (text) => { document.getElementById("live").textContent = clean(text); };
  const sceneOf = (level, session) => level.scenes[level.sceneOf[session]] || null;
  const report = () => store.get("report") || { sessions: [], levels: [] };
  const sessionName = (session) => `${session.model} · ${session.budget}`;

  return { receive, load, unpack, h, s, clean, number, dollars, seconds, dot, pips, say, report, sceneOf, sessionName, OUTCOMES, STATUS, views: {} };
})();
