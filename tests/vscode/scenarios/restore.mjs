// Does a restore show what it would do, ask, and change nothing but the editor?

import { access, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint, hashOf } from "../fingerprint.mjs";

export const title =
  "a restore shows its diff and asks; the editor changes, no file does, undo works";
export const home = "demo";
export const settings = { "files.autoSave": "off" };

const VIEW = "File Checkpoints";
const SIGNATURE = "def total(items):";
const RETURN = "    return round(sum(i['price'] for i in items), 2)";
const IMPORT = ["from discount import discount", "", ""];
const NOW = [SIGNATURE, RETURN, ""];
const V4 = [...IMPORT, SIGNATURE, '    """Sum of prices."""', RETURN, ""];
const DISCOUNT = ["def discount(x, p):", "    return x * (1 - p)", ""];

export async function run(workbench, assert) {
  const file = path.join(workbench.workspace, "cart.py");
  const before = { home: await fingerprint(workbench.configDir), file: await hashOf(file) };
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await workbench.openFile("cart.py");
  await restoresByKeyboard(workbench, assert);
  await restoresFromDiff(workbench, assert);
  await restoresHunkInDiff(workbench, assert);
  await saysWhatIsNothingToRestore(workbench, assert);
  assert.equal(await hashOf(file), before.file);
  await bringsBackFileThatIsGone(workbench, assert);
  assert.equal(await fingerprint(workbench.configDir), before.home);
}

async function restoresByKeyboard(workbench, assert) {
  await workbench.command("Forkpoint: Restore This Version");
  const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
  await rows.first().waitFor();
  await workbench.page.keyboard.type("v4 · +3");
  await workbench.eventually(async () => assert.equal(await rows.count(), 1));
  await workbench.press("Enter");
  await asks(workbench, assert, [
    "Restore cart.py to v4?",
    "cart.py becomes v4 (before “Tidy the readme”). The editor changes, nothing is saved; undo brings it back.",
  ]);
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.diffLines(), { before: NOW, after: V4 }),
  );
  await workbench.screenshot("restore-asks");
  await workbench.press("Escape");
  await dialog(workbench).waitFor({ state: "hidden" });
  await shows(workbench, assert, "cart.py: now ↔ v4 restored", false);

  await workbench.command("Forkpoint: Restore This Version"); // that of the diff, which is still there
  await dialog(workbench).waitFor();
  await workbench.press("Enter");
  await shows(workbench, assert, "cart.py", true);
  await workbench.eventually(async () => assert.deepEqual(await workbench.editorLines(), V4));
  await workbench.screenshot("restore-done");
  await undoes(workbench, assert);
}

async function restoresFromDiff(workbench, assert) {
  await workbench.click(VIEW, "Use the discount in cart");
  await shows(workbench, assert, "cart.py: v2 ↔ v3 (Use the discount in cart)", false);
  await workbench.clickEditorAction("Restore This Version");
  await asks(workbench, assert, [
    "Restore cart.py to v3?",
    "cart.py becomes v3 (before “Use the discount in cart”). The editor changes, nothing is saved; undo brings it back.",
  ]);
  await workbench.press("Enter");
  await shows(workbench, assert, "cart.py", true);
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.editorLines(), [V4[3], V4[4], RETURN, ""]),
  );
  await undoes(workbench, assert);
}

async function restoresHunkInDiff(workbench, assert) {
  await workbench.clickRowAction(VIEW, "Tidy the readme", "Compare with Working File");
  await shows(workbench, assert, "cart.py: v4 ↔ working file", false);
  await workbench.page.locator(".editor.modified .view-line", { hasText: "return" }).click();
  await workbench.command("Forkpoint: Restore This Hunk");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.diffLines(), { before: V4, after: V4.slice(3) }),
  );
  await shows(workbench, assert, "cart.py: v4 ↔ working file", true);
  await workbench.screenshot("restore-hunk");
  await workbench.press("Control+Z");
  await shows(workbench, assert, "cart.py: v4 ↔ working file", false);
}

async function saysWhatIsNothingToRestore(workbench, assert) {
  await workbench.click(VIEW, "Lower the tax rate"); // the newest one is the file as it is
  await shows(workbench, assert, "cart.py: v1 ↔ v2 (Lower the tax rate)", false);
  await workbench.clickEditorAction("Restore This Version");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.notificationTexts(), ["cart.py is as it was at v2 already."]),
  );
  await workbench.command("Notifications: Clear All Notifications");
}

async function bringsBackFileThatIsGone(workbench, assert) {
  const file = path.join(workbench.workspace, "discount.py");
  const bytes = await readFile(file);
  await workbench.openFile("discount.py");
  await workbench.row(VIEW, "Add a docstring to cart");
  await workbench.command("Forkpoint: Pin File Checkpoints to This File");
  await saysThatItDidNotExist(workbench, assert);
  await rm(file);
  await workbench.eventually(async () => {
    const [working] = await workbench.rows(VIEW);
    assert.equal(working.description, "not there · −2"); // seen without being asked
  });
  await workbench.clickRowAction(VIEW, "Add a docstring to cart", "Compare with Working File");
  await workbench.clickEditorAction("Restore This Version");
  await asks(workbench, assert, [
    "Restore discount.py to v2?",
    "discount.py becomes v2 (before “Add a docstring to cart”). There is no such file now: its text comes in a new editor, and nothing is saved.",
  ]);
  await workbench.screenshot("restore-gone");
  await workbench.press("Enter");
  await shows(workbench, assert, "discount.py", true);
  await workbench.eventually(async () => assert.deepEqual(await workbench.editorLines(), DISCOUNT));
  await workbench.screenshot("restore-gone-done");
  await assert.rejects(access(file));
  await workbench.press("Control+Z");
  await workbench.eventually(async () => assert.deepEqual(await workbench.editorLines(), [""]));
  await workbench.command("Forkpoint: Unpin File Checkpoints and Follow the Editor");
  await writeFile(file, bytes); // other scenarios find it as it was
}

async function saysThatItDidNotExist(workbench, assert) {
  await workbench.click(VIEW, "Add a discount module");
  await workbench.clickEditorAction("Restore This Version");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.notificationTexts(), [
      "discount.py did not exist then: delete it yourself if you want that.",
    ]),
  );
  await workbench.command("Notifications: Clear All Notifications");
}

const dialog = ({ page }) => page.locator(".monaco-dialog-box");

async function asks(workbench, assert, sentences) {
  await dialog(workbench).waitFor();
  const texts = dialog(workbench).locator(".dialog-message-text, .dialog-message-detail");
  assert.deepEqual(await texts.allInnerTexts(), sentences);
}

/** The active tab, and whether it has changes that are not saved. */
async function shows(workbench, assert, name, isDirty) {
  const tab = workbench.page.locator(".editor-group-container.active .tab.active");
  await workbench.eventually(async () => {
    assert.equal(await tab.locator(".monaco-icon-label-container").textContent(), name);
    assert.equal(await tab.evaluate(({ classList }) => classList.contains("dirty")), isDirty);
  });
}

async function undoes(workbench, assert) {
  await workbench.press("Control+Z");
  await shows(workbench, assert, "cart.py", false);
  await workbench.eventually(async () => assert.deepEqual(await workbench.editorLines(), NOW));
}
