// Transcripts to be read: a long one with a bit of everything at its end, and a compacted one.

import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

import { transcriptPath } from "./transcripts.mjs";

export const AGENT = "a1179cc1ea4db2add";
/** Turns above the end: some three million bytes of text, where one part has two. */
const TURNS = 300;
export const PLANTED = "[run it](command:workbench.action.closeAllEditors) <b>now</b>";

const MINUTE_MS = 60_000;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYCAIAAABvFaqvAAAAH0lEQVR4nGNQaDhAFcQwatCoQaMGjRo0atCoQQNvEABdkxguqGhhOwAAAABJRU5ErkJggg==";

/** Rows that hang on each other, a second apart; the last is a minute old. */
class Rows {
  constructor({ workspace }, sessionId) {
    this.record = { sessionId, cwd: workspace, version: "2.1.332", entrypoint: "cli" };
    this.rows = [];
    this.last = null;
  }

  add(fields) {
    const uuid = randomUUID();
    const row = { parentUuid: this.last, isSidechain: false, uuid, ...this.record, ...fields };
    this.rows.push(row);
    this.last = uuid;
    return uuid;
  }

  prompt(content) {
    return this.add({ type: "user", message: { role: "user", content } });
  }

  answer(...content) {
    const usage = { input_tokens: 1200, output_tokens: 34 };
    const id = `msg_${randomUUID()}`;
    const message = { id, role: "assistant", model: "claude-opus-5-5", content, usage };
    return this.add({ type: "assistant", message });
  }

  call(id, name, input) {
    return this.answer({ type: "tool_use", id, name, input });
  }

  result(id, content, toolUseResult) {
    const block = { type: "tool_result", tool_use_id: id, content };
    const message = { role: "user", content: [block] };
    return this.add({ type: "user", message, ...(toolUseResult ? { toolUseResult } : {}) });
  }

  attach(type) {
    return this.add({ type: "attachment", attachment: { type } });
  }

  async write(file) {
    const end = Date.now() - MINUTE_MS;
    const text = this.rows.map((row, place) => {
      const timestamp = new Date(end - (this.rows.length - place) * 1000).toISOString();
      return `${JSON.stringify({ ...row, timestamp })}\n`;
    });
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text.join(""));
  }
}

/** Writes the long session. */
export async function writeLong(folders, id, title) {
  const rows = new Rows(folders, id);
  const words = "The cart adds up what the items cost, and rounds the total. ".repeat(40);
  for (let turn = 1; turn <= TURNS; turn++) {
    rows.prompt(turn === 1 ? title : `Question ${turn}`);
    rows.answer({ type: "text", text: `Answer ${turn}: ${words}` });
  }
  const fork = rows.last;
  rows.prompt("Lower the tax rate");
  rows.answer({ type: "text", text: "It is lower now." });
  rows.last = fork;
  rows.prompt([
    { type: "text", text: "Find the tests" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
  ]);
  for (const type of ["environment", "model", "skill_listing", "date"]) rows.attach(type);
  rows.answer({ type: "thinking", thinking: "Where may they be?\nBelow a folder of tests." });
  rows.call("toolu_1", "Agent", { description: "Look for tests", prompt: "Are there tests?" });
  rows.result("toolu_1", "There are none.", { status: "completed", agentId: AGENT });
  const file = path.join(folders.workspace, "cart.py");
  rows.call("toolu_2", "Edit", { file_path: file, old_string: "a", new_string: "b" });
  const patch = [{ lines: [" def total():", "-    return 1", "+    x = 2", "+    return x"] }];
  rows.result("toolu_2", "Updated.", { structuredPatch: patch });
  rows.answer({ type: "text", text: PLANTED });
  rows.add({ type: "system", subtype: "turn_duration", durationMs: 5 });
  const main = transcriptPath(folders, id);
  await rows.write(main);
  await writeFile(file, "def total():\n    x = 2\n    return x\n");
  const agent = new Rows(folders, id);
  agent.prompt("Are there tests?");
  agent.answer({ type: "text", text: "There are none." });
  await agent.write(path.join(main.replace(/\.jsonl$/, ""), "subagents", `agent-${AGENT}.jsonl`));
}

/** Writes the session whose beginning is not sent again. */
export async function writeCompacted(folders, id, title) {
  const rows = new Rows(folders, id);
  rows.prompt(title);
  rows.answer({ type: "text", text: "An answer from before." });
  const before = rows.last;
  rows.last = null;
  const compactMetadata = { trigger: "auto", preTokens: 90_000, postTokens: 12_000 };
  const boundary = { subtype: "compact_boundary", logicalParentUuid: before, compactMetadata };
  rows.add({ type: "system", ...boundary });
  rows.add({
    type: "user",
    message: { role: "user", content: "What happened so far." },
    isCompactSummary: true,
  });
  rows.prompt("Go on");
  rows.answer({ type: "text", text: "It goes on." });
  await rows.write(transcriptPath(folders, id));
}
