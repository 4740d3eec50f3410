// Makes the lines and points of the layers that are shown.

import { Strokes, links, linksOf, marks, waypoints } from "./lines.js";
import { laid } from "./overlay.js";
import { planOf } from "./plan.js";
import { encounters } from "./encounters.js";
import { missing } from "./sight.js";

/** @typedef {import("./app.js").App} App */

/** The layers of marks. */
export const MARKS = ["ladders", "spots", "doors", "cover", "entities"];

/** What the layers were made of that are shown. @type {unknown[]} */
let made = [];

/** Makes the layers; those that no colour changes only if something else has. @param {App} app */
export function lay(app) {
  const { choice, mesh, painter, plan } = app, { theme } = choice, has = (/** @type {string} */ name) => app.layers.has(name);
  const now = [mesh, mesh.store.version, theme, plan, [...app.layers].join()], isOld = now.some((part, at) => part !== made[at]);
  made = now;
  // In the order in which they are drawn.
  if (isOld) {
    const ground = plan && has("floor plan") ? planOf(mesh, theme, plan) : null;
    painter.layer("plan faces", ground?.faces ?? null);
    painter.layer("plan lines", ground?.lines ?? null);
    painter.layer("outlines", missing(mesh, theme));
    painter.layer("links", links(mesh, theme, app.layers));
  }
  const dots = mesh.column("radius").length > 0 ? waypoints(mesh, app.ink.table) : null;
  painter.layer("discs", dots?.discs ?? null);
  if (isOld || dots) {
    for (const name of MARKS) {
      const drawn = has(name) ? marks(mesh, theme, name) : null;
      painter.layer(`${name} lines`, drawn?.lines ?? null);
      painter.layer(`${name} points`, drawn?.points ?? null);
    }
  }
  painter.layer("nodes", dots?.dots ?? null);
  if (isOld || dots) for (const [name, drawn] of laid(mesh, theme, app.layers)) painter.layer(name, drawn);
  over(app);
}

/** The links of what is picked, and what is measured. @param {App} app */
export function over(app) {
  const { choice, mesh, painter } = app;
  painter.layer("own", choice.selected < 0 ? null : linksOf(mesh, choice.selected, choice.theme));
  const met = encounters(app);
  painter.layer("encounter lines", met.lines);
  painter.layer("encounter points", met.points);
  const strokes = new Strokes(false), ends = app.measured ?? [];
  for (let i = 1; i < ends.length; i++) strokes.line(ends[i - 1], ends[i], mesh.head.themes[choice.theme].alarm);
  painter.layer("measure", strokes);
  app.ways.draw();
}
