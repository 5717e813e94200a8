// Does the preview tell what going back would do, and does it leave everything as it is?

import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint } from "../fingerprint.mjs";

export const title = "a rewind is foretold file by file, with diffs and steps, and changes nothing";
export const home = "demo";

const SESSIONS = "Sessions - this repository";
const ID = "b2e74b0a-2716-490d-ba01-54a73887314f";
const SESSION = "What does cart.py do?, complete, 5 hours ago";
const PROMPT = "Add a discount module";
const REWIND = `Rewind Preview - ${PROMPT}`;
const WITH_AN_EDIT_BY_HAND = [
  "  Conversation | drops 4 prompts and 11 responses · keeps 3",
  "  Context | 15k → 14k tokens",
  "  Cache | Cold: $0.03–$0.07 · 14k tokens will be written again",
  "  Code | Files: 2 overwritten, 1 deleted.",
  "v Would be deleted | 1 file",
  "    discount.py | −2",
  "v Would be overwritten | 2 files",
  "    cart.py | −1 · edited by you since",
  "    README.md | +1 −1",
  "> Unchanged | 1 file",
];
const ROUNDED = ["def total(items):", "    return round(sum(i['price'] for i in items), 2)"];

export async function run(workbench, assert) {
  const { page, configDir, workspace } = workbench;
  await page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  const files = await contentsOf(workspace, ["cart.py", "tax.py"]);
  try {
    await appendFile(path.join(workspace, "cart.py"), "# mine\n");
    const before = [await fingerprint(configDir), await fingerprint(workspace)];
    await workbench.openContainer("Forkpoint");
    await foretells(workbench, assert);
    await opensDiffs(workbench, assert);
    await copiesTheSteps(workbench, assert);
    await worksByKeyboard(workbench, assert);
    await refusesAnAbandonedPrompt(workbench, assert);
    await saysWhatIsNotCovered(workbench, assert);
    assert.deepEqual([await fingerprint(configDir), await fingerprint(workspace)], before);
    await followsTheDisk(workbench, assert);
    await saysWhatFailed(workbench, assert);
    await closes(workbench, assert);
  } finally {
    await writeAll(workspace, files);
  }
}

async function foretells(workbench, assert) {
  const session = await sessionRow(workbench, SESSION);
  assert.equal(await workbench.view(REWIND).count(), 0);
  await session.locator(".monaco-tl-twistie").click();
  await workbench.expand(SESSIONS, "Prompts");
  await workbench.clickRowAction(SESSIONS, PROMPT, "Preview Rewind to Here");
  await shows(workbench, assert, REWIND, WITH_AN_EDIT_BY_HAND);
  const rows = await workbench.rows(REWIND);
  const said = Object.fromEntries(rows.map(({ label, aria }) => [label, aria]));
  assert.equal(
    said.Conversation,
    "conversation, drops 4 prompts and 11 responses, keeps 3 prompts and 7 responses",
  );
  assert.equal(said.Context, "context, 15k tokens now, 14k tokens afterwards");
  assert.equal(
    said["cart.py"],
    "cart.py, would be overwritten, 1 line removed, edited by you since",
  );
  assert.equal(rows.find(({ label }) => label === "cart.py").icon, "warning");
  assert.equal(said["discount.py"], "discount.py, would be deleted, 2 lines removed");
  assert.match(await workbench.tooltip(REWIND, "Cache"), /^Idle 5 h.*\nCertain: Idle 5 h/s);
  assert.match(await workbench.tooltip(REWIND, "cart.py"), /Restored from: version 2/);
  await workbench.screenshot("rewind");
}

async function opensDiffs(workbench, assert) {
  await workbench.click(REWIND, "cart.py");
  await isDiff(workbench, assert, "cart.py: now ↔ after the rewind", {
    before: [...ROUNDED, "# mine", ""],
    after: [...ROUNDED, ""],
  });
  await workbench.screenshot("rewind-diff");
  await workbench.click(REWIND, "discount.py");
  await isDiff(workbench, assert, "discount.py: now ↔ deleted by the rewind", {
    before: ["def discount(x, p):", "    return x * (1 - p)", ""],
    after: [""],
  });
  assert.equal((await workbench.tabs()).length, 1);
  await workbench.clickViewAction(REWIND, "Show All as Diffs");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), `Rewind to “${PROMPT}” (3 files)`);
    assert.deepEqual(await workbench.changedFiles(), ["cart.py", "discount.py", "README.md"]);
  });
  await workbench.screenshot("rewind-all-diffs");
}

async function copiesTheSteps(workbench, assert) {
  await workbench.clickViewAction(REWIND, "Copy How to Do It");
  await workbench.eventually(async () => {
    const [heading, open, ...rest] = (await workbench.clipboardText()).split("\n");
    assert.equal(heading, `Rewind to “${PROMPT}”`);
    assert.ok(open.startsWith(`1. In ${workbench.workspace}: claude --resume ${ID}`), open);
    assert.deepEqual(rest, [
      "2. Press Esc twice while the input is empty, or type /rewind.",
      `3. Choose the prompt “${PROMPT}”.`,
      "4. Choose “Restore code and conversation”, “Restore conversation” or “Restore code”.",
      "Warning: restoring code undoes what you edited: cart.py",
      "",
    ]);
  });
  assert.equal(await workbench.statusText("Copied"), "Copied: how to rewind in the agent");
}

/** From the palette to a diff and back to the rows, without a mouse. */
async function worksByKeyboard(workbench, assert) {
  const focused = (label) =>
    workbench.eventually(async () => assert.deepEqual(await workbench.focusedLabels(), [label]));
  const session = await sessionRow(workbench, SESSION);
  await session.locator(".label-name").click(); // which session is meant
  await workbench.command("Forkpoint: Close Rewind Preview");
  await workbench.view(REWIND).waitFor({ state: "detached" });
  await workbench.command("Forkpoint: Preview Rewind to Here");
  const choices = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  await workbench.eventually(async () =>
    assert.deepEqual(await choices.allTextContents(), [
      "Tidy the readme",
      "Use the discount in cart",
      "Add a docstring to cart",
      PROMPT,
      "Lower the tax rate",
      "Round the total",
      "What does cart.py do?",
    ]),
  );
  await workbench.screenshot("rewind-choice");
  await workbench.page.keyboard.type("discount mod");
  await workbench.eventually(async () => assert.equal(await choices.count(), 1));
  await workbench.press("Enter");
  await focused("Conversation");
  await workbench.press("End", "ArrowUp");
  await focused("README.md");
  await workbench.press("Enter");
  await isDiff(workbench, assert, "README.md: now ↔ after the rewind", {
    before: ["# Shop", "", "A small sample shop.", ""],
    after: ["# Shop", "", "A small sample.", ""],
  });
  await focused("README.md");
  await workbench.press("Control+C");
  await workbench.eventually(async () =>
    assert.equal(await workbench.clipboardText(), "README.md · +1 −1"),
  );
  await workbench.press("Home", "Enter");
  await workbench.eventually(async () =>
    assert.equal(await workbench.activeTab(), "What does cart.py do?"),
  );
  await workbench.screenshot("rewind-keyboard");
}

async function refusesAnAbandonedPrompt(workbench, assert) {
  const branches = "Branches - Round the total";
  const session = await sessionRow(workbench, "Round the total, complete, ", "minutes ago");
  await session.locator(".label-name").click();
  const shown = workbench.view(branches).locator('[aria-label^="abandoned branch, Lower the tax"]');
  await shown.locator(".monaco-tl-twistie").click();
  await workbench.clickRowAction(branches, PROMPT, "Preview Rewind to Here");
  const refusal = await workbench.eventually(async () => {
    const last = (await workbench.rows(REWIND)).at(-1);
    assert.match(last.description, /^The prompt is not on the active path/);
    assert.equal(last.icon, "circle-slash");
    return last.description;
  });
  await workbench.clickViewAction(REWIND, "Copy How to Do It");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.notificationTexts(), [refusal]),
  );
  await workbench.screenshot("rewind-abandoned");
  await workbench.command("Notifications: Clear All Notifications");
}

/** Two states at once: no files, and a shell command. */
async function saysWhatIsNotCovered(workbench, assert) {
  const view = "Rewind Preview - Open a pull request";
  await workbench.click(SESSIONS, "Open a pull request");
  await workbench.command("Forkpoint: Preview Rewind to Here");
  await workbench.page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await workbench.press("Enter");
  await workbench.eventually(async () => {
    const [, , , ...rows] = await workbench.outline(view);
    assert.deepEqual(rows.slice(0, 3), [
      "  Code | No file would change.",
      "  No files | the agent's tools edited none",
      "v Not covered | 1 shell command",
    ]);
    assert.match(rows[3], /^ {4}gh pr create .* \| may write files$/);
  });
  const [call] = (await workbench.rows(view)).slice(-1);
  await workbench.click(view, call.label);
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Open a pull request( \(subagent \w+\))?$/);
    assert.match((await workbench.editorLines()).join("\n"), /gh pr create/);
  });
  await workbench.screenshot("rewind-not-covered");
}

async function followsTheDisk(workbench, assert) {
  const { workspace } = workbench;
  await rm(path.join(workspace, "tax.py"));
  await workbench.clickRowAction(SESSIONS, PROMPT, "Preview Rewind to Here");
  await shows(workbench, assert, REWIND, [
    ...WITH_AN_EDIT_BY_HAND.slice(0, 3),
    "  Code | Files: 2 overwritten, 1 deleted, 1 created.",
    ...WITH_AN_EDIT_BY_HAND.slice(4, -1),
    "v Would be created | 1 file",
    "    tax.py | +5",
  ]);
  await workbench.click(REWIND, "tax.py");
  await isDiff(workbench, assert, "tax.py: not there ↔ created by the rewind", {
    before: [""],
    after: ["RATE = 0.1", "", "", "def with_tax(x):", "    return x * (1 + RATE)", ""],
  });
  await workbench.screenshot("rewind-created");
}

async function saysWhatFailed(workbench, assert) {
  const transcript = path.join(
    workbench.configDir,
    "projects",
    workbench.workspace.replaceAll(/[^0-9A-Za-z]/g, "-"),
    `${ID}.jsonl`,
  );
  await rename(transcript, `${transcript}.away`);
  try {
    await workbench.clickViewAction(REWIND, "Refresh Rewind Preview");
    await workbench.eventually(async () => {
      assert.deepEqual(await workbench.outline(REWIND), [
        "  Try Again",
        "  Restart Server",
        "  Show Log",
      ]);
      assert.equal((await workbench.viewText(REWIND)).length, 1);
    });
    await workbench.screenshot("rewind-failed-state");
  } finally {
    await rename(`${transcript}.away`, transcript);
  }
  await workbench.click(REWIND, "Try Again");
  await workbench.eventually(async () => {
    assert.deepEqual((await workbench.outline(REWIND))[0], WITH_AN_EDIT_BY_HAND[0]);
    assert.deepEqual(await workbench.viewText(REWIND), []);
  });
}

async function closes(workbench) {
  await workbench.clickViewAction(REWIND, "Close Rewind Preview");
  await workbench.view(REWIND).waitFor({ state: "detached" });
}

/** By the beginning, and a later part, of what a screen reader says of it; titles repeat. */
async function sessionRow(workbench, aria, later = "") {
  return workbench.row(SESSIONS, { aria: new RegExp(`^${literally(aria)}.*${later}`) });
}

function literally(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

async function shows(workbench, assert, view, outline) {
  await workbench.eventually(async () => assert.deepEqual(await workbench.outline(view), outline));
}

async function isDiff(workbench, assert, name, lines) {
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), name);
    assert.deepEqual(await workbench.diffLines(), lines);
  });
}

async function contentsOf(folder, names) {
  return Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))]));
}

async function writeAll(folder, files) {
  await Promise.all(files.map(([name, content]) => writeFile(path.join(folder, name), content)));
}
