// A mesh as the program hands it out: a head, columns that are viewed in place, and the chunks that are there.

import { Store } from "./store.js";

/**
 * @typedef {{name: string, kind: "u8" | "u16" | "u32" | "f32", per?: "node" | "corner" | "link" | "path", offset: number, length: number}} Column
 * @typedef {{name: string, title: string, ramp: [number, number] | null, entries: {class: number, name: string, nodes: number}[], more: number}} Meaning
 * @typedef {[number, number, number]} Triple
 * @typedef {{severity: string, code: string, record: string | null, byte: number | null, id: number | null, at: Triple | null, message: string}} Finding
 * @typedef {{name: string, on_foot: boolean, light: [Triple, Triple], dark: [Triple, Triple]}} LinkKind
 * @typedef {{name: string, layer: string, light: Triple, dark: Triple}} MarkKind
 * @typedef {{
 *   title: string, subtitle: string, error: string | null, nodes: number, links: number, marks: number, islands: number,
 *   one_way: number, walkable: number | null, word: [string, string], group_word: string, ids: ["numbers" | "forms" | "groups" | "lettered", string, number?, boolean?],
 *   axes: {up: "y" | "z", metres_per_unit: number, north: [number, number] | null},
 *   places: string[], groups: string[], flags: Record<string, string>, link_kinds: LinkKind[], kinds: number[], mark_kinds: MarkKind[],
 *   themes: Record<"light" | "dark", Record<string, Triple>>, ceilings: {name: string, nodes: number}[], colours: Meaning[],
 *   merge: {script: string, disputed: {item: string, at: Triple | null, what: string, theirs: string}[]} | null,
 *   tiles: {word: string, names: string[], of: (number | null)[], boxes: ([Triple, Triple] | null)[], side: number | null} | null,
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

/** What a mesh is made with. @typedef {{budget: number, revision: string | null, origin: number[] | null}} Making bytes for chunks, the state of the mesh, and where positions are counted from if that is known */
/** What a chunk brings. @typedef {{corners: Numbers, to: Numbers, kind: Numbers, path: Numbers | undefined}} Brought */

/** A mesh with what follows from its columns. Positions are seen from above: right, up, height, less the middle of the mesh. Nodes whose chunk is not there have no corners and no links. */
export class Mesh {
  /**
   * @param {Head} head
   * @param {Record<string, ArrayBuffer>} parts index, nodes, marks; geometry and links if all of them are there, else `centers`
   * @param {Making} making
   */
  constructor(head, parts, { budget, revision, origin }) {
    this.head = head;
    this.parts = parts;
    this.budget = budget;
    this.revision = revision;
    /** The nodes by a number that is made of their ids. @type {Uint32Array | null} */
    this.ids = null;
    this.seed = 0;
    this.count = head.nodes;
    /** @type {Map<string, Numbers>} */
    this.columns = new Map();
    for (const part of ["index", "nodes", "marks"]) for (const column of head.parts[part].columns) this.columns.set(column.name, view(parts[part], column));
    this.chunks = chunkRows(this.column("chunks"));
    /** The first node of each chunk, and the end of the last. */
    this.firsts = Uint32Array.from([...this.chunks.map((row) => row[6]), this.count]);
    this.columns.set("mark_node", this.column("mark_node").map((code) => this.number(code) ?? NOTHING));
    const yUp = head.axes.up === "y", boxes = this.chunks.map((row) => chunkBox(row, yUp));
    this.bounds = around(boxes);
    const [low, high] = [this.bounds.slice(0, 3), this.bounds.slice(3)];
    this.origin = origin ?? low.map((value, i) => (value + high[i]) / 2);
    /** The middle of the mesh as a position. */
    this.middle = low.map((value, i) => (value + high[i]) / 2 - this.origin[i]);
    /** Half of the box: right, up, height. */
    this.half = low.map((value, i) => Math.max((high[i] - value) / 2, 1e-3));
    /** The box of each chunk: the lowest position, and the highest. */
    this.boxes = Float32Array.from(boxes.flat(), (value, i) => value - this.origin[i % 3]);
    this.firstCorner = new Uint32Array(this.count);
    this.endCorner = new Uint32Array(this.count);
    this.firstLink = new Uint32Array(this.count);
    this.endLink = new Uint32Array(this.count);
    this.store = new Store(this.chunks.map((row) => this.#size(row)), budget);
    /** The middle of the corners of each node. */
    this.centers = parts.centers ? this.#turned(new Float32Array(parts.centers)) : new Float32Array(this.count * 3).fill(NaN);
    if (parts.geometry && parts.links) this.#takeAll();
  }

  /** Whether all of it is in memory. */
  get isWhole() {
    return this.store.there === this.chunks.length;
  }

  /** Corners, triangles and links of a chunk. @param {Numbers} row @returns {import("./store.js").Size} */
  #size(row) {
    const of = this.column("corners_of");
    let [corners, triangles] = [0, 0];
    for (let node = row[6]; node < row[6] + row[7]; node++) {
      corners += of[node];
      triangles += Math.max(of[node] - 2, 0);
    }
    return [corners, triangles, row[9]];
  }

  /** Takes every chunk from the parts. */
  #takeAll() {
    const whole = new Map(["geometry", "links"].flatMap((part) => this.head.parts[part].columns.map((column) => [column.name, view(this.parts[part], column)])));
    const column = (/** @type {string} */ name) => whole.get(name) ?? new Uint8Array(0);
    const [corners, to, kind, path] = ["corners", "to", "kind", "path"].map(column);
    let [corner, link, paths] = [0, 0, 0];
    this.chunks.forEach((row, chunk) => {
      const [corners_, links] = this.#size(row).filter((_, what) => what !== 1), own = kind.subarray(link, link + links);
      const with_ = path.length > 0 ? Array.from(own).filter((bits) => bits & PATH).length : 0;
      this.take(chunk, { corners: corners.subarray(corner * 3, (corner + corners_) * 3), to: to.subarray(link, link + links), kind: own, path: path.subarray(paths * 6, (paths + with_) * 6) });
      corner += corners_;
      link += links;
      paths += with_;
    });
    delete this.parts.geometry;
    delete this.parts.links;
  }

  /** Positions for coordinates of the file. @param {Numbers} corners */
  #turned(corners) {
    const [right, up, height] = this.origin, yUp = this.head.axes.up === "y", positions = new Float32Array(corners.length);
    for (let at = 0; at < corners.length; at += 3) {
      positions[at] = corners[at] - right;
      positions[at + 1] = (yUp ? -corners[at + 2] : corners[at + 1]) - up;
      positions[at + 2] = (yUp ? corners[at + 1] : corners[at + 2]) - height;
    }
    return positions;
  }

  /** Takes what a chunk brings; if there is no room, only where its nodes are. Whether there was room. @param {number} chunk @param {Brought} brought */
  take(chunk, { corners, to, kind, path }) {
    const positions = this.#turned(corners), [from, end] = this.firsts.subarray(chunk, chunk + 2), of = this.column("corners_of");
    for (let node = from, corner = 0; node < end; corner += of[node++]) {
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let at = corner; at < corner + of[node]; at++) sum += positions[at * 3 + axis];
        this.centers[node * 3 + axis] = sum / of[node];
      }
    }
    return this.#put(chunk, positions, to, kind, path);
  }

  /** Takes a chunk that has not changed from the mesh as it was before. @param {number} chunk @param {Mesh} before */
  takeFrom(chunk, before) {
    const { store } = before, place = store.placeOf[chunk], [from, end] = before.firsts.subarray(chunk, chunk + 2);
    this.centers.set(before.centers.subarray(from * 3, end * 3), this.firsts[chunk] * 3);
    if (place < 0) return;
    const corners = this.#size(this.chunks[chunk])[0], [corner, link] = [store.corners[place], store.links[place]], links = this.chunks[chunk][9];
    this.#put(chunk, store.positions.subarray(corner * 3, (corner + corners) * 3), store.to.subarray(link, link + links), store.kind.subarray(link, link + links), store.paths.get(chunk));
  }

  /** @param {number} chunk @param {Float32Array} positions @param {Numbers} to @param {Numbers} kind @param {Numbers | undefined} path */
  #put(chunk, positions, to, kind, path) {
    const { store } = this, place = store.free(chunk), [from, end] = this.firsts.subarray(chunk, chunk + 2);
    if (place < 0) return false;
    store.take(chunk, place);
    store.positions.set(positions, store.corners[place] * 3);
    store.to.set(to, store.links[place]);
    store.kind.set(kind, store.links[place]);
    if (path && path.length > 0) store.paths.set(chunk, path.slice());
    const [corners, links] = ["corners_of", "links_of"].map((name) => this.column(name));
    for (let node = from, corner = store.corners[place], link = store.links[place]; node < end; node++) {
      this.firstCorner[node] = corner;
      this.firstLink[node] = link;
      this.endCorner[node] = corner += corners[node];
      this.endLink[node] = link += links[node];
    }
    return true;
  }

  /** Lets go of a chunk. @param {number} chunk */
  drop(chunk) {
    const [from, end] = this.firsts.subarray(chunk, chunk + 2);
    this.store.drop(chunk);
    for (const of of [this.firstCorner, this.endCorner, this.firstLink, this.endLink]) of.fill(0, from, end);
  }

  /** The corners of nodes as positions, from the first corner of a node on. */
  get positions() {
    return this.store.positions;
  }

  /** The chunk that a node is in. @param {number} node */
  chunkOf(node) {
    let [low, high] = [0, this.chunks.length];
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.firsts[middle] <= node) low = middle;
      else high = middle;
    }
    // A chunk without nodes begins where the next one does.
    return low;
  }

  /** The number of a node that a column names by its chunk and its place there. @param {number} code @returns {number | null} */
  number(code) {
    return code === NOTHING ? null : this.firsts[code >>> BITS] + (code & ((1 << BITS) - 1));
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

  /** A name as the file's own are printed. Games take a larger first byte for the file's own. @param {string} name */
  #printed(name) {
    const [kind, , own = 255, apart] = this.head.ids, form = kind === "forms" && /^([0-9A-F]{2})([0-9A-F]{6}#\d{1,10})$/.exec(name);
    if (!form) return name;
    const file = parseInt(form[1], 16), kept = file <= own || (apart && (file === 0xfd || file === 0xfe));
    return kept ? name : own.toString(16).toUpperCase().padStart(2, "0") + form[2];
  }

  /** The node that people call so. @param {string} typed @returns {number | undefined} */
  node(typed) {
    const name = this.#printed(typed);
    const [id, high] = ["id", "id_high"].map((column) => this.column(column));
    // A file cannot know the seed, so it cannot make many ids that meet.
    const slot = (/** @type {number} */ low, /** @type {number} */ up) => {
      const mixed = Math.imul(low ^ this.seed, 0x9e3779b1) ^ Math.imul(up + this.seed, 0x85ebca6b);
      return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> shift;
    };
    const shift = 31 - Math.ceil(Math.log2(this.count + 1)), mask = 2 ** (32 - shift) - 1;
    if (!this.ids) {
      this.seed = Math.floor(Math.random() * 2 ** 32);
      this.ids = new Uint32Array(mask + 1).fill(NOTHING);
      for (let node = 0; node < this.count; node++) {
        let at = slot(id[node], high[node] ?? 0);
        // Of those with one id, the last one is meant: they take up one place.
        while (this.ids[at] !== NOTHING && (id[this.ids[at]] !== id[node] || high[this.ids[at]] !== high[node])) at = (at + 1) & mask;
        this.ids[at] = node;
      }
    }
    const words = this.#idOf(name);
    if (!words) return undefined;
    for (let at = slot(words[0], words[1]); this.ids[at] !== NOTHING; at = (at + 1) & mask) if (this.name(this.ids[at]) === name) return this.ids[at];
    return undefined;
  }

  /** The two halves of the id in a name. @param {string} name @returns {[number, number] | null} */
  #idOf(name) {
    const [kind, letter] = this.head.ids, form = kind === "forms" && /^([0-9A-F]{8})#(\d{1,10})$/.exec(name);
    if (form) return [Number(form[2]), parseInt(form[1], 16)];
    const match = name.startsWith(`${letter}#`) ? /^(?:(\d{1,5})\.)?(?:(\d{1,5})\.)?(\d{1,20})$/.exec(name.slice(letter.length + 1)) : null;
    if (!match) return null;
    if (kind !== "groups") return [Number(BigInt(match[3]) & 0xffffffffn), Number((BigInt(match[3]) >> 32n) & 0xffffffffn)];
    const [more, group] = match[2] === undefined ? [0, Number(match[1])] : [Number(match[1]), Number(match[2])];
    return [Number(match[3]), ((more << 16) | group) >>> 0];
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
    const bits = this.store.kind[link];
    return { to: this.number(this.store.to[link]), kind: bits & KIND, gated: (bits & GATED) !== 0, oneWay: (bits & ONE_WAY) !== 0, hasPath: (bits & PATH) !== 0 };
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

/** The box of a chunk, seen from above. @param {Numbers} row @param {boolean} yUp */
function chunkBox(row, yUp) {
  const [x, y, z, x2, y2, z2] = new Float32Array(row.slice(0, 6).buffer);
  return yUp ? [x, -z2, y, x2, -z, y2] : [x, y, z, x2, y2, z2];
}

/** The box of all boxes that are some. @param {number[][]} boxes */
function around(boxes) {
  const all = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (!(box[0] <= box[3])) continue;
    for (let i = 0; i < 3; i++) {
      all[i] = Math.min(all[i], box[i]);
      all[i + 3] = Math.max(all[i + 3], box[i + 3]);
    }
  }
  return all[0] <= all[3] ? all : [-1, -1, -1, 1, 1, 1];
}
