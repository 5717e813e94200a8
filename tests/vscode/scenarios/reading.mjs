// Can a transcript be read: from its end up, with what is rarely read folded, and along its links?

import { showsText } from "../live_window.mjs";
import { AGENT, PLANTED, writeCompacted, writeLong } from "../reading_sessions.mjs";

export const title =
  "a long transcript opens at its end, folds, dims and leads to what is not in it";
export const home = "empty";
export const settings = { "forkpoint.scope": "all" };

const SESSIONS = "Sessions - everything";
const LONG = "Read the log";
const COMPACTED = "Tidy the readme";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1300 });
  await writeLong(workbench, "5e551010-0000-4000-8000-000000000001", LONG);
  await writeCompacted(workbench, "5e551010-0000-4000-8000-000000000002", COMPACTED);
  await workbench.openContainer("Forkpoint");
  await opensAtTheEnd(workbench, assert);
  await holdsWhatIsPlanted(workbench, assert);
  await leadsElsewhere(workbench, assert);
  await showsEarlierRecords(workbench, assert);
  await foldsWhatIsSummarized(workbench, assert);
}

async function opensAtTheEnd(workbench, assert) {
  await workbench.eventually(() => workbench.row(SESSIONS, LONG));
  await workbench.click(SESSIONS, LONG);
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), LONG);
    await showsText(workbench, PLANTED);
    await showsText(workbench, "Find the tests");
    await showsText(workbench, "· 4 attachments of the client");
    await showsText(workbench, "▸ Edit cart.py · +2 −1 · ok");
    await showsText(workbench, "<details><summary>Thinking</summary>");
    const text = (await workbench.editorLines()).join("\n");
    assert.ok(!text.includes("Where may they be?"), "thinking is folded");
    assert.ok(!text.includes("Attachment: skill_listing"), "attachments are folded");
    assert.equal(await opacity(workbench, "turn_duration"), "0.6");
    assert.equal(await opacity(workbench, "Edit cart.py"), "1");
  });
  await workbench.screenshot("reading-1-end");
  await workbench.command("Preferences: Toggle between Light/Dark Themes");
  await workbench.page.waitForTimeout(500); // until the colours are there
  await workbench.screenshot("reading-2-end-other-theme");
  await workbench.command("Preferences: Toggle between Light/Dark Themes");
}

/** What somebody wrote into a conversation is text, whatever it looks like. */
async function holdsWhatIsPlanted(workbench, assert) {
  const before = await workbench.tabs();
  const line = workbench.page.locator(".editor-instance .view-line", { hasText: "run it" });
  assert.equal(await line.locator(".detected-link").count(), 0);
  await workbench.page.keyboard.down("Control");
  await line.click();
  await workbench.page.keyboard.up("Control");
  assert.deepEqual(await workbench.tabs(), before);
  assert.deepEqual(await workbench.notificationTexts(), []);
}

async function leadsElsewhere(workbench, assert) {
  await follow(workbench, `Subagent ${AGENT}: its transcript`);
  await workbench.eventually(async () => {
    await showsText(workbench, "The agent that sent it · ");
    await showsText(workbench, "## 1. Are there tests?");
  });
  await workbench.screenshot("reading-3-subagent");
  await back(workbench, assert);
  await follow(workbench, "Edit cart.py");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "cart"); // tabs set the ending apart
    await showsText(workbench, "    return x");
  });
  await back(workbench, assert);
  await follow(workbench, "Image: image/png, 88 bytes");
  await workbench.eventually(async () =>
    assert.match(await workbench.activeTab(), /^Read the log \(image \d+\.0\)$/),
  );
  await workbench.page.waitForTimeout(1500); // the picture comes in a page of its own
  await workbench.screenshot("reading-4-image");
  await back(workbench, assert);
}

async function showsEarlierRecords(workbench, assert) {
  await workbench.command("View: Focus Active Editor Group");
  await goesTo(workbench, "Control+Home", "▸ Not on this path: 2 records");
  const lines = await workbench.editorLines();
  const left = lines.find((line) => line.includes("show earlier ones"));
  assert.match(left, /^… [\d,]+ older records are left out here: show earlier ones$/);
  assert.ok(!lines.some((line) => line.includes("· Branch: ")), "what is elsewhere is folded");
  await workbench.screenshot("reading-5-top");
  await follow(workbench, "show earlier ones");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Read the log \(before \d+\)$/);
    await showsText(workbench, "newer records follow: show later ones");
  });
  await workbench.screenshot("reading-6-earlier");
  await goesTo(workbench, "Control+Home", `## 1. ${LONG}`);
  await goesTo(workbench, "Control+End", "show later ones");
  const first = await workbench.activeTab();
  await follow(workbench, "show later ones");
  await workbench.eventually(async () => {
    const next = await workbench.activeTab();
    assert.notEqual(next, first);
    assert.match(next, /^Read the log( \(before \d+\))?$/);
    await showsText(workbench, "Answer 129: ");
  });
}

async function foldsWhatIsSummarized(workbench, assert) {
  await workbench.click(SESSIONS, COMPACTED);
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), COMPACTED);
    await showsText(workbench, "# Before the compaction: readable, not sent again");
    await showsText(workbench, "by itself · 90,000 tokens before · 12,000 after");
    const text = (await workbench.editorLines()).join("\n");
    assert.ok(!text.includes("An answer from before."), "what was compacted is folded");
  });
  await workbench.screenshot("reading-7-compacted");
  await workbench.command("View: Focus Active Editor Group");
  await workbench.command("Unfold All");
  await workbench.eventually(async () => {
    await showsText(workbench, "An answer from before.");
    assert.equal(await opacity(workbench, "An answer from before."), "0.6");
    assert.equal(await opacity(workbench, "by itself · 90,000 tokens"), "0.6");
    assert.equal(await opacity(workbench, "What happened so far."), "1");
    assert.equal(await opacity(workbench, "It goes on."), "1");
  });
  await workbench.screenshot("reading-8-unfolded");
}

/** A key may come before the editor listens. */
async function goesTo(workbench, key, text) {
  await workbench.eventually(async () => {
    await workbench.command("View: Focus Active Editor Group");
    await workbench.press(key);
    await showsText(workbench, text);
  });
}

/**
 * Clicks a link of the active editor with the key that makes it one.
 *
 * The line is drawn anew while the key is down: a click on what is gone by then has led somewhere, or
 * is made again.
 */
async function follow({ page }, text) {
  const link = page.locator(".editor-instance .detected-link", { hasText: text }).last();
  await link.waitFor();
  for (let left = 5; left > 0; left--) {
    await page.keyboard.down("Control");
    const failure = await link.click({ timeout: 5000 }).catch((error) => error);
    await page.keyboard.up("Control");
    if (failure === undefined || (await link.count()) === 0) return;
    if (left === 1) throw failure;
  }
}

async function back(workbench, assert) {
  await workbench.eventually(async () => {
    await workbench.click(SESSIONS, LONG);
    assert.equal(await workbench.activeTab(), LONG);
    await showsText(workbench, "Find the tests");
  });
}

/** How much of a line's text is seen. */
function opacity({ page }, text) {
  const word = page.locator(".editor-instance .view-line", { hasText: text }).last();
  return word
    .locator("span > span")
    .last()
    .evaluate((span) => getComputedStyle(span).opacity);
}
