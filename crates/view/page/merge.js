// Three versions of a mesh: conflicts to choose from, and the script that brings theirs into ours.

import { element } from "./over.js";
import { button, make } from "./panel.js";
import { grouped } from "./number.js";

/** @typedef {import("./app.js").App} App */

/** Shows the conflicts of a merge, if the mesh is one. @param {App} app */
export function merging(app) {
  const { merge } = app.mesh.head, box = element("merging");
  box.hidden = merge === null;
  if (merge === null) return;
  /** The conflicts in which theirs is taken. @type {Set<number>} */
  const taken = new Set();
  const script = /** @type {HTMLTextAreaElement} */ (element("merge-script"));
  const write = () => {
    script.value = merge.script + merge.disputed.map(({ theirs }, at) => (taken.has(at) ? theirs : "")).join("");
    const lines = script.value.split("\n").length - 1, open = merge.disputed.length;
    element("merge-words").textContent = `${grouped(lines)} ${lines === 1 ? "command" : "commands"} for ours; ${open === 0 ? "no conflict" : `theirs in ${taken.size} of ${grouped(open)} ${open === 1 ? "conflict" : "conflicts"}`}`;
    document.documentElement.dataset.taken = String(taken.size);
  };
  const rows = merge.disputed.map(({ item, at, what, theirs }, number) => {
    const choice = (/** @type {string} */ side, /** @type {boolean} */ on) => {
      const radio = /** @type {HTMLInputElement} */ (make("input", { type: "radio", name: `merge-${number}`, value: side }));
      radio.checked = on;
      radio.disabled = side === "theirs" && theirs === "";
      radio.addEventListener("change", () => {
        if (side === "theirs") taken.add(number);
        else taken.delete(number);
        write();
      });
      return make("label", {}, radio, ` ${side}`);
    };
    const go = button(() => app.lookAt(at, item), `${item}: ${what}`);
    go.className = "row";
    return make("li", {}, make("fieldset", {}, make("legend", {}, go), choice("ours", true), choice("theirs", false)));
  });
  element("conflicts").replaceChildren(...rows);
  element("merge-copy").onclick = () => void app.copy(script.value);
  element("merge-save").onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([script.value], { type: "text/plain" }));
    link.download = "merge.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  write();
}
