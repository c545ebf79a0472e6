"use strict";
// Shared tools. Text of models is only ever put in as text: no innerHTML anywhere.
const PBB = (() => {
  const store = new Map();
  const waiting = new Map();
  const SVG = "http://www.w3.org/2000/svg";
  const CONTROLS =
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b-\u001f\u007f]/g;
  const OUTCOMES = {
    success: ["✓", "Success"],
    failure_or_timeout: ["✕", "Failed in physics"],
    invalid: ["!", "Never valid"],
    infra_error: ["?", "Infrastructure error"],
    none: ["·", "Not run"],
  };
  const STATUS = { S: "success", F: "failure_or_timeout", V: "invalid" };

  const code = (character) => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const clean = (text) => String(text).replace(CONTROLS, (character) => `[U+${code(character)}]`);

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
  const h = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
  const s = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

  function receive([key, value]) {
    store.set(key, value);
  }

  // fetch() is blocked on file://, a script element is not.
  function load(key) {
    if (store.has(key)) return Promise.resolve(store.get(key));
    if (!/^[a-z]\/[a-z0-9-]+$/.test(key)) {
      return Promise.reject(new Error(`no such page: ${key}`));
    }
    if (!waiting.has(key)) waiting.set(key, fromScript(key));
    return waiting.get(key);
  }

  function fromScript(key) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const done = () => {
        script.remove();
        waiting.delete(key);
      };
      script.src = `data/${key}.js`;
      script.onload = () => {
        done();
        if (store.has(key)) resolve(store.get(key));
        else reject(new Error(`${key} holds no data`));
      };
      script.onerror = () => {
        done();
        reject(new Error(`data/${key}.js cannot be read`));
      };
      document.head.append(script);
    });
  }

  async function unpack(key) {
    const packed = Uint8Array.from(atob(await load(key)), (c) => c.charCodeAt(0));
    store.delete(key); // large; the browser's cache has it
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }

  const report = () => store.get("report") || { sessions: [], levels: [], unit: {} };
  const number = (value, digits = 0) => {
    if (typeof value !== "number") return "–";
    const places = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return value.toLocaleString("en-US", places);
  };
  // A cost or a limit in the unit of the domain.
  const amount = (value) => {
    if (typeof value !== "number") return "–";
    const { prefix = "", suffix = "", digits = 0 } = report().unit;
    return `${prefix}${number(value, digits)}${suffix}`;
  };
  const seconds = (value) => (typeof value === "number" ? `${value.toFixed(2)} s` : "–");

  function dot(outcome, small) {
    const [sign, label] = OUTCOMES[outcome || "none"] || OUTCOMES.none;
    const look = `dot ${outcome || "none"}${small ? " small" : ""}`;
    return h("span", { class: look, role: "img", "aria-label": label, title: label }, sign);
  }
  const pips = (path) =>
    h(
      "span",
      { class: "pips" },
      [...path].map((letter) => dot(STATUS[letter], true)),
    );
  const say = (text) => {
    document.getElementById("live").textContent = clean(text);
  };
  const sceneOf = (level, session) => level.scenes[level.sceneOf[session]] || null;
  const sessionName = (session) => `${session.model} · ${session.budget}`;

  // What a domain's own scripts may replace; this much works for every domain.
  const domain = {
    won: "it works", // the heading of a call that succeeded
    draw: () => null, // (scene, design or null, violations) -> {element, mark(ids, on)}
    parts: () => null, // (design) -> {title, element}
    tally: () => [], // (what was measured of a design) -> texts behind its cost
    told: () => [], // (facts of an execution) -> texts behind its outcome
    size: () => [], // (facts of a level) -> [name, value] pairs
    about: () => [], // (scene of a level) -> [name, value] pairs
    view: null, // (scene, design, states, label) -> what PBB.player drives
    legend: () => [], // what stands below a replay
  };

  return {
    ...{ receive, load, unpack, h, s, clean, number, amount, seconds, dot, pips, say },
    ...{ report, sceneOf, sessionName, OUTCOMES, STATUS, domain },
    views: {},
  };
})();
