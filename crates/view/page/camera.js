// The one camera: from above without perspective, or in space.

const STEEP = Math.PI / 2;
/** Half of the angle of view in space. */
const OPENING = Math.tan((40 * Math.PI) / 360);

export class Camera {
  constructor() {
    /** What is looked at: right, up, height. */
    this.target = [0, 0, 0];
    this.yaw = 0;
    /** From the horizon down. */
    this.pitch = STEEP;
    /** How much of the world the height of the canvas shows, at the target. */
    this.span = 100;
    /** By how much heights are stretched. */
    this.stretch = 1;
    this.width = 1;
    this.height = 1;
    /** The size of the world around the target: nothing beyond it is drawn. */
    this.reach = 1000;
    this.matrix = new Float32Array(16);
    this.right = [1, 0, 0];
    this.up = [0, 1, 0];
    this.forward = [0, 0, -1];
  }

  get isPlan() {
    return this.pitch > STEEP - 1e-3;
  }

  /** Pixels of the page in a unit, at the target. */
  get scale() {
    return this.height / this.span;
  }

  /** Heights of the canvas that a unit takes, twice, at distance 1. */
  get focal() {
    return this.isPlan ? 2 / this.span : 1 / OPENING;
  }

  /** What it looks at, and how much of it, in one word. */
  get place() {
    return [...this.target, this.span].join();
  }

  /** Shows a box. @param {number[]} middle @param {number[]} half @param {number} air */
  frame(middle, half, air = 1.06) {
    const aspect = this.width / this.height;
    this.target = [...middle];
    if (this.isPlan) {
      const [c, s] = [Math.abs(Math.cos(this.yaw)), Math.abs(Math.sin(this.yaw))];
      this.span = 2 * air * Math.max((half[0] * c + half[1] * s) / aspect, half[0] * s + half[1] * c, 1e-3);
    } else {
      const round = Math.hypot(half[0], half[1], half[2] * this.stretch);
      this.span = 2 * air * Math.max(round / Math.min(aspect, 1), 1e-3) * 0.8;
    }
  }

  /** Works out the matrix from everything else. */
  update() {
    const [cy, sy, cp, sp] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    const [r, u, f] = [this.right, this.up, this.forward];
    (r[0] = cy), (r[1] = sy), (r[2] = 0);
    (u[0] = -sy * sp), (u[1] = cy * sp), (u[2] = cp);
    (f[0] = -sy * cp), (f[1] = cy * cp), (f[2] = -sp);
    const aspect = this.width / this.height, half = this.span / 2, t = this.target, h = t[2] * this.stretch;
    const along = (/** @type {number[]} */ axis) => axis[0] * t[0] + axis[1] * t[1] + axis[2] * h;
    const m = this.matrix, plan = this.isPlan;
    const far = this.reach + half * 4, near = plan ? -far : Math.max(half * 0.02, 1e-3);
    const away = half / OPENING, kx = (plan ? 1 / half : 1 / OPENING) / aspect, ky = plan ? 1 / half : 1 / OPENING;
    // Depth is along the view: linear from above, with perspective in space.
    const end = away + far;
    const [za, zb] = plan ? [1 / far, 0] : [(end + near) / (end - near), (-2 * end * near) / (end - near)];
    for (let i = 0; i < 3; i++) {
      const tall = i === 2 ? this.stretch : 1;
      m[i * 4] = r[i] * kx * tall;
      m[i * 4 + 1] = u[i] * ky * tall;
      m[i * 4 + 2] = f[i] * za * tall;
      m[i * 4 + 3] = plan ? 0 : f[i] * tall;
    }
    const depth = plan ? -along(f) : away - along(f);
    m[12] = -along(r) * kx;
    m[13] = -along(u) * ky;
    m[14] = depth * za + zb;
    m[15] = plan ? 1 : depth;
  }

  /** The ray through a point of the canvas, in pixels: where it begins, and its direction. @param {number} x @param {number} y */
  ray(x, y) {
    const half = this.span / 2, aspect = this.width / this.height;
    const a = ((2 * x) / this.width - 1) * aspect, b = 1 - (2 * y) / this.height;
    const t = [this.target[0], this.target[1], this.target[2] * this.stretch];
    const [from, along] = [[0, 0, 0], [0, 0, 0]];
    for (let i = 0; i < 3; i++) {
      const [r, u, f] = [this.right[i], this.up[i], this.forward[i]];
      if (this.isPlan) {
        from[i] = t[i] + (r * a + u * b) * half - f * this.reach;
        along[i] = f;
      } else {
        from[i] = t[i] - (f * half) / OPENING;
        along[i] = f + (r * a + u * b) * OPENING;
      }
    }
    from[2] /= this.stretch;
    along[2] /= this.stretch;
    return { from, along };
  }

  /** Where a point of the canvas meets a height; `null` if it does not. @param {number} x @param {number} y @param {number} height */
  onHeight(x, y, height) {
    const { from, along } = this.ray(x, y);
    const t = (height - from[2]) / along[2];
    if (!(t > 0) || t > this.reach * 50) return null;
    return [from[0] + along[0] * t, from[1] + along[1] * t, height];
  }

  /** Where a position is on the canvas, into `out`: x, y in pixels, and whether it is in front. @param {number} u @param {number} v @param {number} h @param {number[]} out */
  project(u, v, h, out) {
    const m = this.matrix;
    const w = m[3] * u + m[7] * v + m[11] * h + m[15];
    out[0] = ((m[0] * u + m[4] * v + m[8] * h + m[12]) / w / 2 + 0.5) * this.width;
    out[1] = (0.5 - (m[1] * u + m[5] * v + m[9] * h + m[13]) / w / 2) * this.height;
    out[2] = w;
    return w > 0;
  }

  /** Moves what is seen by pixels. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const [x, y] = [dx / this.scale, dy / this.scale];
    // On the ground, so that the height that is looked at stays.
    const [cy, sy] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const deep = y / Math.max(Math.sin(this.pitch), 0.25);
    this.target[0] -= cy * x + sy * deep;
    this.target[1] -= sy * x - cy * deep;
  }

  /** @param {number} dx @param {number} dy */
  turn(dx, dy) {
    this.yaw -= dx * 0.006;
    if (!this.isPlan) this.pitch = Math.min(Math.max(this.pitch + dy * 0.006, 0.08), STEEP - 0.02);
  }

  /** Comes nearer by a factor, to a point of the canvas. @param {number} factor @param {number} x @param {number} y */
  zoom(factor, x, y) {
    this.update();
    const before = this.onHeight(x, y, this.target[2]);
    const span = this.span * factor;
    this.span = Math.min(Math.max(span, this.reach * 1e-5), this.reach * 8);
    this.update();
    const after = this.onHeight(x, y, this.target[2]);
    if (!before || !after) return;
    const limit = this.span * 2;
    for (let i = 0; i < 2; i++) this.target[i] += Math.min(Math.max(before[i] - after[i], -limit), limit);
  }
}
