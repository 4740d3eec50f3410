// node detour.mjs FOLDER-WITH-NODE_MODULES MESH SCENE: the crowd of a real Detour walks a scene, and prints after how many seconds
// each agent was near to its goal, or null.
import fs from "fs";
import path from "path";
import { pathToFileURL } from "url";
const [folder, mesh, asked] = process.argv.slice(2);
const core = path.resolve(folder, "node_modules/@recast-navigation/core/dist/index.mjs");
const { init, importNavMesh, Crowd } = await import(pathToFileURL(core));
await init();
const { navMesh } = importNavMesh(new Uint8Array(fs.readFileSync(mesh)));
const { walks, tick, seconds, near } = JSON.parse(fs.readFileSync(asked, "utf8"));
const point = ([x, y, z]) => ({ x, y, z });
const crowd = new Crowd(navMesh, { maxAgents: walks.length, maxAgentRadius: 0.5 });
const agents = walks.map(([from, to]) => {
  const agent = crowd.addAgent(point(from), {
    radius: 0.4,
    height: 1.8,
    maxAcceleration: 12,
    maxSpeed: 3.5,
    collisionQueryRange: 0.4 * 12,
    pathOptimizationRange: 0.4 * 30,
    separationWeight: 2,
    updateFlags: 31,
    obstacleAvoidanceType: 3,
  });
  agent.requestMoveTarget(point(to));
  return agent;
});
const done = walks.map(() => null);
for (let at = 1; at <= seconds / tick; at++) {
  crowd.update(tick);
  agents.forEach((agent, i) => {
    const [p, q] = [agent.position(), point(walks[i][1])];
    if (done[i] === null && Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z) <= near) done[i] = at * tick;
  });
}
console.log(JSON.stringify(done));
