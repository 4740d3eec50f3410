// What the address keeps: camera and pick.

import { search } from "./find.js";

/** @typedef {import("./app.js").App} App */

/** How long the address waits for the camera to rest, in milliseconds. */
const REST = 300;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let writing;

/** Writes camera and pick into the address, soon. @param {App} app */
export function toAddress(app) {
  const { target, span, yaw, pitch } = app.camera, picked = document.documentElement.dataset.selected;
  const numbers = [...app.mesh.inFile(target), span, yaw, pitch].map((value) => Number(value.toFixed(3))).join(",");
  const address = `#${app.number}/${numbers}${picked ? `/${picked}` : ""}`;
  clearTimeout(writing);
  // A page in the frame of a notebook has no address of its own.
  if (location.protocol !== "about:") writing = setTimeout(() => history.replaceState(null, "", address), REST);
}

/** The number of the mesh in the address, the first if there is none. */
export function numberInAddress() {
  return Number(location.hash.slice(1).split("/")[0]) || 0;
}

/** Takes camera and pick from the address, if it is of the mesh that is shown. @param {App} app */
export function fromAddress(app) {
  const [number, numbers, ...id] = decodeURIComponent(location.hash.slice(1)).split("/");
  const read = (numbers ?? "").split(",").map(Number);
  if (Number(number) !== app.number || read.length !== 6 || !read.every(Number.isFinite)) return;
  clearTimeout(writing);
  app.camera.pitch = read[5];
  app.look(app.camera.isPlan ? "plan" : "space");
  app.camera.target = app.mesh.fromFile(read);
  [app.camera.span, app.camera.yaw, app.camera.pitch] = read.slice(3);
  app.refresh();
  const node = id.length > 0 ? search(app.mesh, id.join("/"))[0]?.node : null;
  if (node !== null && node !== undefined) app.pick(node, [node]);
}
