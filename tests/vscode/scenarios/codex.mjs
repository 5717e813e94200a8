// Do sessions of Codex stand beside those of Claude Code, and do the same views and verbs serve them?

import { fingerprint } from "../fingerprint.mjs";

export const title = "sessions of both agents in one list, one of Codex read, with its rollback";
export const home = "codex";

const HERE = "Sessions - this repository";
const OF_CODEX = "Sessions - Codex · this repository";
const ROLLED_BACK = "Which rate do we use for tax?";
const PATCHED = "Give the tax rate a name";
const BRANCHES = `Branches - ${ROLLED_BACK}`;
const PROMPT = "Is a second rate needed for books?";
const NO_BACKUPS = /Codex keeps no file backups/;

export async function run(workbench, assert) {
  const { page, workspace } = workbench;
  await page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  const before = await fingerprint(workspace);
  await workbench.openContainer("Forkpoint");
  await standsAmongTheOthers(workbench, assert);
  await isShownAlone(workbench, assert);
  await showsItsBranches(workbench, assert);
  await isReadable(workbench, assert);
  await saysWhatIsNotKept(workbench, assert);
  await asksBeforeItResumes(workbench, assert);
  assert.deepEqual(await fingerprint(workspace), before);
}

async function standsAmongTheOthers(workbench, assert) {
  await workbench.eventually(async () => {
    const rows = await workbench.rows(HERE);
    const [newest, codex] = rows.filter(({ level }) => level !== 1).slice(0, 2);
    assert.equal(newest.label, "Round the total");
    assert.equal(codex.label, ROLLED_BACK);
    assert.match(codex.aria, /^Which rate do we use for tax\?, Codex, complete, \d+ minutes ago/);
    assert.match(codex.description, /^Codex · \d+ min · main · /);
    assert.equal(codex.icon, "code");
  });
  await workbench.eventually(async () =>
    assert.match(await workbench.tooltip(HERE, ROLLED_BACK), /Codex, complete/),
  );
  await workbench.screenshot("codex-1-both");
}

async function isShownAlone(workbench, assert) {
  await workbench.command("Forkpoint: Choose Agent...");
  await workbench.page.locator(".quick-input-list .monaco-list-row", { hasText: /^Codex/ }).click();
  const labels = async (view) => (await workbench.rows(view)).map(({ label }) => label);
  await workbench.eventually(async () => {
    const shown = await labels(OF_CODEX);
    assert.ok(shown.includes(ROLLED_BACK) && shown.includes(PATCHED), shown.join());
    assert.ok(!shown.includes("Round the total"), shown.join());
    assert.ok(!shown.includes("Look around the shop"), "what was put away is not shown");
  });
  await workbench.screenshot("codex-2-alone");
  await workbench.command("Forkpoint: Show Archived Sessions");
  await workbench.expand(OF_CODEX, "Older");
  await workbench.eventually(async () => {
    const rows = await workbench.rows(OF_CODEX);
    const archived = rows.find(({ label }) => label === "Look around the shop");
    assert.match(archived?.aria ?? "", /^Look around the shop, Codex, complete, .*archived$/);
  });
  await workbench.command("Forkpoint: Hide Archived Sessions");
}

async function showsItsBranches(workbench, assert) {
  await workbench.click(OF_CODEX, ROLLED_BACK);
  await workbench.eventually(async () => {
    const lines = (await workbench.outline(BRANCHES)).map((line) =>
      line.replace(/\d+ min/, "N min"),
    );
    assert.deepEqual(lines, [
      `v ${ROLLED_BACK} | active · 1 prompt · N min`,
      `  > ${ROLLED_BACK} | N min`,
      `  v ${PROMPT} | active · 1 prompt · N min · rewind`,
      `    > ${PROMPT} | N min`,
      "      Active leaf | a resume goes on here",
      "  > Read the rate from a config file | 1 prompt · N min",
    ]);
  });
  await workbench.screenshot("codex-3-branches");
}

async function isReadable(workbench, assert) {
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), ROLLED_BACK);
    const text = (await workbench.editorLines()).join("\n");
    assert.match(text, /^# Which rate do we use for tax\?/);
    assert.match(text, /## 1\. Which rate do we use for tax\?/);
    assert.match(text, /### Codex \(gpt-5\.2-codex\)/);
    assert.match(text, /shell: cat tax\.py/);
    assert.ok(!text.includes("shop.toml"), "what was rolled back is on a branch of its own");
  });
  await workbench.click(BRANCHES, "Read the rate from a config file");
  await workbench.eventually(async () => {
    const text = (await workbench.editorLines()).join("\n");
    assert.match(text, /shop\.toml/);
  });
  await workbench.screenshot("codex-4-abandoned");
}

async function saysWhatIsNotKept(workbench, assert) {
  await workbench.expand(OF_CODEX, ROLLED_BACK);
  await workbench.expand(OF_CODEX, "Prompts");
  await workbench.clickRowAction(OF_CODEX, PROMPT, "Preview Rewind to Here");
  const view = `Rewind Preview - ${PROMPT}`;
  await workbench.eventually(async () => {
    const code = (await workbench.rows(view)).find(({ label }) => label === "Code");
    assert.match(code?.description ?? "", NO_BACKUPS);
  });
  await workbench.clickViewAction(view, "Copy How to Do It");
  await workbench.eventually(async () => {
    const steps = await workbench.clipboardText();
    assert.match(steps, /codex resume 01990a10-5a10-7c3e-9b21-6f0d2c4e8a01/);
    assert.match(steps, NO_BACKUPS);
  });
  await workbench.eventually(async () => {
    const lines = await workbench.outline(`Resume & Cache - ${ROLLED_BACK}`);
    assert.deepEqual(
      lines.map((line) => line.trim()),
      [
        "Not known | Codex does not say how long it is kept",
        "v Work brought back | 1 not restored",
        "Checkpoints | 0 files · not restored",
        "> Cache history",
        "> Based on | 1 fact",
      ],
    );
  });
  await workbench.screenshot("codex-5-rewind");
}

async function asksBeforeItResumes(workbench, assert) {
  await workbench.clickRowAction(OF_CODEX, PATCHED, "Resume Session");
  const dialog = workbench.page.locator(".monaco-dialog-box");
  await workbench.eventually(async () => {
    const said = await dialog.innerText();
    assert.match(said, /Runs codex resume 01990a99-7b44-7d10-8c55-1a9e3b7d4f02 in /);
  });
  await workbench.screenshot("codex-6-resume");
  await workbench.press("Escape");
  await workbench.eventually(async () => assert.equal(await dialog.count(), 0));
  await workbench.command("Forkpoint: Show All Agents");
  await workbench.eventually(async () => {
    const labels = (await workbench.rows(HERE)).map(({ label }) => label);
    assert.ok(labels.includes("Round the total") && labels.includes(ROLLED_BACK));
  });
}
