// How verdicts, prices and times of the prompt cache are said.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheCause, CacheNote, ImpactCode } from "../../src/protocol";
import {
  coldMark,
  price,
  priceNote,
  priceOf,
  priceRange,
  priceRangeSpoken,
  standing,
  timeLeft,
  timeLeftInWords,
  verdictLine,
  verdictSpoken,
} from "../../src/views/describe/cacheWords";
import { coldNote, NOTE_TIME, warmNote } from "./notes";

const NO_PRICE = { warm: null, coldLow: null, coldHigh: null, expected: null };
const MINUTE = 60_000;

function because(code: ImpactCode): CacheCause[] {
  return [{ code, certainty: "certain", sentence: "", evidence: "" }];
}

const LINES: [what: string, note: CacheNote, minutesLater: number, line: string][] = [
  ["warm", warmNote(), 0, "Warm for about 48 min: 143k tokens read, $0.03"],
  ["warm, later", warmNote(), 40, "Warm for about 8 min: 143k tokens read, $0.03"],
  ["in its last minute", warmNote(), 47.6, "Warm for less than 1 min: 143k tokens read, $0.03"],
  [
    "between the earliest and the latest end",
    warmNote(),
    48.1,
    "Expires about now: 144k tokens read or written again, $0.03 or $0.98–$1.15",
  ],
  ["over by now", warmNote(), 49, "Expired: 144k tokens will be written again, $0.98–$1.15"],
  [
    "over by now, but a client is open",
    warmNote({ causes: because("liveProcess") }),
    49,
    "Expires about now: 144k tokens read or written again, $0.03 or $0.98–$1.15",
  ],
  ["warm for a time not known", warmNote({ expiresAt: null }), 0, "Warm: 143k tokens read, $0.03"],
  [
    "warm at a price not known",
    warmNote({ costUsd: NO_PRICE }),
    0,
    "Warm for about 48 min: 143k tokens read",
  ],
  ["cold", coldNote(), 0, "Cold: 144k tokens will be written again, $0.98–$1.15"],
  [
    "cold at a price not known",
    coldNote({ costUsd: NO_PRICE }),
    0,
    "Cold: 144k tokens will be written again",
  ],
  [
    "cold, since caching is off",
    coldNote({
      causes: because("cachingOff"),
      costUsd: { warm: 0.5747, coldLow: 0.5747, coldHigh: 0.5747, expected: 0.5747 },
    }),
    0,
    "Cold: caching is off, 144k tokens at full price, $0.57",
  ],
  [
    "compacted a while ago",
    warmNote({
      verdict: "partial",
      readTokens: 21_400,
      writeTokens: 12_400,
      costUsd: { warm: null, coldLow: null, coldHigh: 0.27, expected: 0.1035 },
    }),
    0,
    "Partly warm: 21k tokens read, 12k written, $0.10",
  ],
  [
    "either",
    warmNote({
      verdict: "unknown",
      readTokens: null,
      writeTokens: null,
      costUsd: { warm: 0.0364, coldLow: 1.4576, coldHigh: 1.4576, expected: null },
    }),
    0,
    "Warm or cold: 144k tokens read or written again, $0.04 or $1.46",
  ],
  [
    "so near the end that nobody knows",
    warmNote({
      verdict: "unknown",
      causes: because("expiresNow"),
      contextTokens: 14_000,
      costUsd: { warm: 0.003, coldLow: 0.06, coldHigh: 0.07, expected: null },
    }),
    0,
    "Expires about now: 14k tokens read or written again, up to $0.07",
  ],
  [
    "nothing is known",
    warmNote({ verdict: "unknown", contextTokens: null, readTokens: null, costUsd: NO_PRICE }),
    0,
    "Not known: no request was answered yet",
  ],
  [
    "no time is recorded",
    warmNote({ verdict: "unknown", causes: because("expiresNow"), expiresAt: null }),
    0,
    "Warm or cold: 144k tokens read or written again, $0.03 or $0.98–$1.15",
  ],
  [
    "no request used the cache",
    warmNote({ verdict: "unknown", readTokens: null, causes: because("noCacheUse") }),
    0,
    "Not known: no use of the cache was reported",
  ],
];

for (const [what, note, later, line] of LINES)
  test(`${what}: "${line}"`, () =>
    assert.equal(verdictLine(note, NOTE_TIME + later * MINUTE), line));

test("a screen reader says minutes and ranges in words", () => {
  assert.equal(
    verdictSpoken(warmNote(), NOTE_TIME),
    "Warm for about 48 minutes: 143k tokens read, $0.03",
  );
  assert.equal(
    verdictSpoken(coldNote(), NOTE_TIME),
    "Cold: 144k tokens will be written again, $0.98 to $1.15",
  );
});

test("only what was warm turns cold by the clock", () => {
  const later = NOTE_TIME + 3 * 60 * MINUTE;
  assert.equal(standing(warmNote(), later), "expired");
  for (const verdict of ["partial", "cold", "unknown"] as const)
    assert.equal(standing(warmNote({ verdict }), later), verdict);
});

const PRICES: [low: number | null, high: number | null, shown: string, spoken: string][] = [
  [0.983, 1.1494, "$0.98–$1.15", "$0.98 to $1.15"],
  [1.149, 1.1494, "$1.15", "$1.15"],
  [0.0012, 0.05, "up to $0.05", "up to $0.05"],
  [0.0012, 0.0049, "less than $0.01", "less than $0.01"],
  [0, 0, "less than $0.01", "less than $0.01"],
  [0.005, 0.0149, "$0.01", "$0.01"],
  [null, 2.16, "$2.16", "$2.16"],
  [null, null, "", ""],
  [1200, 1234.5, "$1,200.00–$1,234.50", "$1,200.00 to $1,234.50"],
];

for (const [low, high, shown, spoken] of PRICES)
  test(`${low} to ${high} dollars are "${shown}"`, () => {
    assert.equal(priceRange(low, high), shown);
    assert.equal(priceRangeSpoken(low, high), spoken);
  });

test("a price is to the cent, and none below it", () => {
  assert.deepEqual([0.01, 0.0286, 2, null].map(price), ["$0.01", "$0.03", "$2.00", ""]);
  assert.deepEqual([1.1494, null].map(coldMark), ["cold · $1.15", "cold"]);
});

const TIMES: [milliseconds: number, shown: string, words: string][] = [
  [-1, "less than 1 min", "less than one minute"],
  [29_000, "less than 1 min", "less than one minute"],
  [61_000, "1 min", "1 minute"],
  [48 * MINUTE, "48 min", "48 minutes"],
  [59.8 * MINUTE, "1 h", "1 hour"],
  [60 * MINUTE, "1 h", "1 hour"],
];

for (const [milliseconds, shown, words] of TIMES)
  test(`${milliseconds} ms are "${shown}"`, () => {
    assert.equal(timeLeft(milliseconds), shown);
    assert.equal(timeLeftInWords(milliseconds), words);
  });

test("a note's price is by its verdict", () => {
  const notes = [warmNote(), coldNote(), warmNote({ verdict: "unknown" })];
  assert.deepEqual(notes.map(priceOf), ["$0.03", "$0.98–$1.15", "$0.03 or $0.98–$1.15"]);
});

test("it is said whose prices these are", () => {
  const plan = [{ what: "account", value: "subscription", from: "setting" }];
  assert.equal(priceNote(warmNote()), "list price of the API for claude-opus-5-5");
  assert.equal(
    priceNote(warmNote({ basis: plan })),
    "list price of the API for claude-opus-5-5, for comparison: the plan is not charged so",
  );
  assert.equal(priceNote(warmNote({ priceModel: null })), "");
});
