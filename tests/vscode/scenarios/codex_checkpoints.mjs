// Does one see the versions of a file that Codex patched, and how each is known?

import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";

export const title = "versions rebuilt from patches of Codex, with how they were obtained";
export const home = "codex";

const VIEW = "File Checkpoints";
const TAX = `${VIEW} - tax.py`;
const SESSIONS = "Sessions - this repository";
const SESSION = "Give the tax rate a name";
const NO_BACKUPS = "Codex keeps no file backups; versions are rebuilt from its patches.";
const LEFT = { aria: /^version 2, edited, .*left by the prompt Give the tax rate a name, rebuilt/ };
const OLD = ["def with_tax(x):", "    return x * 1.1", ""];
const NEW = ["RATE = 0.1", "", "", "def with_tax(x):", "    return x * (1 + RATE)", ""];

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 2600 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await listsThemAmongTheOthers(workbench, assert);
  await showsWhatThePatchChanged(workbench, assert);
  await listsFilesOfTheSession(workbench, assert);
  await saysWhatIsNotKnown(workbench, assert);
}

async function listsThemAmongTheOthers(workbench, assert) {
  await workbench.openFile("tax.py");
  await workbench.eventually(async () => {
    assert.ok((await workbench.viewText(TAX)).includes(NO_BACKUPS));
    const rows = await workbench.rows(TAX);
    const at = rows.findIndex(({ label, level }) => label === SESSION && level === 1);
    assert.deepEqual(
      rows.slice(at + 1, at + 3).map(({ label, description }) => [label, withoutAge(description)]),
      [
        [SESSION, "v2 · +4 −1 · rebuilt forward"],
        [SESSION, "v1 · first · +1 −4 · recorded"],
      ],
    );
  });
  await workbench.eventually(async () => {
    await workbench.press("Escape"); // a tooltip that was read half stays
    const tooltip = await workbench.tooltip(TAX, LEFT);
    assert.match(tooltip, /^v2: the file as a patch left it\./);
    assert.match(tooltip, /Content: rebuilt: patches applied to what the transcript has/);
    assert.match(tooltip, /How it is known: From what was recorded, by 1 patch, if nothing else/);
  });
  await workbench.screenshot("codex-checkpoints-1-versions");
}

/** `v2 · +4 −1 · 4 h` without the age at its end. */
function withoutAge(description) {
  return description.split(" · ").slice(0, -1).join(" · ");
}

async function showsWhatThePatchChanged(workbench, assert) {
  await workbench.click(TAX, LEFT);
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), `tax.py: v1 ↔ v2 (${SESSION})`);
    const { before, after } = await workbench.diffLines();
    assert.deepEqual(
      [before.filter(Boolean), after.filter(Boolean)],
      [OLD.filter(Boolean), NEW.filter(Boolean)],
    );
  });
  await workbench.screenshot("codex-checkpoints-2-diff");
  await workbench.command("Forkpoint: Show Changes of This Turn");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Changes of “Give the tax rate a name”/);
    assert.deepEqual(await workbench.changedFiles(), ["tax.py"]);
  });
}

async function listsFilesOfTheSession(workbench, assert) {
  await workbench.eventually(async () => {
    const session = await workbench.row(SESSIONS, { aria: new RegExp(`^${SESSION}, Codex`) });
    await session.locator(".monaco-tl-twistie").click();
  });
  await workbench.expand(SESSIONS, "Checkpoints (1)");
  await workbench.eventually(async () => {
    const lines = await workbench.outline(SESSIONS);
    assert.ok(
      lines.some((line) => /> tax\.py \| 2 versions · \+4 −1/.test(line)),
      lines.join("\n"),
    );
  });
  await workbench.screenshot("codex-checkpoints-3-session");
}

async function saysWhatIsNotKnown(workbench, assert) {
  const putBack = await failReads(path.join(path.dirname(workbench.configDir), "codex"));
  await writeFile(path.join(workbench.workspace, "tax.py"), "RATE = 0.2\n");
  await workbench.openFile("tax.py");
  await workbench.eventually(async () => {
    const rows = await workbench.rows(TAX);
    const gap = rows.find(({ label }) => label === "v1–v2 not known");
    assert.equal(gap?.description, "2 versions");
  });
  await workbench.screenshot("codex-checkpoints-4-not-known");
  await putBack();
  await writeFile(path.join(workbench.workspace, "tax.py"), NEW.join("\n"));
  await workbench.eventually(async () => {
    assert.ok((await workbench.rows(TAX)).some(({ aria }) => LEFT.aria.test(aria)));
  });
}

/** Has commands fail that read the file: then nothing tells what it held. Gives how to undo that. */
async function failReads(home) {
  const files = (await readdir(home, { recursive: true })).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const changed = [];
  for (const file of files.map((name) => path.join(home, name))) {
    const { atime, mtime } = await stat(file);
    const text = await readFile(file, "utf-8");
    const failing = text.replace(/(?<=def with_tax.*exit_code\\": )0/g, "1");
    if (failing === text) continue;
    await writeFile(file, failing);
    changed.push(() => writeFile(file, text).then(() => utimes(file, atime, mtime)));
  }
  return () => Promise.all(changed.map((undo) => undo()));
}
