// Which line of the file as it was saved is a line of its unsaved text, and the other way round?

import { differingMiddle } from "./lineDiff";

/** Both lines count from 0; undefined = a line between the first and the last that changed. */
export function savedLine(
  saved: readonly string[],
  now: readonly string[],
  line: number,
): number | undefined {
  const middle = differingMiddle(saved, now);
  if (!middle || line < middle.after.from) return line;
  return line < middle.after.to ? undefined : line - middle.after.to + middle.before.to;
}

/**
 * Where an editor has a line of the file on disk: it may be edited, or not know yet of a change.
 *
 * Of lines that are others in the editor it is the first, unless there are as many.
 */
export function shownLine(
  onDisk: readonly string[],
  shown: readonly string[],
  line: number,
): number {
  const found = savedLine(shown, onDisk, line);
  if (found !== undefined || shown.length === onDisk.length) return found ?? line;
  return differingMiddle(shown, onDisk)?.before.from ?? line;
}
