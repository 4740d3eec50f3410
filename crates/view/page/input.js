// Mouse, touch and keys on the canvas.

import { element } from "./over.js";
import { toggleMeasure } from "./measure.js";
import { askPicture } from "./png.js";

/** @typedef {import("./app.js").App} App */

/** How far a pointer may move and still be a click, in pixels. */
const STILL = 4;

/** @param {App} app @param {HTMLCanvasElement} canvas */
export function listen(app, canvas) {
  /** @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  let [moved, turning, tooling] = [0, false, false];
  const at = (/** @type {MouseEvent} */ event) => ({ x: event.offsetX, y: event.offsetY });

  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (tooling) {
      // A second finger moves the camera.
      app.tools?.stop();
      tooling = false;
    }
    if (down.size === 1) {
      moved = 0;
      app.more = event.shiftKey;
      tooling = event.button === 0 && app.tools?.isBusy === true;
      if (tooling) return app.tools?.down(event.offsetX, event.offsetY);
      const other = event.button === 2 || event.shiftKey;
      turning = app.camera.isPlan ? other : !other && event.button === 0;
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId), now = at(event);
    if (!before) return app.hover(now.x, now.y);
    if (tooling) {
      down.set(event.pointerId, now);
      return app.tools?.move(now.x, now.y);
    }
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    moved += Math.abs(dx) + Math.abs(dy);
    if (down.size === 2) {
      const [a, b] = [...down.values()];
      const other = before === a ? b : a;
      pinch(app, other, before, now);
    } else if (moved > STILL) {
      if (turning) app.camera.turn(dx, dy);
      else app.camera.pan(dx, dy);
      app.refresh();
    }
    down.set(event.pointerId, now);
  });
  const up = (/** @type {PointerEvent} */ event) => {
    const was = down.delete(event.pointerId);
    if (tooling) {
      tooling = false;
      if (event.type === "pointerup") return void app.tools?.up(event.offsetX, event.offsetY);
      return app.tools?.stop();
    }
    if (was && down.size === 0 && moved <= STILL && event.type === "pointerup" && event.button === 0) app.click(event.offsetX, event.offsetY, event.shiftKey);
    if (down.size > 0) moved = STILL + 1;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", (event) => app.flyTo(event.offsetX, event.offsetY));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 0 ? event.deltaY : event.deltaY * 32;
    app.camera.zoom(Math.exp(Math.min(Math.max(lines, -300), 300) * 0.0016), event.offsetX, event.offsetY);
    app.refresh();
  }, { passive: false });
  addEventListener("keydown", (event) => key(app, canvas, event));
}

/** Two fingers: zoom, turn and move. @param {App} app @param {{x: number, y: number}} fixed @param {{x: number, y: number}} before @param {{x: number, y: number}} now */
function pinch(app, fixed, before, now) {
  const spread = (/** @type {{x: number, y: number}} */ p) => Math.max(Math.hypot(p.x - fixed.x, p.y - fixed.y), 1);
  const angle = (/** @type {{x: number, y: number}} */ p) => Math.atan2(p.y - fixed.y, p.x - fixed.x);
  app.camera.zoom(spread(before) / spread(now), (fixed.x + now.x) / 2, (fixed.y + now.y) / 2);
  app.camera.yaw += angle(now) - angle(before);
  app.camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  app.refresh();
}

/** The keys of the editor. Whether it was one. @param {App} app @param {KeyboardEvent} event */
function editing(app, event) {
  const letter = event.key.toLowerCase(), command = event.ctrlKey || event.metaKey;
  if (letter === "delete") void app.tools?.remove();
  else if (command && letter === "z") void app.edit?.walk(event.shiftKey ? "redo" : "undo");
  else if (command && letter === "y") void app.edit?.walk("redo");
  else if (command && letter === "s") document.getElementById("save")?.click();
  else return false;
  return true;
}

/** @param {App} app @param {HTMLCanvasElement} canvas @param {KeyboardEvent} event */
function key(app, canvas, event) {
  const typing = event.target instanceof HTMLElement && event.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, dialog") !== null;
  if ((event.ctrlKey || event.metaKey) && event.key === "f") {
    event.preventDefault();
    return app.focusSearch();
  }
  // A dialog closes itself.
  if (event.key === "Escape") return document.querySelector("dialog[open]") ? undefined : app.letGo();
  const saves = app.edit?.isOn && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
  if ((!typing || saves) && app.edit?.isOn && editing(app, event)) return event.preventDefault();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  /** @type {Record<string, () => void>} */
  const anywhere = {
    "/": () => app.focusSearch(), "?": () => app.help(), 1: () => app.look("plan"), 3: () => app.look("space"), m: () => toggleMeasure(app), r: () => !element("way").hidden && app.ways.toggle(),
    t: () => app.toggleTheme(), p: () => askPicture(app), h: () => app.toggleClass(), f: () => app.flyToPicked(), n: () => app.next(), "[": () => app.peel(-1), "]": () => app.peel(1),
  };
  const step = 60, { width, height } = app.camera;
  const move = (/** @type {number} */ dx, /** @type {number} */ dy) => () => app.camera.pan(dx, dy);
  const zoom = (/** @type {number} */ factor) => () => app.camera.zoom(factor, width / 2, height / 2);
  const tilt = app.camera.isPlan ? 0 : 1;
  /** @type {Record<string, () => void>} */
  const onCanvas = {
    ArrowLeft: move(step, 0), ArrowRight: move(-step, 0), ArrowUp: move(0, step), ArrowDown: move(0, -step),
    a: move(step, 0), d: move(-step, 0), w: move(0, step), s: move(0, -step), "+": zoom(0.8), "=": zoom(0.8), "-": zoom(1.25),
    q: () => app.camera.turn(30, 0), e: () => app.camera.turn(-30, 0), PageUp: () => app.camera.turn(0, -20 * tilt), PageDown: () => app.camera.turn(0, 20 * tilt),
    Enter: () => app.click(width / 2, height / 2), Home: () => app.home(),
  };
  const free = event.target === canvas || event.target === document.body;
  const act = anywhere[letter] ?? (free ? onCanvas[letter] : undefined);
  if (!act) return;
  event.preventDefault();
  act();
  app.refresh();
}
