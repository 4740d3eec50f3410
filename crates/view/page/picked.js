// What is picked: what the page knows of it, and all that its file says, which is asked of the program.

import { isFile, toldOf } from "./load.js";
import { meet } from "./encounters.js";
import { element } from "./over.js";
import { button, make, refill, pairs } from "./panel.js";
import { tint } from "./tint.js";
import { grouped, short } from "./number.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./load.js").Told} Told */
/** @typedef {import("./load.js").LinkTold} LinkTold */

/** The most links and entries listed at once. */
const MOST_LISTED = 60;
/** Fields of records that are told elsewhere: the same that `navmap show` leaves out. */
const ELSEWHERE = ["index", "id", "offset", "corners", "connections", "attributes", "place"];

/** Shows what is picked: at once what the page knows, then what the file says. @param {App} app */
export function picked(app) {
  const { mesh, choice, key } = app, node = choice.selected;
  app.saying = null;
  known(app, null);
  void tint(app);
  delete document.documentElement.dataset.told;
  if (node < 0 || isFile || typeof key !== "number") return;
  const isStill = () => app.mesh === mesh && app.choice.selected === node;
  toldOf(key, node).then((told) => {
    // Another tab may have changed the mesh meanwhile, so that the number means another node.
    if (!isStill() || (called(told.id) !== mesh.name(node) && isExact(told.id))) return;
    known(app, told);
    app.saying = told;
    meet(app);
    document.documentElement.dataset.told = mesh.name(node);
  }, (error) => isStill() && element("picked").append(make("p", { class: "alarm" }, String(error.message))));
}

/** What people type for an id. @param {number | string} id */
function called(id) {
  return typeof id === "number" ? `#${id}` : id;
}

/** Whether JavaScript has all digits of an id. @param {number | string} id */
function isExact(id) {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** @param {App} app @param {Told | null} told */
function known(app, told) {
  const { mesh, choice } = app, box = element("picked"), node = choice.selected;
  if (node < 0) return box.replaceChildren(make("p", { class: "faint" }, "Click the mesh, or search."));
  const { head } = mesh, center = mesh.inFile(mesh.center(node));
  const [place, group, island] = ["place", "group", "island"].map((name) => mesh.value(name, node));
  const where = center.map((value) => value.toFixed(2)).join(" ");
  /** @type {[string, string][]} */
  const lines = told ? [["record", String(told.index)]] : [];
  if (told && told.byte !== null) lines.push(["byte", `0x${told.byte.toString(16)}${told.bytes === null ? "" : `, ${grouped(told.bytes)} ${told.bytes === 1 ? "byte" : "bytes"}`}`]);
  lines.push(["center", where]);
  if (place !== null) lines.push(["place", head.places[place] ?? ""]);
  if (group !== null) lines.push([head.group_word, head.groups[group] ?? ""]);
  lines.push(["flags", mesh.flags(node).join(", ") || "none"]);
  if (island !== null) lines.push(["island", `${island + 1} of ${grouped(head.islands)}`]);
  const radius = mesh.column("radius")[node];
  if (radius > 0) lines.push(["radius", short(radius)]);
  if (told && told.area_m2 !== null) lines.push(["surface", `${told.area_m2.toFixed(2)} m\u00b2`]);
  const corners = mesh.column("corners_of")[node];
  if (!mesh.isPoint(node) && !told) lines.push(["corners", String(corners)]);
  const above = mesh.column("above")[node];
  if (above > 0) lines.push([`${head.word[1]} above`, above === 255 ? "255 or more" : String(above)]);
  const parts = [make("h3", {}, `${head.word[0]} ${mesh.name(node)}`), make("dl", {}, ...pairs(lines))];
  const copies = [button(() => app.copy(where), "Copy position")];
  if (head.axes.up === "z") copies.push(button(() => app.copy(`setpos ${where}`), "Copy setpos"));
  parts.push(make("p", {}, ...copies));
  const under = choice.under.filter((other) => other !== node);
  if (under.length > 0) parts.push(listed("Also under the cursor", under.map((other) => nodeButton(app, other, short(mesh.inFile(mesh.center(other))[head.axes.up === "y" ? 1 : 2])))));
  parts.push(...(told ? said(app, told) : drawn(app, node)));
  refill(box, ...parts);
}

/** What the page itself knows of links and marks. @param {App} app @param {number} node */
function drawn(app, node) {
  const parts = [listed("Leads to", out(app, node)), listed("Comes from", into(app, node))], own = marksOf(app, node);
  return own.length > 0 ? [...parts, listed("Marks", own)] : parts;
}

/** What the file says of shape, links and marks, what a check finds there, and the rest of the record. @param {App} app @param {Told} told */
function said(app, told) {
  const plain = (/** @type {string} */ text) => make("span", { class: "row" }, text);
  const at = (/** @type {number[]} */ point) => point.map((value) => Number(value?.toFixed(3))).join(" ");
  const parts = [listed("Corners", told.corners.map((corner) => plain(at(corner))))];
  parts.push(listed("Leads to", told.links.map((link) => passage(app, link, true))), listed("Comes from", told.arrivals.map((link) => passage(app, link, false))));
  if (told.marks.length > 0) parts.push(listed("Marks", told.marks.map((mark) => plain(`${mark.kind} at ${mark.at.map(at).join(" to ")}`))));
  if (told.findings.length > 0) parts.push(listed("Findings", told.findings.map((finding) => plain(`${finding.severity}${finding.byte === null ? "" : `, byte 0x${finding.byte.toString(16)}`}: ${finding.message} [${finding.code}]`))));
  const fields = Object.entries(told.record ?? {}).filter(([name, value]) => !ELSEWHERE.includes(name) && !isNothing(value));
  const lists = fields.filter(([, value]) => isList(value));
  const single = fields.filter(([, value]) => !isList(value)).map(([name, value]) => /** @type {[string, string]} */ ([name, inline(value)]));
  if (single.length > 0) parts.push(make("div", {}, make("h3", {}, "Record"), make("dl", {}, ...pairs(single))));
  return [...parts, ...lists.map(([name, value]) => listed(name, value.map((/** @type {any} */ item) => plain(inline(item)))))];
}

/** One link, and how one passes it. @param {App} app @param {LinkTold} link @param {boolean} leaves */
function passage(app, link, leaves) {
  const { id, beyond, toward, rise } = link;
  const notes = [link.kind];
  if (toward) notes.push(leaves ? toward : `over the ${toward}`);
  if (rise !== null) notes.push(Math.abs(rise) < 0.005 ? "level" : `${Number(Math.abs(rise).toFixed(2))} ${rise > 0 ? "up" : "down"}`);
  if (!link.back && id !== null) notes.push("one way");
  if (link.gated) notes.push("can be closed");
  if (link.side !== null) notes.push(`side ${link.side}`);
  for (const [name, value] of /** @type {const} */ ([["length", link.length], ["cost", link.cost], ["number", link.number]])) {
    if (value !== undefined && value !== null) notes.push(`${name} ${Number(value.toFixed(2))}`);
  }
  const node = id === null ? undefined : app.mesh.node(called(id)), note = notes.join(", ");
  if (node !== undefined) return nodeButton(app, node, note);
  const words = id !== null ? called(id) : beyond === undefined ? "outside" : `outside (0x${beyond.toString(16)})`;
  return make("span", { class: "row" }, `${words}: ${note}`);
}

/** Whether a value says nothing. @param {any} value @returns {boolean} */
function isNothing(value) {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isNothing);
}

/** Whether a value is a list of more than numbers and words. @param {any} value */
function isList(value) {
  return Array.isArray(value) && value.some((item) => typeof item === "object");
}

/** A value on one line, as `navmap show` writes it. @param {any} value @returns {string} */
function inline(value) {
  if (Array.isArray(value)) return value.map((item) => (item !== null && typeof item === "object" ? `(${inline(item)})` : inline(item))).join(", ");
  if (value === null || typeof value !== "object") return String(value);
  const fields = Object.entries(value);
  if (fields.length === 2 && "bits" in value && Array.isArray(value.names)) return value.names.length > 0 ? value.names.join(" | ") : String(value.bits);
  return fields.filter(([, field]) => !isNothing(field)).map(([name, field]) => `${name} ${inline(field)}`).join(", ");
}

/** @param {string} title @param {HTMLElement[]} lines */
function listed(title, lines) {
  const rest = lines.length - MOST_LISTED;
  const shown = lines.slice(0, MOST_LISTED).map((line) => make("li", {}, line));
  if (rest > 0) shown.push(make("li", { class: "faint" }, `and ${grouped(rest)} more`));
  return make("div", {}, make("h3", {}, `${title}: ${grouped(lines.length)}`), make("ul", {}, ...shown));
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
  for (let link = mesh.firstLink[node]; link < mesh.endLink[node]; link++) {
    const { to, kind, gated, oneWay } = mesh.link(link);
    const note = [mesh.head.link_kinds[kind].name, oneWay && to !== null ? "one way" : "", gated ? "can be closed" : ""].filter(Boolean).join(", ");
    lines.push(to === null ? make("span", { class: "row" }, `${note}: not loaded`) : nodeButton(app, to, note));
  }
  return lines;
}

/** @param {App} app @param {number} node */
function into(app, node) {
  const { mesh } = app, lines = [];
  for (let from = 0; from < mesh.count; from++) {
    for (let link = mesh.firstLink[from]; link < mesh.endLink[from]; link++) {
      if (mesh.number(mesh.store.to[link]) === node) lines.push(nodeButton(app, from, mesh.head.link_kinds[mesh.link(link).kind].name));
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
