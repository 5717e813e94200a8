// An export comes in parts: all of them become one file, or none.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exportedText, liesBelowAgent, redactionSentence } from "../../src/exportText";
import type { ExportParams, ExportResult } from "../../src/protocol";

const QUESTION: ExportParams = { sessionId: "s", format: "markdown", redact: ["secrets"] };

function part(text: string, cursor: string | null, done: number): ExportResult {
  const fileName = text ? "s.md" : "";
  const counts = { redactions: [{ kind: "email", count: done }], leftOut: [] };
  return { text, cursor, done, total: 4, fileName, mediaType: "text/markdown", ...counts };
}

/** A server with these parts, and what it was asked. */
function server(parts: ExportResult[]) {
  const asked: ExportParams[] = [];
  const ask = async (params: ExportParams) => {
    const answer = parts[asked.push(params) - 1];
    assert.ok(answer);
    return answer;
  };
  return { ask, asked };
}

const PARTS = [part("", "1.1", 2), part("größer ", "1.2", 3), part("店\n", null, 4)];

test("parts become one text, in their order", async () => {
  const { ask, asked } = server(PARTS);
  const shares: number[] = [];
  const waiting = { isCancelled: () => false, advanced: (share: number) => shares.push(share) };
  const text = await exportedText(ask, QUESTION, waiting);
  assert.equal(new TextDecoder().decode(text?.bytes), "größer 店\n");
  assert.equal(text?.fileName, "s.md");
  assert.deepEqual(text?.redactions, [{ kind: "email", count: 4 }]);
  assert.deepEqual(
    asked,
    [null, "1.1", "1.2"].map((cursor) => ({ ...QUESTION, cursor })),
  );
  assert.deepEqual(shares, [0.5, 0.75, 1]);
});

for (const patience of [0, 1, 2, 3])
  test(`who breaks off after ${patience} parts gets nothing`, async () => {
    const { ask, asked } = server(PARTS);
    const waiting = { isCancelled: () => asked.length >= patience, advanced: () => undefined };
    assert.equal(await exportedText(ask, QUESTION, waiting), undefined);
    assert.equal(asked.length, patience);
  });

test("a part that fails fails the whole", async () => {
  const waiting = { isCancelled: () => false, advanced: () => undefined };
  const ask = () => Promise.reject(new Error("no longer kept"));
  await assert.rejects(exportedText(ask, QUESTION, waiting), /no longer kept/);
});

test("what was taken out is told with what that is worth", () => {
  const counts = [
    { kind: "secret:jwt", count: 1 },
    { kind: "secret:github-pat", count: 2 },
    { kind: "homePath", count: 1 },
    { kind: "email", count: 1 },
    { kind: "host", count: 1 },
  ];
  const worth = "Read the file before you share it.";
  assert.equal(
    redactionSentence(counts, true),
    `Taken out by rules: 3 secrets, 1 home folder, 2 names. ${worth}`,
  );
  assert.equal(redactionSentence([], true), `Taken out by rules: nothing. ${worth}`);
  assert.equal(redactionSentence([], false), undefined);
});

test("a file below the agent's folder is seen, however it is spelled", () => {
  const transcript = "file:///home/jane%20d/.claude/projects/-home-jane-d-shop/x.jsonl";
  const below = (target: string) => liesBelowAgent(target, transcript);
  assert.ok(below("file:///home/jane%20d/.claude/x.md"));
  assert.ok(below("file:///home/jane d/%2Eclaude/projects/x.md"));
  assert.ok(!below("file:///home/jane%20d/.claude-exports/x.md"));
  assert.ok(!below("file:///home/jane%20d/x.md"));
  assert.ok(!below("file:///100%/x.md"));
  assert.ok(!liesBelowAgent("file:///x.md", "file:///elsewhere/x.jsonl"));
});
