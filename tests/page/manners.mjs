// What a person at the page runs into: keys in boxes and fields, answers that come late, nodes that are numbered anew.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @param {any} kit what the other tests use as well */
export async function manners(kit) {
  await names(kit);
  await keys(kit);
  await late(kit);
  await addresses(kit);
  console.log("manners: done");
}

async function typed(page, command) {
  await page.fill("#command", command);
  await page.press("#command", "Enter");
}

const steps = (count) => [(count) => document.documentElement.dataset.steps === String(count), count];

/** Has what is asked for by an address come late. */
const slow = (page, pattern) => page.route(pattern, async (route) => {
  await new Promise((wait) => setTimeout(wait, 700));
  await route.continue();
});

/** Chooses by search and deletes by a key. */
async function remove({ until }, page, name) {
  await page.fill("#query", name);
  await page.press("#query", "Enter");
  await until(page, (name) => document.documentElement.dataset.selected === name && document.documentElement.dataset.chosen === "1", name);
  await page.keyboard.press("Delete");
}

/** A file without ids numbers what is left anew; the page goes on with the names that the first commands were given. */
async function names(kit) {
  const { program, temp, served, opened, until } = kit;
  const mesh = join(temp, "names.graph"), again = join(temp, "names-again.graph");
  copyFileSync("corpus/yapb/v2.graph", mesh);
  await served([mesh, "--edit"], (address) => opened(address, async (page) => {
    await until(page, () => document.documentElement.dataset.revision === "0");
    await remove(kit, page, "#5");
    await until(page, ...steps(1));
    await remove(kit, page, "#8");
    await until(page, ...steps(2));
    assert.deepEqual(await page.locator("#journal button").allTextContents(), ["delete #5", "delete #8"]);
    await page.click("#save");
    await page.click("#save-over");
    await until(page, () => document.documentElement.dataset.unsaved === "false");
  }));
  assert.equal(spawnSync(program, ["edit", "corpus/yapb/v2.graph", "-c", "delete #5; delete #8", "-o", again]).status, 0);
  assert.deepEqual(readFileSync(mesh), readFileSync(again));
}

async function keys(kit) {
  const { temp, served, opened, until, told } = kit;
  const mesh = join(temp, "keys.nav"), named = join(temp, "keys-named.nav");
  copyFileSync("corpus/source/town.nav", mesh);
  await served([mesh, "--edit"], (address) => opened(address, async (page) => {
    await until(page, () => document.documentElement.dataset.revision === "0");
    // Nothing that is pressed quickly is lost.
    for (const id of [1, 3, 5, 7]) await typed(page, `nav_delete #${id}`);
    await until(page, ...steps(4));
    await page.locator("#canvas").focus();
    for (let n = 0; n < 3; n++) await page.keyboard.press("Control+z");
    await until(page, ...steps(1));
    // Nor is what is typed while an earlier command is under way; one that is refused is there to be mended.
    await slow(page, "**/m/0/run");
    await typed(page, "nav_delete #11");
    await page.fill("#command", "nav_delete #1000");
    await until(page, ...steps(2));
    await page.press("#command", "Enter");
    await until(page, () => document.querySelector("#command").value === "nav_delete #1000" && document.querySelector("#answer").textContent.includes("#1000"));
    await page.unroute("**/m/0/run");
    await page.fill("#command", "");
    await page.locator("#canvas").focus();
    await page.keyboard.press("Control+z");
    await until(page, ...steps(1));
    // Escape closes a box, and lets go of nothing else.
    await page.fill("#selector", "#9+#17");
    await page.press("#selector", "Enter");
    await until(page, () => document.documentElement.dataset.chosen === "2");
    await page.click("#save");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#saving", { state: "hidden" });
    assert.equal((await told(page)).chosen, "2");
    // Letters in a list choose from it.
    await page.focus("#colour");
    await page.keyboard.press("p");
    assert.equal(await page.locator("#picture[open]").count(), 0);
    // Who is at an entry of the key stays there.
    await page.selectOption("#colour", "place");
    await page.locator("#legend button").nth(1).focus();
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => [...document.querySelectorAll("#legend button")].indexOf(document.activeElement)), 1);
    const hidden = () => page.locator('#legend button[aria-pressed="false"] .words').allTextContents();
    const before = await hidden();
    assert.equal(before.length, 1);
    // A place that comes before it moves the numbers of the others.
    await typed(page, "nav_use_place Aardvark --new; nav_place_set #9");
    await until(page, ...steps(2));
    assert.deepEqual(await hidden(), before);
    // Where one types a command, Ctrl+S saves the mesh and not the page; Enter after a name takes the name.
    await page.focus("#command");
    await page.keyboard.press("Control+s");
    await page.waitForSelector("#saving[open]");
    await page.fill("#save-name", "keys-named.nav");
    await page.press("#save-name", "Enter");
    await until(page, () => document.querySelector("#answer").textContent.startsWith("saved: keys-named.nav"));
    assert.ok(existsSync(named));
    assert.deepEqual(readFileSync(mesh), readFileSync("corpus/source/town.nav"));
  }, "light", ["status of 422"]));
}

/** Answers that come after another mesh was chosen are not shown over it. */
async function late(kit) {
  const { temp, served, opened, until, told } = kit;
  const meshes = ["one.nav", "two.nav"].map((name) => join(temp, name));
  for (const mesh of meshes) copyFileSync("corpus/source/town.nav", mesh);
  const title = () => document.querySelector("h1").textContent;
  await served([...meshes, "corpus/yapb/v2.graph", "--edit"], (address) => opened(address, async (page) => {
    const row = (number) => page.locator(`#meshes button[data-number="${number}"]`);
    await until(page, () => document.querySelectorAll("#meshes button").length === 3);
    await until(page, () => document.documentElement.dataset.revision === "0");
    await slow(page, "**/m/0/run");
    await typed(page, "nav_delete #1");
    await row(1).click();
    await until(page, () => document.querySelector("h1").textContent === "two" && document.documentElement.dataset.steps === "0");
    await page.waitForTimeout(900);
    assert.equal(await page.evaluate(title), "two");
    assert.equal((await told(page)).steps, "0");
    assert.equal(await page.locator("#journal li").count(), 0);
    // The change was made all the same.
    await row(0).click();
    await until(page, ...steps(1));
    // Of two meshes that were asked for, the later one is shown.
    await slow(page, "**/m/1/head");
    await row(1).click();
    await row(2).click();
    await until(page, () => document.querySelector("h1").textContent === "v2");
    await page.waitForTimeout(900);
    assert.equal(await page.evaluate(title), "v2");
    // A way that is let go of before it is found is not shown.
    await row(0).click();
    await until(page, () => document.querySelector("h1").textContent === "one");
    await slow(page, "**/path/**");
    await page.click("#way");
    const box = await page.locator("#canvas").boundingBox();
    for (const share of [0.4, 0.6]) await page.mouse.click(box.x + box.width * share, box.y + box.height * 0.5);
    await page.click("#way");
    await page.waitForTimeout(900);
    assert.equal((await told(page)).way, undefined);
    assert.ok(await page.locator("#found").isHidden());
  }));
}

/** The address keeps the camera as it is, and moves it if somebody changes it. */
async function addresses(kit) {
  const { served, opened, until } = kit;
  await served(["corpus/source/town.nav"], (address) => opened(address, async (page) => {
    await page.locator("#canvas").focus();
    await page.keyboard.press("e");
    await page.waitForTimeout(500);
    const kept = await page.evaluate(() => location.hash);
    assert.ok(Number(kept.split(",")[4]) !== 0, kept);
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready === "1");
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => location.hash), kept);
    await page.evaluate((kept) => (location.hash = `${kept.split("/").slice(0, 2).join("/")}/#17`), kept);
    await until(page, () => document.documentElement.dataset.selected === "#17");
  }));
}
