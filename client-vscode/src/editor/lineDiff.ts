// Which lines differ between two texts?

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

/**
 * The way from one text to the other with the fewest lines taken out and put in, by the greedy
 * search of E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986).
 *
 * @returns undefined when that takes more than MOST_STEPS
 */
function shortestHunks(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  const rounds = farthestLines(before, after);
  if (!rounds) return undefined;
  const hunks: Hunk[] = [];
  let diagonal = before.length - after.length;
  for (const reached of rounds.slice(0, -1).reverse()) {
    const isRemoval = comesByRemoval(reached, diagonal);
    diagonal += isRemoval ? -1 : 1;
    const x = lineOn(reached, diagonal);
    const y = x - diagonal;
    addAbove(hunks, {
      before: { from: x, to: isRemoval ? x + 1 : x },
      after: { from: y, to: isRemoval ? y : y + 1 },
    });
  }
  return hunks.reverse();
}

/** Hunks that touch become one. */
function addAbove(hunks: Hunk[], { before, after }: Hunk): void {
  const below = hunks.at(-1);
  if (below && below.before.from === before.to && below.after.from === after.to) {
    below.before.from = before.from;
    below.after.from = after.from;
  } else hunks.push({ before, after });
}

/** A diagonal is a line of `before` minus a line of `after`; its value the line of `before`. */
type Reached = ReadonlyMap<number, number>;

/** How far one comes on each diagonal with no step, one step, and so on until both texts end. */
function farthestLines(before: readonly string[], after: readonly string[]): Reached[] | undefined {
  const rounds: Reached[] = [];
  let last: Reached = new Map([[1, 0]]);
  for (let steps = 0; steps <= MOST_STEPS; steps++) {
    const reached = new Map<number, number>();
    rounds.push(reached);
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const isRemoval = comesByRemoval(last, diagonal);
      let x = isRemoval ? lineOn(last, diagonal - 1) + 1 : lineOn(last, diagonal + 1);
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal])
        x += 1;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return rounds;
    }
    last = reached;
  }
  return undefined;
}

/** Whether the farthest way to a diagonal takes a line out, or else puts one in. */
function comesByRemoval(reached: Reached, diagonal: number): boolean {
  return lineOn(reached, diagonal - 1) >= lineOn(reached, diagonal + 1);
}

function lineOn(reached: Reached, diagonal: number): number {
  return reached.get(diagonal) ?? -1;
}
