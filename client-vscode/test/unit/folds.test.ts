// What folds is what was named and whole records; what a reader came for is not folded away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { foldedAtFirst, foldsOf } from "../../src/documents/folds";

const NAMED = [
  { line: 2, endLine: 6, folded: true },
  { line: 10, endLine: 14, folded: false },
  { line: 20, endLine: 40, folded: true },
];

test("of parts that begin on one line the named one folds", () => {
  const sections = [
    { line: 2, endLine: 3 },
    { line: 8, endLine: 14 },
    { line: 16, endLine: 16 },
  ];
  assert.deepEqual(foldsOf(NAMED.slice(0, 2), sections, 20), [
    { line: 2, endLine: 6 },
    { line: 8, endLine: 14 },
    { line: 10, endLine: 14 },
  ]);
});

test("what reaches beyond a text that became shorter does not fold", () => {
  assert.deepEqual(foldsOf(NAMED, [{ line: 4, endLine: 5 }], 7), [
    { line: 2, endLine: 6 },
    { line: 4, endLine: 5 },
  ]);
});

const SEEN: [line: number, folded: number[]][] = [
  [0, [2, 20]],
  [2, [2, 20]],
  [3, [20]],
  [6, [20]],
  [7, [2, 20]],
  [40, [2]],
];

for (const [line, folded] of SEEN)
  test(`who comes to line ${line} finds ${folded} folded`, () => {
    const found = foldedAtFirst(NAMED, line).map((fold) => fold.line);
    assert.deepEqual(found, folded);
  });
