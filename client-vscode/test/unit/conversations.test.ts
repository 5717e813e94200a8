// What is asked about the inside of a session, and how often.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActivePathParams, PathEntry, Segment } from "../../src/protocol";
import { Conversations } from "../../src/views/conversation";
import { session } from "./sessions";

const SEGMENT = {
  id: "r4",
  firstOrdinal: 4,
  lastUuid: "r9",
  lastOrdinal: 9,
  recordCount: 3,
} as Segment;

/** A server that knows one path, by ordinals from its root, and notes what it is asked. */
function pathServer(ordinals: number[]) {
  const asked: ActivePathParams[] = [];
  const backward = ordinals
    .map((ordinal) => ({ uuid: `r${ordinal}`, ordinal }) as PathEntry)
    .reverse();
  const ask = async (_method: string, params: ActivePathParams) => {
    asked.push(params);
    const { offset = 0, limit } = params;
    return { total: backward.length, entries: backward.slice(offset, offset + (limit ?? 0)) };
  };
  return { asked, conversations: new Conversations({ ask } as never) };
}

const PATHS: [what: string, path: number[], requests: number][] = [
  ["the end of a path", [0, 1, 2, 3, 4, 7, 9], 1],
  ["records of a compaction stand between", [0, 1, 4, 7, 12, 13, 9], 2],
  ["its first record is not on the path", [0, 1, 7, 9], 2],
];

for (const [what, path, requests] of PATHS)
  test(`entries of a segment: ${what}`, async () => {
    const { asked, conversations } = pathServer(path);
    const entries = await conversations.segmentEntries(session(), SEGMENT);
    const inside = path.filter((ordinal) => ordinal >= 4 && ordinal <= 9);
    assert.deepEqual(
      entries.map(({ ordinal }) => ordinal),
      inside,
    );
    assert.equal(asked.length, requests);
    assert.deepEqual(asked[0], {
      sessionId: session().sessionId,
      leaf: "r9",
      order: "backward",
      offset: 0,
      limit: 3,
    });
  });

test("an answer is kept until the transcript changes", async () => {
  const { asked, conversations } = pathServer([4, 7, 9]);
  const grown = session({ sizeBytes: 340_001 });
  for (const each of [session(), session(), grown, grown])
    await conversations.segmentEntries(each, SEGMENT);
  assert.equal(asked.length, 2);
});

test("a failure is not kept", async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked === 1) throw new Error("no server");
    return { segments: [] };
  };
  const conversations = new Conversations({ ask } as never);
  await assert.rejects(conversations.segments(session()), /no server/);
  assert.deepEqual(await conversations.segments(session()), []);
});
