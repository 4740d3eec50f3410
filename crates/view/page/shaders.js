// The programs of the graphics card.

/** What a draw is told. The only block of a program has the first binding, so that nobody asks where it is: every question waits until
 * the card has drawn what it was given before. */
const DRAW = `layout(std140) uniform Draw {
  highp mat4 matrix;
  highp float pixel;
  highp float size;
  highp float scale;
  highp float behind;
  highp float ring;
  highp int wanted;
  highp int round;
};`;

/** The bytes of a block, and from one to the next: no card asks for more. */
export const BLOCK = 96, APART = 256;

/** Writes what a draw is told. @param {ArrayBuffer} blocks @param {number} at which block @param {Float32Array} matrix @param {number} pixel @param {number} size @param {number} scale @param {number} behind @param {number} ring @param {boolean} wanted @param {boolean} round */
export function tell(blocks, at, matrix, pixel, size, scale, behind, ring, wanted, round) {
  const floats = new Float32Array(blocks, at * APART, BLOCK / 4), whole = new Int32Array(blocks, at * APART, BLOCK / 4);
  floats.set(matrix);
  floats[16] = pixel;
  floats[17] = size;
  floats[18] = scale;
  floats[19] = behind;
  floats[20] = ring;
  whole[21] = wanted ? 1 : 0;
  whole[22] = round ? 1 : 0;
}

const FACE_VERTEX = `#version 300 es
${DRAW}
uniform highp sampler2D table;
layout(location = 0) in vec3 position;
layout(location = 1) in uint node;
layout(location = 2) in uvec4 look; // corner, inner sides, shade
flat out vec4 ink;
out vec3 sides;
void main() {
  vec4 own = texelFetch(table, ivec2(int(node & 1023u), int(node >> 10u)), 0);
  bool seen = own.a > 0.99;
  bool drawn = own.a > 0.0 && (wanted == 1) == seen;
  gl_Position = drawn ? matrix * vec4(position, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  float shade = float(look.z) / 255.0 - 0.5;
  vec3 lit = mix(own.rgb, shade < 0.0 ? vec3(0.0) : vec3(1.0), abs(shade));
  ink = vec4(lit, own.a);
  sides = vec3(look.x == 0u, look.x == 1u, look.x == 2u);
  // A side inside a fan is moved away from every pixel.
  sides += vec3(look.y & 1u, (look.y >> 1u) & 1u, (look.y >> 2u) & 1u) * 4.0;
}`;

const FACE_FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 ink;
in vec3 sides;
${DRAW}
out vec4 colour;
void main() {
  vec3 wide = fwidth(sides);
  vec3 near = sides / max(wide, vec3(1e-6));
  float edge = 1.0 - smoothstep(0.3 * pixel, 1.1 * pixel, min(near.x, min(near.y, near.z)));
  // Small triangles would be nothing but edge.
  float small = max(wide.x, max(wide.y, wide.z));
  edge *= 1.0 - smoothstep(0.08, 0.3, small);
  colour = vec4(mix(ink.rgb, ink.rgb * 0.65, edge), 1.0) * ink.a;
}`;

const LINE_VERTEX = `#version 300 es
${DRAW}
uniform highp sampler2D table;
layout(location = 0) in vec3 position;
layout(location = 1) in uint node;
layout(location = 2) in vec4 own;
layout(location = 3) in float radius;
out vec4 ink;
void main() {
  float seen = node == 0xffffffffu ? 1.0 : texelFetch(table, ivec2(int(node & 1023u), int(node >> 10u)), 0).a;
  gl_Position = seen > 0.99 ? matrix * vec4(position, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  // A little nearer than the floor that it lies on, or behind it.
  gl_Position.z += behind * gl_Position.w;
  gl_PointSize = max(size, radius * scale / max(gl_Position.w, 1e-6));
  ink = own;
}`;

const LINE_FRAGMENT = `#version 300 es
precision mediump float;
in vec4 ink;
${DRAW}
out vec4 colour;
void main() {
  float away = round != 0 ? length(gl_PointCoord - 0.5) * 2.0 : 0.0;
  if (away > 1.0) discard;
  vec3 rim = away > ring ? ink.rgb * 0.5 : ink.rgb;
  colour = vec4(rim, 1.0) * ink.a;
}`;

/** @typedef {{program: WebGLProgram, fault: () => string | null}} Shader */

/** @param {WebGL2RenderingContext} gl @param {string} vertex @param {string} fragment @returns {Shader} */
function linked(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]])) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error("the graphics context is lost");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const fault = () => (gl.getProgramParameter(program, gl.LINK_STATUS) ? null : gl.getProgramInfoLog(program) || "a shader does not link");
  return { program, fault };
}

/** @param {WebGL2RenderingContext} gl */
export function shaders(gl) {
  const faces = linked(gl, FACE_VERTEX, FACE_FRAGMENT);
  /** @type {Shader | null} */
  let lines = null;
  // The first frame rarely has a line, and would wait for it.
  return { faces, get lines() { return (lines ??= linked(gl, LINE_VERTEX, LINE_FRAGMENT)); } };
}
