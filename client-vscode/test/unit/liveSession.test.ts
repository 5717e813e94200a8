// "Follow the Live Session" turns to the session that worked last, and does not jump to and fro.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nextLive } from "../../src/views/liveSession";
import { client } from "./live";
import { session } from "./sessions";

/** `a busy 5` = the session a, whose client is busy and whose last record is 5 minutes old. */
function sessions(text: string) {
  return text
    .split(", ")
    .filter(Boolean)
    .map((each) => {
      const [sessionId = "", status = "", minutesAgo] = each.split(" ");
      const updatedAt = new Date(Date.UTC(2026, 2, 10, 12) - Number(minutesAgo) * 60_000);
      const live = status === "ended" ? null : client(status);
      return session({ sessionId, live, updatedAt: updatedAt.toISOString() });
    });
}

const CASES: [listed: string, shown: string, next: string | undefined][] = [
  ["", "", undefined],
  ["a ended 1, b ended 2", "", undefined],
  ["a ended 1, b idle 9", "", "b"],
  ["a idle 9, b idle 3, c waiting 5", "", "b"],
  ["a ended 1, b idle 9", "a", "b"],
  ["b idle 9", "not listed", "b"],
  ["a idle 3, b idle 9", "a", undefined],
  ["a idle 3, b busy 1", "a", "b"],
  ["a waiting 3, b busy 1", "a", "b"],
  ["a busy 3, b busy 1", "a", undefined],
  ["a idle 3, b busy 3", "a", undefined],
];

for (const [listed, shown, next] of CASES)
  test(`${listed || "nothing"}; shown: ${shown || "nothing"}`, () => {
    const all = sessions(listed);
    const current = shown === "" ? undefined : session({ sessionId: shown });
    assert.equal(nextLive(all, current)?.sessionId, next);
  });
