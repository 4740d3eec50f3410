// Colours that depend on what is picked, which the program computes: what the way from there costs, what is seen from there.

import { isFile, tintOf } from "./load.js";

/** @typedef {import("./app.js").App} App */

/** What such colours are called, and how they are asked for. */
const TINTS = new Map([["path cost", "cost"], ["visibility", "sight"]]);

/** The names of such colours, where there is a program to ask. @param {App} app */
export function tints(app) {
  return isFile || typeof app.key !== "number" ? [] : [...TINTS.keys()];
}

/** Chooses what colours mean. @param {App} app @param {string} name */
export function chooseColour(app, name) {
  const { choice } = app;
  choice.tint = TINTS.has(name) ? name : "";
  delete document.documentElement.dataset.tint;
  if (choice.tint) return void tint(app);
  choice.colour = name;
  choice.hidden.clear();
  app.recolour();
}

/** Asks for the colours of what is picked, if they depend on it. @param {App} app */
export async function tint(app) {
  const { mesh, choice, key } = app, { tint: name, selected: node } = choice, what = TINTS.get(name);
  if (what === undefined || typeof key !== "number") return;
  if (node < 0) return app.say(`pick the ${mesh.head.word[0]} that it is counted from`);
  const isStill = () => app.mesh === mesh && choice.tint === name && choice.selected === node;
  try {
    const { meaning, columns } = await tintOf(key, what, node);
    // Another tab may have changed the mesh meanwhile.
    if (!isStill() || columns.get(`${name}.class`)?.length !== mesh.count) return;
    mesh.head.colours = [...mesh.head.colours.filter((other) => other.name !== name), meaning];
    for (const [column, values] of columns) mesh.columns.set(column, values);
    if (choice.colour !== name) choice.hidden.clear();
    choice.colour = name;
    app.recolour();
    document.documentElement.dataset.tint = mesh.name(node);
  } catch (error) {
    if (isStill()) app.say(error instanceof Error ? error.message : String(error));
  }
}
