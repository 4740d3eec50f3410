// What is chosen, in order: by clicks, by a box or a loop around it, by what is connected.

import { SEEN } from "./ink.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{x: number, y: number}} Spot */

/** Chooses these nodes, or adds them to what is chosen. @param {App} app @param {number[]} nodes @param {boolean} more */
export function choose(app, nodes, more = false) {
  const chosen = new Set(more ? app.choice.chosen : []);
  for (const node of nodes) chosen.add(node);
  app.choice.chosen = [...chosen];
  const last = nodes.at(-1) ?? app.choice.chosen.at(-1) ?? -1;
  app.pick(last, last < 0 ? [] : [last], true);
}

/** Adds a node to what is chosen, or takes it out. @param {App} app @param {number} node @param {number[]} under */
export function toggleChosen(app, node, under) {
  const { chosen } = app.choice, at = chosen.indexOf(node);
  if (at >= 0) chosen.splice(at, 1);
  else chosen.push(node);
  app.pick(at >= 0 ? chosen.at(-1) ?? -1 : node, under, true);
}

/** The seen nodes whose centers lie inside a loop on the canvas. @param {App} app @param {Spot[]} loop */
export function inLoop(app, loop) {
  const { mesh, camera, ink } = app, at = [0, 0, 0], nodes = [];
  camera.update();
  for (let node = 0; node < mesh.count; node++) {
    if (ink.table[node * 4 + 3] !== SEEN) continue;
    const [u, v, h] = mesh.center(node);
    if (Number.isFinite(u + v + h) && camera.project(u, v, h, at) && isInside(loop, at[0], at[1])) nodes.push(node);
  }
  return nodes;
}

/** @param {Spot[]} loop @param {number} x @param {number} y */
function isInside(loop, x, y) {
  let inside = false;
  for (let i = 0, j = loop.length - 1; i < loop.length; j = i++) {
    const [a, b] = [loop[i], loop[j]];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

/** The corners of a box. @param {Spot} a @param {Spot} b @returns {Spot[]} */
export function boxOf(a, b) {
  return [a, { x: b.x, y: a.y }, b, { x: a.x, y: b.y }];
}

/** Where all links lead: of each node the first and the end, and the codes that they name nodes by. @typedef {{count: number, first: Uint32Array, end: Uint32Array, to: ArrayLike<number>, number: (code: number) => number | null}} Web */

/** What can be reached from nodes over links, these included. @param {Web} web @param {number[]} from */
export function flood({ count, first, end, to, number }, from) {
  const seen = new Uint8Array(count), nodes = [...from];
  for (const node of from) seen[node] = 1;
  for (let next = 0; next < nodes.length; next++) {
    for (let link = first[nodes[next]]; link < end[nodes[next]]; link++) {
      const other = number(to[link]);
      if (other === null || seen[other]) continue;
      seen[other] = 1;
      nodes.push(other);
    }
  }
  return nodes;
}

/** Nodes as a script names them. @param {import("./mesh.js").Mesh} mesh @param {number[]} nodes */
export function named(mesh, nodes) {
  return nodes.map((node) => mesh.name(node)).join("+");
}
