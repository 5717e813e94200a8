// What is over in a moment is not mentioned; what lasts is, once.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Lasting } from "../../src/lasting";

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** `on`, `off` = it is seen to go on, or to be over; a number = time that passes, in milliseconds. */
type Step = "on" | "off" | "end" | number;

const COURSES: [what: string, steps: Step[], isLong: boolean, told: number][] = [
  ["nothing", [5000], false, 0],
  ["it is over soon", ["on", 999, "off", 5000], false, 0],
  ["it lasts", ["on", 1000], true, 1],
  ["it was seen in between", ["on", 500, "on", 499], false, 0],
  ["that does not make it later", ["on", 500, "on", 500], true, 1],
  ["it is told once", ["on", 1000, "on", 5000], true, 1],
  ["it lasted, and is over", ["on", 1000, "off"], false, 1],
  ["it begins anew", ["on", 900, "off", "on", 900], false, 0],
  ["it lasts again", ["on", 1000, "off", "on", 1000], true, 2],
  ["nothing after the end", ["on", "end", 5000], false, 0],
];

for (const [what, steps, isLong, expected] of COURSES)
  test(what, () => {
    let told = 0;
    const lasting = new Lasting(1000, () => {
      told += 1;
    });
    for (const step of steps)
      if (typeof step === "number") mock.timers.tick(step);
      else if (step === "end") lasting.dispose();
      else lasting.see(step === "on");
    assert.deepEqual([lasting.isLong, told], [isLong, expected]);
  });
