// The table of colours: four bytes a node, the last one says whether it is seen.

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {{theme: "light" | "dark", colour: string, hidden: Set<number>, tint: string, peel: number, low: number, high: number, ceilings: boolean, selected: number, chosen: number[], way: number[], under: number[]}} Choice */

/** Nodes in a row of the table. */
export const WIDE = 1024;
/** What is seen, what is only hinted at, and what is not there. */
export const SEEN = 255, HINTED = 40;

export class Ink {
  /** @param {Mesh} mesh */
  constructor(mesh) {
    this.mesh = mesh;
    this.rows = Math.max(Math.ceil(mesh.count / WIDE), 1);
    this.table = new Uint8Array(this.rows * WIDE * 4);
    this.deepest = 0;
    /** Whether anything is only hinted at. */
    this.hints = false;
    for (const above of mesh.column("above")) this.deepest = Math.max(this.deepest, above);
  }

  /** Fills the table, and returns how many nodes are seen. @param {Choice} choice */
  fill(choice) {
    const { mesh, table } = this;
    const classes = mesh.column(`${choice.colour}.class`), inks = mesh.column(`${choice.colour}.${choice.theme}`);
    const above = mesh.column("above"), ceiling = mesh.column("ceiling");
    const [low, high] = [choice.low - mesh.origin[2], choice.high - mesh.origin[2]];
    let seen = 0;
    this.hints = false;
    for (let node = 0; node < mesh.count; node++) {
      const height = mesh.centers[node * 3 + 2], at = node * 4, ink = classes[node] * 4;
      table[at] = inks[ink];
      table[at + 1] = inks[ink + 1];
      table[at + 2] = inks[ink + 2];
      const lifted = above[node] < choice.peel || (!choice.ceilings && ceiling.length > 0 && ceiling[node] === 1);
      const shown = !lifted && height >= low && height <= high && !choice.hidden.has(classes[node]);
      table[at + 3] = shown ? SEEN : lifted ? 0 : HINTED;
      this.hints ||= !shown && !lifted;
      seen += shown ? 1 : 0;
    }
    const { picked, chosen } = mesh.head.themes[choice.theme];
    for (const node of choice.way) {
      const at = node * 4;
      for (let i = 0; i < 3; i++) table[at + i] = (table[at + i] + chosen[i]) / 2;
      table[at + 3] = SEEN;
    }
    for (const node of choice.chosen) table.set([...chosen, SEEN], node * 4);
    if (choice.selected >= 0) {
      const [r, g, b] = picked;
      table.set([r, g, b, SEEN], choice.selected * 4);
    }
    return seen;
  }

  /** The meaning of colours that a choice names. @param {string} name */
  meaning(name) {
    return this.mesh.head.colours.find((meaning) => meaning.name === name) ?? this.mesh.head.colours[0];
  }

  /** The names of what is hidden: classes are numbered anew with each mesh. @param {Choice} choice */
  names({ colour, hidden }) {
    return this.meaning(colour).entries.filter((entry) => hidden.has(entry.class)).map(({ name }) => name);
  }

  /** The classes that have these names. @param {string} colour @param {string[]} names */
  classes(colour, names) {
    return this.meaning(colour).entries.filter(({ name }) => names.includes(name)).map((entry) => entry.class);
  }
}

/** A colour as style sheets write it. @param {ArrayLike<number>} ink @param {number} at */
export function css(ink, at = 0) {
  return `rgb(${ink[at]} ${ink[at + 1]} ${ink[at + 2]})`;
}
