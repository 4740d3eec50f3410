// Draws a mesh: faces from one buffer, chunk by chunk as they are in sight; lines and points over them.

import { WIDE } from "./ink.js";
import { Smooth } from "./smooth.js";
import { APART, BLOCK, shaders, tell } from "./shaders.js";

/** @typedef {import("./mesh.js").Mesh} Mesh */
/** @typedef {import("./lines.js").Strokes} Strokes */
/** @typedef {{vao: WebGLVertexArrayObject, buffer: WebGLBuffer, count: number}} Drawn */

/** Bytes of a corner of a face, and of the end of a line. */
const FACE = 20, LINE = 24;
/** The blocks of faces that are drawn, and of those that are hinted at; layers follow. */
const OF_FACES = 0, OF_HINTS = 1, OF_LAYERS = 2;
/** The most pieces of the buffer of faces that are drawn one by one, twice. */
const MOST_RUNS = 80;

/** Gives a canvas the pixels of its box. What has them is left alone: even the same number makes its buffers anew. @param {HTMLCanvasElement} canvas */
export function fit(canvas) {
  const pixel = devicePixelRatio || 1, [width, height] = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(Math.round(side * pixel), 1));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    fit(canvas);
    const gl = canvas.getContext("webgl2", { antialias: false, preserveDrawingBuffer: false });
    if (!gl) throw new Error("This browser has no WebGL 2.");
    this.gl = gl;
    this.shaders = shaders(gl);
    this.texture = gl.createTexture();
    /** What makes edges smooth, from the second frame on: the first is there sooner. @type {Smooth | null} */
    this.smooth = null;
    /** What each draw of a frame is told, here and on the card. */
    this.told = new ArrayBuffer(0);
    this.blocks = gl.createBuffer();
    /** Whether some nodes are only hinted at. */
    this.hints = false;
    /** @type {Drawn | null} */
    this.faces = null;
    /** @type {Mesh | null} */
    this.mesh = null;
    /** Whether each chunk is in sight, and whether there are too many pieces of the buffer in sight. */
    this.seen = new Uint8Array(0);
    this.isPatchy = false;
    /** The chunks that have come since the last frame. @type {Set<number>} */
    this.come = new Set();
    /** @type {Map<string, Drawn & {points: boolean, faces: boolean}>} */
    this.layers = new Map();
    /** How many calls the last frame took. */
    this.calls = 0;
    /** The height of the picture that is drawn, in pixels, and of which picture this is a piece. */
    this.height = 0;
    /** @type {{x: number, y: number, width: number, height: number} | null} */
    this.whole = null;
    this.paper = [1, 1, 1];
  }

  /** Says after the next frame why nothing is drawn, if it is not: to ask is to wait until the card has drawn all that it was given.
   * @param {(why: string) => void} report @param {() => void} again draws a frame with smooth edges */
  after(report, again) {
    const ask = () => {
      this.smooth ??= new Smooth(this.gl);
      again();
      const { faces, lines } = this.shaders, why = faces.fault() ?? lines.fault();
      if (why !== null) report(why);
    };
    requestAnimationFrame(() => setTimeout(ask));
  }

  /** Takes a mesh, and lets go of the one before. @param {Mesh} mesh */
  load(mesh) {
    const gl = this.gl;
    for (const drawn of [this.faces, ...this.layers.values()]) this.#free(drawn);
    this.layers.clear();
    const { store } = mesh, whole = new ArrayBuffer(store.triangles[store.places] * 3 * FACE);
    for (const chunk of store.chunkIn) if (chunk >= 0) faces(mesh, chunk, whole, store.triangles[store.placeOf[chunk]] * 3);
    this.mesh = mesh;
    this.come.clear();
    this.seen = new Uint8Array(mesh.chunks.length);
    this.faces = this.#store(whole, FACE);
    gl.bindVertexArray(this.faces.vao);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, FACE, 0);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, FACE, 12);
    gl.vertexAttribIPointer(2, 4, gl.UNSIGNED_BYTE, FACE, 16);
    for (const at of [0, 1, 2]) gl.enableVertexAttribArray(at);
    gl.bindVertexArray(null);
  }

  /** Takes the chunks that have come since the last frame: a buffer that is written between frames is copied each time. */
  #take() {
    const { gl, mesh } = this;
    if (!mesh || !this.faces || this.come.size === 0) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.faces.buffer);
    for (const chunk of this.come) {
      const place = mesh.store.placeOf[chunk];
      if (place < 0) continue;
      const [from, end] = mesh.store.triangles.subarray(place, place + 2), data = new ArrayBuffer((end - from) * 3 * FACE);
      // What is not filled is triangles without a surface.
      faces(mesh, chunk, data, 0);
      gl.bufferSubData(gl.ARRAY_BUFFER, from * 3 * FACE, data);
    }
    this.come.clear();
  }

  /** Shows these colours from now on. @param {Uint8Array} table @param {number} rows @param {boolean} hints whether some nodes are only hinted at */
  paint(table, rows, hints) {
    const gl = this.gl;
    this.hints = hints;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, WIDE, rows, 0, gl.RGBA, gl.UNSIGNED_BYTE, table);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** Shows a layer, or hides it if there is nothing. @param {string} name @param {Strokes | null} strokes */
  layer(name, strokes) {
    const gl = this.gl;
    this.#free(this.layers.get(name) ?? null);
    this.layers.delete(name);
    if (!strokes || strokes.count === 0) return;
    const drawn = this.#store(strokes.bytes(), LINE);
    gl.bindVertexArray(drawn.vao);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, LINE, 0);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, LINE, 12);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, LINE, 16);
    gl.vertexAttribPointer(3, 1, gl.FLOAT, false, LINE, 20);
    for (const at of [0, 1, 2, 3]) gl.enableVertexAttribArray(at);
    gl.bindVertexArray(null);
    this.layers.set(name, { ...drawn, points: strokes.points, faces: strokes.faces });
  }

  /** The longest side of what can be drawn, in pixels. */
  get largest() {
    const { gl } = this;
    return Math.min(...gl.getParameter(gl.MAX_VIEWPORT_DIMS));
  }

  /** Draws a frame, or of a larger picture the piece that begins at a pixel of it. @param {import("./camera.js").Camera} camera @param {number} pixel pixels of the canvas in one of the page @param {{x: number, y: number, width: number, height: number} | null} whole */
  frame(camera, pixel, whole = null) {
    const { gl } = this;
    this.calls = 0;
    this.#take();
    this.height = whole ? whole.height : gl.drawingBufferHeight;
    this.whole = whole;
    this.#tell(camera, pixel);
    this.smooth?.begin();
    this.#shift(0, 0);
    gl.clearColor(this.paper[0], this.paper[1], this.paper[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    // From above, a plan lies under everything; in space it stands where it is.
    if (camera.isPlan) gl.disable(gl.DEPTH_TEST);
    this.#drawLayers(true, pixel);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    if (this.faces && this.faces.count > 0) this.#drawFaces(this.faces);
    this.#drawLayers(false, pixel);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
    // A card that cannot has drawn nothing, and draws without.
    if (this.smooth?.end() === false) this.frame(camera, pixel, whole);
  }

  /** Moves all that is drawn by so many pixels. @param {number} right @param {number} up */
  #shift(right, up) {
    const { gl, whole } = this;
    if (whole) gl.viewport(right - whole.x, up + whole.y + gl.drawingBufferHeight - whole.height, whole.width, whole.height);
    else gl.viewport(right, up, gl.drawingBufferWidth, gl.drawingBufferHeight);
  }

  /** Tells the card about all draws of a frame at once. @param {import("./camera.js").Camera} camera @param {number} pixel */
  #tell({ matrix, focal }, pixel) {
    const { gl, layers } = this, bytes = (OF_LAYERS + layers.size) * APART, scale = focal * this.height;
    if (this.told.byteLength !== bytes) this.told = new ArrayBuffer(bytes);
    for (const which of [OF_FACES, OF_HINTS]) tell(this.told, which, matrix, pixel, 0, scale, 0, 0, which === OF_FACES, false);
    let at = OF_LAYERS;
    for (const [name, { points }] of layers) {
      const size = (name === "nodes" ? 9 : 7) * pixel, behind = isPlan(name) ? 0.0004 : -0.0006, ring = name === "discs" ? 2 : 0.72;
      tell(this.told, at++, matrix, pixel, size, scale, behind, ring, true, points);
    }
    gl.bindBuffer(gl.UNIFORM_BUFFER, this.blocks);
    gl.bufferData(gl.UNIFORM_BUFFER, this.told, gl.STREAM_DRAW);
  }

  /** Lets the next draw read a block. @param {number} at */
  #read(at) {
    this.gl.bindBufferRange(this.gl.UNIFORM_BUFFER, 0, this.blocks, at * APART, BLOCK);
  }

  /** Draws the floor plan, or all other layers. @param {boolean} plan @param {number} pixel */
  #drawLayers(plan, pixel) {
    const { gl } = this;
    let at = OF_LAYERS, begun = false;
    for (const [name, drawn] of this.layers) {
      if (isPlan(name) === plan) {
        if (!begun) gl.useProgram(this.shaders.lines.program);
        begun = true;
        gl.enable(gl.BLEND);
        this.#drawLayer(name, drawn, pixel, at);
      }
      at++;
    }
  }

  /** @param {string} name @param {Drawn & {points: boolean, faces: boolean}} drawn @param {number} pixel @param {number} at its block */
  #drawLayer(name, drawn, pixel, at) {
    const { gl } = this;
    gl.bindVertexArray(drawn.vao);
    this.#read(at);
    gl.depthMask(name !== "discs" && name !== "squares");
    gl.drawArrays(drawn.faces ? gl.TRIANGLES : drawn.points ? gl.POINTS : gl.LINES, 0, drawn.count);
    this.calls++;
    // Lines are one pixel wide everywhere: in a larger picture they are drawn beside themselves.
    const pen = this.whole && !drawn.faces && !drawn.points ? Math.round(pixel) : 1;
    for (let step = 0; step < pen * 2 && pen > 1; step++) {
      const by = (step >> 1) - (pen >> 1);
      this.#shift(step & 1 ? by : 0, step & 1 ? 0 : by);
      gl.drawArrays(gl.LINES, 0, drawn.count);
    }
    if (pen > 1) this.#shift(0, 0);
  }

  /** @param {Drawn} faces */
  #drawFaces(faces) {
    const { gl } = this;
    gl.useProgram(this.shaders.faces.program);
    gl.bindVertexArray(faces.vao);
    this.#read(OF_FACES);
    this.#drawChunks();
    if (!this.hints) return;
    // What is only hinted at does not hide what is seen.
    this.#read(OF_HINTS);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.#drawChunks();
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** Finds out which chunks are in sight, before a frame. @param {Float32Array} matrix */
  look(matrix) {
    const { mesh, seen } = this;
    if (!mesh) return;
    for (let chunk = 0; chunk < seen.length; chunk++) seen[chunk] = inSight(matrix, mesh.boxes, chunk * 6) ? 1 : 0;
    const { chunkIn, places } = mesh.store;
    let runs = 0;
    for (let place = 0, before = 0; place < places; place++) {
      const now = chunkIn[place] >= 0 ? seen[chunkIn[place]] : 0;
      if (now > before) runs++;
      before = now;
    }
    this.isPatchy = runs > MOST_RUNS;
  }

  /** Draws the chunks in sight; those that follow each other in one call, and all if they are in too many pieces. */
  #drawChunks() {
    if (!this.mesh) return;
    const { chunkIn, places, triangles } = this.mesh.store;
    let start = -1;
    for (let place = 0; place <= places; place++) {
      const drawn = place < places && (this.isPatchy || (chunkIn[place] >= 0 && this.seen[chunkIn[place]] === 1));
      if (drawn && start < 0) start = place;
      if (drawn || start < 0) continue;
      if (triangles[place] > triangles[start]) this.#draw(triangles[start] * 3, (triangles[place] - triangles[start]) * 3);
      start = -1;
    }
  }

  /** @param {number} first @param {number} count */
  #draw(first, count) {
    this.gl.drawArrays(this.gl.TRIANGLES, first, count);
    this.calls++;
  }

  /** @param {ArrayBuffer} data @param {number} size @returns {Drawn} */
  #store(data, size) {
    const gl = this.gl;
    const [vao, buffer] = [gl.createVertexArray(), gl.createBuffer()];
    gl.bindVertexArray(vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return { vao, buffer, count: data.byteLength / size };
  }

  /** @param {Drawn | null} drawn */
  #free(drawn) {
    if (!drawn) return;
    this.gl.deleteVertexArray(drawn.vao);
    this.gl.deleteBuffer(drawn.buffer);
  }
}

/** Whether a layer is of the floor plan. @param {string} name */
function isPlan(name) {
  return name.startsWith("plan ");
}

/** Whether a box may be on the canvas: not all of it lies beyond one side. What is in no box may be anywhere. @param {Float32Array} m @param {Float32Array} box @param {number} at */
function inSight(m, box, at) {
  let [left, right, below, above] = [0, 0, 0, 0];
  if (!(box[at] <= box[at + 3])) return true;
  for (let corner = 0; corner < 8; corner++) {
    const u = box[at + (corner & 1 ? 3 : 0)], v = box[at + (corner & 2 ? 4 : 1)], h = box[at + (corner & 4 ? 5 : 2)];
    const w = m[3] * u + m[7] * v + m[11] * h + m[15];
    const x = m[0] * u + m[4] * v + m[8] * h + m[12], y = m[1] * u + m[5] * v + m[9] * h + m[13];
    left += x < -w ? 1 : 0;
    right += x > w ? 1 : 0;
    below += y < -w ? 1 : 0;
    above += y > w ? 1 : 0;
  }
  return left < 8 && right < 8 && below < 8 && above < 8;
}

/** The corners of the faces of a chunk as triangles. @param {Mesh} mesh @param {number} chunk @param {ArrayBuffer} data @param {number} next the first corner that is written */
function faces(mesh, chunk, data, next) {
  const [floats, words] = [new Float32Array(data), new Uint32Array(data)], p = mesh.positions;
  const isFace = (/** @type {number} */ node) => !mesh.isPoint(node) && Number.isFinite(mesh.centers[node * 3] + mesh.centers[node * 3 + 1] + mesh.centers[node * 3 + 2]);
  for (let node = mesh.firsts[chunk]; node < mesh.firsts[chunk + 1]; node++) {
    if (!isFace(node)) continue;
    const [first, end] = [mesh.firstCorner[node], mesh.endCorner[node]];
    const light = shade(p, first, end);
    for (let corner = first + 1; corner + 1 < end; corner++) {
      // Opposite to the first corner is a side of the polygon; the other two may be inside.
      const inner = (corner + 2 < end ? 2 : 0) | (corner > first + 1 ? 4 : 0);
      for (let which = 0; which < 3; which++, next++) {
        const at = (which === 0 ? first : corner + which - 1) * 3, to = next * 5;
        for (let axis = 0; axis < 3; axis++) floats[to + axis] = p[at + axis];
        words[to + 3] = node;
        words[to + 4] = which | (inner << 8) | (light << 16);
      }
    }
  }
}

/** How light a slope is, lit from the upper left as in a picture: 128 is flat. @param {Float32Array} p @param {number} first @param {number} end */
function shade(p, first, end) {
  let [x, y, z] = [0, 0, 0];
  for (let corner = first + 1; corner + 1 < end; corner++) {
    const [a, b, o] = [corner * 3, corner * 3 + 3, first * 3];
    const [ax, ay, az] = [p[a] - p[o], p[a + 1] - p[o + 1], p[a + 2] - p[o + 2]];
    const [bx, by, bz] = [p[b] - p[o], p[b + 1] - p[o + 1], p[b + 2] - p[o + 2]];
    (x += ay * bz - az * by), (y += az * bx - ax * bz), (z += ax * by - ay * bx);
  }
  const long = Math.hypot(x, y, z) * (z < 0 ? -1 : 1);
  if (!(Math.abs(long) > 0) || !Number.isFinite(long)) return 128;
  const lit = ((-0.55 * x + 0.55 * y + 0.63 * z) / long - 0.63) * 0.6;
  return Math.round((Math.min(Math.max(lit, -0.3), 0.25) + 0.5) * 255);
}
