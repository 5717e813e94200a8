// Which change does VS Code's inline diff show? What its menu hands over, as a hunk.

import type { Hunk, Span } from "./lineDiff";

/** Lines from 1. Where there are none, the end is 0 and the start is the line above. */
export interface InlineChange {
  originalStartLineNumber: number;
  originalEndLineNumber: number;
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}

export function isInlineChange(value: unknown): value is InlineChange {
  return typeof value === "object" && value !== null && "modifiedStartLineNumber" in value;
}

export function hunkOf(change: InlineChange): Hunk {
  return {
    before: spanOf(change.originalStartLineNumber, change.originalEndLineNumber),
    after: spanOf(change.modifiedStartLineNumber, change.modifiedEndLineNumber),
  };
}

function spanOf(start: number, end: number): Span {
  return end === 0 ? { from: start, to: start } : { from: start - 1, to: end };
}
