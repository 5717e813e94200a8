// The match is seen in a row that is cut off, and what stands out is still what was looked for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { aroundMatch } from "../../src/search/snippet";

/** `[` and `]` stand around what was looked for. */
function marked(text: string) {
  const ranges: { start: number; end: number }[] = [];
  let snippet = "";
  for (const [index, piece] of text.split(/[[\]]/).entries()) {
    if (index % 2 === 1) ranges.push({ start: snippet.length, end: snippet.length + piece.length });
    snippet += piece;
  }
  return { snippet, ranges };
}

function picture(text: string, before: number): string {
  const { text: shown, ranges } = aroundMatch(marked(text), before);
  let picture = "";
  let done = 0;
  for (const [start, end] of ranges) {
    picture += `${shown.slice(done, start)}[${shown.slice(start, end)}]`;
    done = end;
  }
  return picture + shown.slice(done);
}

const CASES: [text: string, before: number, shown: string][] = [
  ["", 5, ""],
  ["no match at all, and quite long", 5, "no match at all, and quite long"],
  ["[first] of all", 5, "[first] of all"],
  ["near [it] is", 5, "near [it] is"],
  ["far from near [it] is", 5, "…near [it] is"],
  ["far from anear [it] is", 5, "…[it] is"],
  ["without_any_space_before[it]", 5, "…efore[it]"],
  ["two far away [words] in a [row]", 4, "…[words] in a [row]"],
  ["in /home/dev/shop/[tax].py", 8, "…shop/[tax].py"],
  ["in C:\\dev\\\\shop\\[tax].py", 8, "…shop\\[tax].py"],
  // A character of two units is not cut in half.
  ["aaaa😀xxx[it]", 4, "…xxx[it]"],
  ["aaaa😀xxx[it]", 5, "…😀xxx[it]"],
];

for (const [text, before, shown] of CASES)
  test(`${text} with ${before} before it`, () => assert.equal(picture(text, before), shown));

test("whatever is cut, what was looked for stays the same and can be seen", () => {
  const text = "日本語 a 😀😀 the [tax] rate, and the [tax] again";
  const { snippet, ranges } = marked(text);
  for (let before = 0; before <= snippet.length; before += 1) {
    const shown = aroundMatch({ snippet, ranges }, before);
    assert.deepEqual(
      shown.ranges.map(([start, end]) => shown.text.slice(start, end)),
      ["tax", "tax"],
    );
    assert.ok((shown.ranges[0]?.[0] ?? 0) <= before + 1);
    assert.ok(shown.text === snippet || snippet.endsWith(shown.text.slice(1)));
    assert.doesNotMatch(shown.text, /^…[\udc00-\udfff]/);
  }
});
