// Who wrote a line, in words that cannot become anything else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { savedLine, shownLine } from "../../src/editor/savedLine";
import type { LineChange, LineRun } from "../../src/protocol";
import {
  commandLink,
  escaped,
  lineAuthor,
  noAuthor,
  promptWords,
} from "../../src/views/describe/lineAuthor";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const CHANGE: LineChange = {
  sessionId: "s",
  agentId: null,
  title: "Login fix",
  toolUseId: "toolu_1",
  name: "Edit",
  uuid: "u",
  ordinal: 7,
  at: "2026-03-07T11:00:00.000Z",
  prompt: { uuid: "p", preview: "Round the total" },
  promptNumber: 14,
  onActivePath: true,
};
const RUN: LineRun = { line: 0, endLine: 0, by: "outside", change: null, since: null, until: null };

test("a prompt, its session and how long ago", () => {
  assert.equal(
    lineAuthor(CHANGE, NOW),
    "last changed by Claude: prompt 14 of “Login fix”, 3 days ago",
  );
  assert.equal(
    lineAuthor({ ...CHANGE, at: null, onActivePath: false, agentId: "a1" }, NOW),
    "last changed by Claude: prompt 14 of “Login fix”, by a subagent, on a branch that was left",
  );
  assert.equal(
    lineAuthor({ ...CHANGE, title: "", prompt: null, promptNumber: null }, NOW),
    "last changed by Claude in “Untitled session”, 3 days ago",
  );
  assert.equal(promptWords(CHANGE), "Edit · Round the total");
});

test("lines that no call wrote", () => {
  const since = "2026-03-07T11:00:00.000Z";
  const until = "2026-03-08T11:00:00.000Z";
  const sentences = [
    noAuthor({ ...RUN, since, until }, NOW),
    noAuthor({ ...RUN, since }, NOW),
    noAuthor(RUN, NOW),
    noAuthor({ ...RUN, by: "older" }, NOW),
    noAuthor({ ...RUN, by: "unknown" }, NOW),
  ];
  assert.deepEqual(sentences, [
    "Not changed by Claude's edits: written between 3 days ago and 2 days ago.",
    "Not changed by Claude's edits: written later than 3 days ago.",
    "Not changed by Claude's edits.",
    "This line is older than what is recorded of the file.",
    "This line is older than the edits that were looked at.",
  ]);
});

test("words of a transcript are no Markdown", () => {
  assert.equal(
    escaped("[x](command:forkpoint.resume) <command:a> **b** `c` &lt; https://d.example"),
    "\\[x\\]\\(command\\:forkpoint\\.resume\\) \\<command\\:a\\> \\*\\*b\\*\\* \\`c\\` \\&lt\\; https\\:\\/\\/d\\.example",
  );
  assert.equal(escaped("a\n# b\r\n\u2028- c\u0000"), "a \\# b \\- c");
});

test("nothing leaves the argument of a link", () => {
  const argument = { sessionId: ") [x](command:evil) '\"<>!*" };
  const link = commandLink("forkpoint.openTranscriptAt", argument);
  assert.match(link, /^command:forkpoint\.openTranscriptAt\?[A-Za-z0-9%._~-]+$/);
  assert.deepEqual(JSON.parse(decodeURIComponent(link.split("?")[1] ?? "")), [argument]);
});

test("lines of an unsaved text", () => {
  const saved = ["a", "b", "c", "d"];
  const lines = (now: string[]) => now.map((_, line) => savedLine(saved, now, line) ?? "-");
  assert.deepEqual(lines(saved), [0, 1, 2, 3]);
  assert.deepEqual(lines(["a", "x", "b", "c", "d"]), [0, "-", 1, 2, 3]);
  assert.deepEqual(lines(["a", "B", "c", "d"]), [0, "-", 2, 3]);
  assert.deepEqual(lines(["a", "d"]), [0, 3]);
  assert.deepEqual(lines(["A", "b", "c", "D"]), ["-", "-", "-", "-"]);
});

test("where an editor shows a line of the file on disk", () => {
  const shown = ["a", "b", "c", "d"];
  const lines = (onDisk: string[]) => onDisk.map((_, line) => shownLine(onDisk, shown, line));
  assert.deepEqual(lines(shown), [0, 1, 2, 3]);
  assert.deepEqual(lines(["new", "new", "a", "b", "c", "d"]), [0, 0, 0, 1, 2, 3]);
  assert.deepEqual(lines(["a", "d"]), [0, 3]);
  assert.deepEqual(lines(["a", "B", "C", "d"]), [0, 1, 2, 3]);
});
