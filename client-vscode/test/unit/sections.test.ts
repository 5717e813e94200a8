// A record is shown at its section, or at the nearest one before it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ownLines, sectionOf } from "../../src/documents/sections";

const SECTIONS = [
  { ordinal: 2, line: 4, endLine: 20 }, // a turn, whose prompt has the same ordinal
  { ordinal: 2, line: 6, endLine: 8 },
  { ordinal: 5, line: 10, endLine: 20 },
  { ordinal: 4, line: 22, endLine: 30 }, // order of the conversation is not that of the file
];

const CASES: [ordinal: number, line: number][] = [
  [0, 4], // before all: the beginning
  [2, 4],
  [3, 4],
  [4, 22],
  [5, 10],
  [99, 10],
];

for (const [ordinal, line] of CASES)
  test(`record ${ordinal} is at line ${line}`, () => {
    assert.equal(sectionOf(SECTIONS, ordinal)?.line, line);
  });

test("an empty transcript has no places", () => assert.equal(sectionOf([], 0), undefined));

test("a turn's own lines end where its first record begins", () => {
  const sections = [
    { ordinal: 1, line: 3, endLine: 20 },
    { ordinal: 2, line: 8, endLine: 12 },
    { ordinal: 3, line: 14, endLine: 20 },
    { ordinal: 4, line: 22, endLine: 30 },
  ];
  assert.deepEqual(
    ownLines(sections).map(({ section, line, endLine }) => [section.ordinal, line, endLine]),
    [
      [1, 3, 7],
      [2, 8, 12],
      [3, 14, 20],
      [4, 22, 30],
    ],
  );
});
