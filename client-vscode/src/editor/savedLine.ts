// Which line of the file as it was saved is a line of its unsaved text?

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
