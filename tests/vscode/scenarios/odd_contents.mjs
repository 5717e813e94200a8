// Are versions that are no plain text shown for what they are, and restored only where that is possible?

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint } from "../fingerprint.mjs";

export const title = "binary, large and oddly encoded versions say what they are";
export const home = "demo";
export const settings = { "files.autoSave": "off" };

const VIEW = "File Checkpoints";
const SESSION = "b2e74b0a-2716-490d-ba01-54a73887314f";
const ROWS = {
  v4: "Tidy the readme",
  v3: "Use the discount in cart",
  v2: { aria: /^version 2, .*5 hours ago$/ },
  v1: { aria: /^version 1, .*5 hours ago$/ },
};
const CONTENTS = {
  v1: Buffer.from("\x89PNG\0\0\x01\x02", "latin1"),
  v2: Buffer.from("price = 1\n".repeat(600_000)),
  v3: Buffer.from("\ufeffprice = 1\r\ntax = 2\r\n"),
  v4: Buffer.from("# caf\xe9\nprice = 1\n", "latin1"),
};

export async function run(workbench, assert) {
  const before = await fingerprint(workbench.configDir);
  const copies = await copiesOfCart(workbench.configDir);
  const kept = await Promise.all(copies.map(async (file) => [file, await readFile(file)]));
  for (const file of copies) await writeFile(file, CONTENTS[file.slice(-2)]);
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await workbench.openFile("cart.py");
  await showsEncodings(workbench, assert);
  await saysWhatHasNoText(workbench, assert);
  await restoresOtherLineEnds(workbench, assert);
  for (const [file, bytes] of kept) await writeFile(file, bytes); // others find them as they were
  assert.equal(await fingerprint(workbench.configDir), before);
}

async function copiesOfCart(configDir) {
  const folder = path.join(configDir, "file-history", SESSION);
  const names = await readdir(folder);
  const [digest] = names.find((name) => name.endsWith("@v4")).split("@");
  const files = names.filter((name) => name.startsWith(digest)).sort();
  await Promise.all(files.map((name) => stat(path.join(folder, name))));
  return files.map((name) => path.join(folder, name));
}

async function showsEncodings(workbench, assert) {
  await workbench.click(VIEW, ROWS.v4);
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.diffLines(), {
      before: ["price = 1", "tax = 2", ""],
      after: ["# café", "price = 1", ""],
    });
  });
  await workbench.screenshot("odd-contents-encodings");
}

async function saysWhatHasNoText(workbench, assert) {
  const large = "This version is too large to show: 6.0 MB.";
  const binary = "This version is no text: 8 bytes.";
  await workbench.click(VIEW, ROWS.v2);
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.diffLines(), { before: [binary], after: [large] });
  });
  await workbench.screenshot("odd-contents-no-text");
  await workbench.clickEditorAction("Restore This Version");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.notificationTexts(), [large]),
  );
  await workbench.command("Notifications: Clear All Notifications");
  await workbench.eventually(async () => {
    const rows = await workbench.rows(VIEW);
    const described = rows.filter(({ aria }) => /^version [12], .*5 hours ago$/.test(aria));
    assert.deepEqual(
      described.map(({ description }) => description),
      ["v2 · edited · 5 h", "v1 · first · binary · 5 h"],
    );
  });
}

async function restoresOtherLineEnds(workbench, assert) {
  await workbench.click(VIEW, ROWS.v3);
  await workbench.clickEditorAction("Restore This Version");
  const detail = workbench.page.locator(".monaco-dialog-box .dialog-message-detail");
  await workbench.eventually(async () =>
    assert.equal(
      await detail.innerText(),
      "cart.py becomes v3 (before “Use the discount in cart”). The editor changes, nothing is saved; undo brings it back. Lines of the version end with CRLF; in the editor they end with LF as before.",
    ),
  );
  await workbench.screenshot("odd-contents-line-ends");
  await workbench.press("Enter");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.editorLines(), ["price = 1", "tax = 2", ""]),
  );
  await leavesNothingUnsaved(workbench, assert);
}

/** What one window leaves unsaved, the next one finds. */
async function leavesNothingUnsaved(workbench, assert) {
  const unsaved = workbench.page.locator(".tab.dirty");
  assert.equal(await unsaved.count(), 1);
  await workbench.press("Control+Z");
  await unsaved.waitFor({ state: "detached" });
  await workbench.command("View: Close All Editors");
  await workbench.eventually(async () => assert.deepEqual(await workbench.tabs(), []));
}
