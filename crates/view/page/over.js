// What lies over the canvas: names of places, the compass, the scale.

import { overlayLabels } from "./overlay.js";
import { short } from "./number.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {import("./camera.js").Camera} Camera */

/** The most names. */
const MOST_NAMES = 80;

/** @param {string} id @returns {HTMLElement} */
export function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

export class Over {
  /** @param {Mesh} mesh */
  constructor(mesh) {
    this.mesh = mesh;
    this.names = [...overlayLabels(mesh), ...names(mesh)].slice(0, MOST_NAMES);
    this.at = [0, 0, 0];
    this.shown = false;
    const box = element("labels");
    const spans = this.names.map(({ name }) => {
      const span = document.createElement("span");
      span.textContent = name;
      return span;
    });
    box.replaceChildren(...spans);
    // Measured when all are there, so that the browser lays them out once.
    this.spans = spans.map((span) => ({ span, wide: span.offsetWidth, high: span.offsetHeight }));
    for (const span of spans) span.style.display = "none";
    this.taken = new Float32Array(this.names.length * 4);
  }

  /** @param {Camera} camera @param {Set<string>} layers those that are shown */
  update(camera, layers) {
    this.#compass(camera);
    this.#scale(camera);
    const named = this.names.some(({ layer }) => layers.has(layer));
    if (!named && !this.shown) return;
    this.shown = named;
    let taken = 0;
    for (let i = 0; i < this.names.length; i++) {
      const { span, wide, high } = this.spans[i], { center, layer } = this.names[i];
      const visible = layers.has(layer) && camera.project(center[0], center[1], center[2], this.at);
      const [left, top] = [this.at[0] - wide / 2, this.at[1] - high / 2];
      let free = visible && left > -wide && top > -high && left < camera.width && top < camera.height;
      for (let j = 0; j < taken && free; j++) {
        const k = j * 4;
        free = left > this.taken[k + 2] || left + wide < this.taken[k] || top > this.taken[k + 3] || top + high < this.taken[k + 1];
      }
      span.style.display = free ? "" : "none";
      if (!free) continue;
      span.style.transform = `translate(${left}px, ${top}px)`;
      this.taken.set([left, top, left + wide, top + high], taken * 4);
      taken++;
    }
  }

  /** @param {Camera} camera */
  #compass(camera) {
    const north = this.mesh.head.axes.north ?? [0, 1];
    const turned = Math.atan2(north[0], north[1]) + camera.yaw;
    element("needle").setAttribute("transform", `rotate(${(turned * 180) / Math.PI})`);
    const letter = element("north");
    const name = this.mesh.head.axes.north ? "N" : this.mesh.head.axes.up === "y" ? "\u2212z" : "+y";
    if (letter.textContent !== name) letter.textContent = name;
    letter.setAttribute("transform", `translate(${Math.sin(turned) * 25} ${-Math.cos(turned) * 25 + 6})`);
  }

  /** @param {Camera} camera */
  #scale(camera) {
    const metre = camera.scale / this.mesh.head.axes.metres_per_unit;
    const power = 10 ** Math.floor(Math.log10(150 / metre));
    const metres = power * ([5, 2, 1].find((digit) => digit * power * metre <= 150) ?? 1);
    element("scale-bar").style.width = `${metres * metre}px`;
    const units = metres / this.mesh.head.axes.metres_per_unit;
    element("scale-words").textContent = units === metres ? `${short(metres)} m` : `${short(metres)} m, ${short(units)} units`;
  }
}

/** Places with where their names stand: at the node nearest to the middle of the place. @param {Mesh} mesh @returns {import("./overlay.js").Label[]} */
function names(mesh) {
  /** @type {Map<number, {count: number, sum: number[], center: number[], least: number}>} */
  const places = new Map();
  const each = (/** @type {(place: {count: number, sum: number[], center: number[], least: number}, center: number[]) => void} */ visit) => {
    for (let node = 0; node < mesh.count; node++) {
      const place = mesh.value("place", node), center = mesh.center(node);
      if (place === null || !Number.isFinite(center[0] + center[1] + center[2])) continue;
      const known = places.get(place) ?? { count: 0, sum: [0, 0, 0], center, least: Infinity };
      places.set(place, known);
      visit(known, center);
    }
  };
  each((place, center) => {
    place.count++;
    for (let axis = 0; axis < 3; axis++) place.sum[axis] += center[axis];
  });
  each((place, center) => {
    const far = Math.hypot(...center.map((value, axis) => value - place.sum[axis] / place.count));
    if (far < place.least) [place.least, place.center] = [far, center];
  });
  const sorted = [...places].sort((a, b) => b[1].count - a[1].count);
  return sorted.map(([place, { center }]) => ({ name: mesh.head.places[place] ?? "", center, layer: "names" }));
}
