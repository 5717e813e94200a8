// Who needs which session: it is asked for once, again after a restart, and given back at the end.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { DidChangeSessionParams, WatchResult } from "../../src/protocol";
import { IDLE_MS, type Told, Watches } from "../../src/watching";
import { changed, client, running } from "./live";

const STANDS: WatchResult = {
  total: 7,
  leaf: "r6",
  tip: "complete",
  running: [],
  live: client("idle"),
};

/** A server that follows every session but those named `bad`, and notes what it is asked. */
function follower() {
  const asked: string[] = [];
  const notes: string[] = [];
  const told: Told[] = [];
  const unknown = new Set(["bad"]);
  let now = 1000;
  const ask = async (method: string, { sessionId }: { sessionId: string }) => {
    asked.push(`${method.replace("forkpoint/", "")} ${sessionId}`);
    if (unknown.has(sessionId)) throw new Error("there is no such session");
    return STANDS;
  };
  const clock = () => now++;
  const watches = new Watches({ ask } as never, (sentence) => notes.push(sentence), clock);
  watches.onDidChange((each) => told.push(each));
  /** What was asked since the last time. */
  const since = async () => {
    await settled();
    return asked.splice(0);
  };
  return { watches, since, notes, told, unknown };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

type Step = [holder: string, needs: string[], asked: string[]];

const COURSES: [what: string, steps: Step[]][] = [
  [
    "two need one",
    [
      ["a", ["s"], ["watch s"]],
      ["b", ["s"], []],
      ["a", [], []],
      ["b", [], ["unwatch s"]],
    ],
  ],
  [
    "one turns to another",
    [
      ["a", ["s"], ["watch s"]],
      ["a", ["t"], ["watch t", "unwatch s"]],
    ],
  ],
  [
    "the same again",
    [
      ["a", ["s", "t", "s"], ["watch s", "watch t"]],
      ["a", ["t", "s"], []],
    ],
  ],
  [
    "what was refused is not given back, nor asked for again by others",
    [
      ["a", ["bad"], ["watch bad"]],
      ["b", ["bad"], []],
      ["a", [], []],
      ["b", [], []],
      ["a", ["bad"], ["watch bad"]],
    ],
  ],
];

for (const [what, steps] of COURSES)
  test(what, async () => {
    const { watches, since } = follower();
    for (const [holder, needs, expected] of steps) {
      watches.need(holder, needs);
      assert.deepEqual(await since(), expected);
    }
  });

test("another server is asked for all that is needed", async () => {
  const { watches, since, told } = follower();
  watches.need("a", ["s", "bad"]);
  watches.need("b", ["t"]);
  watches.need("b", []);
  await since();
  const before = watches.revision("s");
  watches.restart();
  assert.equal(watches.revision("s"), undefined);
  assert.deepEqual(await since(), ["watch s", "watch bad"]);
  assert.notDeepEqual(watches.revision("s"), before);
  assert.deepEqual(told, [{ sessionId: "s" }, { sessionId: "s" }]);
});

test("a refusal is noted, and asked again when the session appears", async () => {
  const { watches, since, notes, unknown } = follower();
  watches.need("a", ["bad", "s"]);
  await since();
  assert.deepEqual(notes, ["bad is not followed: Error: there is no such session"]);
  assert.equal(watches.standing("bad"), undefined);
  unknown.clear();
  watches.appeared(["s", "bad", "other"]);
  assert.deepEqual(await since(), ["watch bad"]);
  assert.equal(watches.standing("bad")?.leaf, "r6");
});

test("an answer that comes when nobody needs it any more is not kept", async () => {
  const { watches, since, told } = follower();
  watches.need("a", ["s"]);
  watches.need("a", []);
  assert.deepEqual(await since(), ["watch s", "unwatch s"]);
  assert.equal(watches.standing("s"), undefined);
  assert.deepEqual(told, []);
});

test("the answer says where a session stands, a change where it stands then", async () => {
  const { watches, told } = follower();
  watches.need("a", ["s"]);
  await settled();
  const { total: _, ...stands } = STANDS;
  assert.deepEqual(watches.standing("s"), { ...stands, heardAt: undefined });
  const change = changed({
    sessionId: "s",
    leaf: "r7",
    tip: "toolRunningOrLost",
    running: [running()],
    live: client("busy"),
  });
  watches.hear(change);
  watches.hear(changed({ sessionId: "nobody's" }));
  assert.deepEqual(watches.standing("s"), {
    leaf: "r7",
    tip: "toolRunningOrLost",
    running: [running()],
    live: client("busy"),
    heardAt: 1000,
  });
  assert.deepEqual(told, [{ sessionId: "s" }, { sessionId: "s", change }]);
});

test("a subagent's records are heard, but do not move the session's leaf", async () => {
  const { watches } = follower();
  watches.need("a", ["s"]);
  await settled();
  watches.hear(changed({ sessionId: "s", agentId: "a1", leaf: "x9", tip: "awaitingAnswer" }));
  const { leaf, tip, heardAt } = watches.standing("s") ?? {};
  assert.deepEqual([leaf, tip, heardAt], ["r6", "complete", 1000]);
});

test("a client that ended writes no more", async () => {
  const { watches } = follower();
  watches.need("a", ["s"]);
  await settled();
  watches.hear(changed({ sessionId: "s", live: client("busy") }));
  const nothingNew = { sessionId: "s", firstNew: null, lastNew: null };
  watches.hear(changed({ ...nothingNew, live: client("idle") }));
  assert.equal(watches.standing("s")?.heardAt, 1000);
  watches.hear(changed({ ...nothingNew, live: null }));
  assert.equal(watches.standing("s")?.heardAt, undefined);
});

/** A state = the client says so; a number = time that passes, in milliseconds. */
const PAUSES: [what: string, steps: (string | number)[], told: string[]][] = [
  ["it rests", ["busy", "idle", IDLE_MS - 1], ["busy", "busy"]],
  ["it still rests then", ["busy", "idle", IDLE_MS], ["busy", "busy", "idle"]],
  [
    "the next turn was waiting already",
    ["busy", "idle", 65, "busy", 1000],
    ["busy", "busy", "busy"],
  ],
  [
    "that it says so again takes no longer",
    ["busy", "idle", 100, "idle", IDLE_MS - 100],
    ["busy", "busy", "busy", "idle"],
  ],
  [
    "it rests after the next turn",
    ["busy", "idle", 100, "busy", "idle", IDLE_MS - 1, 1],
    ["busy", "busy", "busy", "busy", "idle"],
  ],
  ["it asks meanwhile", ["busy", "idle", "waiting", 1000], ["busy", "busy", "waiting"]],
  ["it ends meanwhile", ["busy", "idle", "ended", 1000], ["busy", "busy", "ended"]],
  ["it was answered", ["waiting", "idle"], ["waiting", "idle"]],
  ["it begins", ["idle", "busy"], ["idle", "busy"]],
  ["nobody needs it any more", ["busy", "idle", "left", 1000], ["busy", "busy"]],
];

for (const [what, steps, expected] of PAUSES)
  test(`a pause between turns: ${what}`, async (context) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    context.after(() => mock.timers.reset());
    const { watches } = follower();
    watches.need("a", ["s"]);
    await settled();
    const told: string[] = [];
    watches.onDidChange(() => {
      const standing = watches.standing("s");
      told.push(standing?.live?.status ?? "ended");
    });
    for (const step of steps)
      if (typeof step === "number") mock.timers.tick(step);
      else if (step === "left") watches.need("a", []);
      else {
        const live = step === "ended" ? null : client(step);
        watches.hear(changed({ sessionId: "s", live }));
      }
    assert.deepEqual(told, expected);
  });

test("what else changed with a pause is there at once", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { watches } = follower();
  watches.need("a", ["s"]);
  await settled();
  watches.hear(changed({ sessionId: "s", running: [running()], live: client("busy") }));
  watches.hear(changed({ sessionId: "s", leaf: "r8", live: client("idle") }));
  watches.hear(changed({ sessionId: "s", leaf: "r9", firstNew: null, live: client("idle") }));
  const { leaf, running: calls, live } = watches.standing("s") ?? {};
  assert.deepEqual([leaf, calls, live], ["r9", [], client("busy")]);
  mock.timers.tick(IDLE_MS);
  assert.deepEqual(
    [watches.standing("s")?.leaf, watches.standing("s")?.live],
    ["r9", client("idle")],
  );
});

test("another client that rests is known at once", async () => {
  const { watches } = follower();
  watches.need("a", ["s"]);
  await settled();
  watches.hear(changed({ sessionId: "s", live: client("busy") }));
  const other = { ...client("idle"), pid: 43 };
  watches.hear(changed({ sessionId: "s", live: other }));
  assert.deepEqual(watches.standing("s")?.live, other);
});

const GROWTHS: [what: string, change: Partial<DidChangeSessionParams>, growth: number | "anew"][] =
  [
    ["new records", {}, 1],
    ["another client's state alone", { firstNew: null, lastNew: null }, 0],
    ["another leaf without records", { firstNew: null, lastNew: null, leafMoved: true }, 1],
    ["another branch without records", { firstNew: null, lastNew: null, newBranch: true }, 1],
    ["a file that was replaced", { reread: true }, "anew"],
    ["a file that is gone", { firstNew: null, lastNew: null, gone: true }, "anew"],
  ];

for (const [what, change, expected] of GROWTHS)
  test(`the revision after ${what}`, async () => {
    const { watches } = follower();
    watches.need("a", ["s"]);
    await settled();
    const before = watches.revision("s");
    watches.hear(changed({ sessionId: "s", ...change }));
    const after = watches.revision("s");
    const isSameReading = before?.reading === after?.reading;
    assert.equal(isSameReading ? after?.growth : "anew", expected);
  });
