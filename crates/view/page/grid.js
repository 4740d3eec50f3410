// What lies under the cursor: chunks by their boxes, and in them nodes by theirs.

/** @typedef {import("./mesh.js").Mesh} Mesh */

/** How near a waypoint has to be, in pixels. */
const NEAR = 12;

export class Grid {
  /** @param {Mesh} mesh */
  constructor(mesh) {
    this.mesh = mesh;
    /** The boxes of the nodes of each chunk from above, from when they were first needed. @type {(Float32Array | undefined)[]} */
    this.boxes = [];
  }

  /** Every shown node under a point of the canvas, the nearest to the eye first. @param {import("./camera.js").Camera} camera @param {number} x @param {number} y @param {Uint8Array} table colours with visibility */
  pick(camera, x, y, table) {
    const { mesh } = this, { from, along } = camera.ray(x, y);
    /** @type {[number, number][]} */
    const found = [];
    for (let chunk = 0; chunk < mesh.chunks.length; chunk++) {
      if (!mesh.store.has(chunk) || !isHit(mesh.boxes, chunk * 6, 3, from, along)) continue;
      const boxes = (this.boxes[chunk] ??= this.#measure(chunk)), first = mesh.firsts[chunk];
      for (let at = 0; at < boxes.length; at += 4) {
        const node = first + at / 4;
        if (table[node * 4 + 3] !== 255 || !isHit(boxes, at, 2, from, along)) continue;
        const t = this.#hit(node, from, along);
        if (t !== null) found.push([t, node]);
      }
    }
    found.sort((a, b) => a[0] - b[0]);
    const nodes = found.map(([, node]) => node);
    const waypoint = this.#waypoint(camera, x, y, table);
    return waypoint === null ? nodes : [waypoint, ...nodes];
  }

  /** The chunks under a point of the canvas that are not there. @param {import("./camera.js").Camera} camera @param {number} x @param {number} y */
  missing(camera, x, y) {
    const { mesh } = this, { from, along } = camera.ray(x, y), chunks = [];
    if (mesh.isWhole) return [];
    for (let chunk = 0; chunk < mesh.chunks.length; chunk++) if (!mesh.store.has(chunk) && isHit(mesh.boxes, chunk * 6, 3, from, along)) chunks.push(chunk);
    return chunks;
  }

  /** Forgets a chunk that is not there any more. @param {number} chunk */
  forget(chunk) {
    delete this.boxes[chunk];
  }

  /** The nearest waypoint. @param {import("./camera.js").Camera} camera @param {number} x @param {number} y @param {Uint8Array} table */
  #waypoint(camera, x, y, table) {
    const { mesh } = this, at = [0, 0, 0], centers = mesh.centers;
    let [best, least] = [/** @type {number | null} */ (null), NEAR];
    if (mesh.column("radius").length === 0) return null;
    for (let node = 0; node < mesh.count; node++) {
      if (!mesh.isPoint(node) || mesh.endCorner[node] === 0 || table[node * 4 + 3] !== 255 || !camera.project(centers[node * 3], centers[node * 3 + 1], centers[node * 3 + 2], at)) continue;
      const far = Math.hypot(at[0] - x, at[1] - y);
      if (far < least) [best, least] = [node, far];
    }
    return best;
  }

  /** How far along the ray a polygon is hit. @param {number} node @param {number[]} from @param {number[]} along @returns {number | null} */
  #hit(node, from, along) {
    const p = this.mesh.positions, first = this.mesh.firstCorner[node], end = this.mesh.endCorner[node];
    for (let corner = first + 1; corner + 1 < end; corner++) {
      const t = triangle(p, first * 3, corner * 3, corner * 3 + 3, from, along);
      if (t !== null) return t;
    }
    return null;
  }

  /** The boxes of the polygons of a chunk: left, below, right, above. Waypoints, and polygons without a place, have none. @param {number} chunk */
  #measure(chunk) {
    const { mesh } = this, p = mesh.positions, first = mesh.firsts[chunk], boxes = new Float32Array((mesh.firsts[chunk + 1] - first) * 4);
    for (let at = 0; at < boxes.length; at += 4) {
      const node = first + at / 4;
      let [left, below, right, above] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let corner = mesh.firstCorner[node]; corner < mesh.endCorner[node]; corner++) {
        const u = p[corner * 3], v = p[corner * 3 + 1];
        // One that is not finite makes it a box that nothing hits.
        if (!Number.isFinite(u + v + p[corner * 3 + 2]) || mesh.isPoint(node)) left = NaN;
        left = Math.min(left, u);
        below = Math.min(below, v);
        right = Math.max(right, u);
        above = Math.max(above, v);
      }
      boxes[at] = left;
      boxes[at + 1] = below;
      boxes[at + 2] = right;
      boxes[at + 3] = above;
    }
    return boxes;
  }
}

/** Whether a ray goes through a box of so many axes: the lowest position of it, then the highest. @param {Float32Array} boxes @param {number} at @param {number} axes @param {number[]} from @param {number[]} along */
function isHit(boxes, at, axes, from, along) {
  let [start, end] = [0, Infinity];
  for (let axis = 0; axis < axes; axis++) {
    const low = boxes[at + axis], high = boxes[at + axes + axis], slack = 1e-5 * (Math.abs(low) + Math.abs(high)) + 1e-6;
    if (!(low <= high)) return false;
    if (Math.abs(along[axis]) < 1e-12) {
      if (from[axis] < low - slack || from[axis] > high + slack) return false;
      continue;
    }
    const a = (low - slack - from[axis]) / along[axis], b = (high + slack - from[axis]) / along[axis];
    start = Math.max(start, Math.min(a, b));
    end = Math.min(end, Math.max(a, b));
  }
  return start <= end;
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
