// The floor plan of the map, under the mesh.

import { Strokes } from "./lines.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {{human: number, columns: Map<string, import("./mesh.js").Numbers>}} Plan */

/** The ground as faces, and the walls as lines. @param {Mesh} mesh @param {"light" | "dark"} theme @param {Plan} plan */
export function planOf(mesh, theme, plan) {
  const inks = mesh.head.themes[theme], column = (/** @type {string} */ name) => plan.columns.get(name) ?? new Uint8Array(0);
  const [counts, corners, water] = ["floor_corners_of", "floor_corners", "floor_water"].map(column);
  const faces = new Strokes(false), lines = new Strokes(false);
  faces.faces = true;
  const at = (/** @type {number} */ corner) => mesh.fromFile(corners.subarray(corner * 3, corner * 3 + 3));
  const firsts = new Uint32Array(counts.length + 1);
  for (let floor = 0; floor < counts.length; floor++) firsts[floor + 1] = firsts[floor] + counts[floor];
  // What lies over the heads of all who walk there would only hide the mesh.
  const isLow = (/** @type {number} */ height) => height <= mesh.bounds[5] + plan.human, height = (/** @type {number} */ floor) => corners[firsts[floor] * 3 + 2];
  // From above, higher ground covers lower.
  const order = Array.from(counts, (_, floor) => floor).filter((floor) => isLow(height(floor))).sort((a, b) => height(a) - height(b));
  for (const floor of order) {
    const ink = water[floor] ? inks.water : inks.ground, first = at(firsts[floor]);
    for (let corner = firsts[floor] + 1; corner + 1 < firsts[floor + 1]; corner++) {
      for (const [u, v, h] of [first, at(corner), at(corner + 1)]) faces.add(u, v, h, ink);
    }
  }
  const [ends, tops, clips] = ["wall_ends", "wall_top", "wall_clip"].map(column);
  for (let wall = 0; wall < tops.length; wall++) {
    if (clips[wall] || !isLow(ends[wall * 6 + 2])) continue;
    const [a, b] = [0, 3].map((from) => mesh.fromFile(ends.subarray(wall * 6 + from, wall * 6 + from + 3)));
    const top = mesh.fromFile([ends[wall * 6], ends[wall * 6 + 1], tops[wall]])[2];
    lines.line(a, b, inks.faint);
    if (isLow(tops[wall])) lines.line([a[0], a[1], top], [b[0], b[1], top], inks.faint);
  }
  return { faces, lines };
}
