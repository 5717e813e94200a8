// A note on a resume is waited for, but not for long, and a failure is no obstacle.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cacheQuestion, foretell } from "../../src/foretell";
import { warmNote } from "./notes";
import { session } from "./sessions";

const NOTE = warmNote();
const LATE_MS = 20;

const SERVERS: [what: string, ask: () => Promise<unknown>, note: typeof NOTE | undefined][] = [
  ["answers", async () => NOTE, NOTE],
  ["fails", () => Promise.reject(new Error("no such session")), undefined],
  ["never answers", () => new Promise(() => undefined), undefined],
  [
    "fails when nobody waits any more",
    () => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 2 * LATE_MS)),
    undefined,
  ],
];

for (const [what, ask, note] of SERVERS)
  test(`a server that ${what}`, async () => {
    assert.equal(await foretell({ ask } as never, session(), LATE_MS), note);
  });

test("it is asked about a resume of the session", async () => {
  const asked: unknown[] = [];
  const ask = async (...question: unknown[]) => asked.push(question);
  await foretell({ ask } as never, session({ sessionId: "one" }));
  const params = { sessionId: "one", action: "resume" };
  assert.deepEqual(asked, [["forkpoint/cacheImpact", params]]);
});

test("what a program began would go on in a terminal", () => {
  const from = (entrypoint: string | null) => cacheQuestion({ sessionId: "one", entrypoint });
  const plain = { sessionId: "one", action: "resume" };
  assert.deepEqual(from("sdk-cli"), { ...plain, environment: { entrypoint: "cli" } });
  for (const other of ["cli", "claude-vscode", null]) assert.deepEqual(from(other), plain);
});
