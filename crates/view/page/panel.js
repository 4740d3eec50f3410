// The column beside the canvas: facts, what is picked, the key of colours, layers, findings.

import { css } from "./ink.js";
import { element, short } from "./over.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./mesh.js").Mesh} Mesh */

/** The most links and entries listed at once. */
const MOST_LISTED = 60;

/** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children @returns {HTMLElement} */
function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A button in a list. @param {() => void} act @param {(Node | string)[]} children */
export function button(act, ...children) {
  const made = make("button", { type: "button" }, ...children);
  made.addEventListener("click", act);
  return made;
}

/** @param {[string, string | Node][]} pairs */
function pairs(pairs) {
  return pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]);
}

/** @param {Mesh} mesh */
export function facts(mesh) {
  const { head } = mesh, count = (/** @type {number} */ n) => n.toLocaleString();
  document.title = `${head.title} \u2013 navmap`;
  element("title").textContent = head.title || "navmap";
  element("subtitle").textContent = head.subtitle;
  /** @type {[string, string][]} */
  const lines = [[head.word[1], count(head.nodes)], ["links", count(head.links)], ["one-way links", count(head.one_way)], ["islands", count(head.islands)], ["marks", count(head.marks)]];
  if (head.walkable !== null) lines.push(["walkable", `${count(Math.round(head.walkable))} m\u00b2`]);
  element("facts").replaceChildren(...pairs(lines));
  const damage = element("damage");
  damage.hidden = head.error === null;
  damage.textContent = head.error === null ? "" : `Damaged, shown as far as it goes: ${head.error}`;
}

/** The key of colours; a class is hidden and shown by its entry. @param {App} app */
export function legend(app) {
  const { mesh, ink, choice } = app, meaning = ink.meaning(choice.colour), box = element("legend");
  const inks = mesh.column(`${meaning.name}.${choice.theme}`);
  if (meaning.ramp) {
    const ramp = /** @type {HTMLCanvasElement} */ (make("canvas", { id: "ramp", width: String(inks.length / 4 - 1), height: "1", "aria-hidden": "true" }));
    const image = new ImageData(new Uint8ClampedArray(inks.slice(0, inks.length - 4)), inks.length / 4 - 1, 1);
    ramp.getContext("2d")?.putImageData(image, 0, 0);
    const [low, high] = meaning.ramp, metres = mesh.head.axes.metres_per_unit;
    const end = (/** @type {number} */ value) => make("span", {}, metres === 1 ? `${short(value)} m` : `${short(value)} (${short(value * metres)} m)`);
    return box.replaceChildren(ramp, make("div", { class: "ends" }, end(low), end(high)));
  }
  const entries = meaning.entries.map((entry) => {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = css(inks, entry.class * 4);
    const line = button(() => app.toggle(entry.class), swatch, make("span", { class: "words" }, entry.name), make("span", { class: "count" }, entry.nodes.toLocaleString()));
    line.setAttribute("aria-pressed", String(!choice.hidden.has(entry.class)));
    return line;
  });
  const title = meaning.title && meaning.title !== meaning.name ? [make("p", { class: "faint" }, meaning.title)] : [];
  const more = meaning.more > 0 ? [make("p", { class: "faint" }, `and ${meaning.more.toLocaleString()} more`)] : [];
  box.replaceChildren(...title, ...entries, ...more);
}

/** @param {App} app @param {string[]} names those that this mesh has something for */
export function layers(app, names) {
  const line = (/** @type {string} */ name) => {
    const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", name }));
    box.checked = app.layers.has(name);
    box.addEventListener("change", () => app.toggleLayer(name, box.checked));
    return make("label", {}, box, ` ${name}`);
  };
  element("layers").replaceChildren(...names.map(line));
}

/** Everything that is known of the picked node, and of the floors below it. @param {App} app */
export function picked(app) {
  const { mesh, choice } = app, box = element("picked"), node = choice.selected;
  if (node < 0) return box.replaceChildren(make("p", { class: "faint" }, "Click the mesh, or search."));
  const { head } = mesh, center = mesh.inFile(mesh.center(node));
  const [place, group, island] = ["place", "group", "island"].map((name) => mesh.value(name, node));
  const where = center.map((value) => value.toFixed(2)).join(" ");
  /** @type {[string, string][]} */
  const lines = [["center", where]];
  if (place !== null) lines.push(["place", head.places[place] ?? ""]);
  if (group !== null) lines.push([head.group_word, head.groups[group] ?? ""]);
  lines.push(["flags", mesh.flags(node).join(", ") || "none"]);
  if (island !== null) lines.push(["island", `${island + 1} of ${head.islands.toLocaleString()}`]);
  const radius = mesh.column("radius")[node];
  if (radius > 0) lines.push(["radius", short(radius)]);
  const corners = mesh.firstCorner[node + 1] - mesh.firstCorner[node];
  if (!mesh.isPoint(node)) lines.push(["corners", String(corners)]);
  const above = mesh.column("above")[node];
  if (above > 0) lines.push([`${head.word[1]} above`, above === 255 ? "255 or more" : String(above)]);
  const parts = [make("h3", {}, `${head.word[0]} ${mesh.name(node)}`), make("dl", {}, ...pairs(lines))];
  const copies = [button(() => app.copy(where), "Copy position")];
  if (head.axes.up === "z") copies.push(button(() => app.copy(`setpos ${where}`), "Copy setpos"));
  parts.push(make("p", {}, ...copies));
  const under = choice.under.filter((other) => other !== node);
  if (under.length > 0) parts.push(listed("Also under the cursor", under.map((other) => nodeButton(app, other, short(mesh.inFile(mesh.center(other))[head.axes.up === "y" ? 1 : 2])))));
  parts.push(listed("Leads to", out(app, node)), listed("Comes from", into(app, node)));
  const own = marksOf(app, node);
  if (own.length > 0) parts.push(listed("Marks", own));
  box.replaceChildren(...parts);
}

/** @param {string} title @param {HTMLElement[]} lines */
function listed(title, lines) {
  const rest = lines.length - MOST_LISTED;
  const shown = lines.slice(0, MOST_LISTED).map((line) => make("li", {}, line));
  if (rest > 0) shown.push(make("li", { class: "faint" }, `and ${rest.toLocaleString()} more`));
  return make("div", {}, make("h3", {}, `${title}: ${lines.length.toLocaleString()}`), make("ul", {}, ...shown));
}

/** @param {App} app @param {number} node @param {string} note */
function nodeButton(app, node, note) {
  const line = button(() => app.go(node), make("span", { class: "words" }, app.mesh.name(node)), make("span", { class: "count" }, note));
  line.className = "row";
  return line;
}

/** @param {App} app @param {number} node */
function out(app, node) {
  const { mesh } = app, lines = [];
  for (let link = mesh.firstLink[node]; link < mesh.firstLink[node + 1]; link++) {
    const { to, kind, gated, oneWay } = mesh.link(link);
    const note = [mesh.head.link_kinds[kind].name, oneWay && to !== null ? "one way" : "", gated ? "can be closed" : ""].filter(Boolean).join(", ");
    lines.push(to === null ? make("span", { class: "row" }, `${note}: not loaded`) : nodeButton(app, to, note));
  }
  return lines;
}

/** @param {App} app @param {number} node */
function into(app, node) {
  const { mesh } = app, to = mesh.column("to"), lines = [];
  for (let from = 0; from < mesh.count; from++) {
    for (let link = mesh.firstLink[from]; link < mesh.firstLink[from + 1]; link++) {
      if (to[link] === node) lines.push(nodeButton(app, from, mesh.head.link_kinds[mesh.link(link).kind].name));
    }
  }
  return lines;
}

/** @param {App} app @param {number} node */
function marksOf(app, node) {
  const { mesh } = app, [kinds, nodes, ends] = ["mark_kind", "mark_node", "mark_points"].map((name) => mesh.column(name)), lines = [];
  for (let mark = 0; mark < kinds.length; mark++) {
    if (nodes[mark] !== node) continue;
    const at = Array.from(ends.subarray(mark * 6, mark * 6 + 3), (value) => value.toFixed(1)).join(" ");
    lines.push(make("span", { class: "row" }, `${mesh.head.mark_kinds[kinds[mark]]?.name ?? "mark"} at ${at}`));
  }
  return lines;
}

/** @param {App} app */
export function findings(app) {
  const { head } = app.mesh;
  const lines = head.findings.map((finding) => {
    const where = [finding.record, finding.byte === null ? null : `byte 0x${finding.byte.toString(16)}`].filter(Boolean).join(", ");
    const line = button(() => app.goToFinding(finding), make("span", { class: "words" }, `${where ? `${where}: ` : ""}${finding.message}`));
    const mend = app.edit?.isOn ? app.edit.fixes.get(finding.code) : undefined;
    if (mend === undefined) return make("li", { class: finding.severity }, line);
    const fix = button(() => void app.edit?.run(mend), "Fix");
    fix.title = mend;
    fix.className = "fix";
    return make("li", { class: finding.severity }, line, fix);
  });
  if (head.more_findings > 0) lines.push(make("li", { class: "faint" }, `and ${head.more_findings.toLocaleString()} more`));
  element("findings").replaceChildren(...(lines.length > 0 ? lines : [make("li", { class: "faint" }, "none")]));
}
