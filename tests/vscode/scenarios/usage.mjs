// Is it told what was spent, by what, and how a session's context filled up?

import { fingerprint } from "../fingerprint.mjs";
import { writeSession } from "../transcripts.mjs";

export const title = "what was spent is summed up, opens as a table, and a context as a curve";
export const home = "spending";
export const settings = { "forkpoint.scope": "all" };

const SESSIONS = "Sessions - everything";
const USAGE = "Usage";
const BIG = "Add a discount";
const SMALL = "Explain the build";
const OLD = "Sum up the plan";
const DAY = 24 * 60;
const id = (number) => `5e551010-0000-4000-8000-00000000001${number}`;

export async function run(workbench, assert) {
  const { page, configDir } = workbench;
  await page.setViewportSize({ width: 1400, height: 1100 });
  await workbench.openContainer("Forkpoint");
  await saysThatNothingWasSpent(workbench, assert);
  await writeSessions(workbench);
  const before = await fingerprint(configDir);
  await sumsUp(workbench, assert);
  await tellsInTooltips(workbench, assert);
  await opensATable(workbench, assert);
  await drawsTheContext(workbench, assert);
  await opensTheSession(workbench, assert);
  assert.deepEqual(await fingerprint(configDir), before);
  await followsWhatIsSpent(workbench, assert);
}

async function saysThatNothingWasSpent(workbench, assert) {
  for (const name of ["Branches", "File Checkpoints", "Resume & Cache"])
    await workbench.view(name).locator("> .pane-header").click();
  await workbench.command("Forkpoint: Show Usage");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.viewText(USAGE), [
      "Nothing was spent so far, as far as transcripts tell.",
      "Refresh",
    ]),
  );
  await workbench.screenshot("usage-empty");
}

async function writeSessions(folders) {
  await writeSession(folders, {
    id: id(1),
    turns: [
      { prompt: BIG, minutesAgo: 3 * DAY, tokens: "3/0/0/100000/1000" },
      { prompt: "Test it", minutesAgo: 3 * DAY - 1, tokens: "3/100000/0/60000/2000" },
      {
        prompt: "Document it",
        minutesAgo: 3 * DAY - 2,
        tokens: "3/0/0/12000/500",
        compacted: true,
      },
    ],
  });
  await writeSession(folders, {
    id: id(2),
    turns: [
      { prompt: SMALL, minutesAgo: 1, tokens: "3/0/0/50000/1000" },
      { prompt: "Thanks", minutesAgo: 0.5, tokens: "3/50000/0/500/100", model: "a-model-of-mine" },
    ],
  });
  await writeSession(folders, {
    id: id(3),
    turns: [{ prompt: OLD, minutesAgo: 70 * DAY, tokens: "3/0/0/100000/10000" }],
  });
}

// Opus 5.5 costs 8 dollars a million written for an hour, 20 generated, 0.2 read, 4 sent.
const TODAY = "$0.42+ · 102k tokens";
const MONTH = "$1.89+ · 377k tokens";

async function sumsUp(workbench, assert) {
  await workbench.clickViewAction(SESSIONS, "Refresh Sessions");
  await workbench.eventually(async () =>
    assert.deepEqual(withoutDays(await workbench.outline(USAGE)).slice(0, 7), [
      `> Today | ${TODAY}`,
      `> Last 7 days | ${MONTH}`,
      `v Last 30 days | ${MONTH}`,
      "  > By project",
      "  > By model",
      "  > By session",
      "> All time | $2.89+ · 487k tokens",
    ]),
  );
  await collapse(workbench, assert, SESSIONS); // all rows at once
  await workbench.expand(USAGE, "Last 7 days");
  await workbench.expand(USAGE, "By model");
  await workbench.expand(USAGE, "By session");
  await workbench.eventually(async () =>
    assert.deepEqual(withoutDays(await workbench.outline(USAGE)), [
      `> Today | ${TODAY}`,
      `v Last 7 days | ${MONTH}`,
      `    DAY | ━━ · ${TODAY}`,
      "    DAY | ━━━━━━━━ · $1.47 · 276k tokens",
      `v Last 30 days | ${MONTH}`,
      "  > By project",
      "  v By model",
      "      claude-opus-5-5 | ━━━━━━━━ · $1.89 · 327k tokens",
      "      a-model-of-mine | no known price · 51k tokens",
      "  v By session",
      `      ${BIG} | ━━━━━━━━ · $1.47 · 276k tokens`,
      `      ${SMALL} | ━━ · ${TODAY}`,
      "> All time | $2.89+ · 487k tokens",
      "  Dollars are the API price equivalent: what the tokens cost at list prices. A subscription is not billed by it.",
      "  Not in the sums is what leaves no answer in a transcript: requests that sum up a conversation for a compaction or find a title, and fees beside tokens, as for web searches.",
      "  No price is known for one response (a-model-of-mine): the tokens are counted, the dollars come on top.",
    ]),
  );
  const rows = await workbench.rows(USAGE);
  const spoken = rows.find(({ label }) => label === BIG);
  assert.equal(spoken.aria.replace(/ ?$/, ""), `${BIG}, $1.47, 276k tokens`);
  await workbench.screenshot("usage");
}

async function collapse(workbench, assert, view) {
  const header = workbench.view(view).locator("> .pane-header");
  await workbench.eventually(async () => {
    await header.focus();
    await workbench.press("ArrowLeft");
    assert.equal(await header.getAttribute("aria-expanded"), "false");
  });
}

/** Dates differ from run to run. */
function withoutDays(lines) {
  return lines.map((line) => line.replace(/\d{4}-\d\d-\d\d/, "DAY"));
}

async function tellsInTooltips(workbench, assert) {
  const told = await workbench.tooltip(USAGE, "Last 30 days");
  assert.match(told, /API price equivalent: \$1\.89 and 1 response without a known price/);
  assert.match(told, /Written for an hour: 223k/);
}

async function opensATable(workbench, assert) {
  await workbench.clickViewAction(USAGE, "Open Usage as a Table");
  const choices = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  await workbench.eventually(async () => assert.equal(await choices.count(), 8));
  await workbench.page.keyboard.type("project and model");
  await workbench.press("Enter");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Usage by project and model");
    const lines = await workbench.editorLines();
    assert.equal(lines[0], "Usage by project and model");
    assert.match(lines[2], /^Project +Model +Responses +Input +Output +Cache write/);
    assert.match(
      lines[4],
      /^workspace +claude-opus-5-5 +5 +15 +14,500 +322,000 +100,000 +\$2\.89 +-$/,
    );
    assert.match(lines[5], /^workspace +a-model-of-mine +1 .* no price +-$/);
    assert.match(lines[7], /^Total +6 .* \$2\.89\+ +-$/);
    assert.match(lines[9], /^- Dollars are the API price equivalent/);
  });
  await workbench.screenshot("usage-table");
}

async function drawsTheContext(workbench, assert) {
  await workbench.clickRowAction(USAGE, BIG, "Show Context Window");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Context window: Add a discount");
    const lines = await workbench.editorLines();
    assert.equal(lines[0], "Context window");
    const said = lines.slice(2, 7).join(" ").replaceAll(/ +/g, " ");
    assert.match(
      said,
      /^3 responses: the context began with 101,003 tokens, was largest with 162,003 \(response 2\)/,
    );
    assert.match(
      said,
      / Compaction \(manual\) behind response 2, .*: 90,000 tokens before, 12,000 after, 12,503 with/,
    );
    assert.equal(lines[8], "Chart (left to right: the responses; ▲: a compaction)");
    assert.equal(lines[10], "162k │    ████");
    assert.equal(lines[17], "   0 │████████▅▅▅▅");
    assert.equal(lines[18], "              ▲");
  });
  await workbench.screenshot("usage-context");
  await workbench.press("Control+W");
  await drawsItByKeyboard(workbench, assert);
}

/** The button of a row stands in its menu, too. */
async function drawsItByKeyboard(workbench, assert) {
  await workbench.command("Forkpoint: Focus on Usage View");
  const menu = workbench.page.locator(".monaco-menu .action-label");
  await workbench.eventually(async () => {
    await workbench.press("Escape", "Home");
    for (let row = 0; row < 30; row++) {
      if ((await workbench.focusedAria()).startsWith(`${BIG}, `)) break;
      await workbench.press("ArrowDown");
    }
    await workbench.press("Shift+F10");
    await menu.first().waitFor({ timeout: 3000 });
    const shown = (await menu.allInnerTexts()).filter((text) => text !== ""); // lines have none
    assert.deepEqual(shown, ["Show Context Window", "Copy Text"]);
  });
  await workbench.press("ArrowDown", "Enter");
  await workbench.eventually(async () =>
    assert.equal(await workbench.activeTab(), "Context window: Add a discount"),
  );
  await workbench.press("Control+W");
}

async function opensTheSession(workbench, assert) {
  await workbench.click(USAGE, SMALL);
  await workbench.eventually(async () =>
    assert.match(await workbench.activeTab(), new RegExp(`^${SMALL}`)),
  );
}

/** While an agent works the sums grow, and what was opened stays so. */
async function followsWhatIsSpent(workbench, assert) {
  const next = { prompt: "Once more", minutesAgo: 0, tokens: "3/50000/0/100000/0" };
  await writeSession(workbench, { id: id(4), turns: [next] });
  await workbench.eventually(async () => {
    const lines = await workbench.outline(USAGE);
    assert.equal(lines[0], "> Today | $1.23+ · 252k tokens");
    assert.equal(lines.filter((line) => line.includes("Once more")).length, 1);
  });
  await workbench.screenshot("usage-grown");
}
