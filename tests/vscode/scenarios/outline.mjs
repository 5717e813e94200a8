// Are outline, folding, hover, ways, marks and problems there, in a readable transcript and in the
// raw file, and does what is planted in a transcript do nothing?

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { fingerprint } from "../fingerprint.mjs";
import { transcriptPath } from "../transcripts.mjs";

export const title = "transcripts, readable and raw, have outline, folding, hover, marks, problems";
export const home = "empty";

const ID = "0f0e0d0c-1111-4000-8000-00000000a001";
const TRAP = "[run me](command:workbench.action.closeWindow) <b>x</b>";
const OUTLINE = [
  "Add up the prices",
  "Edit notes.txt",
  "Result of Edit notes.txt",
  TRAP,
  "Round it",
  "Rounded.",
  "Round it up",
  "Rounded up.",
  "hologram",
  "Not a record: not JSON",
];

export async function run(workbench, assert) {
  await writeTranscript(workbench);
  const before = await fingerprint(workbench.configDir);
  await workbench.page.setViewportSize({ width: 1400, height: 1000 });
  await workbench.openContainer("Forkpoint");
  await workbench.click("Sessions - this repository", "Add up the prices");
  await readsTheText(workbench, assert);
  await showsTheOtherBranch(workbench, assert);
  await readsTheRawFile(workbench, assert);
  await findsPrompts(workbench, assert);
  assert.equal(await fingerprint(workbench.configDir), before);
}

async function readsTheText(workbench, assert) {
  await workbench.eventually(async () =>
    assert.ok((await workbench.editorLines()).includes("## 1. Add up the prices")),
  );
  assert.deepEqual(await symbols(workbench), [
    "1. Add up the prices",
    "Edit notes.txt",
    "Result of Edit notes.txt",
    TRAP,
    "2. Round it up",
    "Rounded up.",
    "hologram",
    "no JSON",
  ]);
  await workbench.command("Explorer: Focus on Outline View");
  await workbench.eventually(async () =>
    assert.ok((await workbench.rows("Outline")).some(({ label }) => label === "2. Round it up")),
  );
  await goTo(workbench, "## 1. Add up the prices");
  const words = await hover(workbench);
  assert.match(words, /Prompt/);
  assert.match(words, /Fate: sent with the next request/);
  await workbench.screenshot("outline-readable");
  await workbench.press("Escape");
  await workbench.eventually(async () =>
    assert.deepEqual(await marks(workbench), ["1 other branch from here"]),
  );
  await goTo(workbench, TRAP.slice(0, 8));
  assert.match(await hover(workbench), /\[run me\]\(command:/);
  await workbench.screenshot("outline-trap");
  assert.deepEqual(await commandLinks(workbench), []);
  await workbench.press("Escape");
  await foldsTo(workbench, "Fold Level 2", (lines) => {
    assert.ok(lines.includes("## 1. Add up the prices"));
    assert.ok(lines.includes("## 2. Round it up"));
    assert.ok(!lines.some((line) => line.includes("Edit notes.txt")));
  });
  await workbench.screenshot("outline-readable-folded");
  await workbench.command("Unfold All");
}

async function showsTheOtherBranch(workbench, assert) {
  await workbench.eventually(() =>
    workbench.page.locator(".codelens-decoration a").first().click({ timeout: 3000 }),
  );
  const branches = "Branches - Add up the prices";
  await workbench.eventually(async () => {
    const selected = (await workbench.rows(branches)).filter((row) => row.selected);
    assert.deepEqual(
      selected.map(({ label }) => label),
      ["Round it"],
    );
  });
  await workbench.screenshot("outline-branch");
}

async function readsTheRawFile(workbench, assert) {
  await workbench.command("Forkpoint: Open Raw Records");
  await workbench.eventually(async () => assert.equal(await workbench.activeTab(), ID));
  await workbench.eventually(async () => assert.deepEqual(await symbols(workbench), OUTLINE));
  await workbench.eventually(async () =>
    assert.deepEqual(await marks(workbench), ["1 other branch from here"]),
  );
  await toLine(workbench, 7);
  assert.match(await hover(workbench), /Prompt/);
  await workbench.screenshot("outline-raw");
  await workbench.press("Escape", "F12");
  await workbench.eventually(
    async () => assert.match(await workbench.statusText("Ln "), /^Ln 4,/), // to the parent
  );
  await toLine(workbench, 2);
  await workbench.press("F12"); // from a call to its file
  await workbench.eventually(async () => assert.equal(await workbench.activeTab(), "notes"));
  await workbench.command("Forkpoint: Open Raw Records");
  await workbench.eventually(async () => assert.equal(await workbench.activeTab(), ID));
  await workbench.command("Problems: Focus on Problems View");
  await workbench.eventually(async () => {
    const rows = workbench.page.locator(".markers-panel .monaco-list-row");
    const found = (await rows.allInnerTexts()).join("\n");
    assert.match(found, /No known client writes records of this type: hologram\./);
    assert.match(found, /This is no record: not JSON\./);
  });
  await workbench.screenshot("outline-problems");
  await workbench.command("View: Toggle Panel Visibility");
  await workbench.command("View: Focus Active Editor Group");
  await foldsTo(workbench, "Fold All", (lines) => assert.equal(lines.length, 4));
  await workbench.screenshot("outline-raw-folded");
}

async function findsPrompts(workbench, assert) {
  await workbench.press("Control+T");
  const input = workbench.page.locator(".quick-input-widget .quick-input-box input");
  await input.waitFor();
  await input.fill("#round it");
  await workbench.eventually(async () =>
    assert.deepEqual((await pickNames(workbench)).sort(), ["Round it", "Round it up"]),
  );
  await workbench.screenshot("outline-prompts");
  await workbench.press("Enter");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^Add up the prices( \(branch \w+\))?$/);
    assert.match(await workbench.statusText("Ln "), /^Ln \d\d,/);
  });
}

/** Names in the list of the active editor's symbols. */
async function symbols(workbench) {
  const input = workbench.page.locator(".quick-input-widget .quick-input-box input");
  await workbench.command("View: Focus Active Editor Group");
  await workbench.press("Control+Shift+O");
  await input.waitFor();
  try {
    return await workbench.eventually(async () => {
      const found = await pickNames(workbench);
      if (found.length < 2) throw new Error(`no symbols: ${found}`);
      return found;
    });
  } finally {
    await workbench.press("Escape");
    await input.waitFor({ state: "hidden" });
  }
}

/** What the open list offers, without icons; Markdown's own headings are left out. */
async function pickNames(workbench) {
  const names = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  const all = await names.allTextContents();
  return all
    .map((name) => name.replace(/^\P{ASCII}*\s+/u, ""))
    .filter((name) => !/^#+ /.test(name));
}

/** Puts the cursor on the first line that holds a text. */
async function goTo(workbench, text) {
  const line = workbench.page.locator(".editor-instance .view-line", { hasText: text }).first();
  await line.click({ position: { x: 4, y: 4 } });
}

async function toLine(workbench, number) {
  await workbench.command("View: Focus Active Editor Group");
  await workbench.press("Control+G");
  const input = workbench.page.locator(".quick-input-widget .quick-input-box input");
  await input.waitFor();
  await input.fill(`:${number}`);
  await workbench.press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** What is said of the line at the cursor. */
async function hover(workbench) {
  const shown = workbench.page.locator(".monaco-resizable-hover .monaco-hover-content").first();
  return workbench.eventually(async () => {
    await workbench.command("Show or Focus Hover");
    await shown.waitFor({ timeout: 3000 });
    const text = await shown.innerText();
    if (!text.includes("Record")) throw new Error(`another hover: ${text}`);
    return text;
  });
}

async function marks(workbench) {
  return workbench.page.locator(".codelens-decoration a").allInnerTexts();
}

/** Links anywhere in the window that would run a command. */
async function commandLinks(workbench) {
  const links = workbench.page.locator(".editor-group-container a, .monaco-hover a");
  return links.evaluateAll((all) =>
    all
      .map((link) => link.getAttribute("data-href") ?? link.getAttribute("href") ?? "")
      .filter((target) => target.startsWith("command:")),
  );
}

/** Markdown folds the whole text below its title, so that turns are its second level. */
async function foldsTo(workbench, command, check) {
  await toLine(workbench, 1); // what holds the cursor stays open
  await workbench.eventually(async () => {
    await workbench.command(command);
    check(await workbench.editorLines());
  });
}

async function writeTranscript({ configDir, workspace }) {
  const file = transcriptPath({ configDir, workspace }, ID);
  const rows = [];
  const add = (name, parent, fields) => {
    const timestamp = new Date(Date.now() - 600_000 + rows.length * 1000).toISOString();
    const envelope = { sessionId: ID, cwd: workspace, version: "2.1.332", timestamp };
    const place = { uuid: uuid(name), parentUuid: parent && uuid(parent), isSidechain: false };
    rows.push(JSON.stringify({ ...place, ...envelope, entrypoint: "cli", ...fields }));
  };
  const notes = path.join(workspace, "notes.txt");
  const call = { type: "tool_use", id: "call_1", name: "Edit", input: { file_path: notes } };
  add("u1", undefined, prompt("Add up the prices"));
  add("t1", "u1", answer("t1", call));
  add("r1", "t1", { type: "user", message: { role: "user", content: [result("one\ntwo")] } });
  add("a1", "r1", answer("a1", text(TRAP)));
  add("u2", "a1", prompt("Round it"));
  add("a2", "u2", answer("a2", text("Rounded.")));
  add("u3", "a1", prompt("Round it up"));
  add("a3", "u3", answer("a3", text("Rounded up.")));
  add("x1", "a3", { type: "hologram" });
  rows.push("no JSON");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, rows.map((row) => `${row}\n`).join(""));
}

function uuid(name) {
  return `00000000-0000-4000-8000-${Buffer.from(name).toString("hex").padEnd(12, "0")}`;
}

function prompt(content) {
  return { type: "user", message: { role: "user", content } };
}

function answer(id, block) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: `msg_${id}`, role: "assistant", model: "claude-opus-5-5" };
  return { type: "assistant", message: { ...message, content: [block], usage } };
}

function text(words) {
  return { type: "text", text: words };
}

function result(content) {
  return { type: "tool_result", tool_use_id: "call_1", content };
}
