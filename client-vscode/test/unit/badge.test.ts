// What the Explorer says of a file's checkpoints.

import assert from "node:assert/strict";
import { test } from "node:test";
import { badgeOf } from "../../src/views/describe/badge";

const CASES: [versions: number, sessions: number, text: string, tooltip: string][] = [
  [1, 1, "1", "1 checkpoint version in one session"],
  [9, 1, "9", "9 checkpoint versions in one session"],
  [10, 1, "9+", "10 checkpoint versions in one session"],
  [2, 3, "2", "2 checkpoint versions in the newest of 3 sessions"],
  [1200, 40, "9+", "1,200 checkpoint versions in the newest of 40 sessions"],
];

for (const [versions, sessions, text, tooltip] of CASES)
  test(`${versions} versions in the newest of ${sessions} sessions`, () => {
    const file = { file: "file:///home/dev/shop/cart.py", sessionId: "s", versions, sessions };
    assert.deepEqual(badgeOf(file), { text, tooltip });
  });
