// The view turns to the file that is edited, after a while, and stays where it should.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { type Focus, Following } from "../../src/editor/follow";

const A: Focus = { kind: "file", file: "a" };
const B: Focus = { kind: "file", file: "b" };
const OTHER: Focus = { kind: "other" };
const NONE: Focus = { kind: "none" };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

type Step = Focus | number | "pin" | "pin c" | "unpin";

/** What the view is told in the course of events; a number is time that passes, in milliseconds. */
function told(start: Focus, ...steps: Step[]): (string | undefined)[] {
  const shown: (string | undefined)[] = [];
  const following = new Following((file) => shown.push(file));
  following.start(start);
  for (const step of steps)
    if (typeof step === "number") mock.timers.tick(step);
    else if (step === "pin") following.pin();
    else if (step === "pin c") following.pin("c");
    else if (step === "unpin") following.unpin();
    else following.see(step);
  return shown;
}

const CASES: [what: string, steps: [Focus, ...Step[]], shown: (string | undefined)[]][] = [
  ["the editor that is open", [A], ["a"]],
  ["no editor", [NONE], [undefined]],
  ["another editor, not before its time", [A, B, 249], ["a"]],
  ["another editor", [A, B, 250], ["a", "b"]],
  ["an editor that was passed by", [NONE, A, 100, B, 249, 1], [undefined, "b"]],
  ["away and back", [A, B, 100, A, 5000], ["a"]],
  ["our own document", [A, OTHER, 60_000], ["a"]],
  ["our own document instead of the one that was waited for", [A, B, 100, OTHER, 5000], ["a"]],
  ["the last editor goes, not before its time", [A, NONE, 1499], ["a"]],
  ["the last editor goes", [A, NONE, 1500], ["a", undefined]],
  ["an editor goes, the next one comes", [A, NONE, 1000, B, 250, 5000], ["a", "b"]],
  ["pinned", [A, "pin", B, 5000, NONE, 5000], ["a"]],
  ["pinned while one was waited for", [A, B, 100, "pin", 5000], ["a"]],
  ["pinned, then followed again at once", [A, "pin", B, 5000, "unpin"], ["a", "b"]],
  ["unpinned on our own document", [A, "pin", OTHER, "unpin", 5000], ["a"]],
  ["a file without an editor is pinned", [A, "pin c", B, 5000], ["a", "c"]],
  ["and left again", [A, "pin c", "unpin"], ["a", "c", "a"]],
];

for (const [what, steps, shown] of CASES) test(what, () => assert.deepEqual(told(...steps), shown));

test("nothing is told after the end", () => {
  const shown: (string | undefined)[] = [];
  const following = new Following((file) => shown.push(file));
  following.see(A);
  following.dispose();
  mock.timers.tick(5000);
  assert.deepEqual(shown, []);
});
