// The page in a real browser: `node tests/page/run.mjs PROGRAM PLAYWRIGHT CHROMIUM [PICTURES]`, from the root of the checkout.
// PLAYWRIGHT is a folder with node_modules/playwright-core, CHROMIUM the browser; with PICTURES, what was seen is kept there.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chunks } from "./chunks.mjs";
import { changes } from "./edit.mjs";
import { manners } from "./manners.mjs";
import { sets } from "./sets.mjs";

const [program, playwright, executablePath, pictures] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(playwright), "node_modules/"))("playwright-core");
const temp = mkdtempSync(join(tmpdir(), "navmap-page-"));

/** A mesh of each family. */
const MESHES = ["source/town.nav", "quake/nav3-v6.nav", "fox/set", "skyrim/se", "detour/set.navmesh", "aas/v5-full.aas", "yapb/v2.graph", "nodegraph/v37.ain", "rcbot/v4.rcw", "xray/v10.ai"];

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Starts the program on paths, and stops it after `use`. */
async function served(paths, use) {
  const env = { ...process.env, XDG_STATE_HOME: join(temp, "state") };
  const child = spawn(program, ["view", ...paths], { stdio: ["ignore", "pipe", "inherit"], env });
  try {
    const address = await new Promise((done, failed) => {
      let text = "";
      child.stdout.on("data", (piece) => (text += piece).includes("\n") && done(text.trim()));
      child.on("exit", (status) => failed(new Error(`the program ended: ${status}`)));
    });
    await use(address, child);
  } finally {
    child.kill("SIGINT");
  }
}

/** Opens an address, and holds that nothing was complained about. */
async function opened(address, use, scheme = "light", expected = []) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: scheme });
  const page = await context.newPage();
  const said = [], late = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(`${message.text()} ${message.location().url}`));
  // A change takes away what the page has just asked for: a node, or a chunk.
  page.on("response", (answer) => answer.status() === 404 && /\/m\/[\d-]+\/(told|c|tint\/[a-z-]+)\/\d+$/.test(answer.url()) && late.push(answer.url()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(address);
  await until(page, () => document.documentElement.dataset.ready === "1");
  await use(page);
  // Reading pixels back is slow, which Chromium says when pictures are taken.
  const known = ["GPU stall due to ReadPixels", ...expected];
  const isLate = (line) => line.includes("status of 404") && late.some((address) => line.endsWith(address));
  assert.deepEqual(said.filter((line) => !isLate(line) && !known.some((words) => line.includes(words))), []);
  await context.close();
}

/** Waits until a test holds in the page. */
async function until(page, test, argument) {
  for (let left = 1200; !(await page.evaluate(test, argument)); left--) {
    assert.ok(left > 0, `never holds: ${test}`);
    await page.waitForTimeout(25);
  }
}

/** Waits until what was asked for so far is drawn: the page draws a frame when the browser calls it, in the order of the calls. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

const told = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));

/** Keeps what is seen, if that was asked for. */
async function seen(page, name) {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** How many different colours a canvas has: 1 if nothing is drawn. */
async function colours(page) {
  const png = (await page.locator("#canvas").screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const words = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
    return new Set(words).size;
  }, png);
}

/** The pixels of a picture at another width. */
async function scaled(page, png, width) {
  return page.evaluate(async ([data, width]) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const height = Math.round((image.height * width) / image.width);
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.imageSmoothingQuality = "high";
    canvas.drawImage(image, 0, 0, width, height);
    return [...canvas.getImageData(0, 0, width, height).data];
  }, [png.toString("base64"), width]);
}

/** The share of the pixels of two pictures of one size that differ. */
async function apart(page, one, other) {
  return page.evaluate(async (pictures) => {
    const pixels = async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(960, Math.round((image.height * 960) / image.width)).getContext("2d");
      canvas.imageSmoothingQuality = "high";
      canvas.drawImage(image, 0, 0, canvas.canvas.width, canvas.canvas.height);
      return canvas.getImageData(0, 0, canvas.canvas.width, canvas.canvas.height).data;
    };
    const [a, b] = [await pixels(pictures[0]), await pixels(pictures[1])];
    let differ = 0;
    for (let at = 0; at < a.length; at++) differ += Math.abs(a[at] - b[at]) > 24 ? 1 : 0;
    return a.length === b.length ? differ / a.length : 1;
  }, [one.toString("base64"), other.toString("base64")]);
}

/** Kinds of links are layers where there are several: each alone is drawn. */
async function kinds(page, name) {
  const boxes = page.locator("#layers input"), own = page.locator('#layers input[name$=" links"]'), count = await own.count();
  if (["aas", "yapb", "quake"].includes(name)) assert.ok(count > 1, `${name}: ${count} kinds of links`);
  if (count === 0) return;
  const before = await boxes.evaluateAll((boxes) => boxes.map((box) => box.checked));
  const set = (wanted) => boxes.evaluateAll((boxes, wanted) => boxes.forEach((box, at) => box.checked !== wanted[at] && box.click()), wanted);
  await set(before.map(() => false));
  await drawn(page);
  const none = (await told(page)).calls;
  await own.first().check();
  await until(page, (none) => Number(document.documentElement.dataset.calls) === Number(none) + 1, none);
  await set(before);
  await drawn(page);
}

async function family(path) {
  const name = path.split("/")[0];
  await served([join("corpus", path)], async (address) => {
    await opened(address, async (page) => {
      const head = await (await page.request.get(`${address}m/0/head`)).json();
      const data = await told(page);
      assert.deepEqual([data.nodes, data.links], [String(head.nodes), String(head.links)], name);
      assert.equal(await page.locator("h1").textContent(), head.title);
      assert.ok(Number(data.calls) <= 200, `${name}: ${data.calls} calls`);
      assert.ok((await colours(page)) > 3, `${name}: nothing is drawn`);
      await seen(page, `${name}-plan`);
      await kinds(page, name);
      for (const meaning of head.colours) {
        await page.selectOption("#colour", meaning.name);
        await until(page, () => document.documentElement.dataset.ready === "1");
      }
      await page.click("#space");
      await drawn(page);
      await seen(page, `${name}-space`);
      await page.click("#theme");
      await drawn(page);
      assert.ok((await colours(page)) > 3, `${name}: nothing is drawn in space`);
      await seen(page, `${name}-dark`);
    });
  });
  console.log(`${name}: seen`);
}

/** Picks, layers, floors, search and keys, on the mesh of Source. */
async function work() {
  await served(["corpus/source/town.nav"], async (address) => {
    await opened(address, async (page) => {
      const box = await page.locator("#canvas").boundingBox();
      const middle = { x: box.width / 2, y: box.height / 2 };
      await page.fill("#query", "#17");
      await page.press("#query", "Enter");
      await until(page, () => document.documentElement.dataset.selected === "#17");
      // It was flown to, so a click in the middle picks it again.
      await page.locator("#canvas").press("Escape");
      await until(page, () => document.documentElement.dataset.selected === "");
      await page.click("#canvas", { position: middle });
      await until(page, () => document.documentElement.dataset.selected === "#17");
      assert.match(await page.locator("#picked").textContent(), /area #17.*center.*flags.*Leads to/s);
      // What the file says follows, with the place in it.
      await until(page, () => document.documentElement.dataset.told === "#17");
      assert.match(await page.locator("#picked").textContent(), /record.*byte0x[0-9a-f]+, \d+ bytes.*Corners: 4.*Leads to.*(level|up|down).*Comes from.*Record/s);
      await seen(page, "picked");
      const beside = page.locator("#picked .row").filter({ hasText: /^#\d/ }).first(), name = (await beside.textContent()).match(/^#\d+/)[0];
      await beside.click();
      await until(page, (name) => document.documentElement.dataset.told === name, name);
      // Colours that are counted from there, and from what is picked next.
      await page.selectOption("#colour", "path cost");
      await until(page, (name) => document.documentElement.dataset.tint === name, name);
      assert.match(await page.locator("#legend").textContent(), new RegExp(`cost of the way from ${name}`));
      await page.selectOption("#colour", "visibility");
      await until(page, (name) => document.documentElement.dataset.tint === name, name);
      await page.fill("#query", "#17");
      await page.press("#query", "Enter");
      await until(page, () => document.documentElement.dataset.tint === "#17");
      assert.match(await page.locator("#legend").textContent(), /seen from #17.*(wholly|partly) seen/);
      await seen(page, "visibility");
      await page.selectOption("#colour", "height");
      assert.equal((await told(page)).tint, undefined);
      // In space the same node is under the same point.
      await page.click("#space");
      await page.locator("#canvas").press("Escape");
      await page.click("#canvas", { position: middle });
      await until(page, () => document.documentElement.dataset.selected === "#17");
      // The address keeps it.
      await until(page, () => /^#0\/.*\/#17$/.test(decodeURIComponent(location.hash)));
      await page.reload();
      await until(page, () => document.documentElement.dataset.selected === "#17");
      // A class of the key hides its nodes.
      const all = Number((await told(page)).shown);
      await page.selectOption("#colour", "place");
      await page.locator("#legend button").first().click();
      await until(page, (all) => Number(document.documentElement.dataset.shown) < all, all);
      await page.locator("#legend button").first().click();
      await until(page, (all) => Number(document.documentElement.dataset.shown) === all, all);
      // Floors are lifted off and put back by keys.
      await page.locator("#canvas").press("1");
      await page.locator("#canvas").press("]");
      assert.ok(Number((await told(page)).shown) <= all);
      await page.locator("#canvas").press("[");
      await until(page, (all) => Number(document.documentElement.dataset.shown) === all, all);
      // Measured between two points.
      await page.locator("#canvas").press("m");
      await page.click("#canvas", { position: { x: middle.x - 50, y: middle.y } });
      await page.click("#canvas", { position: { x: middle.x + 50, y: middle.y } });
      assert.match(await page.locator("#span").textContent(), /units, .* m/);
      await page.keyboard.press("Escape");
      // A picture that is larger than what is drawn at once, and has no seams: each piece shows something.
      await page.click("#png");
      await page.fill("#picture-width", "5000");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('#picture button[value="save"]')]);
      const picture = readFileSync(await download.path()), [wide, high] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
      const shape = await page.evaluate(() => document.querySelector("#canvas").clientHeight / document.querySelector("#canvas").clientWidth);
      assert.deepEqual([wide, high], [5000, Math.round(5000 * shape)]);
      const small = await scaled(page, picture, 100);
      await page.click("#png");
      await page.fill("#picture-width", "1000");
      const [other] = await Promise.all([page.waitForEvent("download"), page.click('#picture button[value="save"]')]);
      const same = await scaled(page, readFileSync(await other.path()), 100);
      const apart = small.filter((value, at) => Math.abs(value - same[at]) > 48).length;
      assert.ok(apart < small.length / 50, `${apart} of ${small.length} differ between one piece and many`);
      // The whole page by keys alone.
      await page.keyboard.press("/");
      assert.equal(await page.evaluate(() => document.activeElement.id), "query");
      await page.locator("#canvas").focus();
      await page.keyboard.press("Home");
      await page.keyboard.press("Enter");
      const names = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas")].filter((part) => !(part.ariaLabel || part.textContent.trim() || part.labels?.length)).map((part) => part.outerHTML));
      assert.deepEqual(names, [], "parts without a name");
    });
  });
  console.log("work: done");
}

/** Paths of encounters of what is picked, and colours by findings and by what the file tells. */
async function toldMore() {
  await served(["corpus/source/v12.nav"], async (address) => {
    await opened(address, async (page) => {
      assert.equal(await page.locator('#layers input[name="encounters"]').count(), 0);
      await page.fill("#query", "#1");
      await page.press("#query", "Enter");
      await until(page, () => document.documentElement.dataset.told === "#1");
      await until(page, () => document.querySelector('#layers input[name="encounters"]') !== null);
      await drawn(page);
      const { calls } = await told(page);
      await seen(page, "encounters");
      await page.uncheck('#layers input[name="encounters"]');
      await until(page, (calls) => Number(document.documentElement.dataset.calls) < Number(calls), calls);
    });
  });
  await served(["corpus/xray/v10.ai"], async (address) => {
    await opened(address, async (page) => {
      const names = await page.locator("#colour option").allTextContents();
      assert.ok(names.includes("finding") && names.includes("cover") && !names.some((name) => name.startsWith("cover_")), `${names}`);
      await page.selectOption("#colour", "finding");
      await until(page, () => /info1/.test(document.querySelector("#legend").textContent));
    });
  });
  console.log("told more: seen");
}

/** One file, from a disk. */
async function file() {
  const out = join(temp, "town.html");
  const done = spawnSync(program, ["view", "corpus/source/town.nav", "--html", out]);
  assert.equal(done.status, 0, String(done.stderr));
  await opened(pathToFileURL(out).href, async (page) => {
    assert.ok(Number((await told(page)).nodes) > 50);
    assert.ok((await colours(page)) > 3);
    await seen(page, "file");
    // Nobody is there to be asked: what the page knows is told.
    await page.fill("#query", "#17");
    await page.press("#query", "Enter");
    await until(page, () => document.documentElement.dataset.selected === "#17");
    assert.match(await page.locator("#picked").textContent(), /area #17.*Leads to.*Comes from/s);
    assert.equal((await told(page)).told, undefined);
    assert.equal(await page.locator('#colour option[value="path cost"]').count(), 0);
  });
  // Without WebGL 2 there is the reason, and the picture.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  await page.goto(pathToFileURL(out).href);
  await page.waitForSelector("#instead img");
  assert.match(await page.locator("#instead").textContent(), /WebGL 2/);
  await context.close();
  console.log("file: seen");
}

/** Two meshes, and what changed between them. */
async function compared() {
  const [before, after] = ["before.nav", "after.nav"].map((name) => join(temp, name));
  copyFileSync("corpus/source/town.nav", before);
  const edited = spawnSync(program, ["edit", before, "-c", "nav_delete #1; nav_shift 64 0 0 #17", "-o", after]);
  assert.equal(edited.status, 0, String(edited.stderr));
  await served([before, after], async (address) => {
    await opened(`${address}#1`, async (page) => {
      await until(page, () => document.documentElement.dataset.listed === "2");
      await page.selectOption("#compare", "0");
      await until(page, () => document.querySelector("#subtitle").textContent.includes("changed since"));
      const key = await page.locator("#legend").textContent();
      assert.match(key, /removed1/);
      assert.match(key, /moved|elsewhere|reshaped/);
      await seen(page, "compared");
      await page.selectOption("#compare", "");
      await until(page, () => !document.querySelector("#subtitle").textContent.includes("changed since"));
    });
  });
  console.log("compared: seen");
}

/** The floor plan of the map under its mesh, and the way between two points. */
async function plans() {
  await served(["corpus/bsp/yard-source.nav", "--bsp", "corpus/bsp/yard-source.bsp"], async (address) => {
    await opened(address, async (page) => {
      await page.waitForSelector('#layers input[name="floor plan"]');
      const box = await page.locator("#canvas").boundingBox();
      const with_plan = await colours(page);
      await seen(page, "plan");
      await page.uncheck('#layers input[name="floor plan"]');
      await drawn(page);
      assert.notEqual(await colours(page), with_plan);
      await page.check('#layers input[name="floor plan"]');
      await page.click("#way");
      await page.click("#canvas", { position: { x: box.width * 0.4, y: box.height * 0.5 } });
      await page.click("#canvas", { position: { x: box.width * 0.6, y: box.height * 0.6 } });
      await until(page, () => document.documentElement.dataset.way !== undefined);
      const { way } = await told(page), words = await page.locator("#found-words").textContent();
      assert.match(words, way === "none" ? /can be reached/ : /steps?, cost/);
      await seen(page, "way");
      await page.click("#space");
      await drawn(page);
      await seen(page, "plan-space");
    });
  });
  console.log("plans: seen");
}

/** Ten thousand meshes in a folder. */
async function many() {
  const folder = join(temp, "maps");
  mkdirSync(folder);
  for (let n = 0; n < 10_000; n++) copyFileSync("corpus/source/v9.nav", join(folder, `map${String(n).padStart(5, "0")}.nav`));
  await served([folder], async (address) => {
    await opened(address, async (page) => {
      await until(page, () => document.documentElement.dataset.listed === "10000");
      // Small pictures are asked for where rows are in sight.
      await until(page, () => document.querySelector("#meshes img")?.naturalWidth === 96);
      const loaded = await page.evaluate(() => [...document.querySelectorAll("#meshes img")].filter((image) => image.naturalWidth > 0).length);
      assert.ok(loaded < 200, `${loaded} pictures of rows that nobody sees`);
      await page.click("#theme");
      await until(page, () => /thumbnail\/dark$/.test(document.querySelector("#meshes img").src));
      await page.fill("#filter", "map09999");
      await page.locator("#meshes button").first().click();
      await until(page, () => document.querySelector("h1").textContent === "map09999");
      await seen(page, "many");
      // Only the mesh that is shown is in memory, and only rows near what is seen are on the page.
      await page.fill("#filter", "");
      for (let n = 0; n < 40; n++) {
        await page.locator("#meshes button").nth(n).click();
        await until(page, (title) => document.querySelector("h1").textContent === title, `map${String(n).padStart(5, "0")}`);
      }
      assert.ok((await page.locator("#meshes li").count()) <= 301);
      const session = await page.context().newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      await session.send("Performance.enable");
      const { metrics } = await session.send("Performance.getMetrics");
      const heap = metrics.find(({ name }) => name === "JSHeapUsedSize").value;
      assert.ok(heap < 100e6, `${heap} bytes of the page are in use`);
      console.log(`many: ${Math.round(heap / 1e6)} MB of JavaScript after 40 of 10,000 meshes`);
    });
  });
  console.log("many: listed");
}

try {
  if (pictures) mkdirSync(pictures, { recursive: true });
  await work();
  await toldMore();
  await file();
  await changes({ program, temp, served, opened, until, drawn, told, seen, apart });
  await manners({ program, temp, served, opened, until, told });
  await chunks({ temp, served, opened, until, drawn, told, seen, apart });
  await sets({ program, temp, browser, served, opened, until, colours, seen });
  await compared();
  await plans();
  for (const path of MESHES) await family(path);
  await many();
} finally {
  await browser.close();
  rmSync(temp, { recursive: true, force: true });
}
