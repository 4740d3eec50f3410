// A mesh that is larger than what a page keeps of it: chunks come as they are in sight, and go when there is no room.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { field } from "./made.mjs";

/** Areas of the field; it has so many chunks, of which a page may keep so many for a budget of 3 MB. */
const WIDE = 250, HIGH = 240, NODES = WIDE * HIGH, CHUNKS = 134, MOST = 40;

/** @param {any} kit what the other tests use as well */
export async function chunks(kit) {
  const { temp, served, opened, told, until, seen } = kit;
  const mesh = join(temp, "wide.nav");
  writeFileSync(mesh, field(WIDE, HIGH));
  await served([mesh], async (address) => {
    // What a page shows that keeps all of it: a corner of the field, another one, all of it in space.
    const whole = [];
    await opened(address, async (page) => {
      assert.equal((await told(page)).chunks, String(CHUNKS));
      for (const place of PLACES) whole.push(await picture(kit, page, place));
    });
    await opened(`${address}?budget=3`, async (page) => {
      const asked = new Set();
      page.on("request", (request) => asked.add(request.url().match(/\/c\/(\d+)$/)?.[1]));
      const { nodes, links, shown, chunks } = await told(page);
      assert.deepEqual([nodes, shown, links], [String(NODES), String(NODES), String(4 * NODES - 2 * (WIDE + HIGH))]);
      assert.ok(Number(chunks) > 0 && Number(chunks) <= MOST, `${chunks} chunks at first`);
      for (const [at, place] of PLACES.entries()) {
        const before = asked.size, own = await picture(kit, page, place);
        await seen(page, `chunks-${at}`);
        const apart = await kit.apart(page, own, whole[at]);
        assert.ok(apart < place.apart, `${place.id}: ${apart} differs from a page that has all of it`);
        assert.ok(Number((await told(page)).chunks) <= MOST, `${(await told(page)).chunks} chunks are kept`);
        if (at === 1) assert.ok(asked.size > before && asked.size < CHUNKS, `${asked.size} chunks were asked for, ${before} before`);
        // A pick is right where chunks have just come.
        const box = await page.locator("#canvas").boundingBox();
        await page.locator("#canvas").press("Escape");
        await until(page, () => document.documentElement.dataset.selected === "");
        await page.click("#canvas", { position: { x: box.width / 2, y: box.height / 2 } });
        await until(page, (id) => document.documentElement.dataset.selected === id, place.id);
      }
      // What is searched for need not be there.
      await page.fill("#query", `#${NODES}`);
      await page.press("#query", "Enter");
      await until(page, (id) => document.documentElement.dataset.told === id, `#${NODES}`);
      // A way, links as a layer, and a picture of what is not there yet.
      await page.check('#layers input[name="links"]');
      await page.click("#way");
      await page.locator("#canvas").press("Home");
      await kit.drawn(page);
      const box = await page.locator("#canvas").boundingBox();
      for (const share of [0.35, 0.65]) await page.click("#canvas", { position: { x: box.width * share, y: box.height * share } });
      await until(page, () => Number(document.documentElement.dataset.way) > 0);
      assert.match(await page.locator("#found-words").textContent(), /[1-9]\d* steps, cost/);
      await page.click("#way");
      await page.click("#png");
      await page.fill("#picture-width", "800");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('#picture button[value="save"]')]);
      assert.equal(readFileSync(await download.path()).readUInt32BE(16), 800);
    });
  });
  await edited(kit, mesh);
  console.log("chunks: come and go");
}

/** What is flown to, how, and the share of pixels that may differ. */
const PLACES = [
  { id: "#3013", look: "plan", apart: 0.001 },
  { id: "#56988", look: "plan", apart: 0.001 },
  { id: "#30121", look: "space", apart: 0.02 },
];

/** What is seen around a node. */
async function picture({ until }, page, { id, look }) {
  const canvas = page.locator("#canvas");
  await canvas.press("Home");
  await page.click(`#${look}`);
  for (let step = 0; step < 8; step++) await canvas.press("+");
  await page.fill("#query", id);
  await page.press("#query", "Enter");
  await until(page, (id) => document.documentElement.dataset.told === id, id);
  await page.waitForTimeout(500);
  const { x, y } = await canvas.boundingBox();
  return page.screenshot({ clip: { x: Math.ceil(x), y: Math.ceil(y), width: 1000, height: 640 } });
}

/** A change to a mesh of which the page has only some chunks. */
async function edited(kit, mesh) {
  const { served, opened, told, until } = kit;
  await served([mesh, "--edit"], async (address) => {
    await opened(`${address}?budget=3`, async (page) => {
      await until(page, () => document.documentElement.dataset.revision === "0");
      await picture(kit, page, PLACES[1]);
      const before = Number((await told(page)).chunks);
      for (const [script, nodes] of [["nav_delete #56988", NODES - 1], ["nav_delete #17", NODES - 2], ["undo", NODES - 1]]) {
        await page.fill("#command", script);
        await page.press("#command", "Enter");
        await until(page, (nodes) => document.documentElement.dataset.nodes === String(nodes), nodes);
        const { fetched, chunks } = await told(page);
        assert.ok(Number(fetched) >= 1 && Number(fetched) <= 6, `${script}: ${fetched} chunks were sent again`);
        assert.ok(Number(chunks) <= Math.max(before, MOST), `${chunks} chunks are kept`);
      }
      // What was deleted is gone: nothing is under the middle.
      const box = await page.locator("#canvas").boundingBox();
      await page.click("#canvas", { position: { x: box.width / 2, y: box.height / 2 } });
      await until(page, () => document.querySelector("#said").textContent === "nothing there");
      const beside = { ...PLACES[1], id: "#56989" }, changed = await picture(kit, page, beside);
      await page.goto("about:blank");
      await page.goto(`${address}?budget=3`);
      await until(page, () => document.documentElement.dataset.ready === "1");
      assert.ok((await kit.apart(page, changed, await picture(kit, page, beside))) < 0.001, "a fresh page shows something else");
    });
  });
}
