// Changes in bursts lead to few questions: none too soon, never two at once, and the last one counts.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Latest, Refresher } from "../../src/refresher";

let passed = 0;

beforeEach(() => {
  passed = 0;
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => passed);
});

function pass(ms: number): void {
  passed += ms;
  mock.timers.tick(ms);
}

/** soon = a change; done = the question is answered; a number = time that passes, in milliseconds. */
type Step = "soon" | "done" | "hide" | "see" | "end" | number;

/** When questions were asked in the course of events, in milliseconds. */
async function asked(steps: readonly Step[]): Promise<number[]> {
  const times: number[] = [];
  const answers: (() => void)[] = [];
  let isSeen = true;
  const refresher = new Refresher(
    () => {
      times.push(passed);
      return new Promise((answer) => answers.push(answer));
    },
    () => isSeen,
    () => 150,
  );
  for (const step of steps) {
    if (step === "soon") refresher.soon();
    else if (step === "done") answers.shift()?.();
    else if (step === "end") refresher.dispose();
    else if (typeof step === "number") pass(step);
    else {
      isSeen = step === "see";
      refresher.look();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return times;
}

const COURSES: [what: string, steps: Step[], times: number[]][] = [
  ["nothing", [500], []],
  ["the first change, at once", ["soon", 0], [0]],
  ["a burst in one moment", ["soon", "soon", "soon", 0, "done", 500], [0]],
  [
    "changes after an answer wait",
    ["soon", 0, "done", 50, "soon", 99, "soon", 1, "done"],
    [0, 150],
  ],
  ["a change after a while, at once", ["soon", 0, "done", 400, "soon", 0], [0, 400]],
  [
    "changes during a question: one more when it is answered",
    ["soon", 0, "soon", "soon", 400, "done", 0, "done", 900],
    [0, 400],
  ],
  [
    "a slow answer is not followed by two",
    ["soon", 0, "soon", 900, "soon", "done", 0, 900],
    [0, 900],
  ],
  ["nobody sees it", ["hide", "soon", 500], []],
  ["it is seen again", ["hide", "soon", 500, "see", 0], [500]],
  ["it is seen again, and nothing had changed", ["hide", 500, "see", 0], []],
  ["it was hidden while it waited", ["soon", 0, "done", "soon", "hide", 500, "see", 0], [0, 500]],
  ["nothing after the end", ["soon", "end", 500, "soon", 500], []],
  [
    "nothing after the end, though it changed meanwhile",
    ["soon", 0, "soon", "end", "done", 500],
    [0],
  ],
];

for (const [what, steps, times] of COURSES)
  test(what, async () => assert.deepEqual(await asked(steps), times));

test("who waits for a run that was overtaken waits for the last one", async () => {
  const latest = new Latest();
  const ends: (() => void)[] = [];
  const done: string[] = [];
  const run = (name: string) =>
    latest.run(() => new Promise((end) => ends.push(end))).then(() => done.push(name));
  const first = run("first");
  const second = run("second");
  ends[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, []);
  const third = run("third");
  ends[1]?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(done, []);
  ends[2]?.();
  await Promise.all([first, second, third]);
  assert.deepEqual(done.sort(), ["first", "second", "third"]);
});
