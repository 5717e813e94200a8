// Where a session and its origin part: which places are opened, and what is said without one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { partingsOf } from "../../src/partings";
import type { FamilyMember, FamilyParting } from "../../src/protocol";
import { session } from "./sessions";

const PARTING: FamilyParting = {
  uuid: "shared",
  ordinal: 25,
  originUuid: "shared",
  originOrdinal: 47,
  prompt: { uuid: "next", ordinal: 37, preview: "Tidy the readme" },
  originPrompt: null,
};

function member(changes: Partial<FamilyMember>): FamilyMember {
  return {
    sessionId: "fork",
    parentId: "origin",
    depth: 1,
    relation: "copy",
    title: { text: "Fork", source: "custom" },
    project: session().project,
    transcript: "file:///fork.jsonl",
    updatedAt: null,
    signs: [],
    parting: PARTING,
    copiedRecords: 26,
    ownRecords: 9,
    duplicates: [],
    agents: [],
    sentence: "26 records were copied.",
    ...changes,
  };
}

const ORIGIN = member({
  sessionId: "origin",
  parentId: null,
  depth: 0,
  relation: "root",
  title: { text: "Origin", source: "firstPrompt" },
  parting: null,
});

const at = (
  sessionId: string,
  text: string,
  source: "custom" | "firstPrompt",
  ordinal: number,
) => ({
  session: { sessionId, title: { text, source } },
  ordinal,
});

test("the last record of both, in either", () => {
  assert.deepEqual(partingsOf([ORIGIN, member({})], "fork"), {
    sentence: "26 records were copied.",
    here: at("fork", "Fork", "custom", 25),
    there: at("origin", "Origin", "firstPrompt", 47),
  });
});

test("a file that goes on from another shows with what it does", () => {
  const parting = { ...PARTING, uuid: null, ordinal: null };
  const found = partingsOf([ORIGIN, member({ relation: "goesOn", parting })], "fork");
  assert.deepEqual(found.here, at("fork", "Fork", "custom", 37));
});

test("an origin that is gone, or lost the record, is no place", () => {
  const gone = { ...ORIGIN, relation: "gone" as const, title: null, transcript: null };
  assert.equal(partingsOf([gone, member({})], "fork").there, undefined);
  const lost = { ...PARTING, originUuid: null, originOrdinal: null };
  const found = partingsOf([ORIGIN, member({ parting: lost })], "fork");
  assert.equal(found.there, undefined);
  assert.deepEqual(found.here, at("fork", "Fork", "custom", 25));
});

const NOWHERE = { here: undefined, there: undefined };

test("a session that came from nowhere says so", () => {
  const sentence = "This session came from no other one that is here.";
  assert.deepEqual(partingsOf([ORIGIN], "origin"), { sentence, ...NOWHERE });
  assert.deepEqual(partingsOf([], "fork"), { sentence, ...NOWHERE });
});

test("where nothing tells where they part, that is said", () => {
  const sentence = "26 records were copied. Where they part is not known.";
  const found = partingsOf([ORIGIN, member({ parting: null })], "fork");
  assert.deepEqual(found, { sentence, ...NOWHERE });
});
