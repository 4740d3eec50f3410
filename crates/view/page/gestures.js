// What a drag over the mesh means for each tool: the text of a script, and the lines that show it before it is done.

import { boxOf, named } from "./choose.js";
import { Strokes } from "./lines.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./edit.js").Edit} Edit */
/** @typedef {import("./mesh.js").Mesh} Mesh */
/**
 * Where the pointer is: on the canvas, in the world, and over which node.
 * @typedef {{x: number, y: number, at: number[], node: number}} Hand
 * @typedef {{script: string, ghost: Strokes} | null} Deed
 * @typedef {(app: App, from: Hand, to: Hand, way: Hand[]) => Deed} Gesture
 */

/** A number as a script has it. @param {number} value */
function numeral(value) {
  return String(Number(value.toFixed(2)));
}

/** A value of the form beside the mesh. @param {string} id */
export function given(id) {
  const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (document.getElementById(id));
  return field.value.trim();
}

/** A word of a script. @param {string} text */
export function word(text) {
  return /^[\w.#+-]+$/.test(text) ? text : `"${text.replace(/["\n\r]/g, "")}"`;
}

/** A position as an operand, on the grid that was asked for. @param {Mesh} mesh @param {ArrayLike<number>} at */
export function operand(mesh, at) {
  const snap = Number(given("snap")), height = mesh.head.axes.up === "y" ? 1 : 2;
  return mesh.inFile(at).map((value, axis) => numeral(snap > 0 && axis !== height ? Math.round(value / snap) * snap : value)).join(",");
}

/** An amount along one axis, on the grid. @param {number} value */
function snapped(value) {
  const snap = Number(given("snap"));
  return snap > 0 ? Math.round(value / snap) * snap : value;
}

/** How far the world is moved if the pointer goes from one place to another, in the axes of the file. @param {App} app @param {Hand} from @param {Hand} to */
function shift({ mesh, camera }, from, to) {
  const there = camera.onHeight(to.x, to.y, from.at[2]) ?? from.at;
  const [a, b] = [mesh.inFile(from.at), mesh.inFile(there)];
  return b.map((value, axis) => snapped(value - a[axis]));
}

/** How far up the pointer has gone, in units. @param {App} app @param {Hand} from @param {Hand} to */
function rise({ camera }, from, to) {
  return snapped((from.y - to.y) / camera.scale / camera.stretch);
}

/** What is chosen, or what the drag began on. @param {App} app @param {Hand} from */
function operands({ choice }, from) {
  return choice.chosen.length > 0 ? choice.chosen : from.node >= 0 ? [from.node] : [];
}

/** The outlines of nodes, moved. @param {Mesh} mesh @param {number[]} nodes @param {number[]} by @param {ArrayLike<number>} ink */
function outlines(mesh, nodes, by, ink) {
  const ghost = new Strokes(false), p = mesh.positions;
  const corner = (/** @type {number} */ at) => [p[at * 3] + by[0], p[at * 3 + 1] + by[1], p[at * 3 + 2] + by[2]];
  for (const node of nodes.slice(0, 2000)) {
    const [first, end] = [mesh.firstCorner[node], mesh.endCorner[node]];
    if (end - first === 1) ghost.line(mesh.center(node), corner(first), ink);
    for (let at = first; at < end && end - first > 1; at++) ghost.line(corner(at), corner(at + 1 < end ? at + 1 : first), ink);
  }
  return ghost;
}

/** @param {App} app */
function alarm({ mesh, choice }) {
  return mesh.head.themes[choice.theme].alarm;
}

/** Which side of a polygon is nearest to a place, by number; its ends are the corner of that number and the next. @param {Mesh} mesh @param {number} node @param {number[]} at */
function nearestSide(mesh, node, at) {
  const [first, end] = [mesh.firstCorner[node], mesh.endCorner[node]], p = mesh.positions;
  let [best, least] = [0, Infinity];
  for (let side = 0; side < end - first; side++) {
    const [a, b] = [first + side, first + ((side + 1) % (end - first))].map((corner) => corner * 3);
    const [du, dv] = [p[b] - p[a], p[b + 1] - p[a + 1]], long = du * du + dv * dv;
    const t = long > 0 ? Math.min(Math.max(((at[0] - p[a]) * du + (at[1] - p[a + 1]) * dv) / long, 0), 1) : 0;
    const far = Math.hypot(p[a] + du * t - at[0], p[a + 1] + dv * t - at[1]);
    if (far < least) [best, least] = [side, far];
  }
  return best;
}

/** Which corner is nearest. @param {Mesh} mesh @param {number} node @param {number[]} at */
function nearestCorner(mesh, node, at) {
  const [first, end] = [mesh.firstCorner[node], mesh.endCorner[node]], p = mesh.positions;
  const far = (/** @type {number} */ corner) => Math.hypot(p[corner * 3] - at[0], p[corner * 3 + 1] - at[1]);
  let best = first;
  for (let corner = first; corner < end; corner++) if (far(corner) < far(best)) best = corner;
  return best - first;
}

/** @type {Gesture} */
export function moving(app, from, to) {
  const nodes = operands(app, from), by = shift(app, from, to);
  if (nodes.length === 0 || by.every((value) => value === 0)) return null;
  const moved = app.mesh.fromFile(app.mesh.inFile(from.at).map((value, axis) => value + by[axis])).map((value, axis) => value - from.at[axis]);
  return { script: `move ${by.map(numeral).join(" ")} ${named(app.mesh, nodes)}`, ghost: outlines(app.mesh, nodes, moved, alarm(app)) };
}

/** @type {Gesture} */
export function raising(app, from, to) {
  const nodes = operands(app, from), up = rise(app, from, to), { edit, mesh } = app;
  if (nodes.length === 0 || up === 0) return null;
  const selector = named(mesh, nodes), own = ["nav_corner_raise", "raise"].find((verb) => edit?.has(verb));
  const by = mesh.head.axes.up === "y" ? `0 ${numeral(up)} 0` : `0 0 ${numeral(up)}`;
  return { script: own ? `${own} ${numeral(up)} ${selector}` : `move ${by} ${selector}`, ghost: outlines(mesh, nodes, [0, 0, up], alarm(app)) };
}

/** @type {Gesture} */
export function cornering(app, from, to) {
  const { mesh, edit } = app;
  if (from.node < 0 || mesh.isPoint(from.node)) return null;
  const corner = nearestCorner(mesh, from.node, from.at), at = (mesh.firstCorner[from.node] + corner) * 3;
  const old = mesh.positions.subarray(at, at + 3), ghost = new Strokes(false), name = mesh.name(from.node);
  if (edit?.has("corner")) {
    const there = app.camera.onHeight(to.x, to.y, old[2]) ?? [...old];
    ghost.line(old, there, alarm(app));
    return { script: `corner ${name} ${corner} ${operand(mesh, there)}`, ghost };
  }
  const up = rise(app, from, to), center = mesh.center(from.node);
  if (up === 0) return null;
  const file = mesh.inFile(old), middle = mesh.inFile(center);
  const which = `${file[1] < middle[1] ? "N" : "S"}${file[0] < middle[0] ? "W" : "E"}`;
  ghost.line(old, [old[0], old[1], old[2] + up], alarm(app));
  return { script: `nav_unmark; nav_mark ${name}; nav_corner_select ${which}; nav_corner_raise ${numeral(up)}; nav_unmark`, ghost };
}

/** @type {Gesture} */
export function resizing(app, from, to) {
  const { mesh } = app;
  if (from.node < 0 || mesh.isPoint(from.node)) return null;
  const [first, end] = [mesh.firstCorner[from.node], mesh.endCorner[from.node]], side = nearestSide(mesh, from.node, from.at);
  const [a, b] = [first + side, first + ((side + 1) % (end - first))].map((corner) => [...mesh.positions.subarray(corner * 3, corner * 3 + 3)]);
  const there = app.camera.onHeight(to.x, to.y, from.at[2]);
  if (!there) return null;
  const [middle, center] = [mesh.inFile([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0]), mesh.inFile(mesh.center(from.node))];
  const across = Math.abs(a[0] - b[0]) > Math.abs(a[1] - b[1]) ? 1 : 0;
  const which = across === 1 ? (middle[1] < center[1] ? "north" : "south") : middle[0] < center[0] ? "west" : "east";
  const ghost = new Strokes(false);
  (a[across] = there[across]), (b[across] = there[across]);
  ghost.line(a, b, alarm(app));
  return { script: `resize ${mesh.name(from.node)} ${which} ${numeral(snapped(mesh.inFile(there)[across]))}`, ghost };
}

/** @type {Gesture} */
export function making(app, from, to) {
  const { mesh, edit } = app, ghost = new Strokes(false);
  if (!edit?.has("nav_begin_area")) {
    ghost.line([to.at[0], to.at[1], to.at[2]], [to.at[0], to.at[1], to.at[2] + mesh.half[2] * 0.05 + 1], alarm(app));
    return { script: `add ${operand(mesh, to.at)}`, ghost };
  }
  const [a, c] = [from.at, to.at];
  const corners = [a, [c[0], a[1], a[2]], c, [a[0], c[1], c[2]]];
  corners.forEach((corner, i) => ghost.line(corner, corners[(i + 1) % 4], alarm(app)));
  return { script: `nav_begin_area ${operand(mesh, a)}; nav_end_area ${operand(mesh, c)}`, ghost };
}

/** A cut along the drag. @type {Gesture} */
export function splitting(app, from, to) {
  const { mesh } = app;
  if (from.node < 0 || mesh.isPoint(from.node)) return null;
  const along = Math.abs(to.at[0] - from.at[0]) > Math.abs(to.at[1] - from.at[1]) ? 0 : 1, across = 1 - along;
  const value = snapped(mesh.inFile(from.at)[across]), ghost = new Strokes(false);
  const [first, end] = [mesh.firstCorner[from.node], mesh.endCorner[from.node]];
  const ends = [Infinity, -Infinity];
  for (let corner = first; corner < end; corner++) {
    ends[0] = Math.min(ends[0], mesh.positions[corner * 3 + along]);
    ends[1] = Math.max(ends[1], mesh.positions[corner * 3 + along]);
  }
  const [a, b] = ends.map((end) => (along === 0 ? [end, from.at[1], from.at[2]] : [from.at[0], end, from.at[2]]));
  ghost.line(a, b, alarm(app));
  return { script: `nav_split ${mesh.name(from.node)} ${across === 0 ? "x" : "y"}=${numeral(value)}`, ghost };
}

/** Joins or parts two nodes. @param {boolean} joins @returns {Gesture} */
export function linking(joins) {
  return (app, from, to) => {
    const { mesh, edit } = app;
    if (from.node < 0 || to.node < 0 || from.node === to.node) return null;
    const ghost = new Strokes(false), [a, b] = [from.node, to.node];
    ghost.line(mesh.center(a), mesh.center(b), alarm(app));
    const verbs = joins ? ["nav_connect", "connect", "link"] : ["nav_disconnect", "disconnect", "unlink"];
    const verb = verbs.find((verb) => edit?.has(verb)) ?? verbs[0], [usage] = edit?.verbs.get(verb) ?? [""];
    // Edges of triangles are linked, not triangles.
    const edge = (/** @type {number} */ node, /** @type {Hand} */ hand) => `${mesh.name(node)} ${nearestSide(mesh, node, hand.at)}`;
    if (!usage.startsWith("TRIANGLE EDGE")) return { script: `${verb} ${mesh.name(a)} ${mesh.name(b)}`, ghost };
    return { script: joins ? `${verb} ${edge(a, from)} ${edge(b, to)}` : `${verb} ${edge(a, from)}`, ghost };
  };
}

/** The nodes that a brush went over. @param {Hand[]} way */
function painted(way) {
  return [...new Set(way.map(({ node }) => node).filter((node) => node >= 0))];
}

/** Sets or clears a flag. @param {boolean} sets @returns {Gesture} */
export function painting(sets) {
  return (app, from, to, way) => {
    const nodes = painted(way), { edit, mesh } = app, value = given("flag");
    if (nodes.length === 0) return null;
    const verbs = sets ? ["nav_mark_attribute", "flag", "attribute", "set"] : ["nav_clear_attribute", "unflag", "attribute", "clear"];
    const verb = verbs.find((verb) => edit?.has(verb)) ?? verbs[0];
    return { script: `${verb} ${word(value) || "?"} ${named(mesh, nodes)}`, ghost: outlines(mesh, nodes, [0, 0, 0], alarm(app)) };
  };
}

/** @type {Gesture} */
export function placing(app, from, to, way) {
  const nodes = painted(way), { mesh } = app, place = given("place");
  if (nodes.length === 0) return null;
  const selector = named(mesh, nodes), known = mesh.head.places.includes(place);
  const script = place === "" ? `place_clear ${selector}` : known ? `nav_place_set ${selector} --place ${word(place)}` : `nav_use_place ${word(place)} --new; nav_place_set ${selector}`;
  return { script, ghost: outlines(mesh, nodes, [0, 0, 0], alarm(app)) };
}

/** @type {Gesture} */
export function filling(app, from) {
  if (from.node < 0) return null;
  return { script: `nav_place_floodfill ${app.mesh.name(from.node)} --place ${word(given("place"))}`, ghost: outlines(app.mesh, [from.node], [0, 0, 0], alarm(app)) };
}

/** A ladder from where the drag began up to the height of where it ends. @type {Gesture} */
export function laddering(app, from, to) {
  const { mesh } = app, ghost = new Strokes(false);
  const [low, high] = from.at[2] < to.at[2] ? [from.at, to.at] : [to.at, from.at], foot = [high[0], high[1], low[2]];
  ghost.line(high, foot, alarm(app));
  return { script: `nav_build_ladder ${operand(mesh, high)} ${operand(mesh, foot)} 32 ${given("facing")} --link`, ghost };
}

/** @type {Gesture} */
export function flipping(app, from) {
  return { script: `nav_ladder_flip L@${operand(app.mesh, from.at)}`, ghost: new Strokes(false) };
}

/** The loop that a drag chooses in, and its line on the canvas. @param {boolean} isBox @param {Hand[]} way */
export function looped(isBox, way) {
  return isBox ? boxOf(way[0], way[way.length - 1]) : way;
}
