// Ages, sizes and counts, as rows say them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { age, ageInWords, counted, size, tokens } from "../../src/words";

const NOW = Date.parse("2026-03-10T12:00:00Z");

const AGES: [time: string, short: string, words: string][] = [
  ["2026-03-10T12:00:59Z", "now", "just now"], // a clock that is ahead
  ["2026-03-10T12:01:00Z", "in 1 min", "in 1 minute"],
  ["2026-03-10T15:00:00Z", "in 3 h", "in 3 hours"],
  ["2027-03-11T12:00:00Z", "in 1 year", "in 1 year"],
  ["2026-03-10T11:59:01Z", "now", "just now"],
  ["2026-03-10T11:59:00Z", "1 min", "1 minute ago"],
  ["2026-03-10T11:56:00Z", "4 min", "4 minutes ago"],
  ["2026-03-10T11:00:01Z", "59 min", "59 minutes ago"],
  ["2026-03-10T11:00:00Z", "1 h", "1 hour ago"],
  ["2026-03-09T12:00:01Z", "23 h", "23 hours ago"],
  ["2026-03-09T12:00:00Z", "1 day", "1 day ago"],
  ["2026-03-07T11:00:00Z", "3 days", "3 days ago"],
  ["2026-01-10T12:00:00Z", "59 days", "59 days ago"],
  ["2025-12-10T12:00:00Z", "2 months", "2 months ago"],
  ["2025-03-11T12:00:00Z", "11 months", "11 months ago"],
  ["2025-03-01T12:00:00Z", "1 year", "1 year ago"],
  ["2023-03-01T12:00:00Z", "3 years", "3 years ago"],
  ["not a time", "", ""],
];

for (const [time, short, words] of AGES)
  test(`${time} is "${short}"`, () => {
    assert.equal(age(time, NOW), short);
    assert.equal(ageInWords(time, NOW), words);
  });

const SIZES: [bytes: number, said: string][] = [
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [9_949, "9.9 kB"],
  [9_950, "10 kB"],
  [340_000, "340 kB"],
  [999_600, "1.0 MB"],
  [52_428_800, "52 MB"],
  [1_234_567_890, "1.2 GB"],
];

for (const [bytes, said] of SIZES)
  test(`${bytes} bytes are "${said}"`, () => assert.equal(size(bytes), said));

const TOKENS: [count: number, said: string][] = [
  [0, "0"],
  [950, "950"],
  [2_140, "2.1k"],
  [143_200, "143k"],
  [1_240_000, "1.2M"],
];

for (const [count, said] of TOKENS)
  test(`${count} tokens are "${said}"`, () => assert.equal(tokens(count), said));

test("one is not many", () => {
  const said = [0, 1, 2, 1234].map((n) => counted(n, "{0} prompt", "{0} prompts"));
  assert.deepEqual(said, ["0 prompts", "1 prompt", "2 prompts", "1,234 prompts"]);
});
