// The encounter paths of the picked area: how one comes through it, and where on the way one meets somebody at a hiding spot.

import { Strokes } from "./lines.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {{from: number, to: number, ends: [number[], number[]] | null, spots: {t: number}[], old_spots: {t: number}[]}} EncounterPath */

/** The most paths that are drawn. */
const MOST_PATHS = 400;
/** How far over the floor they lie, so that it does not hide them: a part of half of the mesh's height. */
const LIFT = 0.02;

/** What the file says of the picked area. @param {App} app @returns {EncounterPath[]} */
function pathsOf({ saying }) {
  return saying?.record?.encounter_paths ?? [];
}

/** Draws what the file says of what was picked, and offers the layer if it is the first such area. @param {App} app */
export function meet(app) {
  if (!app.meets && pathsOf(app).length > 0) {
    app.meets = true;
    app.offer();
  }
  app.overlay();
  app.refresh();
}

/** The paths, and a point for each spot at which it comes into view. @param {App} app */
export function encounters(app) {
  const { mesh, choice } = app, lines = new Strokes(false), points = new Strokes(true);
  if (choice.selected < 0 || !app.layers.has("encounters")) return { lines, points };
  const inks = mesh.head.themes[choice.theme];
  for (const { from, to, ends, spots, old_spots } of pathsOf(app).slice(0, MOST_PATHS)) {
    const [a, b] = ends ? ends.map((end) => mesh.fromFile(end)) : [from, to].map((id) => portal(mesh, choice.selected, mesh.node(`#${id}`)));
    if (!a || !b) continue;
    lines.line(a, b, inks.accent);
    for (const { t } of [...spots, ...old_spots]) points.add(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, inks.accent);
  }
  return { lines, points };
}

/** The middle of what two polygons have in common from above. @param {Mesh} mesh @param {number} node @param {number | undefined} other */
function portal(mesh, node, other) {
  if (other === undefined) return null;
  const at = mesh.center(node), p = mesh.positions;
  for (let axis = 0; axis < 2; axis++) {
    const ends = [node, other].map((of) => {
      let [low, high] = [Infinity, -Infinity];
      for (let corner = mesh.firstCorner[of]; corner < mesh.endCorner[of]; corner++) [low, high] = [Math.min(low, p[corner * 3 + axis]), Math.max(high, p[corner * 3 + axis])];
      return [low, high];
    });
    at[axis] = (Math.max(ends[0][0], ends[1][0]) + Math.min(ends[0][1], ends[1][1])) / 2;
  }
  // As high as the floor is there: nearer corners count for more.
  let [sum, heights] = [0, 0];
  for (let corner = mesh.firstCorner[node]; corner < mesh.endCorner[node]; corner++) {
    const weight = ((p[corner * 3] - at[0]) ** 2 + (p[corner * 3 + 1] - at[1]) ** 2 + 1e-3) ** -2;
    sum += weight;
    heights += weight * p[corner * 3 + 2];
  }
  at[2] = heights / sum + mesh.half[2] * LIFT;
  return at.every(Number.isFinite) ? at : null;
}
