// Does one get from a tool call to the place in the file, and from a line back to its prompt?

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

export const title = "a tool call leads to the file at the line, a line to its prompt";
export const home = "demo";

const SESSIONS = "Sessions";
const BRANCHES = "Branches - Round the total";
const NEWEST = { aria: /^Round the total, complete, \d+ minutes ago/ };
const ROUND = "    return round(sum(i['price'] for i in items), 2)";
const HOVER = ".monaco-hover-content:visible";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1300 });
  await workbench.openContainer("Forkpoint");
  await jumpsToTheEditedPlace(workbench, assert);
  await findsItFurtherDown(workbench, assert);
  await opensTheTranscriptAtOtherCalls(workbench, assert);
  await tellsThePromptOfALine(workbench, assert);
  await goesToThePrompt(workbench, assert);
  await showsWhatItChanged(workbench, assert);
  await listsSessionsOfTheFile(workbench, assert);
}

async function jumpsToTheEditedPlace(workbench, assert) {
  await workbench.click(SESSIONS, NEWEST);
  await workbench.expand(BRANCHES, { aria: /^prompt, Round the total/ });
  await clickEdit(workbench);
  await isAt(workbench, assert, "Ln 2, Col 1");
  const said = "Exact: What this call wrote stands where it was.";
  assert.equal(await workbench.statusText("Exact:"), said);
  await workbench.screenshot("jump-exact");
}

async function findsItFurtherDown(workbench, assert) {
  const cart = path.join(workbench.workspace, "cart.py");
  const text = await readFile(cart, "utf8");
  await writeFile(cart, `# Prices are net.\n\n${text}`);
  await clickEdit(workbench);
  await isAt(workbench, assert, "Ln 4, Col 1");
  const said = "Exact: What this call wrote stands unchanged, 2 lines further down.";
  assert.equal(await workbench.statusText("further down"), said);
  await writeFile(cart, text.replace("round(", "floor("));
  await clickEdit(workbench);
  const lost = "File only: What this call wrote is no longer in the file.";
  assert.equal(await workbench.statusText("File only:"), lost);
  await workbench.screenshot("jump-file-only");
  await writeFile(cart, text);
  await workbench.eventually(async () =>
    assert.ok((await workbench.editorLines()).includes(ROUND)),
  );
}

/** The calls of another session's prompts: a shell command has no place in a file. */
async function opensTheTranscriptAtOtherCalls(workbench, assert) {
  await workbench.click(SESSIONS, { aria: /^Run the slow check/ });
  const view = "Branches - Run the slow check";
  await workbench.expand(view, { aria: /^prompt, Run the slow check/ });
  await workbench.click(view, "Bash");
  await workbench.eventually(async () =>
    assert.equal(await workbench.activeTab(), "Run the slow check"),
  );
}

async function tellsThePromptOfALine(workbench, assert) {
  await openAtLine2(workbench, assert);
  await workbench.command("Show or Focus Hover");
  const hover = workbench.page.locator(HOVER).first();
  await workbench.eventually(async () => {
    const text = await hover.innerText();
    assert.match(text, /last changed by Claude: prompt 1 of “Round the total”, \d+ minutes ago/);
    assert.match(text, /Edit · Round the total/);
  });
  await workbench.screenshot("jump-hover");
  await hover.getByText("Go to the Prompt", { exact: true }).click();
  await isAtTheCall(workbench, assert);
}

async function goesToThePrompt(workbench, assert) {
  await openAtLine2(workbench, assert);
  await workbench.command("Forkpoint: Go to the Prompt That Changed This Line");
  await isAtTheCall(workbench, assert);
  await workbench.screenshot("jump-prompt");
  await openAtLine2(workbench, assert);
  await workbench.press("ArrowUp");
  await workbench.command("Forkpoint: Go to the Prompt That Changed This Line");
  await workbench.eventually(async () => {
    const said = "This line is older than what is recorded of the file.";
    assert.ok((await workbench.notificationTexts()).includes(said));
  });
}

async function showsWhatItChanged(workbench, assert) {
  await openAtLine2(workbench, assert);
  await workbench.command("Forkpoint: Show What the Prompt of This Line Changed");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Changes of prompt 1/);
    assert.deepEqual(await workbench.changedFiles(), ["cart.py"]);
  });
  await workbench.screenshot("jump-changes");
}

async function listsSessionsOfTheFile(workbench, assert) {
  await workbench.openFile("cart.py");
  const view = "File Checkpoints - cart.py";
  await workbench.expand(view, "Sessions that touched this file");
  await workbench.eventually(async () => {
    const rows = await workbench.rows(view);
    const first = rows.findIndex(({ label }) => label === "Sessions that touched this file");
    assert.match(rows[first].description, /^13 sessions$/); // a branch's copies are the original's
    assert.match(rows[first + 1].description, /^2 versions · \d+ min$/);
    assert.match(rows[first + 1].aria, /^session Round the total, .*, 2 versions$/);
  });
  await workbench.click(view, { aria: /^session Read all three, .*1 version$/ });
  await workbench.eventually(async () =>
    assert.equal(await workbench.activeTab(), "Read all three"),
  );
  await workbench.screenshot("jump-sessions");
}

async function openAtLine2(workbench, assert) {
  await workbench.openFile("cart.py");
  await workbench.eventually(async () => {
    await workbench.press("Control+Home", "ArrowDown");
    assert.equal(await workbench.statusText("Ln "), "Ln 2, Col 1");
  });
}

function clickEdit(workbench) {
  return workbench.click(BRANCHES, { aria: /^tool call Edit, cart.py/ });
}

/** The cursor of cart.py is there; a tab leaves the ending out. */
async function isAt(workbench, assert, place) {
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "cart");
    assert.equal(await workbench.statusText("Ln "), place);
  });
}

/** The transcript is open, and its cursor in the row of the call. */
async function isAtTheCall(workbench, assert) {
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Round the total");
    const lines = await workbench.editorLines();
    assert.ok(lines.includes("▸ Edit cart.py · +1 −1 · ok"), lines.join("\n"));
    assert.equal(await workbench.statusText("Ln "), "Ln 39, Col 1");
  });
}
