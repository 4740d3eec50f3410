// Where the page begins: finds the mesh, joins the parts, and says why if there is nothing to see.

import { fromAddress, numberInAddress } from "./address.js";
import { toggleMeasure } from "./measure.js";
import { askPicture } from "./png.js";
import { App } from "./app.js";
import { Edit } from "./edit.js";
import { Tools, joinEdit } from "./tools.js";
import { Painter } from "./draw.js";
import { floorPlan, fromFile, fromServer, isFile, picture, rows } from "./load.js";
import { element } from "./over.js";
import { button, findings } from "./panel.js";
import { listen } from "./input.js";
import { merging } from "./merge.js";
import { search } from "./find.js";
import { chooseColour } from "./tint.js";
import { grouped } from "./number.js";

/** @typedef {import("./load.js").Row} Row */

/** How long the page waits before it asks for more of a list that grows, in milliseconds: at first, and at most. */
const SOON = 20, LATER = 300;
/** The most rows of the list that are on the page at once, the filter finds the others; and the most in an answer. */
const MOST_ROWS = 300, ANSWERED = 1000;

/** Says why there is no mesh, and shows its picture if there is one. @param {string} why @param {string | null} source */
function instead(why, source) {
  const box = element("instead"), words = document.createElement("p");
  words.setAttribute("role", "alert");
  words.textContent = why;
  box.replaceChildren(words);
  if (source) {
    const image = new Image();
    image.src = source;
    image.alt = "The mesh from above";
    box.append(image);
  }
  box.hidden = false;
}

/** Joins buttons, sliders and search with the page. @param {App} app */
function join(app) {
  /** @type {Record<string, () => void>} */
  const clicks = {
    plan: () => app.look("plan"), space: () => app.look("space"), home: () => app.home(), measure: () => toggleMeasure(app), way: () => app.ways.toggle(),
    png: () => askPicture(app), theme: () => app.toggleTheme(), keys: () => app.help(),
  };
  for (const [id, act] of Object.entries(clicks)) element(id).addEventListener("click", act);
  for (const id of ["peel", "low", "high", "stretch"]) element(id).addEventListener("input", () => app.slide());
  const ceilings = /** @type {HTMLInputElement} */ (element("ceilings"));
  ceilings.addEventListener("change", () => {
    app.choice.ceilings = ceilings.checked;
    app.recolour();
  });
  const colour = /** @type {HTMLSelectElement} */ (element("colour"));
  colour.addEventListener("change", () => chooseColour(app, colour.value));
  const query = /** @type {HTMLInputElement} */ (element("query")), results = element("results");
  query.addEventListener("input", () => find(app, query.value, results));
  query.addEventListener("focus", () => query.select());
  element("search").addEventListener("submit", (event) => {
    event.preventDefault();
    find(app, query.value, results);
    const first = results.querySelector("button");
    if (!first) return;
    first.click();
    // The keys that follow are for what was found.
    app.canvas.focus({ preventScroll: true });
  });
  listen(app, app.canvas);
  new ResizeObserver(() => app.resize()).observe(app.canvas);
  // A window that moves to another screen may keep its size and change its pixels.
  const density = () => matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", () => (app.resize(), density()), { once: true });
  density();
  app.canvas.addEventListener("webglcontextlost", () => instead("The graphics context was lost: load the page again.", null));
}

/** @param {App} app @param {string} typed @param {HTMLElement} list */
function find(app, typed, list) {
  const found = search(app.mesh, typed);
  list.hidden = found.length === 0;
  list.replaceChildren(...found.map(({ label, note, node, at }) => {
    const [line, name, count] = ["li", "span", "span"].map((tag) => document.createElement(tag));
    [name.className, name.textContent, count.className, count.textContent] = ["words", label, "count", note];
    line.append(button(() => {
      list.hidden = true;
      if (node !== null) return app.go(node);
      if (at) app.camera.target = [...at];
      app.refresh();
    }, name, count));
    return line;
  }));
  app.say(typed.trim() && found.length === 0 ? "nothing found" : "");
}

/** Whether there are floor plans. */
let plans = false;
/** The mesh that is asked for before anybody has chosen one. @type {{number: number, mesh: Promise<import("./mesh.js").Mesh | null>} | null} */
let early = null;
/** The row of the list that is shown, and how often another one was asked for: what arrives late is not shown. */
let current = -1, turn = 0;

/** Shows one mesh of the list, or what changed in it since another. @param {App | null} app @param {number} number @param {string} why @param {number | null} before */
async function show(app, number, why, before = null) {
  const own = ++turn;
  element("instead").hidden = true;
  current = number;
  document.querySelectorAll("#meshes button").forEach((line) => line.setAttribute("aria-current", String(line.getAttribute("data-number") === String(number))));
  if (!app) return instead(why, await picture(number));
  try {
    const key = before === null ? number : `${before}-${number}`;
    const asked = early?.number === key ? early.mesh : null;
    early = null;
    const mesh = (await asked) ?? (await (isFile ? fromFile() : fromServer(key)));
    if (own !== turn) return;
    Object.assign(app, { number, key, plan: null });
    app.load(mesh);
    app.painter.after(async (fault) => instead(fault, await picture(number)), () => app.refresh());
    merging(app);
    if (app.edit) {
      await app.edit.open(before !== null);
      if (own !== turn) return;
      findings(app);
    }
    app.tools?.offer();
    /** @type {HTMLSelectElement} */ (element("compare")).value = before === null ? "" : String(before);
    element("way").hidden = isFile;
    const plan = plans ? await floorPlan(number) : null;
    if (plan && own === turn) app.lay(plan);
  } catch (error) {
    if (own === turn) instead(error instanceof Error ? error.message : String(error), null);
  }
}

/** Lets the page change meshes. @param {App} app */
function editable(app) {
  if (app.edit) return;
  app.edit = new Edit(app, async () => {
    const { key, mesh } = app, now = await fromServer(key, mesh);
    if (app.key === key) app.renew(now);
  });
  app.tools = new Tools(app, app.edit);
  joinEdit(app, app.edit, app.tools);
}

/** Whether pictures of the list are light or dark. */
function theme() {
  return document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

/** A small picture of a mesh, which is asked for when its row comes into sight. @param {number} number */
function thumbnail(number) {
  const image = new Image(40, 40);
  image.loading = "lazy";
  image.alt = "";
  image.src = `m/${number}/thumbnail/${theme()}`;
  return image;
}

/** What a mesh of the list has. @param {Row} row */
function counted({ counts, findings }) {
  const words = counts.map(([name, count]) => `${grouped(count)} ${name.replaceAll("_", " ")}`);
  return [...words, ...(findings > 0 ? [`${grouped(findings)} ${findings === 1 ? "finding" : "findings"}`] : [])].join(", ");
}

/** @param {string} text */
function smallText(text) {
  const small = document.createElement("small");
  small.textContent = text;
  return small;
}

/** A row of the list. @param {Row} row @param {number} number @param {(number: number) => void} choose */
function listLine(row, number, choose) {
  const [line, words, small] = ["li", "span", "small"].map((tag) => document.createElement(tag));
  words.className = "words";
  words.append(row.title, document.createElement("br"), small);
  small.textContent = row.error ?? row.subtitle;
  if (row.error === null && row.counts.length > 0) words.append(document.createElement("br"), smallText(counted(row)));
  const entry = row.error === null ? button(() => choose(number), thumbnail(number), words) : button(() => choose(number), words);
  entry.title = row.where;
  entry.dataset.number = String(number);
  entry.setAttribute("aria-current", String(number === current));
  line.append(entry);
  return line;
}

/** Fills the list as the program finds meshes. @param {ReturnType<typeof rows>} begun the answer to the first question @param {(number: number) => void} choose @param {(number: number) => void} first @param {() => void} edits is called if meshes can be changed */
async function list(begun, choose, first, edits) {
  /** @type {Row[]} */
  const all = [];
  /** The rows on the page, by number. @type {Map<number, HTMLElement>} */
  let lines = new Map();
  const filter = /** @type {HTMLInputElement} */ (element("filter"));
  const draw = () => {
    const wanted = filter.value.toLowerCase();
    const matches = (/** @type {Row} */ row) => wanted === "" || `${row.where} ${row.subtitle} ${counted(row)}`.toLowerCase().includes(wanted);
    const matching = all.map((row, number) => ({ row, number })).filter(({ row }) => matches(row));
    // Rows that stay are the same elements, so that they keep the focus and their pictures are not asked for again.
    lines = new Map(matching.slice(0, MOST_ROWS).map(({ row, number }) => [number, lines.get(number) ?? listLine(row, number, choose)]));
    const box = element("meshes"), shown = box.children, now = [...lines.values()];
    if (Array.from(shown).every((line, at) => line === now[at])) box.append(...now.slice(shown.length));
    else box.replaceChildren(...now);
    const compare = /** @type {HTMLSelectElement} */ (element("compare"));
    if (compare.length === 0) compare.append(new Option("Compare with\u2026", ""));
    for (let number = compare.length - 1; number < Math.min(all.length, MOST_ROWS); number++) {
      const { title, where } = all[number];
      compare.append(new Option(title === where ? title : `${title}: ${where}`, String(number)));
    }
    element("listed").textContent = `${grouped(Math.min(matching.length, MOST_ROWS))} of ${grouped(all.length)} meshes`;
  };
  filter.addEventListener("input", draw);
  new MutationObserver(() => {
    for (const image of /** @type {NodeListOf<HTMLImageElement>} */ (document.querySelectorAll("#meshes img"))) {
      if (!image.src.endsWith(theme())) image.src = image.src.replace(/[a-z]+$/, theme());
    }
  }).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  for (let answer = await begun, pause = SOON; ; answer = await rows(all.length)) {
    const before = all.length;
    all.push(...answer.rows);
    plans = answer.plans;
    if (answer.edits) edits();
    if (before === 0 && all.length > 0) first(numberInAddress());
    element("list").hidden = all.length < 2;
    if (all.length > 1 && all.length > before) draw();
    document.documentElement.dataset.listed = String(all.length);
    if (answer.done) break;
    if (answer.rows.length === ANSWERED) continue;
    await new Promise((wait) => setTimeout(wait, pause));
    pause = Math.min(pause * 2, LATER);
  }
  if (all.length === 0) instead("There is no mesh here.", null);
}

/** Begins. */
async function start() {
  /** @type {App | null} */
  let app = null;
  let why = "";
  // What the program sends is on its way while the graphics context is made, which takes longest.
  const begun = isFile ? null : rows(0), number = numberInAddress();
  if (!isFile) early = { number, mesh: fromServer(number).catch(() => null) };
  try {
    const canvas = /** @type {HTMLCanvasElement} */ (element("canvas"));
    app = new App(canvas, new Painter(canvas));
    join(app);
  } catch (error) {
    why = error instanceof Error ? error.message : String(error);
  }
  const chosen = (/** @type {number} */ number) => void show(app, number, why);
  if (!begun) return chosen(0);
  element("compare").addEventListener("change", (event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    if (app) void show(app, app.number, why, value === "" ? null : Number(value));
  });
  addEventListener("hashchange", () => {
    const number = numberInAddress();
    if (number === current && app?.mesh) fromAddress(app);
    else chosen(number);
  });
  await list(begun, chosen, chosen, () => app && editable(app)).catch((error) => instead(`The program does not answer: ${error.message}`, null));
}

void start();
