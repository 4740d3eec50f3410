// The way between two points, as the program finds it: what it costs, where it bends, or how far one gets.

import { flood } from "./choose.js";
import { Strokes } from "./lines.js";
import { wayBetween, webOf } from "./load.js";
import { element } from "./over.js";
import { button } from "./panel.js";
import { grouped, short } from "./number.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./load.js").Found} Found */

export class Ways {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.isOn = false;
    /** Both ends, in coordinates of the file. @type {[number, number, number][]} */
    this.ends = [];
    /** @type {Found | null} */
    this.found = null;
    /** The nodes that can be reached if there is no way. @type {number[]} */
    this.reached = [];
    /** How often it was asked: what an older question finds is not shown. */
    this.turn = 0;
  }

  /** Begins to ask for ways, or ends it. */
  toggle() {
    this.isOn = !this.isOn;
    this.clear();
  }

  /** Lets go of a way. */
  clear() {
    this.ends = [];
    this.found = null;
    this.reached = [];
    this.turn++;
    element("way").setAttribute("aria-pressed", String(this.isOn));
    element("found").hidden = !this.isOn;
    element("found-words").textContent = "Click where it begins, then where it ends.";
    element("found-steps").replaceChildren();
    this.#tint([]);
    this.draw();
  }

  /** Takes the next end. @param {number} x @param {number} y @param {number | undefined} node */
  async click(x, y, node) {
    const { mesh, camera } = this.app;
    const at = camera.onHeight(x, y, node === undefined ? camera.target[2] : mesh.center(node)[2]);
    if (!at) return;
    if (this.ends.length === 2) this.ends = [];
    this.ends.push(mesh.inFile(at));
    this.found = null;
    if (this.ends.length === 2) await this.ask();
    this.draw();
  }

  /** Asks again, since the mesh or an end has changed. */
  async ask() {
    if (this.ends.length < 2) return;
    const turn = ++this.turn;
    try {
      const found = await wayBetween(this.app.key, this.ends[0], this.ends[1]);
      if (turn !== this.turn) return;
      const reached = await this.#reach(found).catch(() => []);
      if (turn !== this.turn) return;
      Object.assign(this, { found, reached });
    } catch (error) {
      if (turn === this.turn) element("found-words").textContent = error instanceof Error ? error.message : String(error);
      return;
    }
    if (!this.found) return;
    this.#tell(this.found);
    this.#tint((this.found.steps ?? []).map(({ id }) => this.app.mesh.node(id) ?? -1).filter((node) => node >= 0));
  }

  /** What can be reached where there is no way. @param {Found} found */
  async #reach({ found, from }) {
    const { mesh, key } = this.app, start = mesh.node(from ?? "");
    return found || start === undefined ? [] : flood(await webOf(mesh, key), [start]);
  }

  /** Colours the nodes of the way. @param {number[]} nodes */
  #tint(nodes) {
    this.app.choice.way = nodes;
    this.app.recolour();
  }

  /** @param {Found} found */
  #tell(found) {
    const { app } = this, { mesh } = app, metres = mesh.head.axes.metres_per_unit;
    const long = (found.steps ?? []).reduce((sum, { length }) => sum + (length ?? 0), 0);
    const walked = metres === 1 ? `${short(long)} m` : `${short(long)} units, ${short(long * metres)} m`;
    const steps = Math.max((found.steps?.length ?? 1) - 1, 0);
    const reached = this.reached.length;
    const first = found.found ? `${steps} ${steps === 1 ? "step" : "steps"}, cost ${short(found.cost ?? 0)}` : `${found.why}: ${grouped(reached)} of ${grouped(mesh.count)} ${mesh.head.word[1]} can be reached from ${found.from}; the nearest is shown`;
    element("found-words").textContent = steps > 0 ? `${first}; ${walked}, ${found.corners?.length ?? 0} corners` : first;
    document.documentElement.dataset.way = found.found ? String(found.cost) : "none";
    const lines = (found.steps ?? []).map(({ id, how, cost }) => {
      const line = document.createElement("li"), [name, note] = ["span", "span"].map((tag) => document.createElement(tag));
      [name.className, name.textContent, note.className, note.textContent] = ["words", id, "count", `${how ?? "start"}, ${short(cost)}`];
      const go = button(() => app.go(mesh.node(id) ?? -1), name, note);
      go.className = "row";
      line.append(go);
      return line;
    });
    element("found-steps").replaceChildren(...lines);
  }

  /** Draws the ends, the walk, and without a way the border of what can be reached. */
  draw() {
    const { app, found, ends } = this, { mesh, choice, painter } = app, ink = mesh.head.themes[choice.theme].alarm;
    const lines = new Strokes(false), points = new Strokes(true);
    for (const end of ends) points.add(...mesh.fromFile(end), ink, undefined, 0);
    const corners = (found?.corners ?? []).map((corner) => mesh.fromFile(corner));
    for (let i = 1; i < corners.length; i++) lines.line(corners[i - 1], corners[i], ink);
    for (const corner of corners.slice(1, -1)) points.add(corner[0], corner[1], corner[2], mesh.head.themes[choice.theme].ink);
    if (found && !found.found) border(mesh, this.reached, lines, mesh.head.themes[choice.theme].ink);
    painter.layer("way lines", lines);
    painter.layer("way points", points);
    app.refresh();
  }
}

/** The sides of polygons that no other of them has as well. @param {import("./mesh.js").Mesh} mesh @param {number[]} nodes @param {Strokes} lines @param {ArrayLike<number>} ink */
function border(mesh, nodes, lines, ink) {
  const p = mesh.positions, at = [0, 0, 0];
  /** @type {Map<string, [number, number] | null>} */
  const sides = new Map();
  for (const node of nodes) {
    const [first, end] = [mesh.firstCorner[node], mesh.endCorner[node]];
    for (let corner = first; corner < end && end - first > 2; corner++) {
      const next = corner + 1 < end ? corner + 1 : first;
      // By the middle of the side: neighbours go round in opposite directions, or the same.
      const key = at.map((_, axis) => Math.round(p[corner * 3 + axis] + p[next * 3 + axis])).join(" ");
      sides.set(key, sides.has(key) ? null : [corner, next]);
    }
  }
  for (const side of sides.values()) {
    if (side) lines.line(p.subarray(side[0] * 3, side[0] * 3 + 3), p.subarray(side[1] * 3, side[1] * 3 + 3), ink);
  }
}
