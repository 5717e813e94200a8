// Who counts as waiting for you? Not a client whose own menu is open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { waitsForUser } from "../../src/views/describe/live";
import { client } from "./live";

const CASES: [state: string, waits: boolean][] = [
  ["waiting: permission prompt", true],
  ["waiting: a word of another release", true],
  ["waiting", true],
  ["waiting: dialog open", false],
  ["busy", false],
  ["idle", false],
  ["idle: permission prompt", false],
];

for (const [state, waits] of CASES)
  test(state, () => assert.equal(waitsForUser(client(state)), waits));

test("no client", () => assert.equal(waitsForUser(null), false));
