// Which lines differ between two texts?

import { diffArrays } from "diff";

/** Lines of a text, from 0; `to` is not among them. Equal ends = a place between two lines. */
export interface Span {
  from: number;
  to: number;
}

/** Lines of one text that stand where other lines stand in the other text. */
export interface Hunk {
  before: Span;
  after: Span;
}

// Texts with more lines of difference share so little that one hunk says as much.
const MOST_STEPS = 1000;

/** Lines of a text; the last is empty when the text ends with a line end. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** All hunks, from the top; between two of them is at least one line that both texts have. */
export function hunksBetween(before: readonly string[], after: readonly string[]): Hunk[] {
  const middle = differingMiddle(before, after);
  if (!middle) return [];
  const inner = shortestHunks(
    before.slice(middle.before.from, middle.before.to),
    after.slice(middle.after.from, middle.after.to),
  );
  if (!inner) return [middle];
  return inner.map((hunk) => ({
    before: moved(hunk.before, middle.before.from),
    after: moved(hunk.after, middle.after.from),
  }));
}

/** What is left without the lines that both begin and both end with; undefined = nothing. */
export function differingMiddle(
  before: readonly string[],
  after: readonly string[],
): Hunk | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  if (head === before.length && head === after.length) return undefined;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    before: { from: head, to: before.length - tail },
    after: { from: head, to: after.length - tail },
  };
}

/** The hunk that a line lies in; a place between two lines belongs to both of them. */
export function hunkAt(hunks: readonly Hunk[], side: keyof Hunk, line: number): Hunk | undefined {
  const inside = ({ [side]: { from, to } }: Hunk) => from <= line && line < to;
  const beside = ({ [side]: { from, to } }: Hunk) =>
    from === to && (line === from || line === from - 1);
  return hunks.find(inside) ?? hunks.find(beside);
}

function moved({ from, to }: Span, by: number): Span {
  return { from: from + by, to: to + by };
}

/** Undefined when more than MOST_STEPS lines come and go. */
function shortestHunks(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_STEPS });
  if (!changes) return undefined;
  const hunks: Hunk[] = [];
  const at = { before: 0, after: 0 };
  for (const { added, removed, count } of changes) {
    const span = {
      before: { from: at.before, to: at.before + (added ? 0 : count) },
      after: { from: at.after, to: at.after + (removed ? 0 : count) },
    };
    at.before = span.before.to;
    at.after = span.after.to;
    if (added || removed) addBelow(hunks, span);
  }
  return hunks;
}

/** Hunks that touch become one. */
function addBelow(hunks: Hunk[], { before, after }: Hunk): void {
  const above = hunks.at(-1);
  if (above && above.before.to === before.from && above.after.to === after.from) {
    above.before.to = before.to;
    above.after.to = after.to;
  } else hunks.push({ before, after });
}
