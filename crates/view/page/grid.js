// What lies under the cursor: a grid over the plan.

/** @typedef {import("./mesh.js").Mesh} Mesh */

/** The most entries of a grid: a file may stack polygons over the whole map. */
const MOST_ENTRIES = 4_000_000;
/** How near a waypoint has to be, in pixels. */
const NEAR = 12;

export class Grid {
  /** @param {Mesh} mesh */
  constructor(mesh) {
    this.mesh = mesh;
    const [left, bottom] = [-mesh.half[0], -mesh.half[1]];
    const [wide, high] = [mesh.half[0] * 2, mesh.half[1] * 2];
    this.left = left;
    this.bottom = bottom;
    this.cell = Math.max(wide, high) / Math.min(Math.max(Math.sqrt(mesh.count) * 1.5, 8), 512);
    /** @type {number[]} */
    this.waypoints = [];
    this.box = new Float32Array(mesh.count * 4);
    for (let node = 0; node < mesh.count; node++) this.#measure(node);
    let entries = this.#entries();
    while (entries > MOST_ENTRIES) {
      this.cell *= 2;
      entries = this.#entries();
    }
    this.columns = Math.floor(wide / this.cell) + 1;
    this.rows = Math.floor(high / this.cell) + 1;
    this.first = new Uint32Array(this.columns * this.rows + 1);
    this.#each((_, cell) => this.first[cell + 1]++);
    for (let cell = 0; cell < this.first.length - 1; cell++) this.first[cell + 1] += this.first[cell];
    this.nodes = new Uint32Array(entries);
    const next = this.first.slice();
    this.#each((node, cell) => (this.nodes[next[cell]++] = node));
    this.seen = new Uint32Array(mesh.count);
    this.turn = 0;
  }

  /** Every shown node under a point of the canvas, the nearest to the eye first. @param {import("./camera.js").Camera} camera @param {number} x @param {number} y @param {Uint8Array} table colours with visibility */
  pick(camera, x, y, table) {
    /** @type {[number, number][]} */
    const found = [];
    const shown = (/** @type {number} */ node) => table[node * 4 + 3] === 255;
    const { from, along } = camera.ray(x, y);
    const flat = Math.hypot(along[0], along[1]);
    this.turn++;
    const test = (/** @type {number} */ cell) => {
      for (let at = this.first[cell]; at < this.first[cell + 1]; at++) {
        const node = this.nodes[at];
        if (this.seen[node] === this.turn) continue;
        this.seen[node] = this.turn;
        if (!shown(node)) continue;
        const t = this.#hit(node, from, along);
        if (t !== null) found.push([t, node]);
      }
    };
    if (flat < 1e-9) {
      const cell = this.#at(from[0], from[1]);
      if (cell !== null) test(cell);
    } else {
      this.#walk(from, along, test);
    }
    found.sort((a, b) => a[0] - b[0]);
    const nodes = found.map(([, node]) => node);
    const waypoint = this.#waypoint(camera, x, y, shown);
    return waypoint === null ? nodes : [waypoint, ...nodes];
  }

  /** The nearest waypoint. @param {import("./camera.js").Camera} camera @param {number} x @param {number} y @param {(node: number) => boolean} shown */
  #waypoint(camera, x, y, shown) {
    const at = [0, 0, 0], centers = this.mesh.centers;
    let [best, least] = [/** @type {number | null} */ (null), NEAR];
    for (const node of this.waypoints) {
      if (!shown(node) || !camera.project(centers[node * 3], centers[node * 3 + 1], centers[node * 3 + 2], at)) continue;
      const far = Math.hypot(at[0] - x, at[1] - y);
      if (far < least) [best, least] = [node, far];
    }
    return best;
  }

  /** How far along the ray a polygon is hit. @param {number} node @param {number[]} from @param {number[]} along @returns {number | null} */
  #hit(node, from, along) {
    const p = this.mesh.positions, first = this.mesh.firstCorner[node], end = this.mesh.firstCorner[node + 1];
    for (let corner = first + 1; corner + 1 < end; corner++) {
      const t = triangle(p, first * 3, corner * 3, corner * 3 + 3, from, along);
      if (t !== null) return t;
    }
    return null;
  }

  /** The cells under a ray. @param {number[]} from @param {number[]} along @param {(cell: number) => void} each */
  #walk(from, along, each) {
    let [start, end] = [0, Infinity];
    const low = [this.left, this.bottom, -this.mesh.half[2]];
    for (let axis = 0; axis < 3; axis++) {
      const high = low[axis] + this.mesh.half[axis] * 2;
      if (Math.abs(along[axis]) < 1e-12) continue;
      const [a, b] = [(low[axis] - 1e-3 - from[axis]) / along[axis], (high + 1e-3 - from[axis]) / along[axis]];
      start = Math.max(start, Math.min(a, b));
      end = Math.min(end, Math.max(a, b));
    }
    if (!(start <= end) || end === Infinity) return;
    // Half a cell at a time, and the neighbours: simple, and no cell is missed.
    const step = (this.cell * 0.5) / Math.hypot(along[0], along[1]);
    const steps = Math.min(Math.ceil((end - start) / step), 4 * (this.columns + this.rows));
    let last = -1;
    for (let i = 0; i <= steps; i++) {
      const t = Math.min(start + i * step, end);
      const column = Math.floor((from[0] + along[0] * t - this.left) / this.cell);
      const row = Math.floor((from[1] + along[1] * t - this.bottom) / this.cell);
      if (row * this.columns + column === last) continue;
      last = row * this.columns + column;
      for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, this.rows - 1); r++) {
        for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, this.columns - 1); c++) each(r * this.columns + c);
      }
    }
  }

  /** @param {number} u @param {number} v */
  #at(u, v) {
    const [column, row] = [Math.floor((u - this.left) / this.cell), Math.floor((v - this.bottom) / this.cell)];
    const inside = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return inside ? row * this.columns + column : null;
  }

  /** The box of a polygon; a waypoint has none. @param {number} node */
  #measure(node) {
    const p = this.mesh.positions, box = [Infinity, Infinity, -Infinity, -Infinity];
    const first = this.mesh.firstCorner[node], end = this.mesh.firstCorner[node + 1];
    for (let corner = first; corner < end; corner++) {
      for (let axis = 0; axis < 2; axis++) {
        const value = p[corner * 3 + axis];
        if (!Number.isFinite(value + p[corner * 3 + 2])) return this.box.set([1, 1, 0, 0], node * 4);
        box[axis] = Math.min(box[axis], value);
        box[axis + 2] = Math.max(box[axis + 2], value);
      }
    }
    if (this.mesh.isPoint(node)) {
      this.waypoints.push(node);
      box[0] = Infinity;
    }
    this.box.set(box[0] <= box[2] ? box : [1, 1, 0, 0], node * 4);
  }

  #entries() {
    let sum = 0;
    for (let at = 0; at < this.box.length; at += 4) {
      if (this.box[at] > this.box[at + 2]) continue;
      const [c0, r0, c1, r1] = this.#cells(at);
      sum += (c1 - c0 + 1) * (r1 - r0 + 1);
    }
    return sum;
  }

  /** @param {number} at */
  #cells(at) {
    const column = (/** @type {number} */ u) => Math.max(Math.floor((u - this.left) / this.cell), 0);
    const row = (/** @type {number} */ v) => Math.max(Math.floor((v - this.bottom) / this.cell), 0);
    const [right, top] = [column(this.mesh.half[0]), row(this.mesh.half[1])];
    const b = this.box;
    return [Math.min(column(b[at]), right), Math.min(row(b[at + 1]), top), Math.min(column(b[at + 2]), right), Math.min(row(b[at + 3]), top)];
  }

  /** @param {(node: number, cell: number) => void} each */
  #each(each) {
    for (let node = 0; node < this.mesh.count; node++) {
      if (this.box[node * 4] > this.box[node * 4 + 2]) continue;
      const [c0, r0, c1, r1] = this.#cells(node * 4);
      for (let r = r0; r <= r1; r++) for (let c = c0; c <= c1; c++) each(node, r * this.columns + c);
    }
  }
}

/** How far along a ray a triangle is hit, from either side. @param {Float32Array} p @param {number} a @param {number} b @param {number} c @param {number[]} from @param {number[]} along @returns {number | null} */
function triangle(p, a, b, c, from, along) {
  const [e1x, e1y, e1z] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const [e2x, e2y, e2z] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
  const [dx, dy, dz] = along;
  const [hx, hy, hz] = [dy * e2z - dz * e2y, dz * e2x - dx * e2z, dx * e2y - dy * e2x];
  const det = e1x * hx + e1y * hy + e1z * hz;
  if (Math.abs(det) < 1e-12) return null;
  const [sx, sy, sz] = [from[0] - p[a], from[1] - p[a + 1], from[2] - p[a + 2]];
  const u = (sx * hx + sy * hy + sz * hz) / det;
  if (u < -1e-6 || u > 1 + 1e-6) return null;
  const [qx, qy, qz] = [sy * e1z - sz * e1y, sz * e1x - sx * e1z, sx * e1y - sy * e1x];
  const v = (dx * qx + dy * qy + dz * qz) / det;
  if (v < -1e-6 || u + v > 1 + 1e-6) return null;
  return (e2x * qx + e2y * qy + e2z * qz) / det;
}
