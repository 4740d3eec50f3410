// node detour.mjs FOLDER-WITH-NODE_MODULES MESH QUESTIONS: for each line that comes in, Detour answers each line of QUESTIONS ("point
// x y z", or "way" or "none" with two points, in metres) with the point of the mesh, or the length of the way, and tells the
// microseconds that a question of each kind takes. It is called through the bindings themselves, not their wrapper, which makes
// objects for every call.
import fs from "fs";
import path from "path";
import readline from "readline";
import { pathToFileURL } from "url";
const [folder, mesh, questions] = process.argv.slice(2);
const core = path.resolve(folder, "node_modules/@recast-navigation/core/dist/index.mjs");
const { init, importNavMesh, NavMeshQuery, Raw, UnsignedIntArray, FloatArray, UnsignedCharArray } = await import(
  pathToFileURL(core)
);
await init();
const { navMesh } = importNavMesh(new Uint8Array(fs.readFileSync(mesh)));
const MOST = 1024;
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
const [raw, filter] = [query.raw, query.defaultFilter.raw];
const [reach, ref, over] = [[1, 2, 1], new Raw.UnsignedIntRef(), new Raw.BoolRef()];
const [from, to] = [new Raw.Vec3(), new Raw.Vec3()];
const [polys, corners, flags, refs] = [new UnsignedIntArray(), new FloatArray(), new UnsignedCharArray(), new UnsignedIntArray()];
const count = new Raw.IntRef();
const near = (point, out) => {
  raw.findNearestPoly(point, reach, filter, ref, out, over);
  return ref.value;
};
const ask = {
  point([at]) {
    near(at, from);
    return [from.x, from.y, from.z];
  },
  way([start, end]) {
    const [a, b] = [near(start, from), near(end, to)];
    const [p, q] = [[from.x, from.y, from.z], [to.x, to.y, to.z]];
    // Detour shortens the lists to what it found.
    for (const list of [polys, flags, refs]) list.resize(MOST);
    corners.resize(3 * MOST);
    raw.findPath(a, b, p, q, filter, polys.raw, MOST);
    // A way that does not end at the goal leads to the place nearest to it.
    const size = polys.size;
    if (!size || polys.get(size - 1) !== b) return ["none"];
    raw.findStraightPath(p, q, polys.raw, corners.raw, flags.raw, refs.raw, count, MOST, 0);
    let length = 0;
    for (let i = 1; i < count.value; i++) {
      const off = (axis) => corners.get(3 * i + axis) - corners.get(3 * i - 3 + axis);
      length += Math.hypot(off(0), off(1), off(2));
    }
    return [length];
  },
};
ask.none = ask.way;
const asked = { point: [], way: [], none: [] };
for (const line of fs.readFileSync(questions, "utf8").trim().split("\n")) {
  const [kind, ...words] = line.split(" ");
  const numbers = words.map(Number);
  const points = [];
  for (let at = 0; at < numbers.length; at += 3) points.push(numbers.slice(at, at + 3));
  asked[kind].push(points);
}
for await (const _ of readline.createInterface({ input: process.stdin })) {
  const [out, times] = [[], []];
  for (const kind of ["point", "way", "none"]) {
    const start = process.cpuUsage();
    const answers = asked[kind].map(ask[kind]);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / asked[kind].length);
    for (const answer of answers) out.push(`${kind} ${answer.join(" ")}`);
  }
  console.log(`${out.join("\n")}\ntimes ${times.join(" ")}`);
}
