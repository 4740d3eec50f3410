// The column beside the canvas: facts, the key of colours, layers, findings.

import { css } from "./ink.js";
import { element } from "./over.js";
import { overlays } from "./overlay.js";
import { grouped, short } from "./number.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./mesh.js").Mesh} Mesh */

/** An element. @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children @returns {HTMLElement} */
export function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Fills a box anew. Whoever was at one of its buttons by key stays at the one in that place. @param {HTMLElement} box @param {Node[]} children */
export function refill(box, ...children) {
  const buttons = () => /** @type {HTMLElement[]} */ ([...box.querySelectorAll("button")]), before = buttons().findIndex((button) => button === document.activeElement);
  box.replaceChildren(...children);
  if (before >= 0) (buttons()[before] ?? buttons().at(-1))?.focus();
}

/** A button in a list. @param {() => void} act @param {(Node | string)[]} children */
export function button(act, ...children) {
  const made = make("button", { type: "button" }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** Rows of a list of facts. @param {[string, string | Node][]} pairs */
export function pairs(pairs) {
  return pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]);
}

/** @param {Mesh} mesh */
export function facts(mesh) {
  const { head } = mesh;
  document.title = `${head.title} \u2013 navmap`;
  element("title").textContent = head.title || "navmap";
  element("subtitle").textContent = head.subtitle;
  /** @type {[string, string][]} */
  const lines = [[head.word[1], grouped(head.nodes)], ["links", grouped(head.links)], ["one-way links", grouped(head.one_way)], ["islands", grouped(head.islands)], ["marks", grouped(head.marks)]];
  if (head.walkable !== null) lines.push(["walkable", `${grouped(Math.round(head.walkable))} m\u00b2`]);
  element("facts").replaceChildren(...pairs(lines));
  const damage = element("damage");
  damage.hidden = head.error === null;
  damage.textContent = head.error === null ? "" : `Damaged, shown as far as it goes: ${head.error}`;
}

/** The key of colours; a class is hidden and shown by its entry. @param {App} app */
export function legend(app) {
  const { mesh, ink, choice } = app, meaning = ink.meaning(choice.colour), box = element("legend");
  const inks = mesh.column(`${meaning.name}.${choice.theme}`);
  /** @type {HTMLElement[]} */
  const top = meaning.title && meaning.title !== meaning.name ? [make("p", { class: "faint" }, meaning.title)] : [];
  if (meaning.ramp) {
    // No canvas: it would ask for a graphics context of its own.
    const steps = Array.from({ length: inks.length / 4 - 1 }, (_, number) => {
      const step = make("i", {});
      step.style.background = css(inks, number * 4);
      return step;
    });
    const ramp = make("div", { id: "ramp", "aria-hidden": "true" }, ...steps);
    const [low, high] = meaning.ramp, metres = mesh.head.axes.metres_per_unit;
    // Heights have no title. Values are told as they are.
    const end = (/** @type {number} */ value) => make("span", {}, meaning.title ? short(value) : metres === 1 ? `${short(value)} m` : `${short(value)} (${short(value * metres)} m)`);
    top.push(ramp, make("div", { class: "ends" }, end(low), end(high)));
  }
  const entries = meaning.entries.map((entry) => {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = css(inks, entry.class * 4);
    const line = button(() => app.toggle(entry.class), swatch, make("span", { class: "words" }, entry.name), make("span", { class: "count" }, grouped(entry.nodes)));
    line.setAttribute("aria-pressed", String(!choice.hidden.has(entry.class)));
    return line;
  });
  const more = meaning.more > 0 ? [make("p", { class: "faint" }, `and ${grouped(meaning.more)} more`)] : [];
  refill(box, ...top, ...entries, ...more);
}

/** @param {App} app @param {string[]} names those that this mesh has something for */
export function layers(app, names) {
  const words = overlays(app.mesh);
  const line = (/** @type {string} */ name) => {
    const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", name }));
    box.checked = app.layers.has(name);
    box.addEventListener("change", () => app.toggleLayer(name, box.checked));
    return make("label", {}, box, ` ${words.get(name) ?? name}`);
  };
  element("layers").replaceChildren(...names.map(line));
}

/** @param {App} app @param {import("./mesh.js").Finding} finding */
function goTo(app, { at, id, code, message }) {
  app.lookAt(at, id === null ? "" : `#${id}`);
  app.say(`${code}: ${message}`);
}

/** @param {App} app */
export function findings(app) {
  const { head } = app.mesh;
  const lines = head.findings.map((finding) => {
    const where = [finding.record, finding.byte === null ? null : `byte 0x${finding.byte.toString(16)}`].filter(Boolean).join(", ");
    const line = button(() => goTo(app, finding), make("span", { class: "words" }, `${where ? `${where}: ` : ""}${finding.message}`));
    const mend = app.edit?.isOn ? app.edit.fixes.get(finding.code) : undefined;
    if (mend === undefined) return make("li", { class: finding.severity }, line);
    const fix = button(() => void app.edit?.run(mend), "Fix");
    fix.title = mend;
    fix.className = "fix";
    return make("li", { class: finding.severity }, line, fix);
  });
  if (head.more_findings > 0) lines.push(make("li", { class: "faint" }, `and ${grouped(head.more_findings)} more`));
  refill(element("findings"), ...(lines.length > 0 ? lines : [make("li", { class: "faint" }, "none")]));
}
