// Where a mesh comes from: the file that the page is, or the program that serves it.

import { Mesh, chunkRows, view } from "./mesh.js";

/** Whether the mesh is inside this page. */
export const isFile = document.getElementById("scene") !== null;

/** The parts in the order in which a file holds them. */
const PARTS = ["index", "nodes", "geometry", "links", "marks"];
/** The parts of which a page may have only some chunks, and up to how many bytes they are fetched as a whole. */
const IN_CHUNKS = ["geometry", "links"], WHOLE = 8_000_000;
/** Bytes for chunks, here and on the graphics card. */
const BUDGET = 128_000_000;

/** @param {string} id */
function text(id) {
  return document.getElementById(id)?.textContent ?? "";
}

/** Unpacks base64 of a zlib stream. @param {string} packed @returns {Promise<ArrayBuffer>} */
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Puts a column of a file back into its order: of whole numbers there is how far each is from the one before, of triples of floats first all of the first. @param {ArrayBuffer} part @param {import("./mesh.js").Column} column */
function rearrange(part, { kind, offset, length }) {
  if (kind === "u32") {
    const bytes = new Uint8Array(part, offset, length * 4).slice(), words = new Uint32Array(part, offset, length);
    for (let i = 0, word = 0; i < length; i++) {
      const step = bytes[i] | (bytes[i + length] << 8) | (bytes[i + 2 * length] << 16) | (bytes[i + 3 * length] << 24);
      word = (word + ((step >>> 1) ^ -(step & 1))) >>> 0;
      words[i] = word;
    }
  } else if (kind === "f32" && length % 3 === 0) {
    const words = new Uint32Array(part, offset, length), own = words.slice();
    for (let i = 0; i < length; i++) words[i] = own[(i % 3) * (length / 3) + Math.floor(i / 3)];
  }
}

/** The mesh inside this page. @returns {Promise<Mesh>} */
export async function fromFile() {
  const whole = await unpacked(text("scene")), long = new DataView(whole).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, long)));
  let at = 4 + long;
  /** @type {Record<string, ArrayBuffer>} */
  const parts = {};
  for (const part of PARTS) {
    const bytes = head.parts[part].bytes;
    parts[part] = whole.slice(at, at + bytes);
    for (const column of head.parts[part].columns) rearrange(parts[part], column);
    at += bytes;
  }
  return new Mesh(head, parts, { budget: Infinity, revision: null, origin: null });
}

/** The parts that are divided into chunks, and how many of those are always fetched one by one. */
const CHUNKED = ["nodes", ...IN_CHUNKS], FEW = 4;

/** How often a mesh is asked for that is changed meanwhile. */
const TRIES = 8;

/** Bytes for chunks: those that the address of the page says, in MB. */
function budget() {
  const said = Number(new URLSearchParams(location.search).get("budget"));
  return said > 0 ? said * 1e6 : BUDGET;
}

/** A mesh of the program, of a large one without its chunks. Of one that was changed, what is as before is not sent again. @param {number | string} number its number in the list, or two for what changed between them @param {Mesh | null} before @returns {Promise<Mesh>} */
export async function fromServer(number, before = null) {
  for (let left = TRIES; left > 0; left--) {
    const revisions = new Set(), room = budget(), most = Math.min(WHOLE, Math.floor(room / 8));
    const get = async (/** @type {string} */ what) => {
      const answer = await asked(`m/${number}/${what}`);
      revisions.add(answer.headers.get("navmap-revision"));
      return answer;
    };
    const bytes = async (/** @type {string} */ what) => (await get(what)).arrayBuffer();
    const rest = before ? [] : PARTS.map((part) => bytes(IN_CHUNKS.includes(part) ? `${part}/up-to/${most}` : part));
    const head = await (await get("head")).json();
    const making = () => ({ budget: room, revision: [...revisions][0], origin: before?.origin ?? null });
    if (before) {
      const made = await renewed(head, before, bytes, making);
      if (made && revisions.size === 1) return made;
      if (!made) before = null;
      continue;
    }
    /** @type {Record<string, ArrayBuffer>} */
    const parts = Object.fromEntries((await Promise.all(rest)).map((part, at) => [PARTS[at], part]));
    if (IN_CHUNKS.some((part) => parts[part].byteLength < head.parts[part].bytes)) {
      IN_CHUNKS.forEach((part) => delete parts[part]);
      parts.centers = await bytes("centers");
    }
    document.documentElement.dataset.fetched = String(view(parts.index, head.parts.index.columns[0]).length / 12);
    if (revisions.size === 1) return new Mesh(head, parts, making());
  }
  throw new Error("the mesh is changed faster than it can be shown");
}

/** A mesh that was changed, of which only chunks are fetched that are others than before; `null` if most of it is. @param {import("./mesh.js").Head} head @param {Mesh} before @param {(what: string) => Promise<ArrayBuffer>} get @param {() => import("./mesh.js").Making} making */
async function renewed(head, before, get, making) {
  const same = (/** @type {string} */ part) => before.head.parts[part].mark === head.parts[part].mark;
  const index = same("index") ? before.parts.index : await get("index");
  const rows = chunkRows(view(index, head.parts.index.columns[0])), own = before.chunks;
  const moved = [...rows.keys()].filter((chunk) => !own[chunk] || own[chunk][10] !== rows[chunk][10] || own[chunk][11] !== rows[chunk][11]);
  const shape = (/** @type {import("./mesh.js").Head} */ { parts }) => CHUNKED.flatMap((part) => parts[part].columns.map(({ name, kind }) => `${name} ${kind}`)).join();
  // If most of it is another one, parts are fewer requests.
  if (rows.length < own.length || shape(head) !== shape(before.head) || (moved.length > rows.length / 2 && moved.length > FEW)) return null;
  const [marks, ...blocks] = await Promise.all([same("marks") ? before.parts.marks : get("marks"), ...moved.map((chunk) => get(`c/${chunk}`))]);
  document.documentElement.dataset.fetched = String(blocks.length);
  const chunks = new Map(blocks.map((bytes, at) => [moved[at], block(bytes).columns]));
  const nodes = sewn(head.parts.nodes, before, rows.length, chunks), mesh = new Mesh(head, { index, nodes, marks }, making());
  for (const chunk of rows.keys()) if (!chunks.has(chunk)) mesh.takeFrom(chunk, before);
  for (const [chunk, columns] of chunks) mesh.take(chunk, brought(columns));
  return mesh;
}

/** What is known of all nodes, some of whose chunks are new. @param {import("./mesh.js").Head["parts"][string]} wanted @param {Mesh} before @param {number} count @param {Map<number, Map<string, import("./mesh.js").Numbers>>} chunks */
function sewn({ bytes, columns }, before, count, chunks) {
  const buffer = new ArrayBuffer(bytes);
  columns.forEach((column, at) => {
    const own = view(before.parts.nodes, before.head.parts.nodes.columns[at]), target = view(buffer, column);
    let end = 0;
    for (let chunk = 0; chunk < count; chunk++) {
      const piece = chunks.get(chunk)?.get(column.name) ?? own.subarray(before.firsts[chunk], before.firsts[chunk + 1]);
      target.set(piece, end);
      end += piece.length;
    }
  });
  return buffer;
}

/** @param {Map<string, import("./mesh.js").Numbers>} columns @returns {import("./mesh.js").Brought} */
function brought(columns) {
  const [corners, to, kind] = ["corners", "to", "kind"].map((name) => columns.get(name) ?? new Uint8Array(0));
  return { corners, to, kind, path: columns.get("path") };
}

/** One chunk, and the state of the mesh that it is of. @param {number | string} number @param {number} chunk */
export async function chunkOf(number, chunk) {
  const answer = await asked(`m/${number}/c/${chunk}`);
  return { revision: answer.headers.get("navmap-revision"), brought: brought(block(await answer.arrayBuffer()).columns) };
}

/** Where all links lead, which a page may have only in part. @param {Mesh} mesh @param {number | string} number @returns {Promise<import("./choose.js").Web>} */
export async function webOf(mesh, number) {
  if (mesh.isWhole) return { count: mesh.count, first: mesh.firstLink, end: mesh.endLink, to: mesh.store.to, number: (code) => mesh.number(code) };
  const answer = await asked(`m/${number}/links`), bytes = await answer.arrayBuffer(), column = mesh.head.parts.links.columns.find(({ name }) => name === "to");
  if (!column || answer.headers.get("navmap-revision") !== mesh.revision) throw new Error("the mesh was changed meanwhile");
  const of = mesh.column("links_of"), ends = new Uint32Array(mesh.count + 1);
  for (let node = 0; node < mesh.count; node++) ends[node + 1] = ends[node] + of[node];
  return { count: mesh.count, first: ends, end: ends.subarray(1), to: view(bytes, column), number: (code) => mesh.number(code) };
}

/**
 * @typedef {{id: string, cost: number, how: string | null, length: number | null}} Step
 * @typedef {{found: boolean, cost?: number | null, from?: string, to?: string, steps?: Step[], corners?: [number, number, number][], why: string | null}} Found
 */

/** The way between two points of the file. @param {number | string} number @param {number[]} from @param {number[]} to @returns {Promise<Found>} */
export async function wayBetween(number, from, to) {
  return (await asked(`m/${number}/path/${from.join(",")}/${to.join(",")}`)).json();
}

/**
 * A link as `navmap show` tells it; of an id that is made up of several numbers there is its text.
 * @typedef {{id: number | string | null, beyond?: number, kind: string, side: number | null, toward: string | null, rise: number | null, back: boolean, gated: boolean, length?: number, cost?: number, number?: number}} LinkTold
 * @typedef {{word: string, id: number | string, index: number, byte: number | null, bytes: number | null, corners: [number, number, number][], radius: number | null, area_m2: number | null, links: LinkTold[], arrivals: LinkTold[], marks: {kind: string, at: [number, number, number][]}[], findings: {severity: string, code: string, byte: number | null, message: string}[], record: Record<string, any> | null}} Told
 */

/** Everything that the file says about a node, by its number in the mesh. @param {number} number @param {number} node @returns {Promise<Told>} */
export async function toldOf(number, node) {
  return (await asked(`m/${number}/told/${node}`)).json();
}

/** One block of columns with its head. @param {ArrayBuffer} bytes */
function block(bytes) {
  const long = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, long))), parts = bytes.slice(4 + long);
  return { head, columns: new Map(head.columns.map((/** @type {import("./mesh.js").Column} */ column) => [column.name, view(parts, column)])) };
}

/** One more meaning of colours, which depends on a node. @param {number} number @param {string} what @param {number} node @returns {Promise<{meaning: import("./mesh.js").Meaning, columns: Map<string, import("./mesh.js").Numbers>}>} */
export async function tintOf(number, what, node) {
  const answer = await asked(`m/${number}/tint/${what}/${node}`);
  if (answer.headers.get("content-type") === "application/json") throw new Error((await answer.json()).why);
  const { head, columns } = block(await answer.arrayBuffer());
  return { meaning: head.meaning, columns };
}

/** The floor plan of a mesh, by columns; `null` if there is none. @param {number} number */
export async function floorPlan(number) {
  const bytes = await (await asked(`m/${number}/plan`)).arrayBuffer();
  if (bytes.byteLength === 0) return null;
  const { head, columns } = block(bytes);
  return { human: head.human, columns };
}

/** Asks the program to do something. @param {number} number @param {string} what @param {object} body @returns {Promise<{status: number, answer: any}>} */
export async function post(number, what, body) {
  const answer = await fetch(`m/${number}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, answer: answer.headers.get("content-type") === "application/json" ? JSON.parse(text) : { refused: { text } } };
}

/** What can be done with a mesh; `why` if nothing can. @param {number} number @returns {Promise<any>} */
export async function abilities(number) {
  return (await asked(`m/${number}/edit`)).json();
}

/** @param {string} path */
async function asked(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw Object.assign(new Error((await answer.text()) || `the program answered ${answer.status}`), { status: answer.status });
  return answer;
}

/**
 * @typedef {{title: string, subtitle: string, counts: [string, number][], findings: number, where: string, error: string | null}} Row
 * @param {number} from
 * @returns {Promise<{rows: Row[], done: boolean, edits: boolean, plans: boolean}>}
 */
export async function rows(from) {
  return (await asked(`list/${from}`)).json();
}

/** Where the picture of a mesh is that needs no WebGL. @param {number} number @returns {Promise<string | null>} */
export async function picture(number) {
  if (!isFile) return `m/${number}/picture.svg`;
  const svg = text("scene-picture");
  return svg ? URL.createObjectURL(new Blob([await unpacked(svg)], { type: "image/svg+xml" })) : null;
}
