// Which versions stand together: runs of a session, gaps of pruned ones.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileVersion } from "../../src/protocol";
import { type RunItem, versionRuns } from "../../src/views/versionRuns";
import { pruned, version } from "./versions";

/** `a1 a2! b1` = two versions of session a, the second one pruned, then one of b; oldest first. */
function versions(text: string): FileVersion[] {
  return text.split(" ").flatMap((word) => {
    const [, sessionId = "", number = "", isPruned = ""] = /^(\w)(\d+)(!?)$/.exec(word) ?? [];
    if (!number) return [];
    return [(isPruned ? pruned : version)(Number(number), { sessionId })];
  });
}

function picture(item: RunItem): string {
  return Array.isArray(item) ? `[${item.map(picture).join(" ")}]` : `v${item.version}`;
}

const CASES: [what: string, oldestFirst: string, newestFirst: string[]][] = [
  ["nothing", "", []],
  ["one session", "a1 a2 a3", ["a0: v3 v2 v1"]],
  ["sessions one after the other", "a1 a2 b1 b2", ["b1: v2 v1", "a0: v2 v1"]],
  ["a session that went on later", "a1 b1 a2", ["a2: v2", "b1: v1", "a0: v1"]],
  ["a pruned one alone is a row of its own", "a1 a2! a3", ["a0: v3 v2 v1"]],
  ["pruned ones that follow each other", "a1 a2! a3! a4! a5", ["a0: v5 [v4 v3 v2] v1"]],
  ["two gaps", "a1! a2! a3 a4! a5!", ["a0: [v5 v4] v3 [v2 v1]"]],
  ["a gap ends with its session", "a1 a2! a3! b1! b2", ["b1: v2 v1", "a0: [v3 v2] v1"]],
  ["all pruned", "a1! a2!", ["a0: [v2 v1]"]],
];

for (const [what, oldestFirst, newestFirst] of CASES)
  test(what, () => {
    const lines = versionRuns(versions(oldestFirst)).map(
      ({ sessionId, number, items }) => `${sessionId}${number}: ${items.map(picture).join(" ")}`,
    );
    assert.deepEqual(lines, newestFirst);
  });
