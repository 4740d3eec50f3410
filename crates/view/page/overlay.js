// What is laid over a mesh beside links and marks: the ways and points of the caller, and the borders of tiles and cells.

import { Strokes } from "./lines.js";
import { grouped } from "./number.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** A name over the map, which is seen with a layer. @typedef {{name: string, center: number[], layer: string}} Label */

/** What these layers are called. */
const ROUTES = "routes", POINTS = "points";
/** What a square of points is called as a layer: it lies over everything else. */
const SQUARES = "squares";

/** The layers of this kind that a mesh has something for, with the words for them. @param {Mesh} mesh @returns {Map<string, string>} */
export function overlays(mesh) {
  const { dots, squares, tiles } = mesh.head, found = new Map();
  const number = (/** @type {number} */ value) => {
    const near = Number(value.toPrecision(4));
    return Math.abs(near) < 1000 ? String(near) : grouped(near);
  };
  if (mesh.column("way_of").length > 0) found.set(ROUTES, ROUTES);
  if (dots) {
    const values = dots.ramp ? `: ${dots.title} from ${number(dots.ramp[0])} to ${number(dots.ramp[1])}` : "";
    found.set(POINTS, `${grouped(dots.count)} points${values}`);
  }
  if (squares) found.set(POINTS, `${squares.title} from ${number(squares.ramp[0])} to ${number(squares.ramp[1])}`);
  if (tiles) found.set(`${tiles.word}s`, `${tiles.word}s (${grouped(tiles.names.length)})`);
  return found;
}

/** Their lines and points. @param {Mesh} mesh @param {"light" | "dark"} theme @param {Set<string>} layers those that are shown @returns {Map<string, Strokes | null>} */
export function laid(mesh, theme, layers) {
  const inks = mesh.head.themes[theme], own = overlays(mesh), has = (/** @type {string} */ name) => own.has(name) && layers.has(name);
  const word = `${mesh.head.tiles?.word}s`;
  return new Map([
    ["borders", has(word) ? borders(mesh, inks.alarm) : null],
    [ROUTES, has(ROUTES) ? routes(mesh, inks.way) : null],
    [POINTS, has(POINTS) ? points(mesh, inks.way) : null],
    [SQUARES, has(POINTS) ? squares(mesh) : null],
  ]);
}

/** The names of the ends of ways, and of tiles and cells. @param {Mesh} mesh @returns {Label[]} */
export function overlayLabels(mesh) {
  const ends = mesh.head.ends.map(({ name, at }) => ({ name, center: mesh.fromFile(at), layer: ROUTES }));
  const { tiles } = mesh.head;
  const middle = (/** @type {number[]} */ [left, below, top, right, above]) => [(left + right) / 2, (below + above) / 2, top];
  const names = boxes(mesh).flatMap((box, tile) => (box && tiles ? [{ name: tiles.names[tile], center: middle(box), layer: `${tiles.word}s` }] : []));
  return [...ends, ...names].filter(({ name, center }) => name !== "" && center.every(Number.isFinite));
}

/** @param {Mesh} mesh @param {ArrayLike<number>} ink */
function routes(mesh, ink) {
  const strokes = new Strokes(false), corners = mesh.column("way");
  const at = (/** @type {number} */ corner) => mesh.fromFile(corners.subarray(corner * 3, corner * 3 + 3));
  let first = 0;
  for (const long of mesh.column("way_of")) {
    for (let corner = first + 1; corner < first + long; corner++) strokes.line(at(corner - 1), at(corner), ink);
    first += long;
  }
  return strokes;
}

/** @param {Mesh} mesh @param {ArrayLike<number>} ink */
function points(mesh, ink) {
  const strokes = new Strokes(true), dots = mesh.column("dot"), inks = mesh.column("dot_ink");
  for (let dot = 0; dot < dots.length / 3; dot++) {
    const [u, v, h] = mesh.fromFile(dots.subarray(dot * 3, dot * 3 + 3));
    strokes.add(u, v, h, inks.length > 0 ? inks.subarray(dot * 3, dot * 3 + 3) : ink);
  }
  return strokes;
}

/** Squares of the ground, which lie over the highest of it as a sheet. @param {Mesh} mesh */
function squares(mesh) {
  const strokes = new Strokes(false), corners = mesh.column("square"), inks = mesh.column("square_ink"), side = mesh.head.squares?.side ?? 0;
  strokes.faces = true;
  for (let square = 0; square < corners.length / 2; square++) {
    const [u, v] = [0, 1].map((axis) => corners[square * 2 + axis] - mesh.origin[axis]), ink = inks.subarray(square * 4, square * 4 + 3);
    for (const [right, up] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) strokes.add(u + right * side, v + up * side, mesh.middle[2] + mesh.half[2], ink, undefined, 0, inks[square * 4 + 3]);
  }
  return strokes;
}

/** The box of each tile; of a cell that is a square, the square. It is as high as the highest corner, so that nothing of it hides the border. @param {Mesh} mesh @returns {(number[] | null)[]} */
function boxes(mesh) {
  const { tiles } = mesh.head;
  if (!tiles) return [];
  const boxes = tiles.boxes.map((ends) => {
    if (!ends) return null;
    const [a, b] = ends.map((at) => mesh.fromFile(at));
    return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[0], b[0]), Math.max(a[1], b[1])];
  });
  const { side } = tiles;
  return boxes.map((box, tile) => {
    const cell = tiles.names[tile].split(", ").map(Number);
    if (!box || !side || cell.length !== 2 || !cell.every(Number.isFinite)) return box;
    const [left, below] = mesh.fromFile([cell[0] * side, cell[1] * side, 0]);
    return [left, below, box[2], left + side, below + side];
  });
}

/** The four sides of each tile. @param {Mesh} mesh @param {ArrayLike<number>} ink */
function borders(mesh, ink) {
  const strokes = new Strokes(false);
  for (const box of boxes(mesh)) {
    if (!box) continue;
    const [left, below, top, right, above] = box;
    const corners = [[left, below, top], [right, below, top], [right, above, top], [left, above, top]];
    corners.forEach((corner, at) => strokes.line(corner, corners[(at + 1) % 4], ink));
  }
  return strokes;
}
