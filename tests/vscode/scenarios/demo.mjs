// Do both views show the demo as it is, and does a click open what it names?

import { rowsByDate, rowsByProject, withoutMinutes } from "../demo_home.mjs";

export const title = "both views show the demo, a click opens the transcript, a fork expands";
export const home = "demo";

const HERE = "Sessions - this repository";
const ALL = "Sessions - everything";
const began = Date.now();

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await showsWhatIsMissing(workbench, assert);
  await listsSessions(workbench, assert);
  await showsARewind(workbench, assert);
  await showsResends(workbench, assert);
  await showsACompaction(workbench, assert);
  await showsTwoRoots(workbench, assert);
  await showsSubagents(workbench, assert);
}

async function showsWhatIsMissing(workbench, assert) {
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText("Branches"), [
      "Select a session to see its branches.",
      "Select Session",
    ]);
    assert.deepEqual(await workbench.viewText(HERE), []);
    assert.ok((await workbench.rows(HERE)).length > 10);
  });
}

async function listsSessions(workbench, assert) {
  await workbench.clickViewAction(HERE, "Show All Sessions");
  await workbench.eventually(async () => {
    const expected = withoutMinutes(await rowsByDate(workbench, began));
    assert.deepEqual(withoutMinutes(await workbench.outline(ALL)), expected);
  });
  await workbench.screenshot("demo-by-date");
  await workbench.clickViewAction(ALL, "Group Sessions by Project");
  await workbench.eventually(async () => {
    const expected = withoutMinutes(await rowsByProject(workbench));
    assert.deepEqual(withoutMinutes(await workbench.outline(ALL)), expected);
  });
  const [, newest, , , , interrupted] = await workbench.rows(ALL);
  assert.match(newest.aria, /^Round the total, complete, \d+ minutes ago, branch main, \d+ kB/);
  assert.equal(newest.icon, "check");
  assert.match(
    interrupted.aria,
    /^Round the total, interrupted, 9 hours ago, branch main, \d+ kB$/,
  );
  assert.equal(interrupted.icon, "circle-slash");
}

async function showsARewind(workbench, assert) {
  const branches = "Branches - Round the total";
  await select(workbench, /^Round the total, complete, \d+ minutes ago/);
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Round the total");
    const [heading, , ...lines] = await workbench.editorLines();
    assert.equal(heading, "# Round the total");
    assert.ok(lines.includes("## 1. Round the total"), lines.join("\n"));
  });
  await workbench.eventually(async () =>
    assert.deepEqual(withoutMinutes(await workbench.outline(branches)), [
      "v Round the total | active · 1 prompt · N min",
      "  > Round the total | N min",
      "  v Tidy the readme | active · 1 prompt · N min · rewind",
      "    > Tidy the readme | N min",
      "      Active leaf | a resume goes on here",
      "  > Lower the tax rate | 2 prompts · N min",
    ]),
  );
  await workbench.expand(branches, "Lower the tax rate");
  await workbench.eventually(async () =>
    assert.deepEqual(withoutMinutes(await workbench.outline(branches)).slice(5), [
      "  v Lower the tax rate | 2 prompts · N min",
      "    > Lower the tax rate | N min",
      "    > Add a discount module | N min",
    ]),
  );
  await workbench.expand(branches, "Add a discount module");
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(branches)).slice(8), ["        Write | discount.py"]),
  );
  await workbench.click(branches, "Add a discount module"); // an abandoned branch has its own text
  await workbench.eventually(async () => {
    const top = (await workbench.editorLines()).slice(0, 6);
    assert.ok(top.includes("## 3. Add a discount module"), top.join("\n"));
  });
  await workbench.click(branches, "Tidy the readme");
  await workbench.eventually(async () => {
    const lines = await workbench.editorLines(); // at the end of the text: it cannot go on top
    assert.ok(lines.includes("## 2. Tidy the readme"), lines.join("\n"));
  });
  await workbench.eventually(async () => {
    const sentence = "The client's stored pointer names this record.";
    assert.equal(await workbench.tooltip(branches, "Active leaf"), `Active leaf: ${sentence}`);
  });
  await workbench.screenshot("demo-rewind");
}

async function showsResends(workbench, assert) {
  const branches = "Branches - What does cart.py do?";
  await select(workbench, "What does cart.py do?, complete, 3 days");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.outline(branches), [
      "v What does cart.py do? | active · 1 prompt · 3 days",
      "    What does cart.py do? | 3 days",
      "v Name a test | active · 1 prompt · 3 days · same prompt ×3",
      "    Name a test | 3 days",
      "    Active leaf | a resume goes on here",
      "  > Same prompt sent 3 times | 2 earlier",
    ]),
  );
  await workbench.expand(branches, "Same prompt sent 3 times");
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(branches)).slice(5), [
      "  v Same prompt sent 3 times | 2 earlier",
      "    > Name a test | 1 prompt · 3 days",
      "    > Name a test | 1 prompt · 3 days · resend",
    ]),
  );
}

async function showsACompaction(workbench, assert) {
  await select(workbench, "Round the total, complete, 2 days");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.outline("Branches - Round the total"), [
      "v Round the total | active · 3 prompts · 2 days",
      "  > Round the total | 2 days · summarized",
      "  > Lower the tax rate | 2 days · summarized",
      "  > Add a discount module | 2 days · summarized",
      "v Compaction | active · 1 prompt · 2 days",
      "    /compact | 2 days",
      "  > Tidy the readme | 2 days",
      "    Active leaf | a resume goes on here",
    ]),
  );
  await workbench.screenshot("demo-compaction");
}

async function showsTwoRoots(workbench, assert) {
  await select(workbench, "Round the total, complete, 12 days");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.outline("Branches - Round the total"), [
      "v Tidy the readme | active · 1 prompt · 12 days · rewind",
      "  > Tidy the readme | 12 days",
      "    Active leaf | a resume goes on here",
      "> Round the total | 3 prompts · 12 days",
    ]),
  );
}

async function showsSubagents(workbench, assert) {
  const row = await select(
    workbench,
    "What does cart.py do?, complete, 1 day ago, branch main, 46 kB",
  );
  await row.locator(".monaco-tl-twistie").click();
  await workbench.expand(ALL, "Prompts");
  await workbench.expand(ALL, "Subagents (1)");
  await workbench.eventually(async () => {
    const lines = await workbench.outline(ALL);
    const at = lines.indexOf("    v Prompts");
    assert.deepEqual(lines.slice(at, at + 7), [
      "    v Prompts",
      "        What does cart.py do? | 1 day",
      "        Find the tests | 1 day",
      "        Tidy the readme | 1 day",
      "    > Checkpoints (1)",
      "    v Subagents (1)",
      "        Look for tests | general-purpose",
    ]);
  });
  await workbench.screenshot("demo-subagents");
}

/** Clicks a session by what a screen reader says of it; titles repeat. */
async function select(workbench, aria) {
  const row = await workbench.row(ALL, { aria });
  await row.locator(".label-name").click();
  return row;
}
