// A mesh as the program hands it out: a head, and columns that are viewed in place.

/**
 * @typedef {{name: string, kind: "u8" | "u16" | "u32" | "f32", per?: "node" | "corner" | "link" | "path", offset: number, length: number}} Column
 * @typedef {{name: string, title: string, ramp: [number, number] | null, entries: {class: number, name: string, nodes: number}[], more: number}} Meaning
 * @typedef {[number, number, number]} Triple
 * @typedef {{severity: string, code: string, record: string | null, byte: number | null, id: number | null, at: Triple | null, message: string}} Finding
 * @typedef {{name: string, on_foot: boolean, light: [Triple, Triple], dark: [Triple, Triple]}} LinkKind
 * @typedef {{name: string, layer: string, light: Triple, dark: Triple}} MarkKind
 * @typedef {{
 *   title: string, subtitle: string, error: string | null, nodes: number, links: number, marks: number, islands: number,
 *   one_way: number, walkable: number | null, word: [string, string], group_word: string, ids: ["numbers" | "forms" | "groups" | "lettered", string],
 *   axes: {up: "y" | "z", metres_per_unit: number, north: [number, number] | null},
 *   places: string[], groups: string[], flags: Record<string, string>, link_kinds: LinkKind[], mark_kinds: MarkKind[],
 *   themes: Record<"light" | "dark", Record<string, Triple>>, ceilings: {name: string, nodes: number}[], colours: Meaning[],
 *   merge: {script: string, disputed: {item: string, at: Triple | null, what: string, theirs: string}[]} | null,
 *   tiles: {word: string, names: string[], of: (number | null)[], side: number | null} | null,
 *   ends: {at: Triple, name: string}[], dots: {title: string, count: number, ramp: [number, number] | null} | null, squares: {title: string, count: number, side: number, ramp: [number, number]} | null,
 *   findings: Finding[], more_findings: number, parts: Record<string, {bytes: number, mark: string, columns: Column[]}>
 * }} Head
 * @typedef {Uint8Array | Uint16Array | Uint32Array | Float32Array} Numbers
 */

/** The bits of a link's kind. */
const GATED = 128, ONE_WAY = 64, PATH = 32, KIND = 31;
/** The bits of a code that say which node of its chunk is meant, and the numbers in a row of the index of chunks. */
const BITS = 9, ROW = 12;
/** What a number is that is not there. */
const NOTHING = 0xffffffff;

/** A mesh with what follows from its columns. Positions are seen from above: right, up, height, less the middle of the mesh. */
export class Mesh {
  /**
   * @param {Head} head
   * @param {Record<string, ArrayBuffer>} parts
   */
  constructor(head, parts) {
    this.head = head;
    this.parts = parts;
    /** @type {Map<string, number> | null} */
    this.names = null;
    this.count = head.nodes;
    /** @type {Map<string, Numbers>} */
    this.columns = new Map();
    for (const [part, { columns }] of Object.entries(head.parts)) {
      for (const column of columns) this.columns.set(column.name, view(parts[part], column));
    }
    this.#decode();
    const corners = this.column("corners");
    /** The first corner of each node, and the end of the last. */
    this.firstCorner = ends(this.column("corners_of"));
    /** The first link of each node, and the end of the last. */
    this.firstLink = ends(this.column("links_of"));
    this.bounds = bounds(corners, head.axes.up === "y");
    this.origin = [0, 1, 2].map((i) => (this.bounds[i] + this.bounds[i + 3]) / 2);
    this.positions = new Float32Array(corners.length);
    const yUp = head.axes.up === "y";
    for (let at = 0; at < corners.length; at += 3) {
      this.positions[at] = corners[at] - this.origin[0];
      this.positions[at + 1] = (yUp ? -corners[at + 2] : corners[at + 1]) - this.origin[1];
      this.positions[at + 2] = (yUp ? corners[at + 1] : corners[at + 2]) - this.origin[2];
    }
    this.centers = new Float32Array(this.count * 3);
    for (let node = 0; node < this.count; node++) this.#center(node);
    /** Half of the box: right, up, height. */
    this.half = [0, 1, 2].map((i) => Math.max((this.bounds[i + 3] - this.bounds[i]) / 2, 1e-3));
  }

  /** The rows of the index of chunks. */
  get chunks() {
    return chunkRows(this.column("chunks"));
  }

  /** Columns name nodes by their chunk and their place in it. */
  #decode() {
    const firsts = this.chunks.map((row) => row[6]);
    for (const name of ["to", "mark_node"]) {
      this.columns.set(name, this.column(name).map((code) => (code === NOTHING ? NOTHING : firsts[code >>> BITS] + (code & ((1 << BITS) - 1)))));
    }
  }

  /** Where a column has what belongs to each chunk, and the end of the last. @param {Column} column */
  starts({ per }) {
    const kinds = this.column("kind");
    let paths = 0;
    return [...this.chunks.map((row) => [row[6], row[8]]), [this.count, kinds.length]].map(([node, link], chunk, all) => {
      for (let at = chunk > 0 ? all[chunk - 1][1] : 0; per === "path" && at < link; at++) paths += kinds[at] & PATH ? 1 : 0;
      return per === "node" ? node : per === "corner" ? this.firstCorner[node] * 3 : per === "link" ? link : paths * 6;
    });
  }

  /** @param {string} name */
  column(name) {
    return this.columns.get(name) ?? new Uint8Array(0);
  }

  /** @param {string} name @param {number} node @returns {number | null} */
  value(name, node) {
    const column = this.columns.get(name);
    if (!column || node >= column.length) return null;
    const value = column[node];
    const nothing = column instanceof Uint8Array ? 255 : column instanceof Uint16Array ? 65535 : NOTHING;
    return value === nothing ? null : value;
  }

  /** Whether a node is a waypoint. @param {number} node */
  isPoint(node) {
    const radius = this.column("radius");
    return radius.length > 0 && radius[node] >= 0;
  }

  /** What people type for a node. @param {number} node */
  name(node) {
    const low = this.column("id")[node], high = this.column("id_high")[node] ?? 0;
    const [kind, letter] = this.head.ids;
    if (kind === "forms" && high) return `${high.toString(16).toUpperCase().padStart(8, "0")}#${low}`;
    if (kind === "groups") return `${letter}#${high >>> 16 ? `${high >>> 16}.` : ""}${high & 0xffff}.${low}`;
    return `${letter}#${high ? (BigInt(high) << 32n) + BigInt(low) : low}`;
  }

  /** The node that people call so. @param {string} name @returns {number | undefined} */
  node(name) {
    this.names ??= new Map(Array.from({ length: this.count }, (_, node) => [this.name(node), node]));
    return this.names.get(name);
  }

  /** The names of a node's flags. @param {number} node @returns {string[]} */
  flags(node) {
    const words = [this.column("flags")[node] ?? 0, this.column("flags_high")[node] ?? 0];
    const names = [];
    for (let bit = 0; bit < 64; bit++) {
      if ((words[bit >> 5] >>> (bit & 31)) & 1) names.push(this.head.flags[bit] ?? `bit ${bit}`);
    }
    return names;
  }

  /** @param {number} link */
  link(link) {
    const bits = this.column("kind")[link], to = this.column("to")[link];
    return { to: to === NOTHING ? null : to, kind: bits & KIND, gated: (bits & GATED) !== 0, oneWay: (bits & ONE_WAY) !== 0, hasPath: (bits & PATH) !== 0 };
  }

  /** The coordinates of the file for a position. @param {ArrayLike<number>} at @returns {Triple} */
  inFile(at) {
    const [u, v, h] = [at[0] + this.origin[0], at[1] + this.origin[1], at[2] + this.origin[2]];
    return this.head.axes.up === "y" ? [u, h, -v] : [u, v, h];
  }

  /** The position for coordinates of the file. @param {ArrayLike<number>} at @returns {Triple} */
  fromFile(at) {
    const [u, v, h] = this.head.axes.up === "y" ? [at[0], -at[2], at[1]] : [at[0], at[1], at[2]];
    return [u - this.origin[0], v - this.origin[1], h - this.origin[2]];
  }

  /** The center of a node. @param {number} node @returns {Triple} */
  center(node) {
    return [this.centers[node * 3], this.centers[node * 3 + 1], this.centers[node * 3 + 2]];
  }

  /** @param {number} node */
  #center(node) {
    const first = this.firstCorner[node], end = this.firstCorner[node + 1];
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0;
      for (let corner = first; corner < end; corner++) sum += this.positions[corner * 3 + axis];
      this.centers[node * 3 + axis] = sum / (end - first);
    }
  }
}

/** The rows of an index of chunks: box, first node, nodes, first link, links, mark. @param {Numbers} index */
export function chunkRows(index) {
  return Array.from({ length: index.length / ROW }, (_, chunk) => index.subarray(chunk * ROW, (chunk + 1) * ROW));
}

/** @param {ArrayBuffer} buffer @param {Column} column @returns {Numbers} */
export function view(buffer, { kind, offset, length }) {
  if (kind === "u8") return new Uint8Array(buffer, offset, length);
  if (kind === "u16") return new Uint16Array(buffer, offset, length);
  if (kind === "u32") return new Uint32Array(buffer, offset, length);
  return new Float32Array(buffer, offset, length);
}

/** @param {Numbers} counts */
function ends(counts) {
  const ends = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) ends[i + 1] = ends[i] + counts[i];
  return ends;
}

/** The box of all finite corners, seen from above. @param {Numbers} corners @param {boolean} yUp */
function bounds(corners, yUp) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let at = 0; at < corners.length; at += 3) {
    const [x, y, z] = [corners[at], corners[at + 1], corners[at + 2]];
    if (!Number.isFinite(x + y + z)) continue;
    const point = yUp ? [x, -z, y] : [x, y, z];
    for (let i = 0; i < 3; i++) {
      box[i] = Math.min(box[i], point[i]);
      box[i + 3] = Math.max(box[i + 3], point[i]);
    }
  }
  return Number.isFinite(box[0]) ? box : [-1, -1, -1, 1, 1, 1];
}
