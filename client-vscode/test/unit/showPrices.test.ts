// With dollar figures switched off nobody says one, whatever is shown of the prompt cache.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheNote } from "../../src/protocol";
import { resumeQuestion, type Start } from "../../src/resumeQuestion";
import { actionTooltip, describeAction } from "../../src/views/describe/cacheAction";
import {
  breaksIn,
  breakTooltip,
  describeBreak,
  describeExpected,
  describeTotals,
  totalsTooltip,
} from "../../src/views/describe/cacheBreak";
import { describeVerdict, verdictTooltip } from "../../src/views/describe/cacheVerdict";
import { noteFacts, showPrices } from "../../src/views/describe/cacheWords";
import { clockFace } from "../../src/views/describe/clock";
import { cacheTooltip, describeCache } from "../../src/views/describe/rewind";
import { cacheMark } from "../../src/views/describe/sessionCache";
import { sessionTooltip } from "../../src/views/describe/sessionTooltip";
import { history, request } from "./histories";
import { coldNote, NOTE_TIME, warmNote } from "./notes";
import { session } from "./sessions";

const PRICED = { what: "price", value: "$4.0 input per million tokens", from: "list prices" };
const NOTES: CacheNote[] = [warmNote(), coldNote(), warmNote({ verdict: "unknown" })].map(
  (note) => ({ ...note, basis: [...note.basis, PRICED] }),
);
const START: Start = { kind: "terminal", cwd: "/home/dev/shop", command: "claude", env: {} };
const GONE = {
  live: null,
  cache: {
    ttlSeconds: 3600,
    expiresAt: "2026-03-10T11:00:00Z",
    expiresBy: null,
    costUsdCold: 1.15,
  },
};
const HISTORY = history([request(1), request(2, {})]);

const SAID: [what: string, said: () => unknown][] = [
  ...NOTES.flatMap((note): [string, () => unknown][] => [
    [`the clock, ${note.verdict}`, () => clockFace(note, "", NOTE_TIME)],
    [`a verdict, ${note.verdict}`, () => [describeVerdict(note, NOTE_TIME), verdictTooltip(note)]],
    [`facts, ${note.verdict}`, () => noteFacts(note)],
    [`a session, ${note.verdict}`, () => sessionTooltip(session(), note)],
    [`a question, ${note.verdict}`, () => resumeQuestion("", START, note, 1)],
    [`a rewind, ${note.verdict}`, () => [describeCache(note, NOTE_TIME), cacheTooltip(note)]],
    [
      `a comparison, ${note.verdict}`,
      () => [describeAction("resume", note), actionTooltip("resume", note)],
    ],
  ]),
  ["a mark", () => cacheMark(GONE, "2026-03-10T10:55:00Z", { now: NOTE_TIME, resumeWarning: 1 })],
  ["a history", () => [describeTotals(HISTORY), totalsTooltip(HISTORY)]],
  ["expected breaks", () => describeExpected({ count: 1, lostTokens: 2, costUsd: 3 })],
  [
    "a break",
    () => breaksIn(HISTORY).map((one) => [describeBreak(one, NOTE_TIME), breakTooltip(one)]),
  ],
];

for (const [what, said] of SAID)
  test(`${what} tells a price`, () => {
    assert.match(JSON.stringify(said()), /\$\d/);
  });

test("and none when they are switched off", async (its) => {
  showPrices(false);
  for (const [what, said] of SAID)
    await its.test(what, () => {
      assert.doesNotMatch(JSON.stringify(said()), /\$\d/);
    });
  showPrices(true);
});
