// Made meshes of any size, for tests and measurements of the page.

/** Bytes of an area of version 9 besides its links: head, four lists of links, and what such an area does not have. */
const AREA = 38 + 16 + 2 + 4 + 2 + 8 + 8;
const SIDE = 25;

/** A mesh of Source, version 9: a field of so many areas, each linked with those beside it, over hills. @param {number} wide @param {number} high */
export function field(wide, high) {
  const links = (wide - 1) * high + wide * (high - 1);
  const bytes = Buffer.alloc(18 + wide * high * AREA + links * 8 + 4);
  let at = 0;
  const put = (/** @type {"writeUInt8" | "writeUInt16LE" | "writeUInt32LE" | "writeFloatLE"} */ how, /** @type {number} */ value) => (at = bytes[how](value, at));
  const word = (/** @type {number} */ value) => put("writeUInt32LE", value), float = (/** @type {number} */ value) => put("writeFloatLE", value);
  const height = (/** @type {number} */ column, /** @type {number} */ row) => Math.round(120 * Math.sin(column / 17) * Math.cos(row / 13));
  const id = (/** @type {number} */ column, /** @type {number} */ row) => row * wide + column + 1;
  // Magic, version, size of the map, no places, the number of areas.
  for (const value of [0xfeedface, 9, 0]) word(value);
  put("writeUInt16LE", 0);
  word(wide * high);
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      word(id(column, row));
      put("writeUInt16LE", 0);
      for (const [right, down] of [[0, 0], [1, 1]]) for (const value of [(column + right) * SIDE, (row + down) * SIDE, height(column + right, row + down)]) float(value);
      float(height(column + 1, row));
      float(height(column, row + 1));
      // North, east, south, west.
      for (const [right, down] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) {
        const [c, r] = [column + right, row + down], is = c >= 0 && r >= 0 && c < wide && r < high;
        word(is ? 1 : 0);
        if (is) word(id(c, r));
      }
      // No hiding spots, approaches, encounters and place; two lists of ladders, and when it is reached.
      for (let byte = 0; byte < 2; byte++) put("writeUInt8", 0);
      word(0);
      put("writeUInt16LE", 0);
      for (let zero = 0; zero < 4; zero++) word(0);
    }
  }
  word(0);
  return bytes;
}
