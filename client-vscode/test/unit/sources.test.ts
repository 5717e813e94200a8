// What the view of results asks for, page by page, and what it says above its rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AbandonedResult, SearchResult } from "../../src/protocol";
import type { Page, Question } from "../../src/search/question";
import {
  type Answer,
  abandonedSource,
  collect,
  LARGEST_PAGE,
  searchAnswer,
  searchSource,
} from "../../src/search/sources";
import { abandoned, hit, result } from "./hits";

const HERE: Question = { query: " tax ", scope: "repository", folder: "file:///home/dev/shop" };
const PAGE = { offset: 0, limit: 100 };

/** A source of so many hits, which notes what it is asked. */
function sourceOf(there: number, total = there) {
  const asked: string[] = [];
  const page = async ({ offset, limit }: Page): Promise<Answer> => {
    asked.push(`${limit} from ${offset}`);
    const count = Math.max(0, Math.min(limit, there - offset));
    const found = Array.from({ length: count }, (_, index) => hit({ ordinal: offset + index }));
    const covered = Math.min(offset + limit, total);
    return { found, total, covered, isLowerBound: false, indexing: null, count: "", sentences: [] };
  };
  return { page, asked };
}

const COURSES: [what: string, there: number, total: number, wanted: number, asked: string[]][] = [
  ["nothing", 0, 0, 100, ["100 from 0"]],
  ["less than wanted", 7, 7, 100, ["100 from 0"]],
  ["more than wanted", 300, 300, 100, ["100 from 0"]],
  ["more than a page may have", 950, 950, 450, ["200 from 0", "200 from 200", "50 from 400"]],
  ["less than was counted, since some is gone", 250, 300, 300, ["200 from 0", "100 from 200"]],
];

for (const [what, there, total, wanted, asked] of COURSES)
  test(`pages of ${what}`, async () => {
    const source = sourceOf(there, total);
    const answer = await collect(source, wanted, new AbortController().signal);
    assert.deepEqual(source.asked, asked);
    assert.deepEqual(
      answer.found.map(({ ordinal }) => ordinal),
      Array.from({ length: Math.min(there, wanted) }, (_, index) => index),
    );
    assert.equal(answer.covered, Math.min(total, wanted));
    assert.ok(LARGEST_PAGE <= 500, "the server gives no more at once");
  });

/** Answers every question with the same, and notes it. */
function backendOf(answer: SearchResult | AbandonedResult) {
  const asked: unknown[][] = [];
  const ask = async (...question: unknown[]) => {
    asked.push(question);
    return answer;
  };
  return { backend: { ask } as never, asked };
}

test("a search asks with the question's own words, and says what was typed", async () => {
  const { backend, asked } = backendOf(result());
  const source = searchSource(backend, HERE);
  const { signal } = new AbortController();
  const { found, count } = await source.page(PAGE, signal);
  assert.deepEqual(asked, [["forkpoint/search", { ...HERE, ...PAGE }, signal]]);
  assert.deepEqual([found.length, count], [1, "1 hit"]);
  assert.deepEqual([source.kind, source.title, source.asked], ["search", "Search", "tax"]);
});

const SAID: [what: string, given: Partial<SearchResult>, count: string, sentences: string[]][] = [
  ["hits", { total: 9 }, "9 hits", []],
  ["none", { hits: [] }, "0 hits", ["No hits for “tax” in this repository."]],
  [
    "a problem",
    { hits: [], problem: { code: "badDate", sentence: "No date.", start: 0, end: 3 } },
    "",
    ["No date."],
  ],
  [
    "none, and a note",
    { hits: [], notes: [{ code: "x", sentence: "Outputs are left out." }] },
    "0 hits",
    ["No hits for “tax” in this repository.", "Outputs are left out."],
  ],
];

for (const [what, given, count, sentences] of SAID)
  test(`said of ${what}`, () => {
    const answer = searchAnswer(HERE, PAGE, result(given));
    assert.deepEqual([answer.count, answer.sentences], [count, sentences]);
  });

const ABANDONED: AbandonedResult = { prompts: [abandoned()], total: 1, indexing: null };

test("what was left behind is asked of all sessions, or of one", async () => {
  const { signal } = new AbortController();
  const all = backendOf(ABANDONED);
  const source = abandonedSource(all.backend, undefined);
  const answer = await source.page(PAGE, signal);
  assert.deepEqual(all.asked, [["forkpoint/abandoned", PAGE, signal]]);
  assert.deepEqual([source.title, source.asked], ["Lost and Found", ""]);
  assert.deepEqual([answer.count, answer.sentences], ["1 abandoned prompt", []]);

  const one = backendOf({ ...ABANDONED, prompts: [], total: 0 });
  const session = { sessionId: "s", title: "Add a discount" };
  const ofOne = abandonedSource(one.backend, session);
  const { sentences } = await ofOne.page(PAGE, signal);
  assert.deepEqual(one.asked, [["forkpoint/abandoned", { sessionId: "s", ...PAGE }, signal]]);
  assert.equal(ofOne.asked, "Add a discount");
  assert.deepEqual(sentences, [
    "Nothing was left behind: no rewind and no resend abandoned a prompt.",
  ]);

  const growing = { prompts: [], total: 0, indexing: { done: 1, total: 2 } };
  const early = await abandonedSource(backendOf(growing).backend, undefined).page(PAGE, signal);
  assert.deepEqual(early.sentences, []);
});
