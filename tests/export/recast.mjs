// node recast.mjs FOLDER-WITH-NODE_MODULES MESH QUERIES: a real Detour loads the mesh and answers each line of QUERIES
// ("x y z x y z", start and end in metres) with the length of the way, or "none" where there is none.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";
const [folder, mesh, queries] = process.argv.slice(2);
const core = path.resolve(folder, "node_modules/@recast-navigation/core/dist/index.mjs");
const { init, importNavMesh, NavMeshQuery } = await import(pathToFileURL(core));
await init();
const { navMesh } = importNavMesh(new Uint8Array(fs.readFileSync(mesh)));
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
const halfExtents = { x: 0.3, y: 0.6, z: 0.3 };
const out = [];
for (const line of fs.readFileSync(queries, "utf8").trim().split("\n")) {
  const [a, b, c, d, e, f] = line.split(" ").map(Number);
  const from = query.findNearestPoly({ x: a, y: b, z: c }, { halfExtents });
  const to = query.findNearestPoly({ x: d, y: e, z: f }, { halfExtents });
  if (!from.nearestRef || !to.nearestRef) {
    out.push("nowhere");
    continue;
  }
  const found = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint, { maxPathPolys: 4096 });
  const polys = Array.from(found.polys.toTypedArray());
  // A way that does not end at the goal leads to the place nearest to it.
  const end = polys.lastIndexOf(to.nearestRef);
  if (!found.success || end < 0) {
    out.push("none");
    found.polys.destroy();
    continue;
  }
  const straight = query.findStraightPath(from.nearestPoint, to.nearestPoint, polys.slice(0, end + 1), {
    maxStraightPathPoints: 4096,
  });
  let length = 0;
  for (let i = 1; i < straight.straightPathCount; i++) {
    const at = (k) => [0, 1, 2].map((axis) => straight.straightPath.get(3 * k + axis));
    const [p, q] = [at(i - 1), at(i)];
    length += Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }
  out.push(length.toFixed(3));
  for (const list of [found.polys, straight.straightPath, straight.straightPathFlags, straight.straightPathRefs]) list.destroy();
}
console.log(out.join("\n"));
