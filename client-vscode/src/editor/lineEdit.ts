// What is to be written where, so that some lines of a text become others?

import { differingMiddle, type Span } from "./lineDiff";

/** A line and a character of it, both from 0. */
export interface Place {
  line: number;
  character: number;
}

/** `text` takes the place of what stands between two places. */
export interface LineEdit {
  start: Place;
  end: Place;
  text: string;
}

/** The smallest stretch of whole lines that makes `lines` equal to `wanted`; undefined = they are. */
export function editTo(
  lines: readonly string[],
  wanted: readonly string[],
  eol: string,
): LineEdit | undefined {
  const middle = differingMiddle(lines, wanted);
  if (!middle) return undefined;
  return replaceLines(lines, middle.before, wanted.slice(middle.after.from, middle.after.to), eol);
}

/** Puts other lines in the place of a span, which may be empty, as may they. */
export function replaceLines(
  lines: readonly string[],
  { from, to }: Span,
  by: readonly string[],
  eol: string,
): LineEdit {
  const endOf = (line: number): Place => ({ line, character: lines[line]?.length ?? 0 });
  const startOf = (line: number): Place => ({ line, character: 0 });
  // A text has no place for "no line": with the lines one of the line ends beside them goes or comes.
  if (from < to && by.length > 0)
    return { start: startOf(from), end: endOf(to - 1), text: by.join(eol) };
  const isAtEnd = to === lines.length;
  if (isAtEnd && from > 0)
    return {
      start: endOf(from - 1),
      end: endOf(to - 1),
      text: by.map((line) => eol + line).join(""),
    };
  return {
    start: startOf(from),
    end: isAtEnd ? endOf(to - 1) : startOf(to),
    text: by.map((line) => line + eol).join(""),
  };
}
