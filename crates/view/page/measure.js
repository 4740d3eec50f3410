// How far it is from one point to another.

import { element } from "./over.js";
import { short } from "./number.js";

/** @typedef {import("./app.js").App} App */

/** Begins to measure, or ends it. @param {App} app */
export function toggleMeasure(app) {
  app.measured = app.measured ? null : [];
  remeasure(app);
  element("measure").setAttribute("aria-pressed", String(app.measured !== null));
  app.overlay();
  app.refresh();
}

/** Forgets the points: those of another mesh mean nothing. @param {App} app */
export function remeasure(app) {
  if (app.measured) app.measured = [];
  element("span").textContent = app.measured ? "click two points" : "";
}

/** Takes the next point. @param {App} app @param {number} x @param {number} y @param {number | undefined} node */
export function measureAt(app, x, y, node) {
  const height = node === undefined ? app.camera.target[2] : app.mesh.centers[node * 3 + 2];
  const at = app.camera.onHeight(x, y, height), ends = app.measured ?? [];
  if (!at) return;
  app.measured = ends.length === 1 ? [ends[0], at] : [at];
  if (ends.length === 1) {
    const long = Math.hypot(at[0] - ends[0][0], at[1] - ends[0][1], at[2] - ends[0][2]), metres = app.mesh.head.axes.metres_per_unit;
    element("span").textContent = metres === 1 ? `${short(long)} m` : `${short(long)} units, ${short(long * metres)} m`;
  }
  app.overlay();
  app.refresh();
}
