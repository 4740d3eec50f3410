// What is more than one mesh: tiles and cells with their borders, load orders, merges; and the page in the frame of a notebook.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** @param {any} kit what the other tests use as well */
export async function sets(kit) {
  await borders(kit, "corpus/fox/set", "tiles", 9, "101_101");
  await borders(kit, "corpus/detour/set.navmesh", "tiles", 4, "0, 0");
  await borders(kit, "corpus/skyrim/se/village.esp", "cells", 4, "2, -1");
  await order(kit);
  await merge(kit);
  await saved(kit);
  await framed(kit);
  console.log("sets: seen");
}

const labels = (page) => page.evaluate(() => [...document.querySelectorAll("#labels span")].filter((label) => label.style.display !== "none").map((label) => label.textContent));

async function borders({ served, opened, until, colours, seen }, path, layer, count, name) {
  await served([path], async (address) => {
    await opened(address, async (page) => {
      const box = page.locator(`#layers input[name="${layer}"]`);
      assert.equal((await box.locator("xpath=..").textContent()).trim(), `${layer} (${count})`);
      assert.ok(!(await labels(page)).includes(name));
      const { calls } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
      await box.check();
      await until(page, (calls) => Number(document.documentElement.dataset.calls) > Number(calls), calls);
      const shown = await labels(page);
      assert.ok(shown.includes(name), `${path}: ${shown}`);
      assert.ok((await colours(page)) > 3);
      await seen(page, `${layer}-${path.split("/")[1]}`);
      await box.uncheck();
      await until(page, (calls) => document.documentElement.dataset.calls === calls, calls);
      assert.ok(!(await labels(page)).includes(name));
    });
  });
}

async function order({ served, opened, until, seen }) {
  const plugins = ["Base.esm", "Patch.esp", "Rival.esp"];
  await served(["--order", ...plugins.map((name) => `corpus/skyrim/order/${name}`)], async (address) => {
    await opened(address, async (page) => {
      await until(page, () => Number(document.documentElement.dataset.listed) > 1);
      const spaces = await page.locator("#meshes button").count();
      let told = 0;
      for (let space = 0; space < spaces; space++) {
        // The first one is shown already.
        if (space > 0) await page.locator("#meshes button").nth(space).click();
        await until(page, (space) => document.querySelector("h1").textContent === document.querySelectorAll("#meshes .words")[space].firstChild.textContent, space);
        await until(page, () => document.querySelector("#findings li") !== null);
        await until(page, () => document.querySelector("#colour").value === "plugin");
        // Each plugin is a layer: its entry of the key hides what it wins.
        const entries = await page.locator("#legend button .words").allTextContents();
        assert.ok(entries.length > 0 && entries.every((name) => plugins.includes(name)), `${entries}`);
        const all = Number(await page.evaluate(() => document.documentElement.dataset.shown));
        await page.locator("#legend button").first().click();
        await until(page, (all) => Number(document.documentElement.dataset.shown) < all, all);
        await page.locator("#legend button").first().click();
        await until(page, (all) => Number(document.documentElement.dataset.shown) === all, all);
        const finding = page.locator("#findings button").filter({ hasText: "[NAVM:00000A00]" });
        if ((await finding.count()) === 0) continue;
        told++;
        await finding.click();
        await until(page, () => document.documentElement.dataset.selected !== "");
        assert.match(await page.locator("#picked").textContent(), /00000A00#\d+.*00000A00 of Rival\.esp/s);
        await seen(page, "order");
      }
      assert.equal(told, 1);
    });
  });
}

async function merge({ program, temp, served, opened, until, seen }) {
  const base = "corpus/source/town.nav", [ours, theirs] = ["ours.nav", "theirs.nav"].map((name) => join(temp, name));
  for (const [made, commands] of [[ours, "area set #9 ne=70; nav_mark_attribute CROUCH #41"], [theirs, "area set #9 ne=90; nav_delete #11"]]) {
    const done = spawnSync(program, ["edit", base, "-c", commands, "-o", made]);
    assert.equal(done.status, 0, String(done.stderr));
  }
  await served(["--merge", base, ours, theirs], async (address) => {
    await opened(address, async (page) => {
      assert.match(await page.locator("#merge-words").textContent(), /theirs in 0 of 1 conflict/);
      const before = await page.inputValue("#merge-script");
      await page.locator("#conflicts button").click();
      await until(page, () => document.documentElement.dataset.selected === "#9");
      // By keys alone.
      await page.locator("#conflicts input[value=ours]").focus();
      await page.keyboard.press("ArrowRight");
      await until(page, () => document.documentElement.dataset.taken === "1");
      assert.ok((await page.inputValue("#merge-script")).startsWith(before));
      await seen(page, "merge");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#merge-save")]);
      const script = readFileSync(await download.path(), "utf8");
      assert.equal(script, await page.inputValue("#merge-script"));
      const saved = join(temp, "merge.txt"), made = join(temp, "took.nav");
      writeFileSync(saved, script);
      const done = spawnSync(program, ["patch", ours, saved, "-o", made]);
      assert.equal(done.status, 0, String(done.stderr));
      const left = String(spawnSync(program, ["diff", "--script", made, theirs]).stdout);
      assert.ok(left.includes("#41") && !left.includes("#9 ") && !left.includes("#11"), left);
      await page.locator("#conflicts input[value=ours]").check();
      await until(page, () => document.documentElement.dataset.taken === "0");
      assert.equal(await page.inputValue("#merge-script"), before);
      const names = await page.evaluate(() => [...document.querySelectorAll("#merging button, #merging input, #merging textarea")].filter((part) => !(part.textContent.trim() || part.labels?.length)).map((part) => part.outerHTML));
      assert.deepEqual(names, [], "parts without a name");
    });
  });
}

/** A saved difference beside its mesh. */
async function saved({ temp, served, opened, until, seen }) {
  const script = join(temp, "saved.txt");
  writeFileSync(script, "nav_delete #5\nnav_delete #99999\n");
  await served(["corpus/source/town.nav", "--script", script], async (address) => {
    await opened(address, async (page) => {
      await until(page, () => document.documentElement.dataset.listed === "2");
      await page.locator("#meshes button").nth(1).click();
      await until(page, () => document.querySelector("#subtitle").textContent.endsWith("what saved changes"));
      assert.match(await page.locator("#legend").textContent(), /removed1/);
      await until(page, () => document.querySelector("#findings").textContent.includes("#99999"));
      await seen(page, "saved");
    });
  });
}

/** The page inside another, as a notebook shows it: without an address of its own, and cut off from what is around it. */
async function framed({ program, temp, browser }) {
  const html = String(spawnSync(program, ["view", "corpus/source/town.nav", "--html", "-"], { maxBuffer: 1 << 24 }).stdout);
  const book = join(temp, "book.html"), page = await browser.newPage(), said = [];
  writeFileSync(book, `<!doctype html><title>book</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts allow-forms allow-modals allow-downloads" style="width:900px;height:600px" srcdoc="${html.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></iframe>`);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(pathToFileURL(book).href);
  const frame = page.frames()[1];
  for (let left = 200; (await frame.evaluate(() => document.documentElement.dataset.ready)) !== "1"; left--) {
    assert.ok(left > 0, "nothing is drawn in the frame");
    await page.waitForTimeout(25);
  }
  await frame.fill("#query", "#17");
  await frame.press("#query", "Enter");
  await page.waitForTimeout(500);
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.selected), "#17");
  assert.deepEqual(said.filter((line) => !line.includes("GPU stall due to ReadPixels")), []);
  await page.close();
}
