// Where a transcript is opened for what was found, and which of several rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchHit, Segment } from "../../src/protocol";
import { branchEnd, FoundOpener } from "../../src/search/openFound";
import type { Found } from "../../src/search/question";
import type { Place } from "../../src/views/tree";
import { abandoned, hit } from "./hits";
import { segment } from "./segments";

const SEGMENTS = [
  segment("start", null, { firstOrdinal: 0, lastOrdinal: 4, active: true }),
  segment("left", "start", { firstOrdinal: 5, lastOrdinal: 9 }),
  segment("went", "start", { firstOrdinal: 10, lastOrdinal: 20, active: true }),
  segment("writer", "start", { firstOrdinal: 15, lastOrdinal: 18 }),
];

const ENDS: [what: string, ordinal: number, end: string][] = [
  ["a branch that was left", 7, "left-last"],
  ["its first record", 5, "left-last"],
  ["off the active path, though its branch is on it", 2, "u"],
  ["two branches at once", 16, "u"],
  ["no branch", 40, "u"],
];

for (const [what, ordinal, end] of ENDS)
  test(`the end of ${what}`, () => assert.equal(branchEnd({ uuid: "u", ordinal }, SEGMENTS), end));

/** Notes what is asked and opened; each opening ends when it is told to. */
function opening(segments: Segment[] = SEGMENTS) {
  const asked: unknown[] = [];
  const opened: [Place, boolean][] = [];
  const endings: (() => void)[] = [];
  const opener = new FoundOpener(
    {
      ask: async (method: string, params: object) => {
        asked.push([method, params]);
        return { segments };
      },
    } as never,
    {
      open: (place, preserveFocus) => {
        opened.push([place, preserveFocus]);
        return new Promise((end) => endings.push(end));
      },
    },
  );
  const end = async () => {
    await settled();
    endings.shift()?.();
    await settled();
  };
  return { opener, asked, opened, end };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const { sessionId, title } = hit();
const SESSION = { session: { sessionId, title } };

const PLACES: [what: string, found: Found, place: Place, isAsked: boolean][] = [
  ["on the active path", hit(), { ...SESSION, ordinal: 7 }, false],
  ["what a compaction replaced", hit({ fate: "summarized" }), { ...SESSION, ordinal: 7 }, false],
  [
    "in a subagent's transcript",
    hit({ agentId: "a1" }),
    { ...SESSION, agentId: "a1", ordinal: 7 },
    false,
  ],
  [
    "on a branch that was left",
    hit({ fate: "abandoned" }),
    { ...SESSION, ordinal: 7, leaf: "left-last" },
    true,
  ],
  ["an abandoned prompt", abandoned(), { ...SESSION, ordinal: 3, leaf: "u9" }, false],
];

for (const [what, found, place, isAsked] of PLACES)
  test(`opened: ${what}`, async () => {
    const { opener, asked, opened, end } = opening();
    const done = opener.open(found, true);
    await end();
    await done;
    assert.deepEqual(opened, [[place, true]]);
    assert.equal(asked.length, isAsked ? 1 : 0);
  });

test("branches of a subagent's transcript are its own", async () => {
  const { opener, asked, end } = opening();
  void opener.open(hit({ agentId: "a1", fate: "abandoned" }), true);
  await end();
  assert.deepEqual(asked, [["forkpoint/branchTree", { sessionId, agentId: "a1" }]]);
});

test("a session is opened from its beginning, with the focus", async () => {
  const { opener, opened, end } = opening();
  void opener.openSession(abandoned());
  await end();
  assert.deepEqual(opened, [[SESSION, false]]);
});

test("of rows that are wanted while one is opened only the last is", async () => {
  const { opener, opened, end } = opening();
  const row = (ordinal: number): SearchHit => hit({ ordinal });
  const wanted = [1, 2, 3].map((ordinal) => opener.open(row(ordinal), true));
  await end();
  await end();
  await Promise.all(wanted);
  assert.deepEqual(
    opened.map(([{ ordinal }]) => ordinal),
    [3],
  );
  void opener.open(row(4), true);
  await settled();
  const later = [5, 6].map((ordinal) => opener.open(row(ordinal), false));
  await end();
  await end();
  await Promise.all(later);
  assert.deepEqual(
    opened.map(([{ ordinal }]) => ordinal),
    [3, 4, 6],
  );
});

test("one that cannot be opened fails, and does not keep the next from it", async () => {
  const refused: SearchHit[] = [];
  const opener = new FoundOpener({ ask: async () => ({ segments: [] }) } as never, {
    open: async ({ ordinal }) => {
      if (ordinal === 1) throw new Error("gone");
      refused.push(hit({ ordinal: ordinal ?? 0 }));
    },
  });
  await assert.rejects(opener.open(hit({ ordinal: 1 }), true), /gone/);
  await opener.open(hit({ ordinal: 2 }), true);
  assert.equal(refused.length, 1);
});
