// Headings of the list: days begin at the user's midnight, not at that of UTC.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary } from "../../src/protocol";
import {
  dayCounter,
  type GroupSetting,
  groupExpiring,
  groupSessions,
} from "../../src/views/sessionGroups";
import { client } from "./live";
import { session } from "./sessions";

const SETTING: GroupSetting = {
  grouping: "date",
  now: Date.parse("2026-03-10T12:00:00Z"),
  timeZone: "UTC",
  isPinned: () => false,
};

const at = (updatedAt: string, changes: Partial<SessionSummary> = {}) =>
  session({ sessionId: updatedAt, updatedAt, ...changes });

/** Groups as lines: the heading, then ids. */
function picture(sessions: SessionSummary[], changes: Partial<GroupSetting> = {}): string[] {
  return groupSessions(sessions, { ...SETTING, ...changes }).map(
    ({ label, sessions: members }) =>
      `${label}: ${members.map(({ sessionId }) => sessionId).join(" ")}`,
  );
}

const DAYS: [time: string, zone: string, heading: string][] = [
  ["2026-03-11T00:00:00Z", "UTC", "In the future"], // a clock that is ahead, or was set back
  ["2036-03-11T09:00:00Z", "UTC", "In the future"],
  ["2026-03-10T23:59:59Z", "UTC", "Today"],
  ["2026-03-10T00:00:00Z", "UTC", "Today"],
  ["2026-03-09T23:59:59Z", "UTC", "Yesterday"],
  ["2026-03-09T00:00:00Z", "UTC", "Yesterday"],
  ["2026-03-08T23:59:59Z", "UTC", "Last 7 days"],
  ["2026-03-03T00:00:00Z", "UTC", "Last 7 days"],
  ["2026-03-02T23:59:59Z", "UTC", "Older"],
  ["2026-03-09T23:30:00Z", "Europe/Berlin", "Today"],
  ["2026-03-09T22:30:00Z", "Europe/Berlin", "Yesterday"],
  ["2026-03-10T04:30:00Z", "America/Los_Angeles", "Yesterday"],
  ["2026-03-09T15:00:00Z", "Asia/Tokyo", "Today"],
];

for (const [time, timeZone, heading] of DAYS)
  test(`${time} is ${heading} in ${timeZone}`, () => {
    assert.deepEqual(picture([at(time)], { timeZone }), [`${heading}: ${time}`]);
  });

test("a day of 23 hours counts as one", () => {
  const dayNumber = dayCounter("America/New_York"); // clocks went forward on 8 March 2026
  const days = [
    "2026-03-08T04:59:00Z",
    "2026-03-08T05:00:00Z",
    "2026-03-09T03:59:00Z",
    "2026-03-09T04:00:00Z",
  ]
    .map((time) => dayNumber(Date.parse(time)))
    .map((day, _, [first = 0]) => day - first);
  assert.deepEqual(days, [0, 1, 1, 2]);
});

test("pinned ones first, live ones before the days", () => {
  const sessions = [
    at("2026-03-10T11:00:00Z", { sessionId: "new" }),
    at("2026-03-10T10:00:00Z", { sessionId: "live", live: client("busy") }),
    at("2026-03-09T10:00:00Z", { sessionId: "pinned" }),
    at("2026-03-01T10:00:00Z", { sessionId: "old" }),
  ];
  assert.deepEqual(picture(sessions, { isPinned: (id) => id === "pinned" }), [
    "Pinned: pinned",
    "Live now: live",
    "Today: new",
    "Older: old",
  ]);
});

test("the time of the file when no record has one", () => {
  const undated = at("", {
    sessionId: "undated",
    updatedAt: null,
    modifiedAt: "2026-03-09T10:00:00Z",
  });
  assert.deepEqual(picture([undated]), ["Yesterday: undated"]);
});

test("by project, the one with the newest session first", () => {
  const project = (name: string) => ({ ...session().project, name, cwd: `/home/dev/${name}` });
  const sessions = [
    at("2026-03-10T11:00:00Z", { sessionId: "a", project: project("shop") }),
    at("2026-03-09T11:00:00Z", { sessionId: "b", project: project("site") }),
    at("2026-03-08T11:00:00Z", { sessionId: "c", project: project("shop") }),
  ];
  assert.deepEqual(picture(sessions, { grouping: "project" }), ["shop: a c", "site: b"]);
});

test("two projects of one name stay apart", () => {
  const project = (cwd: string) => ({ ...session().project, cwd });
  const sessions = [
    at("2026-03-10T11:00:00Z", { sessionId: "a", project: project("/one/shop") }),
    at("2026-03-09T11:00:00Z", { sessionId: "b", project: project("/two/shop") }),
  ];
  assert.deepEqual(picture(sessions, { grouping: "project" }), ["shop: a", "shop: b"]);
});

test("what both agents did in a folder stands together, also where the folder is not known", () => {
  const nowhere = { ...session().project, cwd: null, name: "", key: "" };
  const sessions = [
    at("2026-03-10T11:00:00Z", { sessionId: "one" }),
    at("2026-03-10T10:00:00Z", { sessionId: "two", agent: "codex" }),
    at("2026-03-10T09:00:00Z", { sessionId: "lost", agent: "codex", project: nowhere }),
  ];
  assert.deepEqual(picture(sessions, { grouping: "project" }), [
    "shop: one two",
    "Folder not known: lost",
  ]);
});

test("what is deleted soon stands in one group, what goes first on top", () => {
  const going = [
    at("b", { expiresAt: "2026-03-12T00:00:00Z" }),
    at("c", { expiresAt: "2026-03-13T00:00:00Z" }),
    at("a", { expiresAt: "2026-03-11T00:00:00Z" }),
  ];
  const [group, ...others] = groupExpiring(going);
  assert.equal(group?.label, "Deleted soon");
  assert.deepEqual(
    group?.sessions.map(({ sessionId }) => sessionId),
    ["a", "b", "c"],
  );
  assert.deepEqual(others, []);
  assert.deepEqual(groupExpiring([]), []);
});
