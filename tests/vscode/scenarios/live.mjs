// Does the window follow an agent at work by itself: what it does, where it is, who waits?

import { writeFile } from "node:fs/promises";
import path from "node:path";

import { FakeAgent } from "../fake_agent.mjs";
import {
  isNoQuestion,
  keepsAMovedRowOpen,
  keepsTheReader,
  outlivesABurst,
  showsTheBackground,
  staysBusy,
} from "../live_steps.mjs";
import {
  dragEdge,
  goToLine,
  labels,
  place,
  rowAppears,
  rowOf,
  selectedLabels,
  showsText,
  withoutMinutes,
} from "../live_window.mjs";
import { writeSession } from "../transcripts.mjs";

export const title = "the leaf, the lists, the clock and an open transcript move while agents work";
export const home = "empty";
export const settings = { "forkpoint.scope": "all" };
export const turn = "alone"; // it watches how soon things are seen

const SESSIONS = "Sessions - everything";
const LOGIN = "Fix the login";
const SHOP = "Open the shop";
const OLD = "Write the readme";
const BRANCHES = `Branches - ${LOGIN}`;
/** What is seen within a second on a machine that does nothing else. */
const SOON_MS = 3000;
/** A server that was started anew reads the folders first. */
const RESTART_MS = 60_000;

export async function run(workbench, assert) {
  const login = new FakeAgent(workbench);
  const shop = new FakeAgent(workbench);
  const laps = [];
  /** Waits for a row that something made appear, and keeps the time that it took. */
  const seen = async (what, view, label, cause, patienceMs = SOON_MS) => {
    const appeared = rowAppears(workbench, view, label, patienceMs);
    const began = Date.now();
    await cause();
    await appeared;
    laps.push(`${String(Date.now() - began).padStart(5)} ms  ${what}`);
  };
  try {
    await workbench.page.setViewportSize({ width: 1280, height: 1300 });
    await writeWorkspace(workbench, login);
    await workbench.openContainer("Forkpoint");
    await turnsToTheLiveOne(workbench, assert, login);
    await showsTheTool(workbench, assert, login, seen);
    const longAnswer = await growsTheTranscript(workbench, assert, login);
    await keepsWhatIsOpen(workbench, assert, login, seen);
    await showsTheRewind(workbench, assert, login, longAnswer);
    await keepsTheReader(workbench, assert, login);
    await showsTheBackground(workbench, assert, login, BRANCHES);
    await listsANewSession(workbench, assert, shop, seen);
    await staysWithTheChosenOne(workbench, assert, login);
    await followsTheWork(workbench, assert, { login, shop });
    await showsCheckpoints(workbench, assert, shop);
    await outlivesTheServer(workbench, assert, shop, seen);
    await outlivesABurst(workbench, assert, shop, `Branches - ${SHOP}`);
    await fitsANarrowBar(workbench, shop, seen);
    await leavesLiveNow(workbench, assert, { login, shop });
    await keepsAMovedRowOpen(workbench, assert, login, { view: SESSIONS, label: LOGIN });
  } finally {
    await Promise.all([login.end(), shop.end()]);
    await writeFile(path.join(workbench.out, "live-laps.txt"), `${laps.join("\n")}\n`);
  }
}

async function writeWorkspace(folders, login) {
  await writeFile(path.join(folders.workspace, "auth.py"), "def login():\n    return True\n");
  await writeSession(folders, {
    id: "a1d00000-0000-4000-8000-000000000001",
    turns: [{ prompt: OLD, minutesAgo: 30, tokens: "3/0/0/9000/100" }],
  });
  await login.prompt(LOGIN);
  await login.answer("I shall look at auth.py first.");
}

/** Nothing is selected: the session that an agent works on is shown by itself, as it begins. */
async function turnsToTheLiveOne(workbench, assert, login) {
  await workbench.eventually(async () =>
    assert.deepEqual(await labels(workbench, SESSIONS), ["v Today", `  > ${LOGIN}`, `  > ${OLD}`]),
  );
  await login.start("busy");
  await workbench.eventually(async () => {
    assert.deepEqual(await labels(workbench, SESSIONS), [
      "v Live now",
      `  > ${LOGIN}`,
      "v Today",
      `  > ${OLD}`,
    ]);
    assert.equal((await rowOf(workbench, SESSIONS, LOGIN)).icon, "loading");
    assert.deepEqual(await workbench.outline(BRANCHES), [
      `v ${LOGIN} | active · 1 prompt · now`,
      `    ${LOGIN} | now`,
      "    Thinking | active leaf",
    ]);
  });
  const leaf = await rowOf(workbench, BRANCHES, "Thinking");
  assert.equal(leaf.icon, "loading");
  assert.equal(leaf.aria, "active leaf: the agent is thinking");
  await workbench.screenshot("live-1-thinking");
}

async function showsTheTool(workbench, assert, login, seen) {
  await workbench.click(BRANCHES, LOGIN); // the branch, which opens its transcript
  await workbench.eventually(async () => {
    const selected = (await workbench.rows(BRANCHES)).filter((row) => row.selected);
    assert.deepEqual(
      selected.map(({ label, level }) => [label, level]),
      [[LOGIN, 1]],
    );
    assert.equal(await workbench.activeTab(), LOGIN);
  });
  const file = path.join(workbench.workspace, "auth.py");
  let call;
  await seen("a tool on a file", BRANCHES, "Edit auth.py", async () => {
    const input = { file_path: file, old_string: "True", new_string: "check()" };
    call = await login.call("Edit", input);
  });
  const leaf = await rowOf(workbench, BRANCHES, "Edit auth.py");
  assert.equal(leaf.icon, "loading");
  assert.equal(leaf.description, "running · active leaf");
  assert.equal(leaf.aria, "active leaf, running now: Edit auth.py");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.outline(BRANCHES), [
      `v ${LOGIN} | active · 1 prompt · now`,
      `  > ${LOGIN} | now`,
      "    Edit auth.py | running · active leaf",
    ]),
  );
  await workbench.screenshot("live-2-tool");
  await seen("its result", BRANCHES, "Thinking", () => login.result(call));
  await seen("a command", BRANCHES, "Bash npm test", async () => {
    call = await login.call("Bash", { command: "npm test", description: "Run the tests" });
  });
  await workbench.screenshot("live-3-command");
  await login.say("waiting", "permission prompt");
  await workbench.eventually(async () => {
    const waiting = await rowOf(workbench, BRANCHES, "Bash npm test");
    assert.equal(waiting?.description, "waits for you · active leaf");
    assert.equal(waiting.icon, "bell-dot");
    assert.equal(await workbench.badge("Forkpoint"), "1");
  });
  await workbench.screenshot("live-4-waiting");
  await isNoQuestion(workbench, assert, login, { view: SESSIONS, label: LOGIN });
  const working = await rowOf(workbench, BRANCHES, "Bash npm test");
  assert.equal(working.description, "running · active leaf");
  await login.say("busy");
  await login.result(call, "12 tests passed");
  await staysBusy(workbench, assert, login, BRANCHES);
}

/** What was written comes at the end; place, cursor and what is folded stay. */
async function growsTheTranscript(workbench, assert, login) {
  const { page } = workbench;
  // Of a text beyond 100,000 characters VS Code would replace all, were it a virtual document.
  const long = Array.from({ length: 2500 }, (_, line) => `Line ${line} of an answer that is long.`);
  const longAnswer = await login.answer(long.join("\n\n"));
  await login.prompt("And the logout?");
  await login.answer("The logout is next.");
  await workbench.command("View: Focus Active Editor Group");
  await goToLine(workbench, 5);
  await workbench.eventually(async () => assert.match(await place(workbench), /^Ln 5, Col 1$/));
  await workbench.command("Fold Level 2");
  const folded = () => page.locator(".editor-instance .codicon-folding-collapsed").count();
  await workbench.eventually(async () => {
    await showsText(workbench, "And the logout?");
    assert.ok((await folded()) >= 2);
  });
  const before = { folded: await folded(), place: await place(workbench) };
  const top = (await workbench.editorLines())[0];
  await workbench.screenshot("live-5-transcript");
  await login.prompt("Last question");
  await workbench.eventually(() => showsText(workbench, "Last question"));
  assert.equal((await workbench.editorLines())[0], top);
  assert.equal(await place(workbench), before.place);
  assert.ok((await folded()) >= before.folded);
  await workbench.screenshot("live-6-transcript-grown");
  await workbench.command("Unfold All");
  await goToLine(workbench, 1);
  await login.answer("The answer above the fold.");
  await workbench.eventually(async () => {
    await page.keyboard.press("Control+End");
    await showsText(workbench, "The answer above the fold.");
  });
  await login.answer("The answer at the end.");
  await workbench.eventually(() => showsText(workbench, "The answer at the end."));
  await workbench.screenshot("live-7-transcript-end");
  return longAnswer;
}

/** Rows that were opened and selected stay so while others come; the tree grows inside of them. */
async function keepsWhatIsOpen(workbench, assert, login, seen) {
  await workbench.eventually(() => rowOf(workbench, BRANCHES, "Last question"));
  const prompt = { aria: new RegExp(`^prompt, ${LOGIN}`) };
  const row = await workbench.row(BRANCHES, prompt);
  await row.locator(".monaco-tl-twistie").click();
  await workbench.click(BRANCHES, "And the logout?");
  const input = { file_path: path.join(workbench.workspace, "auth.py") };
  await seen("a tool, below an open prompt", BRANCHES, "Read auth.py", () =>
    login.call("Read", input),
  );
  await workbench.eventually(async () => {
    assert.deepEqual((await workbench.outline(BRANCHES)).map(withoutMinutes), [
      `v ${LOGIN} | active · 3 prompts · now`,
      `  v ${LOGIN} | now`,
      "      Edit | auth.py",
      "      Bash | npm test",
      "    And the logout? | now",
      "  > Last question | now",
      "    Read auth.py | running · active leaf",
    ]);
    assert.deepEqual(await selectedLabels(workbench, BRANCHES), ["And the logout?"]);
  });
  await workbench.screenshot("live-8-open-rows");
}

/** Back to before the second prompt: what followed is abandoned, the leaf goes along. */
async function showsTheRewind(workbench, assert, login, longAnswer) {
  const before = await place(workbench); // of the prompt that goes
  login.last = longAnswer;
  await login.prompt("Another way");
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(BRANCHES)).map(withoutMinutes), [
      `v ${LOGIN} | active · 1 prompt · now`,
      `  v ${LOGIN} | now`,
      "      Edit | auth.py",
      "      Bash | npm test",
      "  v Another way | active · 1 prompt · now · rewind",
      "      Another way | now",
      "      Thinking | active leaf",
      "  > And the logout? | 2 prompts · now",
    ]),
  );
  await workbench.eventually(async () => {
    await showsText(workbench, "## 2. Another way");
    // The row of the branch that was left came on top, with one above it and a blank line.
    assert.equal(
      await place(workbench),
      before.replace(/\d+/, (line) => Number(line) + 3),
    );
  });
  await workbench.screenshot("live-9-rewind");
}

async function listsANewSession(workbench, assert, shop, seen) {
  await workbench.click(SESSIONS, OLD); // by hand: from now on the window stays with it
  await workbench.eventually(async () =>
    assert.equal((await workbench.rows(`Branches - ${OLD}`)).length, 3),
  );
  await seen("a new session", SESSIONS, SHOP, () => shop.prompt(SHOP));
  await shop.start("busy");
  await workbench.eventually(async () => {
    const [heading, ...others] = await labels(workbench, SESSIONS);
    assert.equal(heading, "v Live now");
    assert.deepEqual(others.slice(0, 2).sort(), [`  > ${LOGIN}`, `  > ${SHOP}`]);
    assert.deepEqual(others.slice(2), ["v Today", `  > ${OLD}`]);
  });
  await shop.say("waiting");
  await workbench.eventually(async () => {
    assert.equal((await rowOf(workbench, SESSIONS, SHOP)).icon, "bell-dot");
    assert.equal(await workbench.badge("Forkpoint"), "1");
  });
  await workbench.screenshot("live-10-new-session");
  await shop.say("busy");
}

async function staysWithTheChosenOne(workbench, assert, login) {
  await login.answer("Another way it is.");
  await workbench.eventually(async () => {
    assert.deepEqual(await selectedLabels(workbench, SESSIONS), [OLD]);
    assert.equal((await rowOf(workbench, SESSIONS, SHOP)).icon, "loading");
  });
  assert.equal((await workbench.rows(`Branches - ${OLD}`)).length, 3);
}

/** The toggle turns to who works; then to the other one, when this one rests and that one works. */
async function followsTheWork(workbench, assert, { login, shop }) {
  await login.say("idle");
  await shop.answer("Which shop?");
  await workbench.clickViewAction(`Branches - ${OLD}`, "Follow the Live Session");
  const ofShop = `Branches - ${SHOP}`;
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(ofShop)).slice(-1), ["    Thinking | active leaf"]),
  );
  assert.deepEqual(await selectedLabels(workbench, SESSIONS), [OLD]);
  await workbench.screenshot("live-11-follows");
  await shop.say("idle");
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(ofShop)).slice(-1), [
      "    Active leaf | a resume goes on here",
    ]),
  );
  await login.say("busy");
  await login.prompt("Now the tests");
  await workbench.eventually(async () =>
    assert.ok(await rowOf(workbench, BRANCHES, "Now the tests")),
  );
  await workbench.screenshot("live-12-follows-back");
  await login.say("idle");
  await shop.say("busy");
  await shop.prompt("The one in the harbour");
  await workbench.eventually(async () => assert.ok(await rowOf(workbench, ofShop, "Thinking")));
}

/** A copy of the file appears in its history as it is made; the clock is the live session's. */
async function showsCheckpoints(workbench, assert, shop) {
  await workbench.openFile("auth.py");
  await workbench.eventually(async () => {
    const [sentence] = await workbench.viewText("File Checkpoints - auth.py");
    assert.match(sentence, /^No checkpoints for this file/);
  });
  const file = path.join(workbench.workspace, "auth.py");
  const prompt = await shop.prompt("Check the password");
  await shop.keepCopy(prompt, file);
  await workbench.eventually(async () => {
    const outline = await workbench.outline("File Checkpoints - auth.py");
    assert.ok(
      outline.some((row) => row.includes("Check the password")),
      outline.join("\n"),
    );
  });
  await shop.answer("I check it.");
  await workbench.eventually(async () => {
    const clock = workbench.page.locator(".part.statusbar .statusbar-item", {
      hasText: /cache \d/,
    });
    const aria = await clock.locator("[aria-label]").first().getAttribute("aria-label");
    assert.match(aria, new RegExp(`^Prompt cache of “${SHOP}”`));
  });
  await workbench.screenshot("live-13-checkpoints");
}

async function outlivesTheServer(workbench, assert, shop, seen) {
  await workbench.command("Forkpoint: Restart Server");
  await workbench.eventually(async () =>
    assert.ok(await rowOf(workbench, `Branches - ${SHOP}`, "Thinking")),
  );
  let call;
  const make = async () => {
    call = await shop.call("Bash", { command: "make" });
  };
  await seen("a tool after a restart", `Branches - ${SHOP}`, "Bash make", make, RESTART_MS);
  await shop.result(call);
}

async function fitsANarrowBar(workbench, shop, seen) {
  const { page } = workbench;
  const box = await page.locator(".part.sidebar").boundingBox();
  await dragEdge(page, box.x + box.width, box.x + 185);
  await seen("a tool in a narrow bar", `Branches - ${SHOP}`, "Write opening_hours.py", () =>
    shop.call("Write", { file_path: path.join(shop.folders.workspace, "opening_hours.py") }),
  );
  await workbench.screenshot("live-14-narrow");
}

/** A client that was closed, then one that was killed; the selected row goes along and stays it. */
async function leavesLiveNow(workbench, assert, { login, shop }) {
  await workbench.click(SESSIONS, SHOP);
  await login.end();
  await workbench.eventually(async () =>
    assert.deepEqual((await labels(workbench, SESSIONS)).slice(0, 3), [
      "v Live now",
      `  > ${SHOP}`,
      "v Today",
    ]),
  );
  await shop.end({ isKilled: true });
  await workbench.eventually(async () => {
    const rows = await labels(workbench, SESSIONS);
    assert.equal(rows[0], "v Today");
    assert.deepEqual(rows.slice(1).sort(), [`  > ${LOGIN}`, `  > ${SHOP}`, `  > ${OLD}`].sort());
  });
  assert.deepEqual(await selectedLabels(workbench, SESSIONS), [SHOP]);
  await workbench.eventually(async () =>
    assert.deepEqual((await workbench.outline(`Branches - ${SHOP}`)).slice(-1), [
      "    Active leaf | a resume goes on here",
    ]),
  );
  await workbench.screenshot("live-15-ended");
}
