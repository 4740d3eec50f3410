// Which chunks of a large mesh are there: those in sight first, from the middle of the canvas on; then the others, while there is room.
// Where there is none, the one goes that was drawn longest ago.

import { chunkOf } from "./load.js";
import { Strokes } from "./lines.js";

/** @typedef {import("./app.js").App} App */

/** How many chunks are asked for at once: a browser keeps six connections, and the user wants some. */
const AT_ONCE = 4;
/** How long lines and frames wait for more chunks, in milliseconds. */
const LINES_REST = 250;
/** How far away a chunk is that is not in sight, or that has no place. */
const UNSEEN = 1e9, NOWHERE = 1e30;

export class Sight {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The chunks that are asked for, that cannot be had, and that somebody needs. @type {Set<number>} */
    this.asked = new Set();
    /** @type {Set<number>} */
    this.lost = new Set();
    /** @type {Set<number>} */
    this.needed = new Set();
    /** Who waits until all is there. @type {(() => void)[]} */
    this.waiting = [];
    this.frames = 0;
    /** When the last frame was drawn. */
    this.drawn = 0;
    /** When lines were made last, how long that took, and whether chunks have come since. */
    this.lined = 0;
    this.cost = 0;
    this.isStale = false;
    this.isIdle = false;
    this.at = [0, 0, 0];
  }

  /** Begins with another mesh. */
  open() {
    this.asked.clear();
    this.lost.clear();
    this.needed.clear();
    this.isStale = false;
    this.#told();
    this.#settle();
  }

  /** Whether all of the mesh is there. */
  get isDone() {
    const { mesh } = this.app;
    return mesh.store.there + this.lost.size >= mesh.chunks.length;
  }

  /** Waits until what is in sight and these chunks are there, as far as there is room. @param {number[]} chunks @returns {Promise<void>} */
  settled(chunks = []) {
    if (this.isDone) return Promise.resolve();
    for (const chunk of chunks) this.needed.add(chunk);
    return new Promise((done) => {
      this.waiting.push(done);
      this.app.refresh();
    });
  }

  /** Asks for what is missing, after a frame. Whether all that is in sight is there, as far as there is room. */
  follow() {
    const { mesh, painter: { seen } } = this.app, { store } = mesh;
    this.frames++;
    this.drawn = performance.now();
    if (!this.isDone) {
      for (let chunk = 0; chunk < seen.length; chunk++) if (seen[chunk]) store.drawn[chunk] = this.frames;
      this.#fill();
      for (const chunk of this.asked) if (this.#isWanted(chunk)) return this.#line(false);
      this.#later();
    }
    this.#line(true);
    this.#settle();
    return true;
  }

  /** Asks for what is in sight and not there, as far as there is room. */
  #fill() {
    for (let next = this.#next(); next >= 0 && this.asked.size < AT_ONCE && this.#hasRoom(next); next = this.#next()) this.#ask(next);
  }

  /** Makes lines anew if chunks have come: at once if no more are awaited. @param {boolean} isLast */
  #line(isLast) {
    const now = performance.now();
    // Lines of all that is there are made anew each time: most of the time is for chunks.
    if (this.isStale && (isLast || now - this.lined > LINES_REST + 10 * this.cost)) {
      this.isStale = false;
      this.app.relay();
      this.lined = performance.now();
      this.cost = this.lined - now;
    }
    return isLast;
  }

  #settle() {
    this.needed.clear();
    for (const done of this.waiting.splice(0)) done();
  }

  #told() {
    document.documentElement.dataset.chunks = String(this.app.mesh.store.there);
  }

  /** Whether a chunk is in sight, or needed. @param {number} chunk */
  #isWanted(chunk) {
    const { mesh, choice, painter } = this.app;
    return painter.seen[chunk] === 1 || this.needed.has(chunk) || (choice.selected >= 0 && mesh.chunkOf(choice.selected) === chunk);
  }

  /** How far a chunk is from the middle of the canvas, in pixels. @param {number} chunk */
  #far(chunk) {
    const { mesh, camera, painter: { seen } } = this.app, b = mesh.boxes, i = chunk * 6;
    if (this.needed.has(chunk) || (!seen[chunk] && this.#isWanted(chunk))) return -1;
    if (!(b[i] <= b[i + 3])) return NOWHERE;
    const [u, v, h] = [0, 1, 2].map((axis) => (b[i + axis] + b[i + axis + 3]) / 2);
    if (!seen[chunk]) return UNSEEN + Math.hypot(u - camera.target[0], v - camera.target[1]);
    return camera.project(u, v, h, this.at) ? Math.hypot(this.at[0] - camera.width / 2, this.at[1] - camera.height / 2) : UNSEEN / 2;
  }

  /** The nearest chunk that is missing and in sight, or with `any` the nearest at all; -1 if there is none. */
  #next(any = false) {
    const { mesh } = this.app;
    let [best, least] = [-1, Infinity];
    for (let chunk = 0; chunk < mesh.chunks.length; chunk++) {
      if (mesh.store.has(chunk) || this.asked.has(chunk) || this.lost.has(chunk) || !(any || this.#isWanted(chunk))) continue;
      const far = this.#far(chunk);
      if (far < least) [best, least] = [chunk, far];
    }
    return best;
  }

  /** Whether there is room for a chunk, or one that may go for it. @param {number} chunk */
  #hasRoom(chunk) {
    const { store } = this.app.mesh;
    return store.hasAll || store.there + this.asked.size < store.places || this.#goes(chunk) >= 0;
  }

  /** The chunk that goes for another one: the one drawn longest ago of those out of sight, else the farthest if it is farther; -1 if none goes. @param {number} other */
  #goes(other) {
    const { store } = this.app.mesh, limit = this.#far(other);
    let [oldest, last, farthest, most] = [-1, Infinity, -1, limit];
    for (const chunk of store.chunkIn) {
      if (chunk < 0) continue;
      if (!this.#isWanted(chunk)) {
        if (store.drawn[chunk] < last) [oldest, last] = [chunk, store.drawn[chunk]];
      } else if (oldest < 0) {
        const far = this.#far(chunk);
        if (far > most) [farthest, most] = [chunk, far];
      }
    }
    return oldest >= 0 ? oldest : farthest;
  }

  /** @param {number} chunk */
  #ask(chunk) {
    const { app } = this, { mesh, key } = app;
    this.asked.add(chunk);
    chunkOf(key, chunk).then(({ revision, brought }) => {
      if (app.mesh !== mesh) return;
      this.asked.delete(chunk);
      if (revision !== mesh.revision) return void app.again();
      this.#take(chunk, brought);
    }, (error) => {
      if (app.mesh !== mesh) return;
      this.asked.delete(chunk);
      // The mesh has fewer chunks than it had: it was changed meanwhile.
      if (error.status === 404) return void app.again();
      this.lost.add(chunk);
      app.say(`a part of the mesh is missing: ${error.message}`);
      app.refresh();
    });
  }

  /** @param {number} chunk @param {import("./mesh.js").Brought} brought */
  #take(chunk, brought) {
    const { app } = this, { mesh, painter } = app;
    if (mesh.store.free(chunk) < 0) {
      const goes = this.#goes(chunk);
      if (goes >= 0) {
        mesh.drop(goes);
        app.grid.forget(goes);
      }
    }
    if (mesh.take(chunk, brought)) {
      painter.come.add(chunk);
      this.isStale = true;
      this.#told();
    }
    this.#fill();
    // While more of what is in sight is awaited, frames are few: drawn by software, one takes longer than a chunk.
    const isLast = ![...this.asked].some((chunk) => this.#isWanted(chunk));
    if (isLast || performance.now() - this.drawn > LINES_REST) app.refresh();
  }

  /** While nothing else is to be done, fetches what is not in sight. */
  #later() {
    if (this.isIdle) return;
    this.isIdle = true;
    const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ act) => setTimeout(act, LINES_REST));
    idle(() => {
      this.isIdle = false;
      const { store } = this.app.mesh, next = this.#next(true);
      if (next >= 0 && this.asked.size < AT_ONCE && store.there + this.asked.size < store.places) {
        this.#ask(next);
        this.#later();
      }
    });
  }
}

/** The outlines of the chunks that are not there. @param {import("./mesh.js").Mesh} mesh @param {"light" | "dark"} theme */
export function missing(mesh, theme) {
  if (mesh.isWhole) return null;
  const strokes = new Strokes(false), b = mesh.boxes, ink = mesh.head.themes[theme].faint;
  for (let chunk = 0; chunk < mesh.chunks.length; chunk++) {
    const i = chunk * 6, height = (b[i + 2] + b[i + 5]) / 2;
    if (mesh.store.has(chunk) || !(b[i] <= b[i + 3])) continue;
    const corners = [[b[i], b[i + 1]], [b[i + 3], b[i + 1]], [b[i + 3], b[i + 4]], [b[i], b[i + 4]]].map(([u, v]) => [u, v, height]);
    corners.forEach((corner, at) => strokes.line(corner, corners[(at + 1) % 4], ink));
  }
  return strokes;
}
