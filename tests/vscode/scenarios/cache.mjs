// Is it said before the next prompt whether the cache is warm, why, and what it costs?

import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint } from "../fingerprint.mjs";
import { transcriptPath, writeSession } from "../transcripts.mjs";

export const title =
  "the prompt cache is foretold with reasons, prices and history; nothing starts";
export const home = "stub-client";
export const settings = { "forkpoint.scope": "all" };

const SESSIONS = "Sessions - everything";
const NAME = "Resume & Cache";
const view = (session) => `${NAME} - ${session}`;

const WARM = "Add a discount";
const COLD = "Rename the module";
const UPGRADED = "Explain the build";
const BROKEN = "Sum up the plan";
const ENDING = "Count the tests";
const id = (number) => `5e551010-0000-4000-8000-00000000000${number}`;
const OLDER = { model: "claude-opus-4-8" };
const HISTORY = {
  id: id(4),
  turns: [
    { prompt: BROKEN, minutesAgo: 600, tokens: "3/0/0/20000/200" },
    { prompt: "Do the first step", minutesAgo: 598, tokens: "3/20000/0/60000/900" },
    { prompt: "Go on", minutesAgo: 400, tokens: "3/0/0/90000/300" },
    { prompt: "Think harder", minutesAgo: 395, tokens: "3/0/0/92000/300", ...OLDER },
    { prompt: "And again", minutesAgo: 390, tokens: "3/0/0/30000/300", ...OLDER, compacted: true },
  ],
};

export async function run(workbench, assert) {
  const { page, configDir } = workbench;
  await page.setViewportSize({ width: 1280, height: 1500 });
  await installClient(workbench, "2.1.332");
  await writeSessions(workbench);
  await workbench.openContainer("Forkpoint");
  await saysNothingYet(workbench, assert);
  const before = await fingerprint(configDir);
  await foretellsWarm(workbench, assert);
  await compares(workbench, assert);
  await choosesAPrompt(workbench, assert);
  await foretellsCold(workbench, assert);
  await tellsOfBreaks(workbench, assert);
  await worksByKeyboard(workbench, assert);
  await saysWhatCannotBeKnown(workbench, assert);
  await standsInTheSession(workbench, assert);
  assert.deepEqual(await fingerprint(configDir), before);
  await followsTheClock(workbench, assert);
  await saysThatCachingIsOff(workbench, assert);
  await saysWhatFailed(workbench, assert);
  // The stub writes down each call.
  await assert.rejects(access(path.join(path.dirname(configDir), "claude-calls")));
}

async function writeSessions(folders) {
  await writeSession(folders, {
    id: id(1),
    turns: [
      { prompt: WARM, minutesAgo: 20, tokens: "3/0/0/21400/100" },
      { prompt: "Test the discount", minutesAgo: 15, tokens: "3/21400/0/119800/200" },
      { prompt: "Document it", minutesAgo: 4, tokens: "3/141200/0/1850/620" },
    ],
    lines: [{ type: "permission-mode", permissionMode: "plan" }],
  });
  await writeSession(folders, {
    id: id(2),
    turns: [
      { prompt: COLD, minutesAgo: 200, tokens: "3/0/0/21400/10" },
      { prompt: "Now its tests", minutesAgo: 180, tokens: "3/21400/0/121650/620" },
    ],
  });
  await writeSession(folders, {
    id: id(3),
    turns: [
      // What all sessions share was in the cache already.
      { prompt: UPGRADED, minutesAgo: 12, tokens: "3/20000/0/1400/10" },
      { prompt: "And the release?", minutesAgo: 10, tokens: "3/21400/0/121650/620" },
    ],
  });
  await writeSession(folders, HISTORY);
}

async function saysNothingYet(workbench, assert) {
  for (const name of ["Branches", "File Checkpoints"])
    await workbench.view(name).locator("> .pane-header").click();
  await workbench.row(SESSIONS, WARM);
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.viewText(NAME), [
      "Select a session to see what a resume costs and brings back.",
      "Select Session",
    ]),
  );
  await workbench.screenshot("cache-empty");
}

async function foretellsWarm(workbench, assert) {
  await workbench.click(SESSIONS, WARM);
  await shows(workbench, assert, WARM, [
    "  Warm for about 5? min: $0.03 | 143k tokens read",
    "v Why",
    "    Used ? min ago, within the 1 h lifetime. | likely",
    "> Layers | all kept",
    "v Work brought back | 1 not restored",
    "    Permission mode | plan · not restored",
    "    Model | claude-opus-5-5",
    "    Folder | workspace",
    "> Compare | resume, rewind, compact, clear",
    "> Cache history",
    "> Based on | 8 facts",
  ]);
  const [verdict, , why] = await workbench.rows(view(WARM));
  assert.equal(verdict.icon, "flame");
  assert.match(
    verdict.aria,
    /^prompt cache, Warm for about 5\d minutes: 143k tokens read, \$0\.03/,
  );
  assert.match(why.aria, /, likely$/);
  const told = await workbench.tooltip(view(WARM), verdict.label);
  assert.match(told, /Still warm for about 5\d min/);
  assert.match(told, /Lifetime: 1 h/);
  assert.match(told, /If it is gone: \$0\.99–\$1\.15/);
  assert.match(told, /Prices: list price of the API for claude-opus-5-5/);
  await workbench.screenshot("cache-warm");
}

async function compares(workbench, assert) {
  await workbench.expand(view(WARM), "Compare");
  await workbench.expand(view(WARM), "Based on");
  const compared = [
    "    Resume | $0.03 · 143k read · 623 written",
    "    Rewind | $0.0? · to “Test the discount” · 21k read · 103 written",
    /^ {4}Compact \| \$0\.\d\d · 143k read/,
    /^ {4}Clear \| \$0\.\d\d/,
  ];
  await showsBelow(workbench, assert, WARM, "Compare", compared);
  await workbench.clickViewAction(view(WARM), "Refresh Resume & Cache");
  await showsBelow(workbench, assert, WARM, "Compare", compared); // still open
  const rewind = await workbench.row(view(WARM), "Rewind");
  assert.match(
    await rewind.getAttribute("aria-label"),
    /^Rewind to “Test the discount”, warm, .* 122k tokens dropped$/,
  );
  await workbench.screenshot("cache-compare");
}

async function choosesAPrompt(workbench, assert) {
  await workbench.clickRowAction(view(WARM), "Rewind", "Compare a Rewind to...");
  const choices = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  await workbench.eventually(async () =>
    assert.deepEqual(await choices.allTextContents(), ["Document it", "Test the discount", WARM]),
  );
  await workbench.press("Enter");
  await showsBelow(workbench, assert, WARM, "Compare", [
    /^ {4}Resume/,
    "    Rewind | $0.03 · to “Document it” · 141k read · 203 written",
    /^ {4}Compact/,
    /^ {4}Clear/,
  ]);
  await workbench.click(view(WARM), "Rewind");
  const preview = "Rewind Preview - Document it";
  await workbench.eventually(async () =>
    assert.equal((await workbench.outline(preview))[0].split(" |")[0], "  Conversation"),
  );
  await workbench.screenshot("cache-rewind");
  await workbench.clickViewAction(preview, "Close Rewind Preview");
}

async function foretellsCold(workbench, assert) {
  await workbench.click(SESSIONS, COLD);
  await shows(workbench, assert, COLD, [
    /^ {2}Cold: \$0\.99–\$1\.15 \| 144k tokens will be written again$/,
    "v Why",
    "    Idle 3 h, longer than the 1 h lifetime. | certain",
    "v Layers | lost from project context on",
    "    Tools | not known",
    "    System prompt | not known",
    "    Project context | lost",
    "    Conversation | lost",
    "> Work brought back | everything",
    "> Compare | resume, rewind, compact, clear",
    "> Cache history",
    /^> Based on/,
  ]);
  await workbench.screenshot("cache-cold");
}

async function tellsOfBreaks(workbench, assert) {
  await workbench.click(SESSIONS, BROKEN);
  await workbench.row(view(BROKEN), "Cold: $0.30"); // the rows of the session before are gone
  await workbench.expand(view(BROKEN), "Cache history");
  await workbench.expand(view(BROKEN), "Expected");
  await showsBelow(workbench, assert, BROKEN, "Cache history", [
    /^ {4}5 requests \| \$\d\.\d\d · 6% from the cache · 312k tokens sent$/,
    "    Idle for too long | $0.6? · 80k tokens · 6 h",
    /^ {2}v Expected \| \$\d\.\d\d · 2 breaks · \d+k tokens$/,
    /^ {6}Compacted \| \$\d\.\d\d · \d+k tokens · expected · 6 h$/,
    /^ {6}Another model \| \$\d\.\d\d · 90k tokens · expected · 6 h$/,
  ]);
  await workbench.screenshot("cache-history");
  await workbench.click(view(BROKEN), "Idle for too long");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), BROKEN);
    const line = await workbench.statusText("Ln ");
    assert.doesNotMatch(line, /Ln 1,/);
  });
  await workbench.screenshot("cache-break");
}

/** From the palette to a row's text, without a mouse. */
async function worksByKeyboard(workbench, assert) {
  await workbench.command("Forkpoint: Show Resume & Cache of Session...");
  const choices = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  await workbench.eventually(async () => assert.equal(await choices.count(), 4));
  await workbench.page.keyboard.type(COLD);
  await workbench.eventually(async () => assert.equal(await choices.count(), 1));
  await workbench.press("Enter");
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^prompt cache, Cold: .* \$0\.99 to \$1\.15/),
  );
  await workbench.press("ArrowDown", "ArrowDown", "Enter", "Control+C");
  await workbench.eventually(async () =>
    assert.equal(
      await workbench.clipboardText(),
      "Idle 3 h, longer than the 1 h lifetime. · certain",
    ),
  );
}

async function saysWhatCannotBeKnown(workbench, assert) {
  await installClient(workbench, "2.1.340");
  await workbench.click(SESSIONS, UPGRADED);
  await workbench.eventually(async () => {
    const [verdict, , cause] = await workbench.rows(view(UPGRADED));
    assert.match(verdict.label, /^Warm or cold: \$0\.03 or \$/);
    assert.equal(verdict.icon, "question");
    assert.match(cause.label, /2\.1\.340/);
    assert.equal(cause.description, "cannot be known");
  });
  await workbench.screenshot("cache-unknown");
  await installClient(workbench, "2.1.332");
  await workbench.clickViewAction(view(UPGRADED), "Refresh Resume & Cache");
  await workbench.eventually(async () =>
    assert.match((await workbench.outline(view(UPGRADED)))[0], /^ {2}Warm for about /),
  );
}

async function standsInTheSession(workbench, assert) {
  await workbench.expand(SESSIONS, COLD);
  await workbench.expand(SESSIONS, "Cache");
  const row = await workbench.row(SESSIONS, { aria: /^prompt cache, Cold: / });
  await workbench.screenshot("cache-part");
  await row.locator(".label-name").click();
  await workbench.eventually(async () =>
    assert.match((await workbench.outline(view(COLD)))[0], /^ {2}Cold: /),
  );
}

/** A lifetime of five minutes ends while one looks, and a new answer begins another. */
async function followsTheClock(workbench, assert) {
  const turn = { minutesAgo: 4.6, tokens: "3/0/21400/0/100" };
  const last = await writeSession(workbench, {
    id: id(5),
    turns: [{ ...turn, prompt: ENDING }],
  });
  await workbench.clickViewAction(SESSIONS, "Refresh Sessions");
  await workbench.click(SESSIONS, ENDING);
  const [verdict] = await workbench.eventually(async () => {
    const rows = await workbench.rows(view(ENDING));
    assert.match(rows[0].label, /^Expires about now: up to /);
    return rows;
  });
  await workbench.screenshot("cache-ending");
  assert.equal(verdict.icon, "question");
  await workbench.eventually(
    async () => assert.match((await workbench.rows(view(ENDING)))[0].label, /^Cold: \$0\.\d\d/),
    120_000,
  );
  const next = { prompt: "Once more", minutesAgo: 0, tokens: "3/21400/600/0/100" };
  await writeSession(workbench, { id: id(5), last, turns: [next] });
  await workbench.clickViewAction(SESSIONS, "Refresh Sessions");
  await workbench.eventually(async () =>
    assert.match((await workbench.rows(view(ENDING)))[0].label, /^Warm for about 5 min: /),
  );
  await workbench.eventually(async () => {
    const [, newest] = await workbench.rows(SESSIONS); // a click would miss while rows move
    assert.equal(newest.label, ENDING);
  });
}

async function saysThatCachingIsOff(workbench, assert) {
  const file = path.join(workbench.configDir, "settings.json");
  await writeFile(file, JSON.stringify({ env: { DISABLE_PROMPT_CACHING: "1" } }));
  try {
    await workbench.click(SESSIONS, WARM);
    await workbench.eventually(async () => {
      const [verdict, , cause] = await workbench.rows(view(WARM));
      assert.equal(verdict.label, "Cold: $0.57");
      assert.equal(verdict.description, "caching is off, 144k tokens at full price");
      assert.match(cause.label, /switched off/);
    });
    await workbench.screenshot("cache-off");
    await narrow(workbench);
    await workbench.screenshot("cache-narrow");
  } finally {
    await rm(file);
  }
}

/** Pulls the side bar's edge to the left. */
async function narrow({ page }) {
  const box = await page.locator(".part.sidebar").boundingBox();
  const edge = box.x + box.width;
  await page.mouse.move(edge, 300);
  await page.mouse.down();
  await page.mouse.move(edge - 90, 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 400);
}

async function saysWhatFailed(workbench, assert) {
  const transcript = transcriptPath(workbench, id(1));
  await rename(transcript, `${transcript}.away`);
  try {
    await workbench.clickViewAction(view(WARM), "Refresh Resume & Cache");
    await workbench.eventually(async () => {
      assert.deepEqual(await workbench.outline(view(WARM)), [
        "  Try Again",
        "  Restart Server",
        "  Show Log",
      ]);
      assert.equal((await workbench.viewText(view(WARM))).length, 1);
    });
    await workbench.screenshot("cache-failed");
  } finally {
    await rename(`${transcript}.away`, transcript);
  }
  await workbench.click(view(WARM), "Try Again");
  await workbench.eventually(async () => {
    assert.match((await workbench.outline(view(WARM)))[0], /^ {2}Warm for about /);
    assert.deepEqual(await workbench.viewText(view(WARM)), []);
  });
}

/** As npm lays it down, beside the stub that PATH finds. */
async function installClient({ configDir }, version) {
  const name = "@anthropic-ai/claude-code";
  const folder = path.join(path.dirname(configDir), "bin", "node_modules", name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ name, version }));
}

async function shows(workbench, assert, session, lines) {
  await workbench.eventually(async () =>
    alike(assert, await workbench.outline(view(session)), lines),
  );
}

/** The rows below one that is open, up to the next of its level. */
async function showsBelow(workbench, assert, session, label, lines) {
  await workbench.eventually(async () => {
    const outline = await workbench.outline(view(session));
    const start = outline.findIndex((line) => line.startsWith(`v ${label}`)) + 1;
    const length = outline.slice(start).findIndex((line) => !line.startsWith("  "));
    alike(assert, outline.slice(start, start + length), lines);
  });
}

/** `?` stands for a digit; a pattern is a pattern. */
function alike(assert, outline, lines) {
  const same = outline.map((line, index) => {
    const wanted = lines[index];
    return (wanted instanceof RegExp ? wanted : digits(wanted ?? "")).test(line) ? wanted : line;
  });
  assert.deepEqual(same, lines);
}

function digits(line) {
  const text = line.replaceAll(/[.*+^${}()|[\]\\]/g, "\\$&").replaceAll("?", "\\d");
  return new RegExp(`^${text}$`);
}
