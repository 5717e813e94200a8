// What is asked of the server, and how it is said.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Indexing, Scope } from "../../src/protocol";
import { operators, withOperator, withPrefix } from "../../src/search/operators";
import {
  hitsInWords,
  isSameQuestion,
  nextAgent,
  nextScope,
  placeInWords,
  progressInWords,
  type Question,
  searchParams,
  whereInWords,
} from "../../src/search/question";

const FOLDER = "file:///home/dev/shop";
const question = (changes: Partial<Question> = {}): Question => ({
  query: "tax",
  scope: "repository",
  folder: FOLDER,
  ...changes,
});
const PAGE = { offset: 0, limit: 50 };

test("a folder is named where the scope speaks of it", () => {
  const asked = { query: "tax", ...PAGE };
  assert.deepEqual(searchParams(question(), PAGE), {
    ...asked,
    scope: "repository",
    folder: FOLDER,
  });
  assert.deepEqual(searchParams(question({ scope: "all" }), PAGE), { ...asked, scope: "all" });
});

test("the agent whose sessions are searched", () => {
  const mine = question({ scope: "all", agent: "codex" });
  assert.deepEqual(searchParams(mine, PAGE), {
    query: "tax",
    scope: "all",
    agent: "codex",
    ...PAGE,
  });
  assert.equal(whereInWords(mine), "everywhere, in sessions of Codex only");
  assert.equal(whereInWords(question()), "in this repository");
  assert.equal(isSameQuestion(mine, question({ scope: "all" })), false);
  const agents = [undefined, "claude-code", "codex"] as const;
  assert.deepEqual(
    agents.map((agent) => nextAgent(question({ agent }))),
    ["claude-code", "codex", undefined],
  );
});

const SCOPES: [scope: Scope, folder: string | undefined, next: Scope, place: string][] = [
  ["folder", FOLDER, "repository", "in this folder"],
  ["repository", FOLDER, "all", "in this repository"],
  ["all", FOLDER, "folder", "everywhere"],
  ["all", undefined, "all", "everywhere"],
];

for (const [scope, folder, next, place] of SCOPES)
  test(`after ${scope} comes ${next}${folder ? "" : " without a folder"}`, () => {
    assert.equal(nextScope(question({ scope, folder })), next);
    assert.equal(placeInWords(scope), place);
  });

test("questions are the same when all of them is", () => {
  assert.ok(isSameQuestion(question(), question()));
  assert.ok(!isSameQuestion(question(), undefined));
  for (const changes of [{ query: "tax " }, { scope: "all" }, { folder: undefined }] as const)
    assert.ok(!isSameQuestion(question(), question(changes)), JSON.stringify(changes));
});

const PROGRESS: [indexing: Indexing | null, words: string][] = [
  [null, ""],
  [{ done: 3, total: 3 }, ""],
  [{ done: 0, total: 0 }, ""],
  [{ done: 12, total: 2040 }, "12 of 2,040 transcripts are searchable yet"],
];

for (const [indexing, words] of PROGRESS)
  test(`progress ${JSON.stringify(indexing)}`, () =>
    assert.equal(progressInWords(indexing), words));

const COUNTS: [total: number, isLowerBound: boolean, words: string][] = [
  [0, false, "0 hits"],
  [0, true, "0 hits"],
  [1, false, "1 hit"],
  [1, true, "1+ hits"],
  [1204, false, "1,204 hits"],
];

for (const [total, isLowerBound, words] of COUNTS)
  test(words, () => assert.equal(hitsInWords(total, isLowerBound), words));

const BOXES: [query: string, operator: string, box: string][] = [
  ["", "file:", "file:"],
  ["tax", "file:", "tax file:"],
  ["tax ", "tool:", "tax tool:"],
  ["  ", "is:error", "is:error "],
  ["tax", "is:abandoned", "tax is:abandoned "],
  ["tax", '"', 'tax "'],
];

for (const [query, inserts, box] of BOXES)
  test(`${inserts} after "${query}"`, () => {
    const operator = operators().find((each) => each.inserts === inserts);
    assert.ok(operator);
    assert.equal(withOperator(query, operator), box);
  });

const PREFIXES: [query: string, asked: string | undefined][] = [
  ["tax", "tax*"],
  ["the tax ", "the tax*"],
  ["税", "税*"],
  ["file:car", "file:car*"],
  ["", undefined],
  ["tax*", undefined],
  ['"the tax"', undefined],
  ["tax is:error", undefined],
  ["tax IN:prompts", undefined],
  ["after:2026-03-01", undefined],
];

for (const [query, asked] of PREFIXES)
  test(`beginnings of words: ${query}`, () => assert.equal(withPrefix(query), asked));
