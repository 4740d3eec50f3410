// Where a mesh comes from: the file that the page is, or the program that serves it.

import { Mesh } from "./mesh.js";

/** Whether the mesh is inside this page. */
export const isFile = document.getElementById("scene-head") !== null;

/** The parts in the order in which a file holds them. */
const PARTS = ["geometry", "colours", "links", "marks"];

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

/** The mesh inside this page. @returns {Promise<Mesh>} */
export async function fromFile() {
  const head = JSON.parse(text("scene-head"));
  const whole = await unpacked(text("scene-parts"));
  let at = 0;
  /** @type {Record<string, ArrayBuffer>} */
  const parts = {};
  for (const part of PARTS) {
    const bytes = head.parts[part].bytes;
    parts[part] = whole.slice(at, at + bytes);
    at += bytes;
  }
  return new Mesh(head, parts);
}

/** A mesh of the program. @param {number} number @returns {Promise<Mesh>} */
export async function fromServer(number) {
  const answers = await Promise.all(["head", ...PARTS].map((part) => asked(`m/${number}/${part}`)));
  const head = await answers[0].json();
  const buffers = await Promise.all(answers.slice(1).map((answer) => answer.arrayBuffer()));
  return new Mesh(head, Object.fromEntries(PARTS.map((part, i) => [part, buffers[i]])));
}

/** @param {string} path */
async function asked(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()) || `the program answered ${answer.status}`);
  return answer;
}

/**
 * @typedef {{title: string, subtitle: string, where: string, error: string | null}} Row
 * @param {number} from
 * @returns {Promise<{rows: Row[], done: boolean}>}
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
