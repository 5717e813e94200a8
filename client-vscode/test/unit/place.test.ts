// Who reads a text that becomes another one is not torn away from the place, nor dragged along.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Move, placeAfter, type Reader, type Text } from "../../src/documents/place";

/**
 * `a3 b4` = two records of 3 and 4 lines below a heading of 5 lines; the last line is empty.
 *
 * Each is a turn, too, which begins a line before it.
 */
function text(records: string): Text {
  const sections: Text["sections"][number][] = [];
  let line = 5;
  for (const record of records.split(" ")) {
    const lines = Number(record.slice(1));
    const where = { uuid: record.charAt(0), endLine: line + lines - 1 };
    sections.push({ ...where, level: 0, line }, { ...where, level: 1, line: line + 1 });
    line += lines;
  }
  return { lineCount: line + 1, sections };
}

const reader = (top: number, bottom: number, cursor = top): Reader => {
  return { top, bottom, cursor, wasMoved: false };
};
const moved = (top: number, bottom: number, cursor = top): Reader => {
  return { ...reader(top, bottom, cursor), wasMoved: true };
};

const STAYS: Move = { toEnd: false, wasMoved: false };
const GOES_ALONG: Move = { toEnd: true, wasMoved: false };

// `a10 b10 c10` has a at line 5, b at 15, c at 25 and ends with line 35.
const CASES: [what: string, before: string, after: string, reader: Reader, expected: Move][] = [
  ["it grows below a reader", "a10 b10", "a10 b10 c10", reader(3, 20), STAYS],
  ["it grows where a reader sees the end", "a10 b10", "a10 b10 c10", reader(10, 25), GOES_ALONG],
  ["it is the same", "a10 b10", "a10 b10", reader(10, 25), GOES_ALONG],
  ["what follows is gone", "a10 b10 c10", "a10", reader(0, 10), STAYS],
  [
    "what is below the top is gone",
    "a10 b10 c10",
    "a10 d2",
    reader(8, 30, 9),
    { toEnd: false, top: undefined, cursor: undefined, wasMoved: true },
  ],
  [
    "the cursor's record is gone, not the one on top",
    "a10 b10 c10",
    "a10 d2",
    reader(8, 30, 16),
    { toEnd: false, top: undefined, cursor: 15, wasMoved: true },
  ],
  [
    "what is new begins where the cursor was: VS Code puts that at the end",
    "a10 b10 c10",
    "a10 d2",
    reader(8, 30, 15),
    { toEnd: false, top: undefined, cursor: 15, wasMoved: true },
  ],
  [
    "all that is seen is gone",
    "a10 b10 c10",
    "a10 d2",
    reader(17, 30, 20),
    { toEnd: false, top: 15, cursor: 15, wasMoved: true },
  ],
  [
    "it is only shorter",
    "a10 b10 c10",
    "a10 b3",
    reader(26, 33),
    { toEnd: false, top: 16, cursor: 16, wasMoved: true },
  ],
  [
    "who saw the end goes on with it, from what is new",
    "a10 b10 c10",
    "a10 d2",
    reader(17, 35, 20),
    { toEnd: true, top: 15, cursor: 15, wasMoved: false },
  ],
  [
    "its oldest records are left out: the same ones are seen",
    "a10 b10 c10 d10",
    "c10 d10 e2",
    reader(27, 40, 36),
    { toEnd: false, top: 7, cursor: 16, wasMoved: true },
  ],
  [
    "a turn's own line was on top",
    "a10 b10 c10 d10",
    "c10 d10 e2",
    reader(25, 40),
    { toEnd: false, top: 5, cursor: 5, wasMoved: true },
  ],
  [
    "who was moved to where the end is seen does not go along",
    "a10 d2",
    "a10 d2 e50",
    moved(15, 17),
    { toEnd: false, wasMoved: true },
  ],
  ["nor later, when the end is far", "a10 d2 e50", "a10 d2 e99", moved(15, 40), STAYS],
  ["but does with the cursor at the end", "a10 d2", "a10 d2 e50", moved(15, 17, 17), GOES_ALONG],
  [
    "who was moved is moved again",
    "a10 d2",
    "f2",
    moved(15, 17),
    { toEnd: false, top: 5, cursor: 5, wasMoved: true },
  ],
];

for (const [what, before, after, who, expected] of CASES)
  test(what, () => assert.deepEqual(placeAfter(text(before), text(after), who), expected));

test("a text without records begins at its first line", () => {
  const none = { lineCount: 3, sections: [] };
  const expected = { toEnd: false, top: 0, cursor: 0, wasMoved: true };
  assert.deepEqual(placeAfter(text("a10 b10"), none, reader(17, 20)), expected);
});
