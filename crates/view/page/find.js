// Search: ids, places, flags, groups, coordinates.

import { grouped } from "./number.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {{label: string, note: string, node: number | null, at: number[] | null}} Result */

/** The most results shown. */
const MOST = 40;

/** What a person may mean. @param {Mesh} mesh @param {string} typed @returns {Result[]} */
export function search(mesh, typed) {
  const wanted = typed.trim();
  if (!wanted) return [];
  const at = point(mesh, wanted);
  if (at) return [{ label: wanted, note: "coordinates", node: null, at }];
  return [...byId(mesh, wanted), ...byName(mesh, wanted.toLowerCase())].slice(0, MOST);
}

/** Three numbers, with or without `setpos` before them. @param {Mesh} mesh @param {string} wanted */
function point(mesh, wanted) {
  const numbers = wanted.replace(/^setpos(_exact)?\s+/i, "").split(/[\s,;]+/).filter(Boolean).map(Number);
  const three = (numbers.length === 3 || wanted.toLowerCase().startsWith("setpos")) && numbers.slice(0, 3).length === 3;
  return three && numbers.slice(0, 3).every(Number.isFinite) ? mesh.fromFile(numbers) : null;
}

/** Nodes with this id: `#17`, `17`, `01000902#14`. @param {Mesh} mesh @param {string} wanted @returns {Result[]} */
function byId(mesh, wanted) {
  const exact = mesh.node(wanted.toUpperCase());
  if (exact !== undefined) return [result(mesh, exact)];
  const match = /^(?:([0-9a-f]{1,8})?#)?(\d+)$/i.exec(wanted);
  if (!match) return [];
  const form = match[1] ? parseInt(match[1], 16) : null;
  const [ids, high] = [mesh.column("id"), mesh.column("id_high")], low = Number(BigInt(match[2]) & 0xffffffffn);
  const results = [];
  for (let node = 0; node < mesh.count && results.length < MOST; node++) {
    if (ids[node] === low && (form === null || high[node] === form)) results.push(result(mesh, node));
  }
  return results;
}

/** Places, flags and groups that have these letters in their names; of each the nodes. @param {Mesh} mesh @param {string} wanted @returns {Result[]} */
function byName(mesh, wanted) {
  const { places, groups } = mesh.head;
  const is = (/** @type {string} */ name) => name.toLowerCase().includes(wanted);
  /** @type {Result[]} */
  const results = [];
  for (const [column, names, what] of /** @type {[string, string[], string][]} */ ([["place", places, "place"], ["group", groups, mesh.head.group_word]])) {
    const first = new Map();
    for (let node = 0; node < mesh.count; node++) {
      const number = mesh.value(column, node);
      if (number === null || !is(names[number] ?? "")) continue;
      const known = first.get(number) ?? { node, count: 0 };
      known.count++;
      first.set(number, known);
    }
    for (const [number, { node, count }] of first) results.push({ label: names[number], note: `${what}, ${grouped(count)}`, node, at: null });
  }
  const bits = Object.entries(mesh.head.flags).filter(([, name]) => is(name)).map(([bit]) => Number(bit));
  for (let node = 0; node < mesh.count && bits.length > 0 && results.length < MOST; node++) {
    const words = [mesh.column("flags")[node] ?? 0, mesh.column("flags_high")[node] ?? 0];
    if (bits.some((bit) => (words[bit >> 5] >>> (bit & 31)) & 1)) results.push(result(mesh, node));
  }
  return results;
}

/** @param {Mesh} mesh @param {number} node @returns {Result} */
function result(mesh, node) {
  const place = mesh.value("place", node);
  const notes = [place === null ? null : mesh.head.places[place], ...mesh.flags(node)];
  return { label: `${mesh.head.word[0]} ${mesh.name(node)}`, note: notes.filter(Boolean).join(", "), node, at: null };
}
