// What does each view look like? Opens the demo as a person would, and takes a picture of each.
//
// Argument: JSON { url, out, chromium, configDir, workspace, icon: SVG file, views: [last part of a
// view's id, ...] }. Writes `icon.png`, `overview.png` and `VIEW.png` for each view.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";

import { chromium } from "playwright-core";

import { SearchPick } from "./search_pick.mjs";
import { Workbench } from "./workbench.mjs";

const SIZE = { width: 1120, height: 700 };
const SHARPNESS = 1.5;
const SIDEBAR = 460;
const SESSIONS = "Sessions - this repository";
const REWOUND = /^Round the total, complete, \d+ minutes ago/;
const EDITS = "What does cart.py do?, complete, 5 hours ago";
const VIEWS = ["Sessions", "Branches", "File Checkpoints", "Resume & Cache"];
const FORTH = ["Rewind Preview", "Search", "Health", "Usage"];

/** In the order in which they are taken: what one opens may still be there for the next. */
const PICTURES = {
  async overview(workbench) {
    await only(workbench, "Sessions", "Branches");
    await choose(workbench, REWOUND);
    await workbench.expand("Branches - Round the total", "Lower the tax rate");
    await workbench.expand("Branches - Round the total", "Add a discount module");
  },
  async sessions(workbench) {
    await only(workbench, "Sessions");
    await choose(workbench, EDITS);
    await workbench.row(SESSIONS, { aria: EDITS }).then((row) => open(workbench, row));
    await workbench.expand(SESSIONS, "Prompts");
  },
  async branches(workbench) {
    await only(workbench, "Sessions", "Branches");
    await choose(workbench, "What does cart.py do?, complete, 3 days");
    await workbench.expand("Branches - What does cart.py do?", "Same prompt sent 3 times");
    await only(workbench, "Branches");
  },
  async checkpoints(workbench) {
    await workbench.openFile("cart.py");
    await only(workbench, "File Checkpoints");
    await (await workbench.row("File Checkpoints - cart.py", { aria: "version 4, " })).click();
    await workbench.page.locator(".monaco-diff-editor .line-insert").first().waitFor();
  },
  async rewind(workbench) {
    await only(workbench, "Sessions");
    await workbench.clickRowAction(SESSIONS, "Add a discount module", "Preview Rewind to Here");
    await workbench.row("Rewind Preview - Add a discount module", "README.md");
    await only(workbench, "Rewind Preview");
    await workbench.click("Rewind Preview - Add a discount module", "README.md");
    await workbench.page.locator(".monaco-diff-editor .line-insert").first().waitFor();
  },
  async cache(workbench) {
    await workbench.command("Forkpoint: Close Rewind Preview");
    await only(workbench, "Sessions");
    await choose(workbench, REWOUND);
    await only(workbench, "Resume & Cache");
    await workbench.expand("Resume & Cache - Round the total", "Compare");
    await workbench.expand("Resume & Cache - Round the total", "Work brought back");
  },
  async results(workbench) {
    const pick = new SearchPick(workbench);
    await pick.open();
    await pick.look("discount in:prompts");
    await workbench.eventually(async () => assert.ok((await pick.rows()).length > 3));
    await pick.press("Show Hits in a View");
    await pick.isClosed();
    await only(workbench, "Search");
    await (await workbench.row("Search", { aria: /^prompt, Add a discount module, 5 h/ })).click();
    await showsLine(workbench, "Add a discount module");
  },
  async health(workbench) {
    await workbench.command("Forkpoint: Clear Results");
    await workbench.command("Forkpoint: Show Health");
    await only(workbench, "Health");
    await workbench.expand("Health", "Unfinished Last Lines");
    await workbench.expand("Health", "Deleted Soon");
    await (await workbench.row("Health", { aria: /line 33/ })).click();
    await workbench.page.locator('.tab.active[data-resource-name$=".jsonl"]').waitFor();
  },
  async usage(workbench) {
    await workbench.command("Forkpoint: Close Health");
    await workbench.command("Forkpoint: Show Usage");
    await only(workbench, "Usage");
    await workbench.expand("Usage", "By model");
    await workbench.expand("Usage", "By session");
    await workbench.clickRowAction("Usage", "Print many lines", "Show Context Window");
    await showsLine(workbench, "Chart (left to right");
  },
};

const job = JSON.parse(process.argv[2]);
const isRoot = process.getuid?.() === 0;
const browser = await chromium.launch({
  executablePath: job.chromium,
  args: isRoot ? ["--disable-gpu", "--no-sandbox"] : ["--disable-gpu"],
});
try {
  await drawIcon();
  await takeAll();
} finally {
  await browser.close();
}

/** A gallery takes no SVG. */
async function drawIcon() {
  const page = await browser.newPage({ viewport: { width: 128, height: 128 } });
  const drawing = await readFile(job.icon, "utf8");
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await page.screenshot({ path: path.join(job.out, "icon.png"), omitBackground: true });
  await page.close();
}

async function takeAll() {
  const missing = job.views.filter((view) => !(view in PICTURES));
  assert.deepEqual(missing, [], "views without a picture");
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: SHARPNESS,
    locale: "en-US",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const workbench = new Workbench(await context.newPage(), job);
  await workbench.open(job.url);
  await workbench.openContainer("Forkpoint");
  await workbench.row(SESSIONS, "Read all three");
  await widenSidebar(workbench);
  for (const [name, prepare] of Object.entries(PICTURES)) {
    try {
      await prepare(workbench);
      await settle(workbench);
    } catch (error) {
      await workbench.screenshot(`${name}-failed`);
      throw error;
    }
    await workbench.screenshot(name);
    console.log(name);
  }
}

/** Opens the named views and closes the others, so that the named ones have all the room. */
async function only(workbench, ...names) {
  for (const name of [...VIEWS, ...FORTH]) {
    const wanted = names.includes(name);
    const header = workbench.page.locator(
      `.pane > .pane-header:is([aria-label="${name} Section"], [aria-label^="${name} - "])`,
    );
    if ((await header.count()) === 0) continue;
    await workbench.eventually(async () => {
      if ((await header.getAttribute("aria-expanded")) === String(wanted)) return;
      await header.focus();
      await workbench.press(wanted ? "ArrowRight" : "ArrowLeft");
      assert.equal(await header.getAttribute("aria-expanded"), String(wanted));
    });
  }
}

/** Clicks a session by what a screen reader says of it: titles repeat. */
async function choose(workbench, aria) {
  await (await workbench.row(SESSIONS, { aria })).locator(".label-name").click();
}

async function showsLine(workbench, words) {
  await workbench.eventually(async () => {
    const lines = await workbench.editorLines();
    assert.ok(
      lines.some((line) => line.includes(words)),
      lines.join("\n"),
    );
  });
}

async function open(workbench, row) {
  await workbench.eventually(async () => {
    if ((await row.getAttribute("aria-expanded")) !== "true")
      await row.locator(".monaco-tl-twistie").click();
    assert.equal(await row.getAttribute("aria-expanded"), "true");
  });
}

async function widenSidebar({ page }) {
  const { x, width } = await page.locator(".part.sidebar").boundingBox();
  await page.mouse.move(x + width, 300);
  await page.mouse.down();
  await page.mouse.move(x + SIDEBAR, 300, { steps: 5 });
  await page.mouse.up();
}

/** Waits until nothing is being loaded and nothing moves, with the pointer out of the way. */
async function settle(workbench) {
  const { page } = workbench;
  await page.mouse.move(SIZE.width - 200, SIZE.height - 120);
  await workbench.command("Notifications: Clear All Notifications");
  await page.locator(".monaco-progress-container.active").first().waitFor({ state: "hidden" });
  const seen = async () => (await page.screenshot()).toString("base64");
  await workbench.eventually(async () => {
    const before = await seen();
    await page.waitForTimeout(700);
    assert.equal(await seen(), before);
  });
}
