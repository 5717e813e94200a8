// Hunks between two texts, and the edits that take them back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { hunkOf, isInlineChange } from "../../src/editor/inlineChange";
import { type Hunk, hunkAt, hunksBetween, linesOf } from "../../src/editor/lineDiff";
import { editTo, type LineEdit, type Place, replaceLines } from "../../src/editor/lineEdit";

// Each letter is a line; a hunk is written as the lines before, an arrow, the lines after.
const HUNKS: [before: string, after: string, hunks: string[]][] = [
  ["abc", "abc", []],
  ["abc", "aXc", ["1-2 > 1-2"]],
  ["abc", "ac", ["1-2 > 1-1"]],
  ["ac", "abc", ["1-1 > 1-2"]],
  ["abc", "Xabc", ["0-0 > 0-1"]],
  ["abc", "abcX", ["3-3 > 3-4"]],
  ["abc", "XYZ", ["0-3 > 0-3"]],
  ["abcdefg", "aXcdefYZ", ["1-2 > 1-2", "6-7 > 6-8"]],
  ["aaaa", "aa", ["2-4 > 2-2"]],
];

for (const [before, after, expected] of HUNKS)
  test(`hunks from ${before} to ${after}`, () => {
    const hunks = hunksBetween([...before], [...after]);
    assert.deepEqual(hunks.map(written), expected);
  });

test("the fewest lines change: five in the example of Myers' paper", () => {
  assert.equal(steps(hunksBetween([..."abcabba"], [..."cbabac"])), 5);
});

const INLINE: [what: string, lines: [number, number, number, number], hunk: string][] = [
  ["changed", [2, 3, 2, 2], "1-3 > 1-2"],
  ["added below line 4", [4, 0, 5, 6], "4-4 > 4-6"],
  ["added at the top", [0, 0, 1, 1], "0-0 > 0-1"],
  ["removed below line 1", [2, 4, 1, 0], "1-4 > 1-1"],
  ["removed at the top", [1, 1, 0, 0], "0-1 > 0-0"],
];

for (const [what, lines, expected] of INLINE)
  test(`the inline diff's change of lines ${what}`, () => {
    const [originalStartLineNumber, originalEndLineNumber, ...modified] = lines;
    const [modifiedStartLineNumber, modifiedEndLineNumber] = modified;
    const change = {
      originalStartLineNumber,
      originalEndLineNumber,
      modifiedStartLineNumber,
      modifiedEndLineNumber,
    };
    assert.ok(isInlineChange(change));
    assert.equal(written(hunkOf(change)), expected);
  });

const FOUND: [what: string, side: keyof Hunk, line: number, hunk: string | undefined][] = [
  ["the first changed line", "after", 1, "1-2 > 1-2"],
  ["a line of both texts", "after", 2, undefined],
  ["above removed lines", "after", 3, "4-6 > 4-4"],
  ["below removed lines", "after", 4, "4-6 > 4-4"],
  ["a removed line", "before", 5, "4-6 > 4-4"],
  ["beyond the end", "after", 99, undefined],
];

for (const [what, side, line, expected] of FOUND)
  test(`the hunk of ${what}`, () => {
    const found = hunkAt(hunksBetween([..."abcdefgh"], [..."aXcdgh"]), side, line);
    assert.equal(found && written(found), expected);
  });

test("a changed line comes before a removal that touches it", () => {
  const hunks = [hunk(0, 1, 0, 0), hunk(1, 2, 0, 1)];
  assert.deepEqual(hunkAt(hunks, "after", 0), hunks[1]);
});

test("every hunk taken back gives the text before, whatever the texts", () => {
  for (let seed = 0; seed < 400; seed++) {
    const before = someLines(seed, 12);
    let after = someLines(seed + 1000, 12);
    for (const { before: was, after: is } of hunksBetween(before, after).reverse())
      after = linesOf(
        edited(after, replaceLines(after, is, before.slice(was.from, was.to), "\n"), "\n"),
      );
    assert.deepEqual(after, before, `seed ${seed}`);
  }
});

const WHOLE: [what: string, text: string, wanted: string, edit: LineEdit | undefined][] = [
  ["nothing to do", "a\nb\n", "a\nb\n", undefined],
  ["one line of many", "a\nb\nc\n", "a\nB\nc\n", edit([1, 0], [1, 1], "B")],
  ["a line less", "a\nb\nc\n", "a\nc\n", edit([1, 0], [2, 0], "")],
  ["a line more", "a\nc\n", "a\nb\nc\n", edit([1, 0], [1, 0], "b\n")],
  ["all into an empty document", "", "a\nb\n", edit([0, 0], [0, 0], "a\nb\n")],
  ["all out of it", "a\nb\n", "", edit([0, 0], [2, 0], "")],
  ["the last line end", "a\nb", "a\nb\n", edit([1, 1], [1, 1], "\n")],
  ["no last line end", "a\nb\n", "a\nb", edit([1, 1], [2, 0], "")],
  ["other line ends are no other lines", "a\r\nb\r\n", "a\nb\n", undefined],
  ["the document's line ends", "a\r\nd\r\n", "a\nb\nc\nd\n", edit([1, 0], [1, 0], "b\r\nc\r\n")],
];

for (const [what, text, wanted, expected] of WHOLE)
  test(`the edit for ${what}`, () => {
    const eol = text.includes("\r\n") ? "\r\n" : "\n";
    assert.deepEqual(editTo(linesOf(text), linesOf(wanted), eol), expected);
  });

test("one edit makes any text any other", () => {
  for (let seed = 0; seed < 400; seed++) {
    const lines = someLines(seed, 8);
    const wanted = someLines(seed + 1000, 8);
    const change = editTo(lines, wanted, "\r\n");
    const text = change ? edited(lines, change, "\r\n") : lines.join("\r\n");
    assert.equal(text, wanted.join("\r\n"), `seed ${seed}`);
  }
});

test("texts of thousands of lines that share none become one hunk, soon", () => {
  const before = Array.from({ length: 5000 }, (_, line) => `before ${line}`);
  const after = Array.from({ length: 5000 }, (_, line) => `after ${line}`);
  assert.deepEqual(hunksBetween(before, after), [hunk(0, 5000, 0, 5000)]);
});

function hunk(from: number, to: number, afterFrom: number, afterTo: number): Hunk {
  return { before: { from, to }, after: { from: afterFrom, to: afterTo } };
}

function written({ before, after }: Hunk): string {
  return `${before.from}-${before.to} > ${after.from}-${after.to}`;
}

function steps(hunks: readonly Hunk[]): number {
  return hunks.reduce((sum, { before, after }) => {
    return sum + before.to - before.from + after.to - after.from;
  }, 0);
}

function edit(start: [number, number], end: [number, number], text: string): LineEdit {
  const place = ([line, character]: [number, number]): Place => ({ line, character });
  return { start: place(start), end: place(end), text };
}

/** The text with an edit made, as an editor makes it. */
function edited(lines: readonly string[], { start, end, text }: LineEdit, eol: string): string {
  const offset = ({ line, character }: Place) =>
    lines.slice(0, line).reduce((sum, { length }) => sum + length + eol.length, character);
  const whole = lines.join(eol);
  return whole.slice(0, offset(start)) + text + whole.slice(offset(end));
}

/** One to `most` lines of few kinds, empty ones too, always the same for a seed. */
function someLines(seed: number, most: number): string[] {
  let state = seed * 2654435761 + 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  return Array.from({ length: 1 + next(most) }, () => ["", "a", "b", "c"][next(4)] ?? "");
}
