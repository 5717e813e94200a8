// The row of the active leaf says what the agent does there now.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunningCall } from "../../src/protocol";
import { describeLeaf } from "../../src/views/describe/leaf";
import type { Standing } from "../../src/watching";
import { client, running } from "./live";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const MINUTE = 60_000;

function standing(
  status: string | null,
  calls: RunningCall[] = [],
  heardMinutesAgo?: number,
): Standing {
  const live = status === null ? null : client(status);
  const heardAt = heardMinutesAgo === undefined ? undefined : NOW - heardMinutesAgo * MINUTE;
  return { leaf: "r7", tip: "toolRunningOrLost", running: calls, live, heardAt };
}

const EDIT = running();
const BASH = running({ toolUseId: "toolu_2", name: "Bash", file: null, summary: "npm test" });
const AGENT = running({
  toolUseId: "toolu_3",
  name: "Agent",
  file: null,
  summary: "Look for tests",
  inBackground: true,
});
const UNTOLD = running({ name: "mcp__db__ping", file: null, summary: "" });

const ORDINARY = "target Active leaf | a resume goes on here // active leaf: a resume goes on here";
const EDITING =
  "loading~spin Edit auth.py | running · active leaf // active leaf, running now: Edit auth.py";

const BACKGROUND =
  "loading~spin Agent Look for tests | in the background · active leaf // " +
  "active leaf, running now: Agent Look for tests in the background";

const ROWS: [what: string, standing: Standing | undefined, row: string][] = [
  ["not followed", undefined, ORDINARY],
  ["a client is idle", standing("idle"), ORDINARY],
  ["a client is idle after a call that was lost", standing("idle", [EDIT]), ORDINARY],
  ["a client works on a file", standing("busy", [EDIT]), EDITING],
  [
    "a client runs a command",
    standing("busy", [BASH]),
    "loading~spin Bash npm test | running · active leaf // active leaf, running now: Bash npm test",
  ],
  [
    "a call says nothing but its name",
    standing("busy", [UNTOLD]),
    "loading~spin mcp__db__ping | running · active leaf // active leaf, running now: mcp__db__ping",
  ],
  [
    "a client does two things at once",
    standing("busy", [EDIT, BASH]),
    "loading~spin Edit auth.py | and 1 more · running · active leaf // " +
      "active leaf, running now: Edit auth.py, Bash npm test",
  ],
  [
    "a client is busy, and nothing runs",
    standing("busy"),
    "loading~spin Thinking | active leaf // active leaf: the agent is thinking",
  ],
  [
    "a client waits for a permission",
    standing("waiting", [EDIT]),
    "bell-dot Edit auth.py | waits for you · active leaf // " +
      "active leaf: the agent waits for you, Edit auth.py",
  ],
  [
    "a client waits for an answer",
    standing("waiting"),
    "bell-dot Waiting for you | active leaf // active leaf: the agent waits for you",
  ],
  [
    "a client waits for a permission, and for a subagent that asks for none",
    standing("waiting: permission prompt", [EDIT, AGENT]),
    "bell-dot Edit auth.py | and 1 more · waits for you · active leaf // active leaf: " +
      "the agent waits for you, Edit auth.py, Agent Look for tests in the background",
  ],
  [
    "a client waits, and nothing runs but a subagent",
    standing("waiting: permission prompt", [AGENT]),
    "bell-dot Waiting for you | active leaf // " +
      "active leaf: the agent waits for you, Agent Look for tests in the background",
  ],
  ["a menu is open at rest", standing("waiting: dialog open"), ORDINARY],
  ["a menu is open while a call runs", standing("waiting: dialog open", [EDIT]), EDITING],
  ["a subagent goes on while the client rests", standing("idle", [AGENT]), BACKGROUND],
  ["a subagent goes on while the client thinks", standing("busy", [AGENT]), BACKGROUND],
  ["a subagent goes on behind a menu", standing("waiting: dialog open", [AGENT]), BACKGROUND],
  ["a call was lost, a subagent goes on", standing("idle", [EDIT, AGENT]), BACKGROUND],
  [
    "a subagent goes on behind two calls, though it began first",
    standing("busy", [AGENT, EDIT, BASH]),
    "loading~spin Edit auth.py | and 2 more · running · active leaf // active leaf, " +
      "running now: Edit auth.py, Bash npm test, Agent Look for tests in the background",
  ],
  ["the client of a subagent ended a moment ago", standing(null, [AGENT], 1), ORDINARY],
  ["such a client leaves a call, too", standing(null, [AGENT, EDIT], 1), EDITING],
  ["a client in a state of another release", standing("compacting"), ORDINARY],
  ["such a client runs a call", standing("compacting", [EDIT]), EDITING],
  ["no client is known, and the call was written a moment ago", standing(null, [EDIT], 1), EDITING],
  ["no client is known, and the call was written long ago", standing(null, [EDIT], 10), ORDINARY],
  ["no client is known, and the call was there before", standing(null, [EDIT]), ORDINARY],
  ["no client is known, and nothing runs", standing(null, [], 0), ORDINARY],
];

for (const [what, stands, expected] of ROWS)
  test(what, () => {
    const { icon, label, description, aria, context } = describeLeaf(stands, NOW);
    assert.equal(`${icon?.id} ${label} | ${description} // ${aria}`, expected);
    assert.equal(context, "leaf");
  });
