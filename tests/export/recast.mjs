// node recast.mjs FOLDER-WITH-NODE_MODULES MESH QUERIES: a real Detour loads the mesh and answers each line of QUERIES
// ("x y z x y z REFERENCES REFERENCES": start and end in metres, and the polygons of either) with the length of the way, or
// "none" where there is none.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";
const [folder, mesh, queries] = process.argv.slice(2);
const core = path.resolve(folder, "node_modules/@recast-navigation/core/dist/index.mjs");
const { init, importNavMesh, NavMeshQuery } = await import(pathToFileURL(core));
await init();
const { navMesh } = importNavMesh(new Uint8Array(fs.readFileSync(mesh)));
const query = new NavMeshQuery(navMesh, { maxNodes: 65535 });
// Of the polygons of a node, the one that is nearest to the point.
const at = (point, references) => {
  let best = { far: Infinity, nearestRef: 0, nearestPoint: point };
  for (const ref of (references ?? "").split(",").filter(Boolean).map(Number)) {
    const { success, closestPoint: p } = query.closestPointOnPoly(ref, point);
    const far = Math.hypot(p.x - point.x, p.y - point.y, p.z - point.z);
    if (success && far < best.far) best = { far, nearestRef: ref, nearestPoint: p };
  }
  return best;
};
const out = [];
for (const line of fs.readFileSync(queries, "utf8").trim().split("\n")) {
  const words = line.split(" ");
  const [a, b, c, d, e, f] = words.map(Number);
  const [from, to] = [at({ x: a, y: b, z: c }, words[6]), at({ x: d, y: e, z: f }, words[7])];
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
    const corner = (k) => [0, 1, 2].map((axis) => straight.straightPath.get(3 * k + axis));
    const [p, q] = [corner(i - 1), corner(i)];
    length += Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }
  out.push(length.toFixed(3));
  for (const list of [found.polys, straight.straightPath, straight.straightPathFlags, straight.straightPathRefs]) list.destroy();
}
console.log(out.join("\n"));
