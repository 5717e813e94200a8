// Does one see every version of the file that is edited, and what each changed?

import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { cartHistory, withoutMinutes } from "../demo_home.mjs";

export const title = "File Checkpoints follows the editor and shows what became of a file";
export const home = "demo";

const VIEW = "File Checkpoints";
const CART = `${VIEW} - cart.py`;
const SESSIONS = "Sessions";
const NEWEST = { aria: /minutes ago, off the active path$/ };
const OF_FIVE_HOURS_AGO = { aria: "version 4, " };
const BUTTON = "Open File with Checkpoints";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await asksForAFile(workbench, assert);
  await listsVersions(workbench, assert);
  await opensDiffsInOneTab(workbench, assert);
  await stepsInPlace(workbench, assert);
  await comparesWithTheWorkingFile(workbench, assert);
  await seesWhatIsSaved(workbench, assert);
  await showsWholeTurns(workbench, assert);
  await staysWithAPinnedFile(workbench, assert);
  await saysThatThereAreNone(workbench, assert);
  await showsPrunedOnes(workbench, assert);
  await listsFilesOfASession(workbench, assert);
  await marksFilesOfTwoLiveSessions(workbench, assert);
}

async function asksForAFile(workbench, assert) {
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(VIEW), [
      "Open a file to see its checkpoints.",
      BUTTON,
    ]);
    assert.deepEqual(await workbench.rows(VIEW), []);
  });
  await workbench.screenshot("checkpoints-no-file");
}

async function listsVersions(workbench, assert) {
  await workbench.openFile("cart.py");
  await workbench.eventually(async () => {
    assert.deepEqual(withoutMinutes(await workbench.outline(CART)), cartHistory());
  });
  await workbench.screenshot("checkpoints-versions");
  const [working, mark, newest, first] = await workbench.rows(CART);
  assert.deepEqual(
    [working, mark, newest, first].map(({ icon }) => icon),
    ["file", "comment-discussion", "diff-modified", "milestone"],
  );
  assert.equal(working.aria, "Working file, same as v2");
  assert.match(mark.aria, /^session Round the total, \d+ minutes ago$/);
  assert.match(
    newest.aria,
    /^version 2, edited, 1 line added, 1 line removed, before the prompt Lower the tax rate, \d+ minutes ago, off the active path$/,
  );
  await workbench.eventually(async () => {
    const tooltip = await workbench.tooltip(CART, NEWEST);
    assert.match(tooltip, /^v2: the file as it was before this prompt ran\.\s+Prompt: Lower the /);
    assert.match(tooltip, /Session: Round the total\s/);
    assert.match(tooltip, /Branch: the prompt is off the active path\s+Content: the agent's copy$/);
  });
  await workbench.screenshot("checkpoints-tooltip");
}

const ROUNDED = ["def total(items):", "    return round(sum(i['price'] for i in items), 2)", ""];
const PLAIN = ["def total(items):", "    return sum(i['price'] for i in items)", ""];

async function opensDiffsInOneTab(workbench, assert) {
  await workbench.click(CART, NEWEST);
  await showsDiff(workbench, assert, "cart.py: v1 ↔ v2 (Lower the tax rate)");
  await workbench.eventually(async () => {
    const { before, after } = await workbench.diffLines();
    assert.deepEqual([before, after], [PLAIN, ROUNDED]);
  });
  await workbench.screenshot("checkpoints-diff");
  await workbench.press("ArrowDown", "Enter"); // the view kept the focus
  await showsDiff(workbench, assert, "cart.py: v1 of “Read all three” ↔ v1 (Round the total)");
}

async function stepsInPlace(workbench, assert) {
  await workbench.command("Forkpoint: Newer Version");
  await showsDiff(workbench, assert, "cart.py: v1 ↔ v2 (Lower the tax rate)");
  await workbench.command("Forkpoint: Newer Version");
  await showsDiff(workbench, assert, "cart.py: v2 ↔ working file");
  await workbench.command("Forkpoint: Newer Version");
  assert.equal(await workbench.statusText("No newer version."), "No newer version.");
  await workbench.clickEditorAction("Older Version");
  await showsDiff(workbench, assert, "cart.py: v1 ↔ v2 (Lower the tax rate)");
  await workbench.clickEditorAction("Newer Version");
  await showsDiff(workbench, assert, "cart.py: v2 ↔ working file");
}

async function comparesWithTheWorkingFile(workbench, assert) {
  await workbench.click(CART, "Working file");
  await showsDiff(workbench, assert, "cart.py: v2 ↔ working file");
  await workbench.clickRowAction(CART, OF_FIVE_HOURS_AGO, "Compare with Working File");
  await showsDiff(workbench, assert, "cart.py: v4 ↔ working file");
  await workbench.eventually(async () => {
    const { before, after } = await workbench.diffLines();
    assert.equal(before[0], "from discount import discount");
    assert.deepEqual(after.filter(Boolean), ROUNDED.filter(Boolean));
  });
  await workbench.screenshot("checkpoints-working");
  await workbench.clickEditorAction("Older Version");
  await showsDiff(workbench, assert, "cart.py: v3 ↔ working file");
}

async function seesWhatIsSaved(workbench, assert) {
  const says = (description) =>
    workbench.eventually(async () => {
      const [working] = await workbench.rows(CART);
      assert.equal(working.description, description);
    });
  await workbench.openFile("cart.py");
  await workbench.press("Control+Home");
  await workbench.page.keyboard.type("# Prices are net.\n");
  await workbench.press("Control+S");
  await says("edited since v2 · +1");
  for (let undone = 0; undone < 10; undone++) await workbench.press("Control+Z");
  await workbench.press("Control+S");
  await says("same as v2");
  await workbench.command("View: Close All Editors"); // an edited file's diff would keep its tab
  await asksForAFile(workbench, assert);
  await workbench.openFile("cart.py");
  await says("same as v2");
}

async function showsWholeTurns(workbench, assert) {
  await workbench.click(CART, "Use the discount in cart");
  await workbench.command("Forkpoint: Show Changes of This Turn");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Changes of “Use the discount in cart”/);
    assert.deepEqual(await workbench.changedFiles(), ["cart.py"]);
  });
  await workbench.screenshot("checkpoints-turn");
}

async function staysWithAPinnedFile(workbench, assert) {
  const pinned = `${VIEW} - cart.py · pinned`;
  await workbench.clickViewAction(CART, "Pin File Checkpoints to This File");
  await workbench.view(pinned).waitFor();
  await workbench.openFile("tax.py");
  await workbench.page.waitForTimeout(1000); // the view would have turned by now
  assert.deepEqual(withoutMinutes(await workbench.outline(pinned)), cartHistory());
  await workbench.screenshot("checkpoints-pinned");
  await workbench.clickViewAction(pinned, "Unpin File Checkpoints");
  await workbench.eventually(async () => {
    const labels = (await workbench.rows(`${VIEW} - tax.py`)).map(({ label }) => label);
    assert.ok(labels.includes("Edit both files"), labels.join("\n"));
  });
}

async function saysThatThereAreNone(workbench, assert) {
  const view = `${VIEW} - tax.py`;
  await workbench.openFile(".claude/worktrees/hotfix/tax.py");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(view), [
      "No checkpoints for this file: Claude has not edited it with its tools, " +
        "or the copies were pruned.",
      BUTTON,
    ]);
    assert.deepEqual(await workbench.rows(view), []);
  });
  await workbench.screenshot("checkpoints-none");
  await workbench.view(view).locator(".monaco-button", { hasText: BUTTON }).click();
  await workbench.eventually(async () => {
    const labels = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
    assert.deepEqual(await labels.allTextContents(), [
      "README.md",
      "cart.py",
      "discount.py",
      "tax.py",
    ]);
  });
  await workbench.screenshot("checkpoints-pick");
  await workbench.press("ArrowDown", "Enter");
  await workbench.eventually(async () => {
    assert.deepEqual(withoutMinutes(await workbench.outline(CART)), cartHistory());
  });
}

async function showsPrunedOnes(workbench, assert) {
  const folder = path.join(
    workbench.configDir,
    "file-history",
    "b2e74b0a-2716-490d-ba01-54a73887314f",
  );
  const file = path.join(workbench.workspace, "cart.py");
  const hash = createHash("sha256").update(file).digest("hex").slice(0, 16);
  const copies = [2, 3].map((number) => path.join(folder, `${hash}@v${number}`));
  await Promise.all(copies.map((copy) => rename(copy, `${copy}.aside`)));
  try {
    await workbench.clickViewAction(CART, "Refresh File Checkpoints");
    await workbench.eventually(async () => {
      const [sentence] = await workbench.viewText(CART);
      assert.equal(sentence, "Copies of this file are gone: Claude deletes old ones.");
      const lines = await workbench.outline(CART);
      const at = lines.findIndex((line) => line.includes("pruned"));
      assert.deepEqual(lines.slice(at - 1, at + 2), [
        "  Tidy the readme | v4 · edited · 5 h",
        "> v2–v3 pruned | 2 versions",
        "  Round the total | v1 · first · +1 −1 · 5 h",
      ]);
    });
    await workbench.expand(CART, "v2–v3 pruned");
    await workbench.eventually(async () => {
      const lines = await workbench.outline(CART);
      const at = lines.indexOf("v v2–v3 pruned | 2 versions");
      assert.deepEqual(lines.slice(at + 1, at + 3), [
        "    Use the discount in cart | v3 · pruned · 5 h",
        "    Lower the tax rate | v2 · pruned · 5 h",
      ]);
    });
    await workbench.click(CART, OF_FIVE_HOURS_AGO); // past what is gone
    await showsDiff(workbench, assert, "cart.py: v1 ↔ v4 (Tidy the readme)");
    await workbench.screenshot("checkpoints-pruned");
  } finally {
    await Promise.all(copies.map((copy) => rename(`${copy}.aside`, copy)));
  }
  await workbench.clickViewAction(CART, "Refresh File Checkpoints");
  await workbench.eventually(async () => {
    assert.deepEqual(withoutMinutes(await workbench.outline(CART)), cartHistory());
  });
}

async function listsFilesOfASession(workbench, assert) {
  const aria = "What does cart.py do?, complete, 5 hours ago";
  const session = await workbench.row(SESSIONS, { aria });
  await session.locator(".monaco-tl-twistie").click();
  await workbench.expand(SESSIONS, "Checkpoints (4)");
  await workbench.eventually(async () => {
    const lines = await workbench.outline(SESSIONS);
    const at = lines.indexOf("    v Checkpoints (4)");
    assert.deepEqual(lines.slice(at, at + 5), [
      "    v Checkpoints (4)",
      "      > cart.py | 4 versions · +1 −1",
      "      > tax.py | 3 versions · +1 −1",
      "      > discount.py | 2 versions · created · +2",
      "      > README.md | 1 version · +1 −1",
    ]);
  });
  await workbench.click(SESSIONS, "discount.py");
  await showsDiff(workbench, assert, "discount.py: v1 ↔ working file");
  await workbench.expand(SESSIONS, "tax.py");
  await workbench.eventually(async () => {
    const lines = await workbench.outline(SESSIONS);
    const at = lines.indexOf("      v tax.py | 3 versions · +1 −1");
    assert.deepEqual(lines.slice(at + 1, at + 4), [
      "          Add a docstring to cart | v3 · +2 · 5 h",
      "          Add a discount module | v2 · +1 −1 · 5 h",
      "          Lower the tax rate | v1 · first · 5 h",
    ]);
  });
  await workbench.click(SESSIONS, "Add a docstring to cart");
  await showsDiff(workbench, assert, "tax.py: v2 ↔ v3 (Add a docstring to cart)");
  await workbench.view(`${VIEW} - tax.py`).waitFor(); // the diff's file
  await workbench.screenshot("checkpoints-session");
  await session.locator(".label-name").click();
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "What does cart.py do?"); // the transcript, on its way
  });
  await workbench.command("Forkpoint: Show All Changes of This Session");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^All changes of “What does cart\.py do\?”/);
    assert.deepEqual(await workbench.changedFiles(), [
      "cart.py",
      "tax.py",
      "discount.py",
      "README.md",
    ]);
  });
  await workbench.screenshot("checkpoints-all");
}

async function marksFilesOfTwoLiveSessions(workbench, assert) {
  const folder = path.join(workbench.configDir, "sessions");
  await mkdir(folder, { recursive: true });
  const stat = await readFile("/proc/self/stat", "utf8");
  const procStart = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
  const live = ["3ee8f041-aad2-49f1-a9be-9676af30b1e7", "b2e74b0a-2716-490d-ba01-54a73887314f"];
  const files = live.map((_, index) => path.join(folder, `${index + 1}.json`));
  for (const [index, sessionId] of live.entries()) {
    const facts = { pid: process.pid, sessionId, procStart, status: "busy" };
    await writeFile(files[index], JSON.stringify(facts));
  }
  try {
    await workbench.command("Forkpoint: Refresh Sessions");
    await workbench.eventually(async () => {
      const [group, ...rows] = await workbench.rows(SESSIONS);
      assert.deepEqual([group.label, group.description], ["Live now", "2"]);
      const marked = rows.filter(({ description }) => description.includes("shares"));
      assert.deepEqual(
        marked.map(({ label, icon, aria }) => [label, icon, aria.split(", ").at(-1)]),
        [
          ["Round the total", "warning", "shares 4 files with other live sessions"],
          ["What does cart.py do?", "warning", "shares 4 files with other live sessions"],
        ],
      );
    });
    await workbench.screenshot("checkpoints-shared");
  } finally {
    await Promise.all(files.map((file) => rm(file)));
  }
}

/** The diff is the active tab, and the only one beside files and multi-diffs that were opened. */
async function showsDiff(workbench, assert, label) {
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), label);
    const diffs = (await workbench.tabs()).filter((tab) => tab.includes("↔"));
    assert.equal(diffs.length, 1, diffs.join("\n"));
  });
}
