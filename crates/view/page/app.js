// The page: what is shown, and how its parts act on each other.

import { Camera } from "./camera.js";
import { fromAddress, toAddress } from "./address.js";
import { toggleChosen } from "./choose.js";
import { Grid } from "./grid.js";
import { Ink } from "./ink.js";
import { Painter, fit } from "./draw.js";
import { linkLayers } from "./lines.js";
import { Over, element } from "./over.js";
import { measureAt, remeasure, toggleMeasure } from "./measure.js";
import { overlays } from "./overlay.js";
import { Ways } from "./way.js";
import { MARKS, lay, over } from "./layers.js";
import { Sight } from "./sight.js";
import { fromServer } from "./load.js";
import { tints } from "./tint.js";
import { facts, findings, layers, legend } from "./panel.js";
import { picked } from "./picked.js";
import { search } from "./find.js";
import { grouped, short } from "./number.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */

/** What the page tells those that drive it. */
const told = document.documentElement.dataset;
/** How steeply space is looked at first. */
const SLANT = 0.85;

/** Sets up a slider. @param {string} id @param {number} most @param {number} value */
function range(id, most, value) {
  Object.assign(/** @type {HTMLInputElement} */ (element(id)), { max: String(most), value: String(value) });
}

export class App {
  /** @type {Mesh} */
  mesh;
  /** @type {Ink} */
  ink;
  /** What finds the nodes under a point, once it is asked. @type {Grid | null} */
  #grid = null;
  /** @type {Over} */
  over;
  /** What changes the mesh, if it can be changed. @type {import("./edit.js").Edit | null} */
  edit = null;
  /** @type {import("./tools.js").Tools | null} */
  tools = null;
  /** The floor plan of the map. @type {import("./plan.js").Plan | null} */
  plan = null;
  /** What is shown: the number of the mesh, or two for what changed between them. @type {number | string} */
  key = 0;
  /** Whether what is chosen next is added. */
  more = false;
  /** What the file says of what is picked, and whether an area with encounter paths was. @type {import("./load.js").Told | null} */
  saying = null;
  meets = false;

  /** @param {HTMLCanvasElement} canvas @param {Painter} painter */
  constructor(canvas, painter) {
    this.canvas = canvas;
    this.painter = painter;
    this.camera = new Camera();
    /** @type {import("./ink.js").Choice} */
    this.choice = { theme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light", colour: "height", hidden: new Set(), tint: "", peel: 0, low: -Infinity, high: Infinity, ceilings: false, selected: -1, chosen: [], way: [], under: [] };
    this.layers = new Set(["one-way", "traversals", "ladders", "doors", "names", "encounters", "floor plan", "routes", "points"]);
    this.ways = new Ways(this);
    this.sight = new Sight(this);
    /** @type {number[][] | null} */
    this.measured = null;
    this.waiting = false;
    /** Where the camera is if all is seen. */
    this.framed = "";
    this.number = 0;
  }

  /** @param {Mesh} mesh */
  load(mesh) {
    if (!mesh.isWhole) delete told.ready;
    this.#set(mesh);
    remeasure(this);
    Object.assign(this.choice, { colour: mesh.head.colours[0].name, tint: "", peel: 0, low: -Infinity, high: Infinity, ceilings: false, selected: -1, chosen: [], way: [], under: [] });
    this.choice.hidden.clear();
    if (mesh.column("radius").length > 0) this.layers.add("links").add("entities");
    this.#controls();
    Object.assign(told, { theme: this.choice.theme, selected: "" });
    this.resize();
    this.home();
    fromAddress(this);
    facts(mesh);
    picked(this);
    this.recolour();
    if (this.ways.isOn) this.ways.clear();
    // What the first frame does not need comes after it.
    requestAnimationFrame(() => setTimeout(() => this.mesh === mesh && this.grid && findings(this)));
  }

  get grid() {
    return (this.#grid ??= new Grid(this.mesh));
  }

  /** Shows the same mesh after a change, from where it was seen before. @param {Mesh} mesh */
  renew(mesh) {
    const { choice, camera } = this, before = this.mesh;
    const names = [choice.selected, ...choice.chosen].map((node) => (node < 0 ? "" : before.name(node)));
    camera.target = mesh.fromFile(before.inFile(camera.target));
    this.measured = this.measured?.map((at) => mesh.fromFile(before.inFile(at))) ?? null;
    const hidden = this.ink.names(choice);
    this.#set(mesh);
    const [selected, ...chosen] = names.map((name) => mesh.node(name) ?? -1);
    const colour = mesh.head.colours.some(({ name }) => name === choice.colour) ? choice.colour : mesh.head.colours[0].name;
    choice.hidden = new Set(colour === choice.colour ? this.ink.classes(colour, hidden) : []);
    Object.assign(choice, { colour, selected, chosen: chosen.filter((node) => node >= 0), way: [], under: [] });
    told.selected = selected < 0 ? "" : mesh.name(selected);
    told.chosen = String(choice.chosen.length);
    this.offer();
    facts(mesh);
    findings(this);
    picked(this);
    this.recolour();
    void this.ways.ask();
  }

  /** Shows the mesh as it is now: another tab has changed it. */
  async again() {
    const { mesh } = this, now = await fromServer(this.key, mesh).catch((error) => void this.say(String(error.message)));
    if (now && this.mesh === mesh) this.renew(now);
  }

  /** Shows a floor plan under the mesh. @param {import("./plan.js").Plan | null} plan */
  lay(plan) {
    this.plan = plan;
    this.offer();
    this.recolour();
  }

  /** @param {Mesh} mesh */
  #set(mesh) {
    this.tools?.drop();
    this.mesh = mesh;
    this.ink = new Ink(mesh);
    this.#grid = this.saying = null;
    this.meets = false;
    this.over = new Over(mesh);
    this.painter.load(mesh);
    this.camera.reach = 2 * Math.hypot(...mesh.half) + 1;
    Object.assign(told, { nodes: String(mesh.count), links: String(mesh.head.links) });
    this.sight.open();
  }

  /** Fits the canvas to its box. */
  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    fit(this.canvas);
    this.camera.width = Math.max(clientWidth, 1);
    this.camera.height = Math.max(clientHeight, 1);
    this.refresh();
  }

  /** Draws a frame soon. */
  refresh() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.frame());
  }

  frame() {
    this.waiting = false;
    if (!this.mesh) return;
    this.camera.update();
    this.painter.look(this.camera.matrix);
    if (this.sight.follow()) told.ready = "1";
    this.painter.frame(this.camera, devicePixelRatio || 1);
    this.over.update(this.camera, this.layers);
    told.calls = String(this.painter.calls);
    toAddress(this);
  }

  /** Fills the table of colours anew. */
  recolour() {
    const { choice, ink, mesh, painter } = this;
    told.shown = String(ink.fill(choice));
    painter.paint(ink.table, ink.rows, ink.hints);
    painter.paper = mesh.head.themes[choice.theme].map.map((value) => value / 255);
    legend(this);
    this.relay();
  }

  /** Makes the layers anew, since chunks have come. */
  relay() {
    lay(this);
    this.refresh();
  }

  /** What follows from what is picked, and what is measured. */
  overlay() {
    over(this);
  }

  /** Sets up what depends on the mesh. */
  #controls() {
    const { head } = this.mesh;
    range("peel", this.ink.deepest, 0);
    range("low", 1000, 0);
    range("high", 1000, 1000);
    range("stretch", 6, 1);
    this.camera.stretch = 1;
    this.#sliders();
    const ceilings = /** @type {HTMLInputElement} */ (element("ceilings"));
    ceilings.checked = false;
    element("ceilings-row").hidden = head.ceilings.length === 0;
    element("ceilings-words").textContent = head.ceilings.map(({ name, nodes }) => `${name}, ${grouped(nodes)} ${head.word[1]}`).join("; ");
    this.offer();
  }

  /** Offers colours and layers for what the mesh has. */
  offer() {
    const { mesh, ink, choice } = this, { head } = mesh;
    const select = /** @type {HTMLSelectElement} */ (element("colour"));
    select.replaceChildren(...[...new Set([...head.colours.map(({ name }) => name), ...tints(this)])].map((name) => new Option(name, name, false, name === (choice.tint || choice.colour))));
    /** @type {HTMLInputElement} */ (element("peel")).max = String(ink.deepest);
    const kinds = new Set(Array.from(mesh.column("mark_kind"), (kind) => head.mark_kinds[kind]?.layer));
    layers(this, [...linkLayers(mesh), ...MARKS.filter((name) => kinds.has(name)), ...(head.places.length > 0 ? ["names"] : []), ...(this.meets ? ["encounters"] : []), ...(this.plan ? ["floor plan"] : []), ...overlays(mesh).keys()]);
  }

  /** Reads the sliders. */
  #sliders() {
    const { mesh, choice } = this, value = (/** @type {string} */ id) => Number(/** @type {HTMLInputElement} */ (element(id)).value);
    const height = (/** @type {number} */ share) => mesh.bounds[2] + ((mesh.bounds[5] - mesh.bounds[2]) * share) / 1000;
    choice.peel = value("peel");
    choice.low = value("low") > 0 ? height(value("low")) : -Infinity;
    choice.high = value("high") < 1000 ? height(value("high")) : Infinity;
    this.camera.stretch = value("stretch");
    element("peel-words").textContent = choice.peel > 0 ? `${choice.peel}` : "nothing";
    element("low-words").textContent = choice.low > -Infinity ? short(choice.low) : "lowest";
    element("high-words").textContent = choice.high < Infinity ? short(choice.high) : "highest";
    element("stretch-words").textContent = `\u00d7 ${this.camera.stretch}`;
  }

  slide() {
    this.#sliders();
    this.recolour();
  }

  /** @param {number} by */
  peel(by) {
    const slider = /** @type {HTMLInputElement} */ (element("peel"));
    slider.value = String(Number(slider.value) + by);
    this.slide();
  }

  home() {
    this.camera.frame(this.mesh.middle, this.mesh.half);
    this.framed = this.camera.place;
    this.refresh();
  }

  /** @param {"plan" | "space"} how */
  look(how) {
    const { place } = this.camera;
    if (how === "plan") Object.assign(this.camera, { pitch: Math.PI / 2, yaw: 0 });
    else if (this.camera.isPlan) this.camera.pitch = SLANT;
    element("plan").setAttribute("aria-pressed", String(how === "plan"));
    element("space").setAttribute("aria-pressed", String(how === "space"));
    // Who saw all of it sees all of it.
    if (place === this.framed) this.home();
    this.refresh();
  }

  /** @param {number} x @param {number} y @param {boolean} more whether it is added to what is chosen @param {boolean} again whether what was missing there was asked for */
  click(x, y, more = false, again = false) {
    this.camera.update();
    const missing = again ? [] : this.grid.missing(this.camera, x, y);
    if (missing.length > 0) return void this.sight.settled(missing).then(() => this.click(x, y, more, true));
    const under = this.grid.pick(this.camera, x, y, this.ink.table);
    if (this.measured) return measureAt(this, x, y, under[0]);
    if (this.ways.isOn) return void this.ways.click(x, y, under[0]);
    if (more && this.edit?.isOn) return under.length > 0 ? toggleChosen(this, under[0], under) : undefined;
    this.pick(under[0] ?? -1, under);
  }

  /** Picks a node. @param {number} node @param {number[]} under @param {boolean} kept whether what else is chosen stays so */
  pick(node, under, kept = false) {
    Object.assign(this.choice, { selected: node, under });
    if (!kept) this.choice.chosen = node < 0 ? [] : [node];
    told.chosen = String(this.choice.chosen.length);
    told.selected = node < 0 ? "" : this.mesh.name(node);
    this.say(node < 0 ? "nothing there" : `${this.mesh.head.word[0]} ${this.mesh.name(node)}${under.length > 1 ? `, the first of ${under.length} under the cursor` : ""}`);
    picked(this);
    this.recolour();
  }

  /** Picks the next floor down. */
  next() {
    const { under, selected } = this.choice;
    if (under.length > 1) this.pick(under[(under.indexOf(selected) + 1) % under.length], under);
  }

  /** Picks a node and shows it. @param {number} node */
  go(node) {
    this.pick(node, [node]);
    this.flyToPicked();
  }

  flyToPicked() {
    const { mesh, choice, camera } = this;
    if (choice.selected < 0) return;
    const center = mesh.center(choice.selected);
    if (!center.every(Number.isFinite)) return this.say("it has no place");
    camera.target = center;
    camera.span = Math.min(camera.span, Math.max(mesh.half[0], mesh.half[1]) * 0.4);
    this.refresh();
  }

  /** @param {number} x @param {number} y */
  flyTo(x, y) {
    this.camera.update();
    const node = this.grid.pick(this.camera, x, y, this.ink.table)[0];
    const at = node === undefined ? this.camera.onHeight(x, y, this.camera.target[2]) : this.mesh.center(node);
    if (at) this.camera.target = at;
    this.camera.span *= 0.5;
    this.refresh();
  }

  /** Flies to a point of the file and picks what is there, best what is called so; without a point, to the node. @param {[number, number, number] | null} at @param {string} name @param {boolean} again whether what was missing there was asked for */
  lookAt(at, name, again = false) {
    const { mesh, camera } = this;
    if (!at) {
      const node = name && search(mesh, name)[0]?.node;
      return typeof node === "number" ? this.go(node) : undefined;
    }
    camera.target = mesh.fromFile(at);
    camera.span = Math.min(camera.span, Math.max(mesh.half[0], mesh.half[1]) * 0.25);
    this.camera.update();
    const missing = again ? [] : this.grid.missing(camera, camera.width / 2, camera.height / 2);
    if (missing.length > 0) return void this.sight.settled(missing).then(() => this.lookAt(at, name, true));
    const near = this.grid.pick(camera, camera.width / 2, camera.height / 2, this.ink.table);
    this.pick(near.find((node) => mesh.name(node) === name) ?? near[0] ?? -1, near);
  }

  /** Hides or shows a class of the key. @param {number} number */
  toggle(number) {
    const { hidden } = this.choice;
    if (!hidden.delete(number)) hidden.add(number);
    this.recolour();
  }

  /** Hides the class of what is picked, or shows everything. */
  toggleClass() {
    const { choice, mesh } = this;
    if (choice.selected < 0) choice.hidden.clear();
    else choice.hidden.add(mesh.column(`${choice.colour}.class`)[choice.selected]);
    this.pick(-1, []);
  }

  /** @param {string} name @param {boolean} on */
  toggleLayer(name, on) {
    this.layers[on ? "add" : "delete"](name);
    this.recolour();
  }

  /** @param {number} x @param {number} y */
  hover(x, y) {
    if (!this.mesh) return;
    const at = this.camera.onHeight(x, y, this.camera.target[2]);
    element("at").textContent = at ? this.mesh.inFile(at).filter((_, axis) => axis !== (this.mesh.head.axes.up === "y" ? 1 : 2)).map((value) => value.toFixed(1)).join(", ") : "";
  }

  toggleTheme() {
    this.choice.theme = told.theme = this.choice.theme === "dark" ? "light" : "dark";
    this.recolour();
  }

  /** @param {string} text */
  async copy(text) {
    await navigator.clipboard.writeText(text).then(() => this.say(`copied: ${text}`), () => this.say(text));
  }

  /** @param {string} words */
  say(words) {
    element("said").textContent = words;
  }

  focusSearch() {
    element("query").focus();
  }

  help() {
    /** @type {HTMLDialogElement} */ (element("help")).showModal();
  }

  letGo() {
    element("results").hidden = true;
    if (this.measured) toggleMeasure(this);
    if (this.ways.isOn) this.ways.toggle();
    if (this.choice.selected >= 0 || this.choice.chosen.length > 0) this.pick(-1, []);
    this.tools?.letGo();
    this.canvas.focus();
  }
}
