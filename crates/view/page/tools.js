// The tools of an editor: which of them a mesh has, and what becomes of a drag with one.

import { choose, flood, inLoop } from "./choose.js";
import { cornering, filling, flipping, given, laddering, linking, looped, making, moving, painting, placing, raising, resizing, splitting } from "./gestures.js";
import { post, webOf } from "./load.js";
import { element } from "./over.js";
import { button } from "./panel.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./edit.js").Edit} Edit */
/** @typedef {import("./gestures.js").Hand} Hand */
/** @typedef {import("./gestures.js").Gesture} Gesture */
/** @typedef {{id: string, words: string, title: string, needs: string[], gesture: Gesture | null}} Tool */
/** @typedef {{id: string, words: string, title: string, needs: string[], count: number, script: (edit: Edit) => string | null}} Act */

/** Tools that drag over the mesh. A tool is there if the mesh has one of its verbs. @type {Tool[]} */
const TOOLS = [
  { id: "pick", words: "Pick", title: "Click chooses, Shift and click adds", needs: [], gesture: null },
  { id: "box", words: "Box", title: "Choose what is in a box", needs: [], gesture: null },
  { id: "lasso", words: "Lasso", title: "Choose what is in a loop", needs: [], gesture: null },
  { id: "move", words: "Move", title: "Drag what is chosen, or what is under the cursor", needs: ["move"], gesture: moving },
  { id: "raise", words: "Raise", title: "Drag up or down to raise or lower what is chosen", needs: ["nav_corner_raise", "raise", "move"], gesture: raising },
  { id: "corner", words: "Corner", title: "Drag the nearest corner", needs: ["nav_corner_raise", "corner"], gesture: cornering },
  { id: "side", words: "Resize", title: "Drag the nearest side", needs: ["resize"], gesture: resizing },
  { id: "new", words: "New", title: "Drag from corner to corner; of waypoints, click", needs: ["nav_begin_area", "add"], gesture: making },
  { id: "split", words: "Split", title: "Drag along the cut", needs: ["nav_split"], gesture: splitting },
  { id: "connect", words: "Connect", title: "Drag from one to the other", needs: ["nav_connect", "connect", "link"], gesture: linking(true) },
  { id: "disconnect", words: "Disconnect", title: "Drag from one to the other", needs: ["nav_disconnect", "disconnect", "unlink"], gesture: linking(false) },
  { id: "flagged", words: "Set flag", title: "Paint the flag below", needs: ["nav_mark_attribute", "flag", "attribute", "set"], gesture: painting(true) },
  { id: "unflagged", words: "Clear flag", title: "Take the flag below off", needs: ["nav_clear_attribute", "unflag", "clear"], gesture: painting(false) },
  { id: "placed", words: "Place", title: "Paint the place below", needs: ["nav_place_set"], gesture: placing },
  { id: "fill", words: "Fill place", title: "Click: all that are connected and share the old place", needs: ["nav_place_floodfill"], gesture: filling },
  { id: "ladder", words: "Ladder", title: "Drag from its foot to the floor above", needs: ["nav_build_ladder"], gesture: laddering },
  { id: "flip", words: "Flip ladder", title: "Click the ladder", needs: ["nav_ladder_flip"], gesture: flipping },
];

/** @param {string[]} verbs @param {number} operands @returns {(edit: Edit) => string | null} */
function command(verbs, operands) {
  return (edit) => {
    const verb = verbs.find((verb) => edit.has(verb)), { mesh, choice } = edit.app;
    const names = choice.chosen.map((node) => mesh.name(node));
    return verb ? `${verb} ${operands === 2 ? names.slice(0, 2).join(" ") : edit.chosen()}` : null;
  };
}

/** What is done with what is chosen. @type {Act[]} */
const ACTS = [
  { id: "delete", words: "Delete", title: "Delete what is chosen (Delete)", needs: ["nav_delete", "delete"], count: 1, script: command(["nav_delete", "delete"], 1) },
  { id: "merge", words: "Merge", title: "Merge the first into the second", needs: ["nav_merge"], count: 2, script: command(["nav_merge"], 2) },
  { id: "splice", words: "Splice", title: "Fill the gap between two", needs: ["nav_splice"], count: 2, script: command(["nav_splice"], 2) },
  { id: "ground", words: "To ground", title: "Put corners on the ground of the map (--bsp)", needs: ["nav_corner_place_on_ground"], count: 1, script: (edit) => (edit.state?.map ? command(["nav_corner_place_on_ground"], 1)(edit) : null) },
  { id: "subdivide", words: "Subdivide", title: "Cut what is chosen in half both ways", needs: ["nav_subdivide"], count: 1, script: (edit) => `nav_subdivide 1 ${edit.chosen()}` },
  { id: "unlinked", words: "Clean links", title: "Remove links that are none", needs: ["clean_links"], count: 1, script: command(["clean_links"], 1) },
  { id: "analyse", words: "Analyse", title: "Compute anew what follows from the mesh, and from the map if it is there", needs: ["nav_analyze"], count: 0, script: () => "nav_analyze" },
];

export class Tools {
  /** @param {App} app @param {Edit} edit */
  constructor(app, edit) {
    this.app = app;
    this.edit = edit;
    this.tool = TOOLS[0];
    /** @type {Hand[]} */
    this.way = [];
    this.line = "";
  }

  /** Offers what the mesh has verbs for. */
  offer() {
    const { edit } = this, has = (/** @type {{needs: string[]}} */ { needs }) => needs.length === 0 || needs.some((verb) => edit.has(verb));
    const tools = TOOLS.filter(has).map((tool) => {
      const made = button(() => this.take(tool), tool.words);
      made.id = `tool-${tool.id}`;
      made.title = tool.title;
      return made;
    });
    element("tools-of-edit").replaceChildren(...tools);
    const acts = ACTS.filter(has).map((act) => {
      const made = button(() => void this.act(act), act.words);
      made.id = `act-${act.id}`;
      made.title = act.title;
      return made;
    });
    element("acts").replaceChildren(...acts);
    element("flag-row").hidden = !tools.some(({ id }) => id === "tool-flagged");
    element("place-row").hidden = !edit.has("nav_place_set");
    element("facing-row").hidden = !edit.has("nav_build_ladder");
    this.take(TOOLS[0]);
    void this.#words("flag-words", ["nav_mark_attribute", "flag", "set"]);
    element("place-words").replaceChildren(...this.app.mesh.head.places.map((place) => new Option(place)));
  }

  /** Fills the words of a field with what a verb takes. @param {string} list @param {string[]} verbs */
  async #words(list, verbs) {
    const verb = verbs.find((verb) => this.edit.has(verb));
    if (!verb || !this.edit.isOn) return;
    const { number, key } = this.app, answer = await completed(number, `${verb} `);
    if (this.app.key === key) element(list).replaceChildren(...(answer.words ?? []).map((/** @type {string} */ word) => new Option(word)));
  }

  /** @param {Tool} tool */
  take(tool) {
    this.tool = tool;
    for (const { id } of TOOLS) document.getElementById(`tool-${id}`)?.setAttribute("aria-pressed", String(id === tool.id));
    this.app.canvas.style.cursor = tool.id === "pick" ? "" : "crosshair";
    this.stop();
  }

  /** Does something with what is chosen. @param {Act} act */
  async act(act) {
    const { chosen } = this.app.choice, { edit } = this;
    if (chosen.length < act.count) return edit.tell([`${act.words}: choose ${act.count === 2 ? "two" : "something"} first`], true);
    const script = act.script(edit);
    if (script === null) return edit.tell([`${act.words}: there is no map; navmap view --edit --bsp MAP`], true);
    await edit.run(script.trim());
  }

  /** Deletes what is chosen. */
  remove() {
    return this.act(ACTS[0]);
  }

  /** Chooses all that can be reached from what is chosen. */
  async spread() {
    const { app } = this, { mesh } = app, web = await webOf(mesh, app.key);
    if (app.mesh === mesh) choose(app, flood(web, app.choice.chosen));
  }

  /** Whether a drag is the tool's, and not the camera's. */
  get isBusy() {
    return this.edit.isOn && this.tool.id !== "pick" && !this.app.measured && !this.app.ways.isOn;
  }

  /** Lets go of a drag that is under way: its nodes are those of the mesh before. */
  drop() {
    if (this.way.length > 0) this.stop();
  }

  /** Lets go of a drag, or of the tool. */
  letGo() {
    if (this.way.length > 0) this.stop();
    else this.take(TOOLS[0]);
  }

  /** @param {number} x @param {number} y */
  down(x, y) {
    this.way = [this.#hand(x, y)];
    this.#show(x, y);
  }

  /** @param {number} x @param {number} y */
  move(x, y) {
    if (this.way.length === 0) return;
    this.way.push(this.#hand(x, y));
    this.#show(x, y);
  }

  /** @param {number} x @param {number} y */
  async up(x, y) {
    // It was let go of by a key.
    if (this.way.length === 0) return;
    this.way.push(this.#hand(x, y));
    const { tool, way, app } = this;
    const still = Math.hypot(way[0].x - x, way[0].y - y) < 4;
    if (tool.id === "box" || tool.id === "lasso") {
      this.stop();
      if (still) return choose(app, way[0].node >= 0 ? [way[0].node] : []);
      return choose(app, inLoop(app, looped(tool.id === "box", way)), app.more);
    }
    const deed = tool.gesture?.(app, way[0], way[way.length - 1], way) ?? null;
    this.stop();
    if (deed) await this.edit.run(deed.script);
  }

  /** Lets go of a drag. */
  stop() {
    this.way = [];
    this.line = "";
    element("cursor").hidden = true;
    element("loop").setAttribute("points", "");
    if (this.app.mesh) this.app.painter.layer("ghost", null);
    this.app.refresh();
  }

  /** Draws what would be done, and asks whether it can be. @param {number} x @param {number} y */
  #show(x, y) {
    const { tool, way, app } = this, from = way[0], to = way[way.length - 1];
    if (tool.id === "box" || tool.id === "lasso") {
      element("loop").setAttribute("points", looped(tool.id === "box", way).map((spot) => `${spot.x},${spot.y}`).join(" "));
      return;
    }
    const deed = tool.gesture?.(app, from, to, way) ?? null, cursor = element("cursor");
    app.painter.layer("ghost", deed?.ghost ?? null);
    app.refresh();
    cursor.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
    cursor.hidden = deed === null;
    if (!deed || deed.script === this.line) return;
    this.line = deed.script;
    const words = deed.script.length > 90 ? `${deed.script.slice(0, 88)}\u2026` : deed.script;
    cursor.textContent = words;
    this.edit.tryOut(deed.script, (refused) => {
      if (this.line !== deed.script) return;
      cursor.textContent = refused ? `${words}\n${refused}` : words;
      cursor.classList.toggle("alarm", refused !== null);
    });
  }

  /** @param {number} x @param {number} y @returns {Hand} */
  #hand(x, y) {
    const { app } = this, { camera, mesh } = app;
    camera.update();
    const node = app.grid.pick(camera, x, y, app.ink.table)[0] ?? -1;
    const first = this.way[0];
    const height = node >= 0 ? mesh.center(node)[2] : first ? first.at[2] : camera.target[2];
    return { x, y, node, at: camera.onHeight(x, y, height) ?? [...camera.target] };
  }
}

/** Joins the form of the editor with it. @param {App} app @param {Edit} edit @param {Tools} tools */
export function joinEdit(app, edit, tools) {
  const saving = /** @type {HTMLDialogElement} */ (element("saving"));
  /** @type {Record<string, () => void>} */
  const clicks = {
    undo: () => void edit.walk("undo"), redo: () => void edit.walk("redo"), save: () => openSave(edit, saving), spread: () => void tools.spread().catch((error) => app.say(error.message)),
    "save-over": () => {
      saving.close();
      void edit.save(null);
    },
    "save-as": () => void edit.save(given("save-name")),
    take: () => void edit.choice("resume", true), drop: () => void edit.choice("resume", false),
    replay: () => void edit.choice("reload", true), reopen: () => void edit.choice("reload", false), "other-name": () => openSave(edit, saving),
  };
  for (const [id, act] of Object.entries(clicks)) element(id).addEventListener("click", act);
  const command = /** @type {HTMLInputElement} */ (element("command")), selector = /** @type {HTMLInputElement} */ (element("selector"));
  element("commands").addEventListener("submit", async (event) => {
    event.preventDefault();
    const script = command.value, { key } = app;
    if (!script.trim()) return;
    // The next command is typed while this one is under way; one that was refused comes back to be mended.
    command.value = "";
    if (!(await edit.run(script)) && command.value === "" && app.key === key) command.value = script;
  });
  element("selectors").addEventListener("submit", (event) => {
    event.preventDefault();
    edit.select(selector.value.trim() || "all");
  });
  for (const field of [command, selector]) {
    field.addEventListener("input", async () => {
      const before = field === selector ? "select " : "", line = before + field.value.slice(0, field.selectionStart ?? undefined);
      const answer = await completed(app.number, line);
      const kept = line.slice(before.length, answer.start ?? 0);
      element("completions").replaceChildren(...(answer.words ?? []).slice(0, 60).map((/** @type {string} */ word) => new Option(kept + word)));
    });
  }
}

/** What a line can become; nothing if the program has ended, which the next change tells. @param {number} number @param {string} line @returns {Promise<any>} */
async function completed(number, line) {
  return (await post(number, "complete", { line }).catch(() => ({ answer: {} }))).answer;
}

/** Shows what a save would write, and what has become stale. @param {Edit} edit @param {HTMLDialogElement} dialog */
function openSave(edit, dialog) {
  const { state } = edit;
  if (!state) return;
  element("save-report").textContent = state.report;
  element("save-over").hidden = state.file === null;
  element("save-over").textContent = `Save over ${state.file}`;
  dialog.showModal();
}
