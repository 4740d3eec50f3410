// Changes a mesh: sends scripts, shows what they did and why they were refused. Nothing is computed here.

import { choose, named } from "./choose.js";
import { abilities, post } from "./load.js";
import { element } from "./over.js";
import { button, refill } from "./panel.js";

/** @typedef {import("./app.js").App} App */
/**
 * @typedef {{
 *   revision: number, steps: [string, boolean][], earlier: number, report: string, unsaved: boolean, file: string | null, map: boolean,
 *   kept: boolean, notes: string[], offered: {commands: number, same: boolean} | null
 * }} State
 */

/** The most lines of an answer that are shown. */
const MOST_SAID = 200;

export class Edit {
  /** @param {App} app @param {(app: App) => Promise<void>} renew shows the mesh as it is now */
  constructor(app, renew) {
    this.app = app;
    this.renew = renew;
    /** @type {State | null} */
    this.state = null;
    /** The verbs of this mesh, with operands and help. @type {Map<string, [string, string]>} */
    this.verbs = new Map();
    /** By code of a finding, the command that mends it. @type {Map<string, string>} */
    this.fixes = new Map();
    /** What is tried next, while an answer is awaited. @type {(() => void) | null} */
    this.next = null;
    this.trying = false;
    /** What is under way, behind which the next change waits: nothing that is typed or drawn is lost. @type {Promise<unknown>} */
    this.last = Promise.resolve();
  }

  /** Learns what can be done with the mesh that is shown. @param {boolean} isCompared whether it is what changed between two */
  async open(isCompared = false) {
    const { key } = this.app, known = isCompared ? { why: "it is a comparison of two meshes" } : await abilities(this.app.number);
    if (this.app.key !== key) return;
    element("edit-changed").hidden = true;
    this.tell([], false);
    element("edit").hidden = false;
    element("edit-why").textContent = known.why ? `It cannot be changed: ${known.why}` : "";
    element("edit-all").hidden = Boolean(known.why);
    this.state = known.why ? null : known;
    this.verbs = new Map((known.verbs ?? []).map((/** @type {[string, string, string]} */ [name, usage, help]) => [name, [usage, help]]));
    this.fixes = new Map(known.fixes ?? []);
    document.documentElement.dataset.revision = known.why ? "" : String(known.revision);
    this.show();
  }

  /** Whether a mesh is at hand that can be changed. */
  get isOn() {
    return this.state !== null;
  }

  /** Whether this mesh has a verb. @param {string} verb */
  has(verb) {
    return this.verbs.has(verb);
  }

  /** Runs a script as one step. Whether it was done. @param {string} script @returns {Promise<boolean>} */
  run(script) {
    return this.#ask("run", { script, dry: false }, () => {});
  }

  /** Asks for a change of the mesh that is shown now, after those that are under way. @param {string} what @param {object} body @param {(answer: any) => void} then is called if it was done @returns {Promise<boolean>} */
  #ask(what, body, then) {
    const { number, key } = this.app;
    const ask = async () => {
      if (!this.state || this.app.key !== key) return false;
      try {
        const answered = await post(number, what, { base: this.state.revision, ...body });
        // What is shown by now has its own state, which was asked for with it.
        if (this.app.key !== key || !(await this.#take(answered))) return false;
        then(answered.answer);
        return true;
      } catch (error) {
        this.tell([`the program does not answer: ${error instanceof Error ? error.message : error}`], true);
        return false;
      }
    };
    const done = this.last.then(ask);
    this.last = done;
    return done;
  }

  /** Tells what an answer means, and shows the mesh anew if it has changed. @param {{status: number, answer: any}} answered */
  async #take({ status, answer }) {
    if (status === 422) {
      this.tell([answer.refused.text], true);
      return false;
    }
    if (status === 409) {
      const lost = answer.missed.length > 0 ? answer.missed.join("; ") : "more than is remembered";
      this.tell([`Not done: the mesh was changed in another tab or window (${lost}).`], true);
    } else if (status === 412) {
      this.tell(["Not saved: the file was changed by another program."], true);
      element("edit-changed").hidden = false;
      return false;
    } else if (status !== 200) {
      this.tell([answer.refused?.text ?? `the program answered ${status}`], true);
      return false;
    } else {
      this.tell(answer.said ?? [], false);
    }
    const before = this.state?.revision;
    this.state = answer;
    if (answer.revision !== before) await this.renew(this.app);
    if (status === 200 && (answer.made?.length > 0 || answer.selected?.length > 0)) this.#choose(answer.made.length > 0 ? answer.made : answer.selected);
    document.documentElement.dataset.revision = String(answer.revision);
    this.show();
    return status === 200;
  }

  /** @param {string[]} names */
  #choose(names) {
    const nodes = names.map((name) => this.app.mesh.node(name)).filter((node) => node !== undefined);
    if (nodes.length > 0) choose(this.app, /** @type {number[]} */ (nodes));
  }

  /** Asks whether a script could be run. One question is under way at a time, and the latest wins. @param {string} script @param {(refused: string | null, selected: string[]) => void} then */
  tryOut(script, then) {
    if (!this.state) return;
    const { number, key } = this.app;
    const ask = async () => {
      this.trying = true;
      try {
        const { answer } = await post(number, "run", { base: this.state?.revision ?? 0, script, dry: true });
        if (!this.next && this.app.key === key) then(answer.refused?.text ?? null, answer.selected ?? []);
      } catch {
        // The program has ended, which the next change tells.
      }
      this.trying = false;
      const next = this.next;
      this.next = null;
      next?.();
    };
    if (this.trying) this.next = () => void ask();
    else void ask();
  }

  /** Chooses what a selector of scripts names. @param {string} selector */
  select(selector) {
    this.tryOut(`select ${selector}`, (refused, selected) => {
      this.tell([refused ?? `${selected.length} selected`], refused !== null);
      if (refused === null) choose(this.app, selected.map((name) => this.app.mesh.node(name) ?? -1).filter((node) => node >= 0));
    });
  }

  /** @param {"undo" | "redo"} which @param {number} steps */
  walk(which, steps = 1) {
    const walked = this.run(steps === 1 ? which : `${which} ${steps}`);
    return walked;
  }

  /** Saves the mesh, under another name if there is one. @param {string | null} name */
  async save(name) {
    if (!this.state) return;
    await this.#ask("save", { as: name }, ({ saved, copy }) => this.tell([`saved: ${saved}${copy ? `; as it was before: ${copy}` : ""}`], false));
  }

  /** Takes up what an earlier run left, or opens a changed file again. @param {"resume" | "reload"} what @param {boolean} take */
  async choice(what, take) {
    if (!this.state) return;
    element("edit-changed").hidden = true;
    await this.#ask(what, { take }, ({ refused }) => this.tell(Array.isArray(refused) && refused.length > 0 ? [`${refused.length} no longer apply:`, ...refused] : [], true));
  }

  /** Shows the state beside the mesh. */
  show() {
    const { state } = this;
    if (!state) return;
    const journal = element("journal"), done = state.steps.filter(([, isDone]) => isDone).length;
    const lines = state.steps.map(([text, isDone], i) => {
      const words = document.createElement("span");
      words.className = "words";
      words.textContent = text;
      const steps = isDone ? done - i - 1 : i - done + 1;
      const line = button(() => void (steps > 0 && this.walk(isDone ? "undo" : "redo", steps)), words);
      line.title = isDone ? (steps > 0 ? `Take back the ${steps} after it` : "The last step") : "Do it again, with those before it";
      if (!isDone) line.classList.add("undone");
      const item = document.createElement("li");
      item.append(line);
      return item;
    });
    refill(journal, ...lines);
    journal.scrollTop = journal.scrollHeight;
    element("report").textContent = state.report === "nothing changed" ? "" : state.report;
    /** @type {HTMLButtonElement} */ (element("undo")).disabled = done === 0;
    /** @type {HTMLButtonElement} */ (element("redo")).disabled = done === state.steps.length;
    /** @type {HTMLButtonElement} */ (element("save")).disabled = !state.unsaved || state.file === null;
    element("save").textContent = state.unsaved ? "Save\u2026" : "Saved";
    element("notes").textContent = [...state.notes, ...(state.kept ? [] : ["There is no folder for the journal: it is lost if the program is killed."])].join("\n");
    const { offered } = state;
    element("edit-offered").hidden = offered === null;
    if (offered) element("offered-words").textContent = `An earlier run left ${offered.commands} commands that were not saved.${offered.same ? "" : " The file has changed since: those that still apply are run."}`;
    document.documentElement.dataset.steps = String(done);
    document.documentElement.dataset.unsaved = String(state.unsaved);
  }

  /** @param {string[]} lines @param {boolean} isRefusal */
  tell(lines, isRefusal) {
    const box = element("answer");
    box.textContent = lines.slice(0, MOST_SAID).join("\n");
    box.classList.toggle("alarm", isRefusal);
    if (lines.length > 0) this.app.say(lines[0]);
  }

  /** What is chosen, as a script names it. */
  chosen() {
    return named(this.app.mesh, this.app.choice.chosen);
  }
}
