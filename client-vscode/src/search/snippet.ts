// How is a match seen in a row that is cut off at its end?

import type { MatchRange } from "../protocol";

/** Text of a row, and what of it stands out, in UTF-16 code units. */
export interface Shown {
  text: string;
  ranges: [start: number, end: number][];
}

/**
 * Cuts off the beginning when the first match would come too late to be seen.
 *
 * @param before at most so many units stand before the first match, an ellipsis aside
 */
export function aroundMatch(
  { snippet, ranges }: { snippet: string; ranges: readonly MatchRange[] },
  before: number,
): Shown {
  const first = ranges[0]?.start ?? 0;
  const cut = first <= before ? 0 : wordStart(snippet, first - before, first);
  const mark = cut > 0 ? "…" : "";
  const moved = mark.length - cut;
  return {
    text: mark + snippet.slice(cut),
    ranges: ranges.map(({ start, end }) => [start + moved, end + moved]),
  };
}

/**
 * Where the next word or part of a path begins, at the end at the latest; where none does, never
 * inside of a character.
 */
function wordStart(text: string, from: number, end: number): number {
  const space = text.slice(from - 1, end).search(/[\s/\\](?![\s/\\])/);
  if (space >= 0) return from + space;
  return isLowSurrogate(text.charCodeAt(from)) ? from + 1 : from;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
