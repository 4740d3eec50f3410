// Meshes that are changed in the browser: ten changes, undo, a save of the bytes that `navmap edit` writes, other tabs, other
// programs, and a server that is killed.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { field } from "./made.mjs";

/** What the browser says of answers that are no success, and that are asked for here. */
const REFUSED = ["status of 409", "status of 412", "status of 422"];

/** @param {any} kit what the other tests use as well */
export async function changes(kit) {
  await ten(kit);
  await others(kit);
  await few(kit);
  await every(kit);
  console.log("edit: done");
}

/** Does something in the page, and waits until it was done. */
async function step({ until, told }, page, act) {
  const before = Number((await told(page)).revision);
  await act();
  await until(page, (before) => Number(document.documentElement.dataset.revision) > before, before);
}

/** Chooses what a selector names. */
async function choose({ until }, page, selector, count) {
  await page.fill("#selector", selector);
  await page.press("#selector", "Enter");
  await until(page, (count) => Number(document.documentElement.dataset.chosen) === count, count);
}

/** Flies to a node and returns the middle of the canvas, which it is at. */
async function at({ until, drawn }, page, id) {
  await page.fill("#query", id);
  await page.press("#query", "Enter");
  await until(page, (id) => document.documentElement.dataset.selected === id, id);
  await drawn(page);
  const box = await page.locator("#canvas").boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags with a tool. */
async function drag(page, tool, from, by, on = async () => {}) {
  await page.click(`#tool-${tool}`);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by[0] / 2, from.y + by[1] / 2);
  await page.mouse.move(from.x + by[0], from.y + by[1]);
  await on();
  await page.mouse.up();
}

function state(temp) {
  const folder = join(temp, "state/navmap/view");
  return readdirSync(folder).filter((name) => name.endsWith(".journal")).map((name) => join(folder, name));
}

async function ten(kit) {
  const { program, temp, served, opened, until, told, seen } = kit;
  const mesh = join(temp, "edited.nav"), original = join(temp, "original.nav");
  copyFileSync("corpus/source/town.nav", mesh);
  copyFileSync(mesh, original);
  await served([mesh, "--edit"], async (address) => {
    await opened(address, async (page) => {
      await until(page, () => document.documentElement.dataset.revision === "0");
      const nodes = Number((await told(page)).nodes);
      // 1: a key.
      await choose(kit, page, "#1", 1);
      await page.locator("#canvas").focus();
      await step(kit, page, () => page.keyboard.press("Delete"));
      assert.equal(Number((await told(page)).nodes), nodes - 1);
      // 2 and 3: brushes.
      await page.fill("#flag", "JUMP");
      await step(kit, page, async () => drag(page, "flagged", await at(kit, page, "#17"), [3, 0]));
      assert.match(await page.locator("#picked").textContent(), /jump/);
      await page.fill("#place", "Yard of the Test");
      await step(kit, page, async () => drag(page, "placed", await at(kit, page, "#17"), [3, 0]));
      assert.match(await page.locator("#picked").textContent(), /Yard of the Test/);
      // 4 and 5: a cut, whose halves are chosen, and are merged again.
      await step(kit, page, async () => drag(page, "split", await at(kit, page, "#17"), [0, 40]));
      await until(page, () => document.documentElement.dataset.chosen === "2");
      await seen(page, "edit-split");
      await step(kit, page, () => page.click("#act-merge"));
      // 6 and 7: heights and places.
      const some = await page.evaluate(() => document.documentElement.dataset.selected);
      await step(kit, page, async () => drag(page, "raise", await at(kit, page, some), [0, -30]));
      await step(kit, page, async () => drag(page, "move", await at(kit, page, some), [25, 10]));
      // 8: a new area in the open.
      const box = await page.locator("#canvas").boundingBox();
      await page.keyboard.press("Escape");
      await page.locator("#canvas").press("Home");
      await step(kit, page, () => drag(page, "new", { x: box.x + 12, y: box.y + box.height / 2 }, [40, 40], () => seen(page, "edit-new")));
      // 9 and 10: what is typed, as one step.
      await page.fill("#command", "nav_subdivide 1 #5; nav_mark_attribute CROUCH #7");
      await step(kit, page, () => page.press("#command", "Enter"));
      await page.fill("#command", "nav_disconnect_outgoing_oneways all");
      await step(kit, page, () => page.press("#command", "Enter"));
      // Taken back and done again, by keys and by the journal.
      const steps = Number((await told(page)).steps);
      assert.ok(steps >= 9, `${steps} steps`);
      await page.locator("#canvas").focus();
      await step(kit, page, () => page.keyboard.press("Control+z"));
      await step(kit, page, () => page.keyboard.press("Control+z"));
      await step(kit, page, () => page.keyboard.press("Control+y"));
      await step(kit, page, () => page.locator("#journal button").nth(steps - 5).click());
      assert.equal(Number((await told(page)).steps), steps - 4);
      await step(kit, page, () => page.keyboard.press("Control+y"));
      await seen(page, "edit-journal");
      // What cannot be done is said at the cursor while dragging, and changes nothing.
      await page.click("#tool-pick");
      const middle = await at(kit, page, "#9"), { revision } = await told(page);
      // The lower side of it is dragged over the upper one.
      await drag(page, "side", { x: middle.x, y: middle.y + 15 }, [0, -250], async () => {
        await until(page, () => document.querySelector("#cursor").textContent.includes("\n"));
        assert.match(await page.locator("#cursor").textContent(), /no surface/);
        await seen(page, "edit-refused");
        // What is let go is not done.
        await page.keyboard.press("Escape");
      });
      await page.waitForTimeout(100);
      assert.equal((await told(page)).revision, revision);
      await page.fill("#command", "nav_splice #9 #9");
      await page.press("#command", "Enter");
      await until(page, () => document.querySelector("#answer").classList.contains("alarm"));
      // Saved: the bytes that the command line writes.
      await page.keyboard.press("Escape");
      const journal = state(temp);
      assert.equal(journal.length, 1);
      const again = join(temp, "again.nav");
      const edited = spawnSync(program, ["edit", original, "-f", journal[0], "-o", again]);
      assert.equal(edited.status, 0, String(edited.stderr));
      await page.click("#save");
      await page.waitForSelector("#saving[open]");
      assert.match(await page.locator("#save-report").textContent(), /areas: /);
      await seen(page, "edit-save");
      await page.click("#save-over");
      await until(page, () => document.documentElement.dataset.unsaved === "false");
      assert.deepEqual(readFileSync(mesh), readFileSync(again));
      assert.deepEqual(readFileSync(`${mesh}.bak`), readFileSync(original));
    }, "light", REFUSED);
  });
}

async function others(kit) {
  const { temp, served, opened, until, told, seen } = kit;
  const mesh = join(temp, "others.nav");
  copyFileSync("corpus/source/town.nav", mesh);
  const typed = async (page, command) => {
    await page.fill("#command", command);
    await page.press("#command", "Enter");
  };
  await served([mesh, "--edit"], async (address, child) => {
    await opened(address, async (page) => {
      // Another tab: what it misses is shown to it, and is not written over.
      await opened(address, async (other) => {
        await step(kit, page, () => typed(page, "nav_delete #1"));
        await until(other, () => document.documentElement.dataset.revision === "0");
        await typed(other, "nav_delete #3");
        await until(other, () => document.querySelector("#answer").textContent.includes("another tab"));
        await until(other, (nodes) => document.documentElement.dataset.nodes === nodes, (await told(page)).nodes);
        await step(kit, other, () => typed(other, "nav_delete #3"));
      }, "dark", REFUSED);
      await typed(page, "nav_delete #5");
      await until(page, () => document.querySelector("#answer").textContent.includes("another tab"));
      await until(page, () => document.documentElement.dataset.revision === "2");
      await step(kit, page, () => typed(page, "nav_delete #5"));
      // Another program.
      const theirs = readFileSync(mesh);
      theirs[theirs.length - 1] ^= 1;
      writeFileSync(mesh, theirs);
      await page.click("#save");
      await page.click("#save-over");
      await until(page, () => !document.querySelector("#edit-changed").hidden);
      assert.deepEqual(readFileSync(mesh), theirs);
      await seen(page, "edit-changed");
      copyFileSync("corpus/source/town.nav", mesh);
      // The server is killed, and the next one offers what was not saved.
      child.kill("SIGKILL");
      await page.waitForTimeout(200);
      await served([mesh, "--edit"], async (address) => {
        await opened(address, async (next) => {
          await until(next, () => !document.querySelector("#edit-offered").hidden);
          await seen(next, "edit-offered");
          await step(kit, next, () => next.click("#take"));
          assert.equal((await told(next)).steps, "3");
          await until(next, (nodes) => document.documentElement.dataset.nodes === nodes, (await told(page)).nodes);
        });
      });
    }, "light", [...REFUSED, "ERR_CONNECTION"]);
  });
}

/** One area of many is deleted: few chunks are sent again, and what is seen is what a fresh page and a fresh program show. */
async function few(kit) {
  const { temp, served, opened, until, told, seen } = kit;
  const mesh = join(temp, "field.nav");
  // Pictures of one size: how high the canvas is depends on what else the page shows, by a pixel.
  const canvas = async (page) => {
    const { x, y } = await page.locator("#canvas").boundingBox();
    return page.screenshot({ clip: { x: Math.ceil(x), y: Math.ceil(y), width: 1000, height: 640 } });
  };
  writeFileSync(mesh, field(200, 100));
  let changed;
  const shown = async (page) => {
    await until(page, () => document.documentElement.dataset.nodes === "19999");
    await page.keyboard.press("Escape");
    await page.locator("#canvas").press("Home");
    await kit.drawn(page);
    return canvas(page);
  };
  await served([mesh, "--edit"], async (address) => {
    await opened(address, async (page) => {
      await until(page, () => document.documentElement.dataset.revision === "0");
      await choose(kit, page, "#10100", 1);
      await page.locator("#canvas").focus();
      await step(kit, page, () => page.keyboard.press("Delete"));
      const fetched = Number((await told(page)).fetched);
      assert.ok(fetched >= 1 && fetched <= 6, `${fetched} chunks were sent again`);
      changed = await shown(page);
      await seen(page, "edit-few");
      // Taken back: the area comes back to where it was.
      await step(kit, page, () => page.keyboard.press("Control+z"));
      assert.equal((await told(page)).nodes, "20000");
      assert.ok(Number((await told(page)).fetched) <= 6);
      await step(kit, page, () => page.keyboard.press("Control+y"));
      assert.ok((await kit.apart(page, await shown(page), changed)) < 0.008, "done again, it looks other than before");
      await page.goto("about:blank");
      await page.goto(address);
      // A chunk is sixteen thousandths of the picture.
      assert.ok((await kit.apart(page, await shown(page), changed)) < 0.008, "a fresh page shows something else");
      await page.click("#save");
      await page.click("#save-over");
      await until(page, () => document.documentElement.dataset.unsaved === "false");
    });
  });
  // Another program divides the mesh in another way.
  await served([mesh], async (address) => {
    await opened(address, async (page) => assert.ok((await kit.apart(page, await shown(page), changed)) < 0.008, "a fresh program shows something else"));
  });
}

/** What is typed at a mesh of each family; keys take back and do again in between, so that each has ten changes. */
const TYPED = {
  "quake/nav3-v6.nav": ["move 16 0 0 #0", "delete #1", "move 0 8 0 #2", "delete #3"],
  "fox/standalone.nav2": ["raise 0.5 all", "raise -0.25 all", "raise 0.125 all"],
  "skyrim/se/village.esp": ["move 0 0 8 all", "flip all", "move 8 0 0 all"],
  "rcbot/v4.rcw": ["move 16 0 0 #1", "delete #2", "move 0 16 0 #3"],
  "source/v34.nav": ["flag CROUCH #1", "move 0 0 8 #2", "delete #3", "disconnect #1 #2"],
  "source/v35-1.nav": ["isolate #2", "set #1 Attributes=AVOID", "isolate #3"],
  "aas/v5.aas": ["flag disabled #5", "disconnect #1 #7", "set_link #1 #2 Time=90"],
  "nodegraph/v37.ain": ["move 0 0 4 all", "delete #1", "move 4 0 0 #2"],
  "nodegraph/v16.nod": ["set #0 Yaw=45", "set #1 Yaw=30", "set #0 Yaw=90"],
  "detour/set.navmesh": ["set area(1) Area=4", "delete #1", "connect #0 #2 --both", "move 0.5 0 0 C#2"],
  "yapb/v2.graph": ["delete #5", "move 8 0 0 #8", "disconnect #8 #9", "delete #1"],
};

/** Ten changes of a mesh of every family, and a save of the bytes that `navmap edit` writes. */
async function every(kit) {
  const { program, temp, served, opened, until, told } = kit;
  let number = 0;
  for (const [path, commands] of Object.entries(TYPED)) {
    const name = `every-${number++}${path.slice(path.lastIndexOf("."))}`, mesh = join(temp, name), [original, again] = ["original", "again"].map((what) => join(temp, `${what}-${name}`));
    for (const copy of [mesh, original]) copyFileSync(join("corpus", path), copy);
    await served([mesh, "--edit"], (address) => opened(address, async (page) => {
      await until(page, () => document.documentElement.dataset.revision === "0");
      let changes = 0;
      const change = async (act) => {
        await step(kit, page, act);
        changes++;
      };
      for (const command of commands) {
        await page.fill("#command", command);
        await change(() => page.press("#command", "Enter"));
      }
      while (changes < 10) {
        await page.locator("#canvas").focus();
        for (const key of ["z", "z", "y", "y"]) await change(() => page.keyboard.press(`Control+${key}`));
      }
      assert.equal(Number((await told(page)).steps), commands.length, path);
      const journal = state(temp).find((file) => readFileSync(file, "utf8").includes(name));
      assert.ok(journal, path);
      const edited = spawnSync(program, ["edit", original, "-f", journal, "-o", again]);
      assert.equal(edited.status, 0, String(edited.stderr));
      await page.click("#save");
      await page.click("#save-over");
      await until(page, () => document.documentElement.dataset.unsaved === "false");
      assert.deepEqual(readFileSync(mesh), readFileSync(again), path);
      assert.notDeepEqual(readFileSync(mesh), readFileSync(original), path);
    }));
  }
}
