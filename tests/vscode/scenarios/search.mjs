// Are words found in all sessions while one types, and does a row lead to its record?

import { fingerprint } from "../fingerprint.mjs";
import { SearchPick } from "../search_pick.mjs";
import { writeSession } from "../transcripts.mjs";

export const title = "what is typed is found in all transcripts, and a row leads to its record";
export const home = "demo";
export const settings = { "forkpoint.scope": "repository" };

const SESSIONS = "Sessions - this repository";
const HOSTILE =
  "Zanzibar $(flame) $(sync~spin) [go](command:workbench.action.closeWindow) **bold**";
const NARROW = { width: 700, height: 700 };
const WIDE = { width: 1280, height: 900 };

export async function run(workbench, assert) {
  await writeSession(workbench, {
    id: "5ea7c400-0000-4000-8000-000000000001",
    turns: [{ prompt: HOSTILE, minutesAgo: 2, tokens: "3/0/0/21400/100" }],
  });
  const before = await fingerprint(workbench.configDir);
  const pick = new SearchPick(workbench);
  await workbench.openContainer("Forkpoint");
  await workbench.row(SESSIONS, "Read all three");
  await saysWhatCanBeTyped(workbench, assert, pick);
  await findsWhatWasAbandoned(workbench, assert, pick);
  await opensAtTheRow(workbench, assert, pick);
  await looksIntoSubagents(workbench, assert, pick);
  await previews(workbench, assert, pick);
  await saysWhatIsWrong(workbench, assert, pick);
  await saysThatNothingWasFound(workbench, assert, pick);
  await showsTextsAsTheyAre(workbench, assert, pick);
  assert.equal(await fingerprint(workbench.configDir), before);
}

/** From the button in the view's title. */
async function saysWhatCanBeTyped(workbench, assert, pick) {
  await workbench.clickViewAction(SESSIONS, "Search Transcripts...");
  await pick.isOpen();
  await workbench.eventually(async () => {
    const labels = (await pick.rows()).map(({ label }) => label);
    for (const operator of ["file:", "tool:", "branch:", "after:", "before:", "in:", "model:"])
      assert.ok(
        labels.some((label) => label.startsWith(operator)),
        operator,
      );
    for (const operator of ["is:error", "is:abandoned"]) assert.ok(labels.includes(operator));
  });
  await workbench.screenshot("search-operators");
}

async function findsWhatWasAbandoned(workbench, assert, pick) {
  await pick.choose("is:abandoned");
  await workbench.eventually(async () => assert.equal(await pick.query(), "is:abandoned "));
  await workbench.page.keyboard.type("discount"); // behind it: the cursor is there
  assert.equal(await pick.query(), "is:abandoned discount");
  await workbench.eventually(async () => {
    const hits = (await pick.picture()).slice(0, -1);
    const prompt =
      /^Add a discount module \| Round the total \| prompt · shop · \d min · abandoned$/;
    assert.ok(
      hits.some((hit) => prompt.test(hit)),
      hits.join("\n"),
    );
    for (const hit of hits) assert.match(hit, /discount.* · abandoned$/i);
  });
  await workbench.screenshot("search-abandoned");
  await pick.choose(/prompt · shop · \d min/);
  await pick.isClosed();
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Round the total (branch bb05f393)");
    const top = (await workbench.editorLines()).slice(0, 6); // the branch has a text of its own
    assert.ok(top.includes("## 3. Add a discount module"), top.join("\n"));
  });
  await workbench.screenshot("search-abandoned-row");
}

async function opensAtTheRow(workbench, assert, pick) {
  await pick.open();
  await pick.look('"the discount in cart"');
  await workbench.eventually(async () => {
    const [first] = await pick.rows();
    assert.equal(first.label, "Use the discount in cart");
    assert.equal(first.description, "What does cart.py do?");
    assert.equal(first.detail, "prompt · shop · 5 h");
    assert.equal(first.icon, "comment");
    assert.ok(first.focused);
  });
  await workbench.screenshot("search-hits");
  await workbench.press("Enter");
  await pick.isClosed();
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "What does cart.py do?");
    const top = (await workbench.editorLines()).slice(0, 6);
    assert.ok(
      top.some((line) => /^## \d+\. Use the discount in cart$/.test(line)),
      top.join("\n"),
    );
    assert.doesNotMatch(await workbench.statusText("Ln "), /Ln 1,/);
  });
  await workbench.screenshot("search-row");
}

async function looksIntoSubagents(workbench, assert, pick) {
  await pick.open();
  await pick.look("in:subagents tax");
  await workbench.eventually(async () => {
    const hits = (await pick.picture()).slice(0, -1);
    assert.ok(hits.length > 0);
    for (const hit of hits) assert.match(hit, / · by a subagent · shop · /);
  });
  await workbench.press("Enter");
  await pick.isClosed();
  await workbench.eventually(async () => {
    const lines = await workbench.editorLines();
    assert.ok(
      lines.some((line) => line.includes("tax")),
      lines.join("\n"),
    );
    assert.doesNotMatch(await workbench.statusText("Ln "), /Ln 1,/);
  });
  await workbench.screenshot("search-subagent");
}

/** Rows that one moves to are previewed; whoever gives up is back where it began. */
async function previews(workbench, assert, pick) {
  await workbench.openFile("cart.py");
  const place = "Ln 3, Col 1";
  await workbench.eventually(async () => {
    await workbench.press("Control+Home", "ArrowDown", "ArrowDown");
    assert.equal(await workbench.statusText("Ln "), place);
  });
  const tabs = (await workbench.tabs()).sort();
  await pick.open();
  await pick.look("discount");
  await workbench.eventually(async () => assert.match((await pick.rows())[1].label, /discount/));
  assert.equal(await workbench.activeTab(), "cart"); // nobody moved yet
  await workbench.press("ArrowDown", "ArrowUp", "ArrowDown");
  await workbench.eventually(async () =>
    assert.match(
      await workbench.activeTab(),
      /^(Round the total|What does cart\.py do\?)( \(branch \w+\))?$/,
    ),
  );
  await pick.isOpen();
  await workbench.screenshot("search-preview");
  await workbench.press("Escape");
  await pick.isClosed();
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "cart");
    assert.deepEqual((await workbench.tabs()).sort(), tabs);
    assert.equal(await workbench.statusText("Ln "), place);
  });
}

async function saysWhatIsWrong(workbench, assert, pick) {
  await pick.open();
  for (const [query, problem] of [
    ["tax after:soon", /^after: needs a date .* \| after:soon$/],
    ["tax is:lost", /^is: .* \| is:lost$/],
    ['the "tax', /quotation mark.* \| "tax$/],
  ]) {
    await pick.look(query);
    await workbench.eventually(async () => {
      const [only, ...others] = await pick.picture();
      assert.match(only, problem);
      assert.deepEqual(others, []);
    });
  }
  assert.equal((await pick.rows())[0].icon, "warning");
  await workbench.screenshot("search-problem");
  assert.deepEqual(await workbench.notificationTexts(), []);
}

async function saysThatNothingWasFound(workbench, assert, pick) {
  await pick.look("hyperb");
  await workbench.eventually(async () =>
    assert.deepEqual(await pick.picture(), [
      "No hits for “hyperb” in this repository",
      "Search for words that begin so | hyperb*",
      "Search everywhere",
    ]),
  );
  await workbench.screenshot("search-none");
  await pick.choose("Search everywhere");
  await workbench.eventually(async () => {
    assert.equal(await pick.title(), "Search Transcripts everywhere");
    assert.equal((await pick.picture())[0], "No hits for “hyperb” everywhere");
  });
  await pick.press("Search in this folder"); // the scope goes on to the next
  await workbench.eventually(async () =>
    assert.equal((await pick.picture())[0], "No hits for “hyperb” in this folder"),
  );
  await pick.look("disc");
  await workbench.eventually(async () =>
    assert.equal((await pick.picture())[0], "No hits for “disc” in this folder"),
  );
  await pick.choose("Search for words that begin so");
  await workbench.eventually(async () => {
    assert.equal(await pick.query(), "disc*");
    assert.match((await pick.rows())[0].label, /disc/i);
  });
  await workbench.press("Escape");
  await pick.isClosed();
}

/** Neither icons nor links nor Markdown come of what stands in a transcript. */
async function showsTextsAsTheyAre(workbench, assert, pick) {
  const { page } = workbench;
  await pick.open();
  await pick.look("zanzibar");
  await workbench.eventually(async () => {
    const [first] = await pick.rows();
    assert.equal(first.label.replaceAll("\u200b", ""), HOSTILE);
  });
  const icons = page.locator(".quick-input-list .label-name :is(.codicon, a)");
  assert.equal(await icons.count(), 0);
  await page.setViewportSize(NARROW);
  await workbench.screenshot("search-hostile-narrow");
  await page.setViewportSize(WIDE);
  await workbench.press("Escape");
  await pick.isClosed();
}
