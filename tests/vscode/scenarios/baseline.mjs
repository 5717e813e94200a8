// Does the gutter show what changed since a version, and can a change be taken back from there?

import path from "node:path";

import { fingerprint, hashOf } from "../fingerprint.mjs";

export const title = "an inline baseline marks the working file, and a marked change is restored";
export const home = "demo";
export const settings = { "files.autoSave": "off" };

const VIEW = "File Checkpoints";
const NOW = ["def total(items):", "    return round(sum(i['price'] for i in items), 2)", ""];
const IMPORT = ["from discount import discount", "", ""];

export async function run(workbench, assert) {
  const file = path.join(workbench.workspace, "cart.py");
  const before = { home: await fingerprint(workbench.configDir), file: await hashOf(file) };
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await workbench.openFile("cart.py");
  await takesFromRow(workbench, assert);
  await restoresFromInlineDiff(workbench, assert);
  await restoresAtCursor(workbench, assert);
  await choosesAnother(workbench, assert);
  await clears(workbench, assert);
  assert.equal(await hashOf(file), before.file);
  assert.equal(await fingerprint(workbench.configDir), before.home);
}

async function takesFromRow(workbench, assert) {
  assert.deepEqual(await marks(workbench), []);
  await workbench.clickRowAction(VIEW, "Tidy the readme", "Take as Inline Baseline");
  // One mark for two changes: lines are gone above the first line and below it.
  await workbench.eventually(async () => assert.deepEqual(await marks(workbench), ["deleted"]));
  assert.equal(await workbench.statusText("Baseline"), "Baseline v4");
  await workbench.screenshot("baseline");
}

async function restoresFromInlineDiff(workbench, assert) {
  await workbench.press("Control+Home");
  await workbench.command("Show Next Change");
  const peek = workbench.page.locator(".peekview-widget");
  await workbench.eventually(async () =>
    assert.match(await peek.locator(".peekview-title").innerText(), /Forkpoint v4.*1 of 2 changes/),
  );
  await workbench.screenshot("baseline-inline-diff");
  await peek.locator('.action-label[aria-label^="Restore This Hunk"]').click();
  await isUnsaved(workbench, assert, [...IMPORT, ...NOW]);
  await workbench.screenshot("baseline-restored-hunk");
  await undoes(workbench, assert);
  await workbench.press("Escape");
  await peek.waitFor({ state: "hidden" });
}

async function restoresAtCursor(workbench, assert) {
  await workbench.press("Control+End", "ArrowUp"); // beside the docstring that is gone
  await workbench.command("Forkpoint: Restore This Hunk");
  await isUnsaved(workbench, assert, [NOW[0], '    """Sum of prices."""', ...NOW.slice(1)]);
  await undoes(workbench, assert);
}

async function choosesAnother(workbench, assert) {
  await workbench.clickRowAction(VIEW, "Edit both files", "Take as Inline Baseline");
  await workbench.eventually(async () => assert.deepEqual(await marks(workbench), ["modified"]));
  assert.equal(await workbench.statusText("Baseline"), "Baseline v1");
  const item = workbench.page.locator(".part.statusbar .statusbar-item", { hasText: "Baseline" });
  await item.click();
  const rows = workbench.page.locator(".quick-input-list .monaco-list-row");
  await rows.first().waitFor();
  await workbench.screenshot("baseline-choice");
  await workbench.page.keyboard.type("v3 · +1");
  await workbench.eventually(async () => assert.equal(await rows.count(), 1));
  await workbench.press("Enter");
  await workbench.eventually(async () => assert.deepEqual(await marks(workbench), ["deleted"]));
  assert.equal(await workbench.statusText("Baseline"), "Baseline v3");
}

async function clears(workbench, assert) {
  await workbench.command("Forkpoint: Clear Inline Baseline");
  await workbench.eventually(async () => assert.deepEqual(await marks(workbench), []));
  const item = workbench.page.locator(".part.statusbar .statusbar-item", { hasText: "Baseline" });
  await item.waitFor({ state: "hidden" });
}

/** What the gutter of the active editor says of its lines, from the top. */
async function marks({ page }) {
  const glyphs = page.locator(".editor-group-container.active .dirty-diff-glyph");
  return glyphs.evaluateAll((all) =>
    all.map((glyph) => /dirty-diff-(added|modified|deleted)/.exec(glyph.className)?.[1]),
  );
}

/** The editor's text has changed, the file has not. */
async function isUnsaved(workbench, assert, lines) {
  await workbench.eventually(async () => assert.deepEqual(await workbench.editorLines(), lines));
  assert.ok(await isDirty(workbench));
}

async function undoes(workbench, assert) {
  await workbench.press("Control+Z");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.editorLines(), NOW);
    assert.ok(!(await isDirty(workbench)));
  });
}

async function isDirty({ page }) {
  return page.locator(".editor-group-container.active .tab.active.dirty").isVisible();
}
