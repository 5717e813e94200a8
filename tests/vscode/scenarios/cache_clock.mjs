// Does the clock count down by itself, and is a dear resume asked about before anything starts?

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint } from "../fingerprint.mjs";
import { writeSession } from "../transcripts.mjs";

export const title =
  "a cache's clock runs out by itself, and a dear resume starts only after a yes";
export const home = "stub-client";
export const turn = "first"; // a cache runs out meanwhile

const SESSIONS = "Sessions - this repository";
const DEAR = "Move the shop";
const WARM = "Add a discount";
const DEAR_ID = "c10c0000-0000-4000-8000-000000000001";
const WARM_ID = "c10c0000-0000-4000-8000-000000000002";
const LONG_MS = 160_000;

export async function run(workbench, assert) {
  const { page, configDir } = workbench;
  await page.setViewportSize({ width: 1280, height: 1000 });
  await workbench.openContainer("Forkpoint");
  await writeSessions(workbench);
  const before = await fingerprint(configDir);
  await workbench.command("Forkpoint: Refresh Sessions");
  await widen(workbench);
  await isHiddenWithoutASession(workbench, assert);
  await countsDown(workbench, assert);
  await foretellsARewind(workbench, assert);
  await turnsCold(workbench, assert);
  await asksBeforeItCosts(workbench, assert);
  await asksCalmlyOfAWarmOne(workbench, assert);
  await showsTheLiveOne(workbench, assert);
  await opensTheView(workbench, assert);
  await resumesAfterAYes(workbench, assert);
  assert.equal(await fingerprint(configDir), before);
}

/** One whose cache ends within three minutes, one whose cache lives for most of an hour. */
async function writeSessions(folders) {
  await writeSession(folders, {
    id: DEAR_ID,
    turns: [
      { prompt: DEAR, minutesAgo: 6, tokens: "3/20000/278000/0/500" },
      { prompt: "Its tests too", minutesAgo: 150 / 60, tokens: "3/298000/1850/0/620" },
    ],
  });
  await writeSession(folders, {
    id: WARM_ID,
    turns: [
      { prompt: WARM, minutesAgo: 20, tokens: "3/0/0/59500/400" },
      { prompt: "Test the discount", minutesAgo: 12, tokens: "3/59500/0/83550/620" },
    ],
  });
}

async function isHiddenWithoutASession(workbench, assert) {
  await workbench.eventually(async () => {
    assert.match((await rowOf(workbench, DEAR)).description, / kB$/);
    assert.match((await rowOf(workbench, WARM)).description, / kB$/);
  });
  assert.equal(await clock(workbench), undefined);
}

async function countsDown(workbench, assert) {
  await workbench.click(SESSIONS, DEAR);
  await workbench.eventually(async () => {
    const shown = await clock(workbench);
    assert.match(shown?.text ?? "", /^cache [123] min$/);
    assert.equal(shown?.isWarning, false);
    assert.match(
      shown?.aria ?? "",
      new RegExp(`^Prompt cache of “${DEAR}”: Warm for about [123] `),
    );
  });
  await workbench.screenshot("cache-clock-warm");
  await workbench.eventually(async () => {
    assert.deepEqual(await face(workbench), ["cache 1 min", "warning"]);
  }, LONG_MS);
  await workbench.command("Forkpoint: Refresh Sessions"); // rows follow within a minute
  await workbench.eventually(async () => {
    const row = await rowOf(workbench, DEAR);
    assert.match(row.description, / · cache (less than )?1 min$/);
    assert.match(row.aria, /, prompt cache expires in (1 minute|less than one minute)$/);
  });
  await workbench.screenshot("cache-clock-warning");
}

async function foretellsARewind(workbench, assert) {
  const view = "Rewind Preview - Test the discount";
  await workbench.expand(SESSIONS, WARM);
  await workbench.expand(SESSIONS, "Prompts");
  await workbench.clickRowAction(SESSIONS, "Test the discount", "Preview Rewind to Here");
  await workbench.eventually(async () => {
    const [, , row] = await workbench.outline(view);
    assert.match(row, /^ {2}Cache \| Warm for about 4\d min: \$0\.02 · 60k tokens read · likely$/);
  });
  assert.match(await workbench.tooltip(view, "Cache"), /^Keeps about 60k.*\nLikely: /s);
  await workbench.screenshot("cache-clock-rewind");
  await workbench.page.mouse.move(900, 400, { steps: 5 }); // the tooltip lies over the buttons
  await workbench.clickViewAction(view, "Close Rewind Preview");
}

async function turnsCold(workbench, assert) {
  await workbench.eventually(async () => {
    assert.deepEqual(await face(workbench), ["cache ends about now", "warning"]);
  }, LONG_MS);
  await workbench.screenshot("cache-clock-ending");
  await workbench.eventually(async () => {
    assert.deepEqual(await face(workbench), ["cache cold · $1.50", ""]);
  }, LONG_MS);
  await workbench.command("Forkpoint: Refresh Sessions"); // rows follow within a minute
  await workbench.eventually(async () => {
    const row = await rowOf(workbench, DEAR);
    assert.match(row.description, / · cold · \$1\.50$/);
    assert.match(row.aria, /, prompt cache cold · \$1\.50$/);
  });
  await workbench.screenshot("cache-clock-cold");
  assert.match(
    await workbench.tooltip(SESSIONS, DEAR),
    /Prompt cache: Idle \d min, longer than the 5 min lifetime: about 300k tokens will be written/,
  );
  await workbench.screenshot("cache-clock-tooltip");
  await workbench.page.mouse.move(700, 600);
  await workbench.page.mouse.move(900, 700, { steps: 5 });
  await workbench.page.locator(".workbench-hover").first().waitFor({ state: "hidden" });
}

async function asksBeforeItCosts(workbench, assert) {
  const { cache, runs, buttons, isWarning } = await questionOf(workbench, assert, DEAR);
  assert.ok(isWarning);
  assert.match(
    cache,
    /^Idle \d min, .* 300k tokens will be written again \(about \$1\.41 to \$1\.50\)/,
  );
  assert.match(cache, /\n\nPrice: list price of the API for claude-opus-5-5\.$/);
  assert.equal(runs, `Runs claude --resume ${DEAR_ID} in ${workbench.workspace}.`);
  assert.deepEqual(buttons, ["Cancel", "Resume for about $1.50"]);
  await workbench.screenshot("cache-clock-question");
  await workbench.press("Escape");
  await nothingStarted(workbench, assert);
}

async function asksCalmlyOfAWarmOne(workbench, assert) {
  const { cache, buttons, isWarning } = await questionOf(workbench, assert, WARM);
  assert.ok(!isWarning);
  assert.match(cache, /^Still warm for about 4\d min: .*\(\$0\.03\)/);
  assert.deepEqual(buttons, ["Cancel", "Resume"]);
  await workbench.screenshot("cache-clock-question-warm");
  await workbench.press("Escape");
  await nothingStarted(workbench, assert);
}

/** The clock is the live session's, whatever is selected, for as long as it lives. */
async function showsTheLiveOne(workbench, assert) {
  const folder = path.join(workbench.configDir, "sessions");
  const stat = await readFile("/proc/self/stat", "utf8");
  const procStart = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
  const facts = { pid: process.pid, sessionId: WARM_ID, procStart, status: "busy" };
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "1.json"), JSON.stringify(facts));
  try {
    await workbench.command("Forkpoint: Refresh Sessions");
    await workbench.eventually(async () => {
      const shown = await clock(workbench);
      assert.match(shown?.text ?? "", /^cache 4\d min$/);
      assert.match(shown?.aria ?? "", new RegExp(`^Prompt cache of “${WARM}”`));
    });
    await workbench.screenshot("cache-clock-live");
  } finally {
    await rm(folder, { recursive: true });
  }
  await workbench.command("Forkpoint: Refresh Sessions");
  await workbench.eventually(async () =>
    assert.deepEqual(await face(workbench), ["cache cold · $1.50", ""]),
  );
}

async function opensTheView(workbench, assert) {
  await clockItem(workbench).click();
  await workbench.eventually(async () =>
    assert.match((await workbench.outline(`Resume & Cache - ${DEAR}`))[0], /^ {2}Cold: /),
  );
}

/** Only now the stub on PATH is called: so it would have told before. */
async function resumesAfterAYes(workbench, assert) {
  await questionOf(workbench, assert, DEAR);
  await dialogOf(workbench).getByRole("button", { name: "Resume for about" }).click();
  await workbench.eventually(async () =>
    assert.equal(await readFile(callsOf(workbench), "utf8"), `--resume ${DEAR_ID}\n`),
  );
}

/** Pulls the side bar's edge to the right: at its usual width the end of a row is cut. */
async function widen({ page }) {
  const box = await page.locator(".part.sidebar").boundingBox();
  const edge = box.x + box.width;
  await page.mouse.move(edge, 300);
  await page.mouse.down();
  await page.mouse.move(edge + 150, 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 400);
}

/** Clicks Resume on a session and reads what is asked. */
async function questionOf(workbench, assert, session) {
  await workbench.clickRowAction(SESSIONS, session, "Resume Session");
  const dialog = dialogOf(workbench);
  await dialog.waitFor();
  const texts = dialog.locator(".dialog-message-text, .dialog-message-detail");
  const [question, detail] = await texts.allInnerTexts();
  assert.equal(question, `Resume “${session}” in a terminal?`);
  const end = detail.lastIndexOf("\n\n");
  return {
    cache: detail.slice(0, end),
    runs: detail.slice(end).trim(),
    buttons: await dialog.locator(".monaco-button").allInnerTexts(),
    isWarning: (await dialog.locator(".codicon-dialog-warning").count()) > 0,
  };
}

async function nothingStarted(workbench, assert) {
  await dialogOf(workbench).waitFor({ state: "hidden" });
  assert.equal(await workbench.page.locator(".terminal-outer-container .xterm").count(), 0);
  await assert.rejects(readFile(callsOf(workbench)), { code: "ENOENT" });
}

function dialogOf({ page }) {
  return page.locator(".monaco-dialog-box");
}

/** Where the stub on PATH writes down how it was called. */
function callsOf({ configDir }) {
  return path.join(path.dirname(configDir), "claude-calls");
}

function clockItem({ page }) {
  return page.locator(".part.statusbar .statusbar-item", { hasText: /^\W*cache / });
}

/** What the status bar shows of the cache; undefined = nothing. */
async function clock(workbench) {
  const item = clockItem(workbench);
  if ((await item.count()) === 0) return undefined;
  return {
    text: (await item.innerText()).trim(),
    isWarning: /\bwarning-kind\b/.test((await item.getAttribute("class")) ?? ""),
    aria: await item.locator("[aria-label]").first().getAttribute("aria-label"),
  };
}

async function face(workbench) {
  const shown = await clock(workbench);
  return [shown?.text, shown?.isWarning ? "warning" : ""];
}

async function rowOf(workbench, label) {
  const rows = await workbench.rows(SESSIONS);
  return rows.find((row) => row.label === label);
}
