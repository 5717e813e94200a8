// How is a verdict on the prompt cache a row of a tree?

import type { CacheNote } from "../protocol";
import { describeVerdict, verdictTooltip } from "./describe/cacheVerdict";
import type { TreeNode } from "./tree";

/** @param now milliseconds since 1970 */
export function verdictNode(id: string, note: CacheNote, now: number): TreeNode {
  return { id, row: describeVerdict(note, now), tooltip: () => verdictTooltip(note) };
}
