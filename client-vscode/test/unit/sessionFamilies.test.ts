// Trees of sessions: none is lost, whatever sessions say of each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary } from "../../src/protocol";
import { type Family, familiesOf, membersOf } from "../../src/views/sessionFamilies";
import { groupSessions } from "../../src/views/sessionGroups";
import { client } from "./live";
import { session } from "./sessions";

/** `b<a` is a session b that was forked from a; newest first. */
function sessions(text: string): SessionSummary[] {
  return text.split(" ").map((word) => {
    const [sessionId = "", origin] = word.split("<");
    const forkedFrom = origin ? { sessionId: origin, evidence: "forkedFrom" as const } : null;
    return session({ sessionId, forkedFrom });
  });
}

/** `a(b c(d))`: d came from c, c and b from a. */
function picture(families: readonly Family[]): string {
  return families
    .map(({ session: { sessionId }, forks }) =>
      forks.length > 0 ? `${sessionId}(${picture(forks)})` : sessionId,
    )
    .join(" ");
}

const TREES: [list: string, tree: string][] = [
  ["b a", "b a"],
  ["b<a a", "a(b)"],
  ["x b<a y a z", "x a(b) y z"],
  ["a b<a", "a(b)"],
  ["d<a c<b b<a a", "a(d b(c))"],
  ["c<b d<a b<a a", "a(b(c) d)"],
  ["b<gone a", "b a"],
  ["a<a b", "a b"],
  ["a<b b<a c", "a(b) c"],
  ["a<c b<a c<b d<b", "a(b(c d))"],
];

for (const [list, tree] of TREES)
  test(`${list} are ${tree}`, () => {
    const all = sessions(list);
    const families = familiesOf(all);
    assert.equal(picture(families), tree);
    const members = families.flatMap(membersOf).map(({ sessionId }) => sessionId);
    assert.deepEqual(members.sort(), all.map(({ sessionId }) => sessionId).sort());
  });

const SETTING = {
  grouping: "date" as const,
  now: Date.parse("2026-03-10T12:00:00Z"),
  timeZone: "UTC",
  isPinned: () => false,
};

function groups(
  list: SessionSummary[],
  changes: Partial<Parameters<typeof groupSessions>[1]> = {},
) {
  return groupSessions(list, { ...SETTING, ...changes }).map(
    ({ label, families }) => `${label}: ${picture(families)}`,
  );
}

const DAYS = ["2026-03-10T11:00:00Z", "2026-03-09T11:00:00Z", "2026-03-01T11:00:00Z"];

test("a family stands where its newest member belongs", () => {
  const list = sessions("b<a x a").map((each, place) => ({
    ...each,
    updatedAt: DAYS[place] ?? "",
  }));
  assert.deepEqual(groups(list), ["Today: a(b)", "Yesterday: x"]);
  const [fork, other, origin] = list;
  if (!fork || !other || !origin) throw new Error("three were made");
  const live = [fork, other, { ...origin, live: client("busy") }];
  assert.deepEqual(groups(live), ["Live now: a(b)", "Yesterday: x"]);
});

test("by project it stands where its newest member was started", () => {
  const [fork, origin] = sessions("b<a a");
  if (!fork || !origin) throw new Error("two were made");
  const project = { ...fork.project, cwd: "/home/dev/hotfix", name: "hotfix" };
  assert.deepEqual(groups([{ ...fork, project }, origin], { grouping: "project" }), [
    "hotfix: a(b)",
  ]);
});

test("a pinned one stands apart from its family", () => {
  const list = sessions("b<a a");
  assert.deepEqual(groups(list, { isPinned: (id) => id === "b" }), ["Pinned: b", "Today: a"]);
  assert.deepEqual(groups(list, { isPinned: () => true }), ["Pinned: a(b)"]);
});
