// What is asked about the inside of a session, and how often.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ActivePathParams, PathEntry, Segment } from "../../src/protocol";
import { Conversations } from "../../src/views/conversation";
import type { Revision } from "../../src/watching";
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

test("of the active path a segment's entries are asked for by its ordinals", async () => {
  const asked: ActivePathParams[] = [];
  // Kept rows stand behind what was summarized.
  const request = [7, 9, 4].map((ordinal) => ({ uuid: `r${ordinal}`, ordinal }) as PathEntry);
  const ask = async (_method: string, params: ActivePathParams) => {
    asked.push(params);
    return { total: 3, entries: [...request].reverse() };
  };
  const conversations = new Conversations({ ask } as never);
  const entries = await conversations.segmentEntries(session(), { ...SEGMENT, active: true });
  assert.deepEqual(
    entries.map(({ ordinal }) => ordinal),
    [4, 7, 9],
  );
  const { sessionId } = session();
  assert.deepEqual(asked, [{ sessionId, order: "backward", firstOrdinal: 4, lastOrdinal: 9 }]);
});

test("a segment that is not on the active path any more is asked for by its end", async () => {
  const ends: (string | null | undefined)[] = [];
  const ask = async (_method: string, { leaf }: ActivePathParams) => {
    ends.push(leaf);
    return { total: 1, entries: leaf ? [{ uuid: "r4", ordinal: 4 }] : [] };
  };
  const conversations = new Conversations({ ask } as never);
  const entries = await conversations.segmentEntries(session(), { ...SEGMENT, active: true });
  assert.deepEqual([ends, entries.length], [[undefined, "r9"], 1]);
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

/** A conversation of one segment, with a call for each record whose ordinal is even. */
class GrowingServer {
  readonly asked: string[] = [];
  revision: Revision | undefined = { reading: 1, growth: 0 };
  segments = 1;
  /** Ordinals from which on calls have no result. */
  pendingFrom = Number.POSITIVE_INFINITY;

  constructor(public last: number) {}

  readonly conversations = new Conversations({ ask: this.ask.bind(this) } as never, {
    revision: () => this.revision,
  });

  get segment(): Segment {
    const lastUuid = `r${this.last}`;
    const grown = { lastUuid, lastOrdinal: this.last, recordCount: this.last - 3 };
    return { ...SEGMENT, ...grown } as Segment;
  }

  grow(last: number, change: Partial<Revision> = {}): void {
    this.last = last;
    const { reading = 1, growth = 0 } = this.revision ?? {};
    this.revision = { reading, growth: growth + 1, ...change };
  }

  /** Ordinals of the entries and of the calls, and what was asked for them. */
  async read(): Promise<{ entries: number[]; calls: string[]; asked: string[] }> {
    const entries = await this.conversations.segmentEntries(session(), this.segment);
    const calls = await this.conversations.toolCalls(session());
    return {
      entries: entries.map(({ ordinal }) => ordinal),
      calls: calls.map(({ ordinal, state }) => `${ordinal} ${state}`),
      asked: this.asked.splice(0),
    };
  }

  async ask(method: string, { offset = 0, limit }: { offset?: number; limit?: number }) {
    const ordinals = Array.from({ length: this.last + 1 }, (_, ordinal) => ordinal);
    if (method.endsWith("branchTree")) {
      this.asked.push("tree");
      const segments = Array(this.segments).fill(this.segment);
      return { segments, segmentCount: this.segments };
    }
    if (method.endsWith("toolCalls")) {
      this.asked.push(`calls from ${offset}`);
      const calls = ordinals
        .filter((ordinal) => ordinal % 2 === 0)
        .map((ordinal) => ({ ordinal, state: ordinal < this.pendingFrom ? "ok" : "pending" }));
      return { calls: calls.slice(offset), total: calls.length };
    }
    this.asked.push(`${limit} entries`);
    const backward = ordinals.map((ordinal) => ({ uuid: `r${ordinal}`, ordinal })).reverse();
    return { total: backward.length, entries: backward.slice(offset, offset + (limit ?? 0)) };
  }
}

test("of a followed session that grew only what is new is read", async () => {
  const server = new GrowingServer(7);
  server.pendingFrom = 6;
  await server.conversations.segments(session());
  assert.deepEqual(await server.read(), {
    entries: [4, 5, 6, 7],
    calls: ["0 ok", "2 ok", "4 ok", "6 pending"],
    asked: ["tree", "4 entries", "calls from 0"],
  });
  server.grow(9);
  server.pendingFrom = 8;
  assert.deepEqual(await server.read(), {
    entries: [4, 5, 6, 7, 8, 9],
    calls: ["0 ok", "2 ok", "4 ok", "6 ok", "8 pending"],
    asked: ["tree", "3 entries", "calls from 3"],
  });
});

test("what was read a moment before the session was followed is read on", async () => {
  const server = new GrowingServer(7);
  server.revision = undefined;
  await server.conversations.segments(session());
  await server.read();
  server.revision = { reading: 1, growth: 0 };
  server.last = 8;
  assert.deepEqual(await server.read(), {
    entries: [4, 5, 6, 7, 8],
    calls: ["0 ok", "2 ok", "4 ok", "6 ok", "8 ok"],
    asked: ["tree", "2 entries", "calls from 4"],
  });
});

test("the same segment, with a newer call elsewhere, is not read again", async () => {
  const server = new GrowingServer(7);
  await server.conversations.segments(session());
  await server.read();
  server.grow(7);
  const { entries, asked } = await server.read();
  assert.deepEqual(entries, [4, 5, 6, 7]);
  assert.deepEqual(asked, ["tree", "calls from 4"]);
});

const ANEW: [what: string, change: (server: GrowingServer) => void][] = [
  ["the transcript was replaced", (server) => server.grow(9, { reading: 2, growth: 0 })],
  [
    "there is a segment more",
    (server) => {
      server.segments = 2;
      server.grow(9);
    },
  ],
  [
    "it is followed no more",
    (server) => {
      server.grow(9);
      server.revision = undefined;
    },
  ],
];

for (const [what, change] of ANEW)
  test(`all is read anew: ${what}`, async () => {
    const server = new GrowingServer(7);
    await server.conversations.segments(session());
    await server.read();
    change(server);
    const { entries, asked } = await server.read();
    assert.deepEqual(entries, [4, 5, 6, 7, 8, 9]);
    assert.ok(asked.includes("6 entries"), asked.join());
  });

test("nothing is asked while the server tells of nothing, whatever the list says", async () => {
  const server = new GrowingServer(7);
  await server.conversations.segments(session());
  await server.conversations.segments(session({ sizeBytes: 340_001 }));
  assert.deepEqual(server.asked, ["tree"]);
});

test("a very large tree is asked for in pages", async () => {
  const limits: number[] = [];
  const ask = async (_: string, { limit }: { limit: number }) => {
    limits.push(limit);
    return { segments: Array(Math.min(limit, 4500)).fill(SEGMENT), segmentCount: 4500 };
  };
  const conversations = new Conversations({ ask } as never);
  const left: number[] = [];
  for (let page = 0; page < 3; page += 1) {
    await conversations.segments(session());
    left.push(conversations.moreSegments(session()));
    conversations.wantMoreSegments(session());
  }
  assert.deepEqual(limits, [2000, 4000, 6000]);
  assert.deepEqual(left, [2500, 500, 0]);
});
