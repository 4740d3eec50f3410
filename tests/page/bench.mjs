// How fast the page is: `node tests/page/bench.mjs PROGRAM PLAYWRIGHT CHROMIUM`, from the root of the checkout. PROGRAM should be an
// optimised build. Prints each figure beside its bar, the best of some runs; drawing is by software (SwiftShader), 1280 x 800.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { field } from "./made.mjs";

const [program, playwright, executablePath] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(playwright), "node_modules/"))("playwright-core");
const temp = mkdtempSync(join(tmpdir(), "navmap-bench-"));
const RUNS = 5;

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run"],
});

let missed = 0;

/** Prints a figure beside its bar. */
function row(what, figure, unit, bar) {
  const digits = figure < 10 ? 3 : 1, verdict = bar === null ? "" : figure <= bar ? `bar ${bar}` : `bar ${bar}: MISSED`;
  if (verdict.endsWith("MISSED")) missed++;
  console.log(`${what.padEnd(58)} ${figure.toFixed(digits).padStart(10)} ${unit.padEnd(6)} ${verdict}`);
}

/** Starts the program on paths, and stops it after `use`. */
async function served(paths, use) {
  const child = spawn(program, ["view", ...paths], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, XDG_STATE_HOME: join(temp, "state") } });
  try {
    const address = await new Promise((done, failed) => {
      let text = "";
      child.stdout.on("data", (piece) => (text += piece).includes("\n") && done(text.trim()));
      child.on("exit", (status) => failed(new Error(`the program ended: ${status}`)));
    });
    await use(address);
  } finally {
    child.kill("SIGINT");
  }
}

/** Opens an address with the page's own application at hand as `bench`, which nobody else needs. */
async function opened(address, use) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), page = await context.newPage();
  await page.route("**/start.js", async (route) => {
    const answer = await route.fetch(), made = "app = new App(canvas, new Painter(canvas));";
    await route.fulfill({ response: answer, body: (await answer.text()).replace(made, `${made} globalThis.bench = app;`) });
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready='1']", { state: "attached" });
  await use(page);
  await context.close();
}

/** From the start of the navigation to the first frame, in milliseconds: the best of some runs in a browser that is warm. */
async function firstFrame(address, holds) {
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } }), page = await context.newPage();
    // Nobody draws frames, or asks, while the page is at work.
    await page.addInitScript((holds) => {
      const observer = new MutationObserver(() => {
        const { ready, listed } = document.documentElement.dataset;
        if (ready !== "1" || (holds !== null && listed !== holds)) return;
        observer.disconnect();
        requestAnimationFrame(() => (globalThis.shown = performance.now()));
      });
      observer.observe(document, { attributes: true, subtree: true, attributeFilter: ["data-ready", "data-listed"] });
    }, holds);
    await page.goto(address);
    const shown = () => page.evaluate(() => globalThis.shown ?? null);
    let at = await shown();
    for (; at === null; at = await shown()) await page.waitForTimeout(400);
    best = Math.min(best, at);
    await context.close();
  }
  return best;
}

/** Serves a page that has a canvas of the same size with one triangle, and nothing else: what no page is faster than here. */
async function empty(use) {
  const text = `<!doctype html><html><body style="margin:0"><canvas width="1280" height="800"></canvas><script>
    const gl = document.querySelector("canvas").getContext("webgl2", { antialias: true, alpha: false }), program = gl.createProgram();
    const shader = (kind, text) => {
      const made = gl.createShader(kind);
      gl.shaderSource(made, "#version 300 es\\nprecision highp float;" + text);
      gl.compileShader(made);
      gl.attachShader(program, made);
    };
    shader(gl.VERTEX_SHADER, "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1), 0.0, 1.0); }");
    shader(gl.FRAGMENT_SHADER, "out vec4 ink; void main() { ink = vec4(1.0); }");
    gl.linkProgram(program);
    gl.useProgram(program);
    requestAnimationFrame(() => {
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      document.documentElement.dataset.ready = "1";
    });
  </script></body></html>`;
  const server = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(text));
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  await use(`http://127.0.0.1:${server.address().port}/`);
  server.close();
}

/** What the page takes to pick, to ask for a frame, and until it is drawn, in milliseconds. */
async function frames(page) {
  return page.evaluate(async () => {
    const { bench: app } = globalThis, { camera, grid, ink, painter } = app, { gl } = painter, pixel = new Uint8Array(4);
    const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    const picks = (count) => {
      const start = performance.now();
      for (let n = 0; n < count; n++) grid.pick(camera, ((n * 37) % 997) * (camera.width / 997), ((n * 53) % 991) * (camera.height / 991), ink.table);
      return (performance.now() - start) / count;
    };
    const draws = (count) => {
      let script = Infinity, drawn = Infinity;
      for (let n = 0; n < count; n++) {
        camera.yaw += n % 2 ? 0.001 : -0.001;
        finish();
        const start = performance.now();
        app.frame();
        script = Math.min(script, performance.now() - start);
        finish();
        drawn = Math.min(drawn, performance.now() - start);
      }
      return { script, drawn, calls: painter.calls };
    };
    app.home();
    picks(200);
    const plan = { pick: picks(2000), ...draws(12) };
    app.look("space");
    camera.update();
    return { plan, space: { pick: picks(1000), ...draws(12) } };
  });
}

/** What the program takes until a mesh that is not in memory is read, checked and made into chunks, and its head is sent. */
async function cold(address) {
  let best = Infinity;
  for (let run = 0; run < 2 * RUNS; run++) {
    // Two meshes are kept, and the others go.
    for (const number of [0, 2]) await (await fetch(`${address}m/${number}/head`)).arrayBuffer();
    const start = performance.now();
    await (await fetch(`${address}m/1/head`)).arrayBuffer();
    best = Math.min(best, performance.now() - start);
  }
  row("20,000 areas: read, checked, and made into chunks", best, "ms", null);
}

/** What an edit takes: until the program has answered, and until its mesh is shown. */
async function edits(address) {
  await opened(address, async (page) => {
    await page.waitForSelector("html[data-revision='0']", { state: "attached" });
    const best = await page.evaluate(async (runs) => {
      const { edit } = globalThis.bench, own = globalThis.fetch;
      let answered = Infinity, shown = Infinity, fetched = 0;
      globalThis.fetch = async (...asked) => {
        const start = performance.now(), answer = await own(...asked);
        if (String(asked[0]).endsWith("/run")) answered = Math.min(answered, performance.now() - start);
        return answer;
      };
      for (let run = 0; run < runs; run++) {
        const start = performance.now();
        await edit.run(`nav_delete #${10_100 + run * 7}`);
        shown = Math.min(shown, performance.now() - start);
        fetched = Math.max(fetched, Number(document.documentElement.dataset.fetched));
      }
      return { answered, shown, fetched };
    }, RUNS);
    row("edit of 20,000 areas: the program has answered", best.answered, "ms", 50);
    row("edit of 20,000 areas: its mesh is shown", best.shown, "ms", null);
    row("edit of 20,000 areas: chunks sent again, the most", best.fetched, "", null);
  });
}

/** The memory of the largest process that has a page, in MB, with all that it shares with others. */
async function resident() {
  const session = await browser.newBrowserCDPSession(), { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  return Math.max(...pages.map(({ id }) => Number(readFileSync(`/proc/${id}/statm`, "utf8").split(" ")[1]) * 4096)) / 1e6;
}

try {
  const [small, large, other] = [["small.nav", field(50, 34)], ["large.nav", field(200, 100)], ["other.nav", field(20, 10)]].map(([name, bytes]) => {
    writeFileSync(join(temp, name), bytes);
    return join(temp, name);
  });
  // Once for the browser, which starts slowly.
  await served([small], (address) => opened(address, async () => {}));
  await empty(async (address) => row("no mesh, no program: a page with one triangle", await firstFrame(address, null), "ms", null));
  await served([small], async (address) => row("1,700 areas: navigation to first frame", await firstFrame(address, null), "ms", 400));
  await served([large], async (address) => {
    row("20,000 areas: navigation to first frame", await firstFrame(address, null), "ms", 700);
    const head = await (await fetch(`${address}m/0/head`)).json(), bytes = Object.values(head.parts).reduce((sum, part) => sum + part.bytes, 0);
    row("20,000 areas: bytes of all chunks", bytes / 1e6, "MB", 2);
    await opened(address, async (page) => {
      const { plan, space } = await frames(page);
      row("a pick in plan", plan.pick, "ms", 0.1);
      row("a pick in space", space.pick, "ms", 1);
      for (const [name, figures] of [["plan", plan], ["space", space]]) {
        row(`a frame in ${name}: JavaScript`, figures.script, "ms", 1);
        row(`a frame in ${name}: until it is drawn`, figures.drawn, "ms", 120);
        row(`a frame in ${name}: calls`, figures.calls, "", 200);
      }
    });
  });
  const html = spawnSync(program, ["view", large, "--html", "-"], { maxBuffer: 1 << 24 }).stdout;
  row("20,000 areas: one file", html.length / 1e6, "MB", 1);
  await served([small, large, other], cold);
  const wide = join(temp, "wide.nav");
  writeFileSync(wide, field(500, 480));
  await served([wide], async (address) => {
    row("240,000 areas: navigation to first frame of what is in sight", await firstFrame(`${address}#0/6250,6000,0,800,0,1.571`, null), "ms", null);
    await opened(address, async (page) => {
      await page.waitForTimeout(3000);
      row("240,000 areas: memory of the page", await resident(), "MB", 300);
      row("240,000 areas: a frame in plan, JavaScript", (await frames(page)).plan.script, "ms", 1);
    });
  });
  await served([large, "--edit"], edits);
  const folder = join(temp, "maps"), tiny = field(8, 8);
  mkdirSync(folder);
  for (let n = 0; n < 10_000; n++) writeFileSync(join(folder, `map${String(n).padStart(5, "0")}.nav`), tiny);
  await served([folder], async (address) => {
    row("10,000 meshes: list and first frame, the first time", await firstFrame(address, "10000"), "ms", 2000);
    await opened(address, async (page) => {
      await page.waitForSelector("html[data-listed='10000']", { state: "attached" });
      for (let n = 0; n < 40; n++) {
        await page.locator("#meshes button").nth(n).click();
      }
      await page.waitForTimeout(500);
      const session = await page.context().newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      row("10,000 meshes: memory of the page after 40 of them", await resident(), "MB", 300);
    });
  });
} finally {
  await browser.close();
  rmSync(temp, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;
