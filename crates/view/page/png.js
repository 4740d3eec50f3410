// The picture of what is seen, as a file of any size.

import { element } from "./over.js";
import { grouped } from "./number.js";

/** @typedef {import("./app.js").App} App */

/** The side of the pieces that a picture is drawn in, in pixels: canvases for graphics are bounded, pictures may be larger. */
const PIECE = 2048;

/** Asks how wide the picture shall be, and saves it. @param {App} app */
export function askPicture(app) {
  const dialog = /** @type {HTMLDialogElement} */ (element("picture")), input = /** @type {HTMLInputElement} */ (element("picture-width"));
  const tell = () => (element("picture-height").textContent = `${grouped(heightOf(app, Number(input.value)))} pixels high`);
  input.max = String(app.painter.largest);
  input.value = String(app.canvas.width * 2);
  input.oninput = tell;
  tell();
  dialog.returnValue = "";
  dialog.onclose = () => dialog.returnValue === "save" && void savePicture(app, Number(input.value));
  dialog.showModal();
}

/** The height of a picture of this width. @param {App} app @param {number} width */
function heightOf({ camera }, width) {
  return Math.max(Math.round((width * camera.height) / camera.width), 1);
}

/** Saves what is seen as a picture of this width in pixels, once all of it is there. @param {App} app @param {number} width */
export async function savePicture(app, width) {
  const { canvas, camera, painter } = app, height = heightOf(app, width), most = painter.largest;
  if (!(width >= 1) || Math.max(width, height) > most) return app.say(`a picture has at most ${grouped(most)} pixels a side here`);
  await app.sight.settled();
  const whole = document.createElement("canvas"), paper = whole.getContext("2d");
  Object.assign(whole, { width, height });
  const before = { width: canvas.width, height: canvas.height };
  Object.assign(canvas, { width: Math.min(PIECE, width), height: Math.min(PIECE, height) });
  for (let y = 0; y < height; y += canvas.height) {
    for (let x = 0; x < width; x += canvas.width) {
      painter.frame(camera, width / camera.width, { x, y, width, height });
      paper?.drawImage(canvas, x, y);
    }
  }
  Object.assign(canvas, before);
  app.refresh();
  whole.toBlob((blob) => {
    if (!blob) return app.say("this browser makes no picture of that size");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${app.mesh.head.title || "mesh"}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
