// Can hits be kept in a view, and is what a rewind left behind found there?

import { withoutMinutes } from "../demo_home.mjs";
import { fingerprint } from "../fingerprint.mjs";
import { SearchPick } from "../search_pick.mjs";

export const title =
  "hits stay in a view, by session or as a list, and abandoned prompts are found";
export const home = "demo";
export const settings = { "forkpoint.scope": "repository" };

const SESSIONS = "Sessions - this repository";
const QUERY = '"add a discount module" in:prompts';
const ROW = "Add a discount module";
const LOST = "Lost and Found";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1500 });
  const before = await fingerprint(workbench.configDir);
  const pick = new SearchPick(workbench);
  await workbench.openContainer("Forkpoint");
  await workbench.row(SESSIONS, "Read all three");
  for (const name of ["Branches", "File Checkpoints", "Resume & Cache"])
    await workbench.view(name).locator("> .pane-header").click();
  await keepsHits(workbench, assert, pick);
  await opensAndCopies(workbench, assert);
  await listsThem(workbench, assert);
  await changesTheSearch(workbench, assert, pick);
  await findsWhatWasLost(workbench, assert);
  await findsWhatOneSessionLost(workbench, assert);
  await clears(workbench);
  assert.equal(await fingerprint(workbench.configDir), before);
}

/** Below their sessions; the view has the focus. */
async function keepsHits(workbench, assert, pick) {
  assert.equal(await workbench.view("Search").count(), 0);
  await pick.open();
  await pick.look(QUERY);
  await workbench.eventually(async () => assert.equal((await pick.rows())[0].label, ROW));
  await pick.press("Show Hits in a View");
  await pick.isClosed();
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^session .*, shop, 1 hit$/),
  );
  await shows(workbench, assert, "Search", [
    "v Round the total | 1 · shop",
    "    Add a discount module | N min · abandoned",
    "v What does cart.py do? | 1 · shop",
    "    Add a discount module | 5 h",
  ]);
  const header = await workbench
    .view("Search")
    .locator("> .pane-header")
    .getAttribute("aria-label");
  assert.match(header, /^Search - "add a discount module" in:prompts · \d+ hits Section$/);
  const abandoned = { aria: /^prompt, Add a discount module, \d+ minutes ago, abandoned$/ };
  const row = await workbench.row("Search", abandoned);
  const marked = await row.locator(".label-name .highlight").allInnerTexts();
  assert.equal(marked.join(" ").replaceAll(/\s+/g, " "), ROW);
  await workbench.screenshot("results-grouped");
  await row.locator(".label-name").first().click();
  await workbench.eventually(async () => {
    const top = (await workbench.editorLines()).slice(0, 6);
    assert.ok(top.includes(`## 3. ${ROW}`), top.join("\n"));
  });
}

async function opensAndCopies(workbench, assert) {
  await workbench.press("Control+C");
  await workbench.eventually(async () =>
    assert.match(await workbench.clipboardText(), /^Add a discount module · \d+ min · abandoned$/),
  );
  await workbench.press("Home", "ArrowDown", "Enter"); // from the first session to its hit
  await workbench.eventually(async () => {
    const top = (await workbench.editorLines()).slice(0, 6);
    assert.ok(
      top.some((line) => line.endsWith(ROW)),
      top.join("\n"),
    );
  });
  await workbench.clickRowAction("Search", "What does cart.py do?", "Open Transcript");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "What does cart.py do?");
    assert.equal((await workbench.editorLines())[0], "# What does cart.py do?");
  });
}

/** The icon shows how it is, a click makes it the other. */
async function listsThem(workbench, assert) {
  await workbench.clickViewAction("Search", "Show Results as a List");
  await workbench.clickViewAction("Search", "Sort Results by Time");
  await workbench.eventually(async () => {
    const lines = withoutMinutes(await workbench.outline("Search"));
    assert.equal(lines[0], "  Add a discount module | Round the total · N min · abandoned");
    assert.ok(lines.every((line) => line.startsWith(`  ${ROW} | `)));
    assert.ok(lines.indexOf(`  ${ROW} | What does cart.py do? · 5 h`) > 0);
  });
  await workbench.screenshot("results-list");
  await narrow(workbench);
  await workbench.screenshot("results-narrow");
  await workbench.clickViewAction("Search", "Group Results by Session");
  await workbench.clickViewAction("Search", "Sort Results by Rank");
  await workbench.row("Search", "What does cart.py do?");
}

/** From the view back to the box, with what was looked for. */
async function changesTheSearch(workbench, assert, pick) {
  await workbench.clickViewAction("Search", "Change Search...");
  await pick.isOpen();
  assert.equal(await pick.query(), QUERY);
  await pick.look("is:error");
  await workbench.eventually(async () => assert.match((await pick.rows())[0].detail, /failed/));
  await workbench.screenshot("results-errors");
  await pick.choose("Show these in a view");
  await pick.isClosed();
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^session .*, shop, 1 hit$/),
  );
  await workbench.eventually(async () => {
    const rows = await workbench.rows("Search");
    assert.ok(rows.length >= 2);
    assert.ok(rows.filter(({ level }) => level === 2).every(({ icon }) => icon === "error"));
  });
}

async function findsWhatWasLost(workbench, assert) {
  await workbench.command(`Forkpoint: ${LOST}`);
  await shows(workbench, assert, LOST, [
    "v Round the total | 2 · shop",
    "  v Add a discount module | N min",
    "      discount.py is there.",
    "  v Lower the tax rate | N min",
    "      The rate is 0.1 now.",
    "v What does cart.py do? | 2 · shop",
    "  v Name a test | 3 days",
    "      Second answer.",
    "  v Name a test | 3 days",
    "      First answer.",
  ]);
  await workbench.screenshot("results-lost");
  await workbench.clickRowAction(LOST, ROW, "Copy Prompt");
  await workbench.eventually(async () => assert.equal(await workbench.clipboardText(), ROW));
  await workbench.clickRowAction(LOST, "Second answer.", "Copy Answer");
  await workbench.eventually(async () =>
    assert.equal(await workbench.clipboardText(), "Second answer."),
  );
  await workbench.click(LOST, "First answer.");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "What does cart.py do? (branch 1099f721)");
    const lines = (await workbench.editorLines()).map((line) => line.trim());
    assert.ok(lines.includes("First answer."), lines.join("\n"));
  });
  await workbench.eventually(async () =>
    assert.match(await workbench.tooltip(LOST, ROW), /Answer: discount\.py is there\./),
  );
}

/** From the row of the session, and from its row of abandoned branches. */
async function findsWhatOneSessionLost(workbench, assert) {
  const lost = ["v Round the total | 2 · shop", "  v Add a discount module | N min"];
  const ask = (row) =>
    chooseInMenu(workbench, row, LOST, async () => {
      const lines = withoutMinutes(await workbench.outline(LOST));
      assert.deepEqual(lines.slice(0, 2), lost);
      assert.equal(lines.length, 5);
    });
  const session = { aria: /^Round the total, complete, \d+ minutes? ago/ };
  await ask(await workbench.row(SESSIONS, session));
  const header = await workbench.view(LOST).locator("> .pane-header").getAttribute("aria-label");
  assert.equal(header, `${LOST} - Round the total · 2 abandoned prompts Section`);
  await workbench.command(`Forkpoint: ${LOST}`);
  await workbench.eventually(async () =>
    assert.ok((await workbench.outline(LOST)).length > 5, "all sessions again"),
  );
  await (await workbench.row(SESSIONS, session)).locator(".monaco-tl-twistie").click();
  await ask(await workbench.row(SESSIONS, "Abandoned (1)"));
  await ask(await workbench.row(SESSIONS, session));
  await workbench.screenshot("results-lost-session");
  const nothing = "Nothing was left behind: no rewind and no resend abandoned a prompt.";
  await chooseInMenu(workbench, await workbench.row(SESSIONS, "Read all three"), LOST, async () =>
    assert.deepEqual(await workbench.viewText(LOST), [nothing]),
  );
  await workbench.screenshot("results-lost-nothing");
}

/** Rows drawn anew open no menu, a click too soon after it does nothing: hence the repeats. */
async function chooseInMenu(workbench, row, label, check) {
  const item = workbench.page.locator(".monaco-menu .action-label", { hasText: label });
  await workbench.eventually(async () => {
    await row.click({ button: "right" });
    await item.waitFor({ timeout: 5000 });
    await workbench.eventually(async () => {
      if (await item.isVisible()) await item.click({ timeout: 3000 });
      await item.waitFor({ state: "hidden", timeout: 1000 });
    });
    await workbench.eventually(check, 5000);
  });
}

async function clears(workbench) {
  await workbench.clickViewAction(LOST, "Clear Results");
  await workbench.view(LOST).waitFor({ state: "detached" });
}

/** Lines that follow on each other somewhere, in pairs of what is above and below. */
async function shows(workbench, assert, view, lines) {
  await workbench.eventually(async () => {
    const outline = withoutMinutes(await workbench.outline(view));
    const groups = lines.join("\n").split(/\n(?=v )/);
    for (const group of groups) assert.ok(outline.join("\n").includes(group), outline.join("\n"));
  });
}

/** Pulls the side bar's edge to the left. */
async function narrow({ page }) {
  const box = await page.locator(".part.sidebar").boundingBox();
  const edge = box.x + box.width;
  await page.mouse.move(edge, 300);
  await page.mouse.down();
  await page.mouse.move(edge - 100, 300, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 400);
}
