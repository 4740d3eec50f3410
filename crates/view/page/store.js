// The chunks of a mesh that are in memory: their corners and links lie in arrays that they share, which are as large as the budget.

/** Bytes that a corner, a triangle and a link take, here and on the graphics card. */
const CORNER = 12, TRIANGLE = 60, LINK = 5;
/** The fewest chunks that there is room for. */
const FEWEST = 8;
/** What a chunk has: corners, triangles, links. */
const CORNERS = 0, TRIANGLES = 1, LINKS = 2;

/** @typedef {[number, number, number]} Size corners, triangles and links */

/** @param {ArrayLike<number>} size */
function bytesOf(size) {
  return size[CORNERS] * CORNER + size[TRIANGLES] * TRIANGLE + size[LINKS] * LINK;
}

export class Store {
  /** @param {Size[]} sizes of each chunk @param {number} budget in bytes */
  constructor(sizes, budget) {
    const count = sizes.length, most = /** @type {Size} */ ([0, 1, 2].map((what) => sizes.reduce((most, size) => Math.max(most, size[what]), 0)));
    const all = sizes.reduce((sum, size) => sum + bytesOf(size), 0);
    /** Whether there is room for all of them: then each has a place of its own, else all places have one size. */
    this.hasAll = all <= budget;
    this.places = this.hasAll ? count : Math.min(count, Math.max(Math.floor(budget / bytesOf(most)), FEWEST));
    this.bytes = this.hasAll ? all : this.places * bytesOf(most);
    const starts = (/** @type {number} */ what) => {
      const starts = new Uint32Array(this.places + 1);
      for (let place = 0; place < this.places; place++) starts[place + 1] = starts[place] + (this.hasAll ? sizes[place] : most)[what];
      return starts;
    };
    /** Where each place begins, and the end of the last. */
    this.corners = starts(CORNERS);
    this.triangles = starts(TRIANGLES);
    this.links = starts(LINKS);
    this.positions = new Float32Array(this.corners[this.places] * 3);
    this.to = new Uint32Array(this.links[this.places]);
    this.kind = new Uint8Array(this.links[this.places]);
    /** The ends of the links of a chunk that have some. @type {Map<number, import("./mesh.js").Numbers>} */
    this.paths = new Map();
    this.chunkIn = new Int32Array(this.places).fill(-1);
    this.placeOf = new Int32Array(count).fill(-1);
    /** How many chunks are there, and how often that has changed. */
    this.there = 0;
    this.version = 0;
    /** When each was drawn last, in frames. */
    this.drawn = new Float64Array(count);
  }

  /** @param {number} chunk */
  has(chunk) {
    return this.placeOf[chunk] >= 0;
  }

  /** A place for a chunk; -1 if none is free. @param {number} chunk */
  free(chunk) {
    return this.hasAll ? chunk : this.there < this.places ? this.chunkIn.indexOf(-1) : -1;
  }

  /** @param {number} chunk @param {number} place */
  take(chunk, place) {
    if (this.chunkIn[place] < 0) this.there++;
    this.chunkIn[place] = chunk;
    this.placeOf[chunk] = place;
    this.version++;
  }

  /** @param {number} chunk */
  drop(chunk) {
    this.chunkIn[this.placeOf[chunk]] = this.placeOf[chunk] = -1;
    this.paths.delete(chunk);
    this.there--;
    this.version++;
  }
}
