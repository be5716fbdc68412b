// Runs the script of the page against a small stand-in for the document, and prints what a reader would see.
"use strict";
const fs = require("fs");

class Element {
  constructor(tagName, properties = {}) {
    Object.assign(this, { tagName, dataset: {}, listeners: {}, attributes: {}, hidden: false, value: "", textContent: "" });
    Object.assign(this, properties);
  }
  addEventListener(type, listener) {
    (this.listeners[type] = this.listeners[type] || []).push(listener);
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  focus() {
    this.focused = true;
  }
  scrollIntoView() {
    this.scrolled = true;
  }
  fire(type, event = {}) {
    for (const listener of this.listeners[type] || []) listener({ target: this, preventDefault() {}, ...event });
  }
}

const row = (changes, textContent) => new Element("TR", { dataset: { changes }, textContent });
const rows = [row("same", "add passed"), row("newly_failing same", "Gelu crashed"), row("", "alone")];
const [root, filter, change] = [new Element("HTML"), new Element("INPUT"), new Element("SELECT")];
const [theme, bar] = [new Element("BUTTON", { hidden: true }), new Element("DIV", { hidden: true })];
const [shown, failure] = [new Element("SPAN"), new Element("DETAILS", { open: false })];
const plot = new Element("DIV", { dataset: { figure: "figure-a" } });
const figure = new Element("SCRIPT", { textContent: JSON.stringify({ data: [1], layout: { xaxis: { type: "log" } } }) });
const ids = { theme, filter, change, shown, "figure-a": figure, "failure-1": failure };
const page = new Element("DOCUMENT", {
  documentElement: root,
  getElementById: (id) => ids[id] || null,
  querySelector: () => bar,
  querySelectorAll: (selector) => (selector === ".plot" ? [plot] : rows),
});
const dark = new Element("QUERY", { matches: false });
const drawn = [];
Object.assign(global, {
  document: page,
  window: new Element("WINDOW"),
  location: { hash: "#failure-1" },
  matchMedia: () => dark,
  getComputedStyle: () => ({ getPropertyValue: (name) => ` colour of ${name}` }),
  Plotly: { newPlot: (...call) => drawn.push(call[2]), relayout: (...call) => drawn.push(call[1]) },
});
(0, eval)(fs.readFileSync(process.argv[2], "utf8"));

const visible = () => rows.map((one) => !one.hidden);
const choose = (words, value) => {
  filter.value = words;
  change.value = value;
  filter.fire("input");
  change.fire("change");
  return { visible: visible(), shown: shown.textContent };
};
const result = {
  start: { failureOpen: failure.open, controlsHidden: [bar.hidden, theme.hidden], visible: visible(), shown: shown.textContent },
  layout: drawn[0],
  words: choose("gelu CRASH", ""),
  changed: choose("", "changed"),
  same: choose("", "same"),
  failing: choose("", "newly_failing"),
};
page.fire("keydown", { key: "/", target: root });
filter.value = "gelu";
page.fire("keydown", { key: "Escape", target: filter });
result.keys = { focused: filter.focused, cleared: filter.value === "" };
theme.fire("click");
result.theme = { chosen: root.dataset.theme, pressed: theme.attributes["aria-pressed"], redrawn: drawn.length - 1 };
console.log(JSON.stringify(result));
