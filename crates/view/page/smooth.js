// Smooth edges: what is drawn goes to buffers with several samples a pixel first.

/** The most samples of a pixel. */
const SAMPLES = 4;

/** Buffers as large as the canvas. A context that has them by itself makes them before anything else, and draws the first frame in them. */
export class Smooth {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.frame = gl.createFramebuffer();
    this.buffers = [gl.createRenderbuffer(), gl.createRenderbuffer()];
    this.width = this.height = 0;
    /** Whether the card does it; unknown before the first frame. @type {boolean | null} */
    this.works = null;
  }

  /** What follows is drawn into the buffers. */
  begin() {
    if (this.works === false) return;
    const { gl } = this, { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    if (this.width === width && this.height === height) return;
    Object.assign(this, { width, height });
    const samples = Math.min(SAMPLES, gl.getParameter(gl.MAX_SAMPLES));
    for (const [at, format, place] of /** @type {const} */ ([[0, gl.RGBA8, gl.COLOR_ATTACHMENT0], [1, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT]])) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, this.buffers[at]);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, this.buffers[at]);
    }
  }

  /** Puts what was drawn on the canvas. Whether it is there. */
  end() {
    if (this.works === false) return true;
    const { gl, width, height } = this;
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.frame);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return (this.works ??= gl.getError() === gl.NO_ERROR);
  }
}
