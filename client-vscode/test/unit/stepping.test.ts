// Which diff of a file's history is shown, what it is called, and which one comes next.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Direction,
  nextPlace,
  type Place,
  sessionPlace,
  sidesOf,
} from "../../src/editor/stepping";
import type { FileHistory } from "../../src/protocol";
import { contentOf, FILE, history, pruned, version } from "./versions";

const first = version(1, { prompt: { uuid: "p1", preview: "Round the total" } });
const HISTORY = history([
  first,
  version(2),
  pruned(3),
  version(4, { previous: contentOf("s1", 2) }),
  version(1, { sessionId: "s2", previous: contentOf("s1", 4) }),
]);
const [v1, v2, v3, v4, newest] = HISTORY.versions;

function sides(given: FileHistory, place: Place): string[] | undefined {
  const found = sidesOf(given, place);
  return found && [found.before ?? "(empty)", found.after ?? "(empty)", found.title];
}

const SIDES: [what: string, Place, sides: string[] | undefined][] = [
  [
    "a version and the one before",
    { version: v2, against: "before" },
    [contentOf("s1", 1), contentOf("s1", 2), "cart.py: v1 ↔ v2 (Prompt 2)"],
  ],
  [
    "past a pruned one",
    { version: v4, against: "before" },
    [contentOf("s1", 2), contentOf("s1", 4), "cart.py: v2 ↔ v4 (Prompt 4)"],
  ],
  [
    "the first of a session and the last of the one before",
    { version: newest, against: "before" },
    [contentOf("s1", 4), contentOf("s2", 1), "cart.py: v4 of “Title s1” ↔ v1 (Prompt 1)"],
  ],
  [
    "nothing older",
    { version: v1, against: "before" },
    ["(empty)", contentOf("s1", 1), "cart.py: nothing older ↔ v1 (Round the total)"],
  ],
  ["a pruned one", { version: v3, against: "before" }, undefined],
  [
    "a version and the working file",
    { version: v2, against: "workingFile" },
    [contentOf("s1", 2), FILE, "cart.py: v2 ↔ working file"],
  ],
  [
    "the newest version and the working file",
    { against: "workingFile" },
    [contentOf("s2", 1), FILE, "cart.py: v1 ↔ working file"],
  ],
];

for (const [what, place, expected] of SIDES)
  test(`sides: ${what}`, () => assert.deepEqual(sides(HISTORY, place), expected));

test("sides: a history of one session does not hold what is older", () => {
  const given = version(1, { previous: contentOf("s0", 3) });
  const found = sides(history([given]), { version: given, against: "before" });
  assert.equal(found?.[2], "cart.py: earlier session ↔ v1 (Prompt 1)");
});

test("sides: the working file is gone", () => {
  const gone = history([first], { exists: false });
  assert.deepEqual(sides(gone, { against: "workingFile" }), [
    contentOf("s1", 1),
    "(empty)",
    "cart.py: v1 ↔ working file that is not there",
  ]);
});

test("sides: every copy is pruned", () => {
  assert.equal(sides(history([pruned(1), pruned(2)]), { against: "workingFile" }), undefined);
});

test("a long prompt is cut in a title, between characters", () => {
  const prompt = { uuid: "p", preview: "🙂".repeat(41) };
  const [long] = [version(1, { prompt })];
  const title = sidesOf(history([long]), { version: long, against: "before" })?.title;
  assert.equal(title, `cart.py: nothing older ↔ v1 (${"🙂".repeat(39)}…)`);
});

/** All places from one on, as names: `-v2` = against the one before, `+v2` = the working file. */
function walk(from: Place, direction: Direction): string[] {
  const names: string[] = [];
  for (let at: Place | undefined = from; at; at = nextPlace(HISTORY, at, direction))
    names.push(`${at.against === "before" ? "-" : "+"}${at.version?.prompt?.uuid ?? "working"}`);
  return names;
}

const before = ["-working", "-s2-p1", "-s1-p4", "-s1-p2", "-p1"];
const working = ["+s2-p1", "+s1-p4", "+s1-p2", "+p1"];

test("older and newer go through all that has content", () => {
  assert.deepEqual(walk({ against: "before" }, "older"), before);
  assert.deepEqual(walk({ version: v1, against: "before" }, "newer"), [...before].reverse());
});

test("a comparison with the working file stays one", () => {
  assert.deepEqual(walk({ version: newest, against: "workingFile" }, "older"), working);
  assert.deepEqual(walk({ version: v1, against: "workingFile" }, "newer"), [...working].reverse());
});

test("a version of an earlier answer is found again", () => {
  const grown = history([...HISTORY.versions, version(2, { sessionId: "s2" })]);
  const from: Place = { version: structuredClone(newest), against: "before" };
  assert.equal(nextPlace(grown, from, "newer")?.version?.prompt?.uuid, "s2-p2");
});

test("versions of a file that is not there share one content, and keep their places", () => {
  const empty = "forkpoint-version:///home/dev/shop/cart.py?empty";
  const absent = { state: "absent", document: empty } as const;
  const [a1, a2, a3, a4] = [
    version(1, absent),
    version(2, { previous: empty }),
    version(3, { ...absent, kind: "deleted" }),
    version(4, { previous: empty }),
  ];
  const comes = history([a1, a2, a3, a4]);
  assert.equal(nextPlace(comes, { version: a3, against: "before" }, "older")?.version, a2);
  assert.equal(nextPlace(comes, { version: a1, against: "before" }, "newer")?.version, a2);
  assert.equal(
    sidesOf(comes, { version: a4, against: "before" })?.title,
    "cart.py: v3 ↔ v4 (Prompt 4)",
  );
});

test("a version whose copy went meanwhile has no neighbours", () => {
  const place: Place = { version: version(9), against: "before" };
  assert.equal(nextPlace(HISTORY, place, "older"), undefined);
});

test("a session's file begins with its first version that has content", () => {
  assert.equal(sessionPlace(history([pruned(1), version(2)])).version?.version, 2);
});
