// What lies over the mesh: links, marks, waypoints, and what is measured.

/** @typedef {import("./mesh.js").Mesh} Mesh */

/** No node: what is always seen. */
const ALWAYS = 0xffffffff;

/** Lines or points, for one call. */
export class Strokes {
  /** @param {boolean} points */
  constructor(points) {
    this.points = points;
    /** Whether three each are a triangle. */
    this.faces = false;
    this.count = 0;
    this.data = new ArrayBuffer(24 * 256);
    this.floats = new Float32Array(this.data);
    this.words = new Uint32Array(this.data);
    this.inks = new Uint8Array(this.data);
  }

  /** Adds a point, or an end of a line. @param {number} u @param {number} v @param {number} h @param {ArrayLike<number>} ink @param {number} node @param {number} radius @param {number} alpha */
  add(u, v, h, ink, node = ALWAYS, radius = 0, alpha = 255) {
    if ((this.count + 1) * 24 > this.data.byteLength) this.#grow();
    const at = this.count * 6;
    this.floats[at] = u;
    this.floats[at + 1] = v;
    this.floats[at + 2] = h;
    this.words[at + 3] = node;
    this.inks[at * 4 + 16] = ink[0];
    this.inks[at * 4 + 17] = ink[1];
    this.inks[at * 4 + 18] = ink[2];
    this.inks[at * 4 + 19] = alpha;
    this.floats[at + 5] = radius;
    this.count++;
  }

  /** @param {ArrayLike<number>} a @param {ArrayLike<number>} b @param {ArrayLike<number>} ink @param {number} node */
  line(a, b, ink, node = ALWAYS) {
    this.add(a[0], a[1], a[2], ink, node);
    this.add(b[0], b[1], b[2], ink, node);
  }

  bytes() {
    return this.data.slice(0, this.count * 24);
  }

  #grow() {
    const larger = new ArrayBuffer(this.data.byteLength * 2);
    new Uint8Array(larger).set(this.inks);
    this.data = larger;
    this.floats = new Float32Array(larger);
    this.words = new Uint32Array(larger);
    this.inks = new Uint8Array(larger);
  }
}

/** The layers of links that a mesh has something for: all of them, those that lead one way, those that are no walk, and each kind if there are several. @param {Mesh} mesh */
export function linkLayers(mesh) {
  const own = mesh.head.kinds.map((kind) => ofKind(mesh, kind));
  return mesh.head.links > 0 ? ["links", "one-way", "traversals", ...(own.length > 1 ? own : [])] : [];
}

/** What the layer of a kind of links is called. @param {Mesh} mesh @param {number} kind */
function ofKind(mesh, kind) {
  return `${mesh.head.link_kinds[kind].name} links`;
}

/** The links of a mesh that layers show, each with an arrow if it leads one way; `null` if they show none. @param {Mesh} mesh @param {"light" | "dark"} theme @param {Set<string>} layers */
export function links(mesh, theme, layers) {
  const [all, oneWays, traversals] = ["links", "one-way", "traversals"].map((name) => layers.has(name));
  const own = mesh.head.link_kinds.map((_, kind) => layers.has(ofKind(mesh, kind)));
  if (!all && !oneWays && !traversals && !own.includes(true)) return null;
  const strokes = new Strokes(false);
  let [chunk, paths] = [-1, 0];
  for (let node = 0; node < mesh.count; node++) {
    for (; node >= mesh.firsts[chunk + 1]; chunk++) paths = 0;
    for (let link = mesh.firstLink[node]; link < mesh.endLink[node]; link++) {
      const { to, kind, oneWay, hasPath } = mesh.link(link), path = hasPath ? mesh.store.paths.get(chunk)?.subarray(paths * 6, ++paths * 6) : undefined;
      if (to === null) continue;
      const known = mesh.head.link_kinds[kind];
      const wanted = all || own[kind] || (oneWay && known.on_foot && oneWays) || (!known.on_foot && known.name !== "ladder" && traversals);
      // A path there and back on foot is one line, unless the other end is not there.
      if (!wanted || (!oneWay && known.on_foot && to < node && mesh.endLink[to] > 0)) continue;
      way(strokes, mesh, node, to, known[theme][oneWay ? 1 : 0], oneWay || !known.on_foot, path);
    }
  }
  return strokes;
}

/** The links of one node, in and out. @param {Mesh} mesh @param {number} node @param {"light" | "dark"} theme */
export function linksOf(mesh, node, theme) {
  const strokes = new Strokes(false);
  for (let link = mesh.firstLink[node]; link < mesh.endLink[node]; link++) {
    const { to, kind, oneWay } = mesh.link(link);
    if (to !== null) way(strokes, mesh, node, to, mesh.head.link_kinds[kind][theme][oneWay ? 1 : 0], true, undefined);
  }
  return strokes;
}

/** @param {Strokes} strokes @param {Mesh} mesh @param {number} from @param {number} to @param {ArrayLike<number>} ink @param {boolean} arrow @param {import("./mesh.js").Numbers | undefined} ends both ends of the link, if it has some of its own */
function way(strokes, mesh, from, to, ink, arrow, ends) {
  const [a, b] = [mesh.center(from), mesh.center(to)];
  if (!Number.isFinite(a[0] + a[1] + a[2] + b[0] + b[1] + b[2])) return;
  let [start, end] = [a, b];
  if (ends && Number.isFinite(ends[0] + ends[3])) {
    start = mesh.fromFile(ends);
    end = mesh.fromFile(ends.subarray(3));
    strokes.line(a, start, ink, from);
    strokes.line(end, b, ink, from);
  }
  strokes.line(start, end, ink, from);
  if (!arrow) return;
  const long = Math.hypot(end[0] - start[0], end[1] - start[1], end[2] - start[2]);
  if (!(long > 0)) return;
  // The head of an arrow, a little before its end.
  const size = Math.min(long * 0.22, mesh.half[0] * 0.02);
  const [u, v, h] = [0, 1, 2].map((axis) => (end[axis] - start[axis]) / long);
  const tip = [0, 1, 2].map((axis) => start[axis] + (end[axis] - start[axis]) * 0.82);
  for (const side of [0.45, -0.45]) strokes.line(tip, [tip[0] - (u + v * side) * size, tip[1] - (v - u * side) * size, tip[2] - h * size], ink, from);
}

/** The marks of a layer: lines and boxes, and points. @param {Mesh} mesh @param {"light" | "dark"} theme @param {string} layer */
export function marks(mesh, theme, layer) {
  const [lines, points] = [new Strokes(false), new Strokes(true)];
  const [kinds, shapes, nodes, ends] = ["mark_kind", "mark_shape", "mark_node", "mark_points"].map((name) => mesh.column(name));
  for (let mark = 0; mark < kinds.length; mark++) {
    const kind = mesh.head.mark_kinds[kinds[mark]];
    if (kind?.layer !== layer) continue;
    const [a, b] = [0, 3].map((at) => mesh.fromFile(ends.subarray(mark * 6 + at, mark * 6 + at + 3)));
    if (!Number.isFinite(a[0] + a[1] + a[2] + b[0] + b[1] + b[2])) continue;
    const [ink, node] = [kind[theme], nodes[mark]];
    if (shapes[mark] === 0) points.add(a[0], a[1], a[2], ink, node);
    else if (shapes[mark] === 1) lines.line(a, b, ink, node);
    else box(lines, a, b, ink, node);
  }
  return { lines, points };
}

/** The twelve edges of a box. @param {Strokes} lines @param {number[]} a @param {number[]} b @param {ArrayLike<number>} ink @param {number} node */
function box(lines, a, b, ink, node) {
  const corner = (/** @type {number} */ bits) => [0, 1, 2].map((axis) => ((bits >> axis) & 1 ? b : a)[axis]);
  for (let bits = 0; bits < 8; bits++) {
    for (let axis = 0; axis < 3; axis++) {
      if (!((bits >> axis) & 1)) lines.line(corner(bits), corner(bits | (1 << axis)), ink, node);
    }
  }
}

/** Waypoints: dots, and the discs in which one may walk. @param {Mesh} mesh @param {Uint8Array} table */
export function waypoints(mesh, table) {
  const [dots, discs] = [new Strokes(true), new Strokes(true)];
  const radius = mesh.column("radius");
  for (let node = 0; node < radius.length; node++) {
    if (radius[node] < 0 || table[node * 4 + 3] === 0) continue;
    const [u, v, h] = mesh.center(node), ink = table.subarray(node * 4, node * 4 + 3);
    if (!Number.isFinite(u + v + h)) continue;
    dots.add(u, v, h, ink, node);
    if (radius[node] > 0) discs.add(u, v, h, ink, node, radius[node], 70);
  }
  return { dots, discs };
}
