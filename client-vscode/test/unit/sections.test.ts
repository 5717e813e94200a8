// A record is shown at its section, or at the nearest one before it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sectionOf } from "../../src/documents/sections";

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
