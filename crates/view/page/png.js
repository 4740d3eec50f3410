// The picture of what is seen, as a file.

/** @typedef {import("./app.js").App} App */

/** Saves what is seen, at a multiple of its size. @param {App} app @param {number} times */
export function savePicture(app, times = 2) {
  const { canvas } = app, { width, height } = canvas;
  [canvas.width, canvas.height] = [width * times, height * times];
  app.painter.frame(app.camera, times * (devicePixelRatio || 1));
  canvas.toBlob((blob) => {
    [canvas.width, canvas.height] = [width, height];
    app.refresh();
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${app.mesh.head.title || "mesh"}.png`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
