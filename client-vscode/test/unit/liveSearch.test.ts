// What is typed is asked a moment later; the next key gives up what is asked; nobody sees a late answer.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import type { SearchResult } from "../../src/protocol";
import { LiveSearch, type Seen } from "../../src/search/liveSearch";
import { hit, result } from "./hits";

let passed = 0;

beforeEach(() => {
  passed = 0;
  mock.restoreAll();
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => passed);
});

type Answering = (given: SearchResult | Error) => void;

/** A server whose answers are given by hand, and what is shown of them. */
function searching() {
  const events: string[] = [];
  const waiting: Answering[] = [];
  const show = (seen: Seen) => events.push(inWords(seen));
  const search = new LiveSearch(({ query }, signal) => {
    events.push(`ask ${query}`);
    signal.addEventListener("abort", () => events.push(`give up ${query}`));
    return new Promise((resolve, reject) =>
      waiting.push((given) => (given instanceof Error ? reject(given) : resolve(given))),
    );
  }, show);
  const look = (query: string, scope: "all" | "folder" = "all") =>
    search.look({ query, scope, folder: undefined });
  const answer = async (given: SearchResult | Error = result()) => {
    waiting.shift()?.(given);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = (ms: number) => {
    passed += ms;
    mock.timers.tick(ms);
  };
  return { events, search, look, answer, pass };
}

function inWords(seen: Seen): string {
  if (seen.kind === "empty") return "empty";
  const { query } = seen.question;
  if (seen.kind === "asking") return `wait for ${query}`;
  if (seen.kind === "failed") return `${query} failed: ${seen.error}`;
  return `${query}: ${seen.result.hits.length}`;
}

test("keys that follow fast lead to one question", () => {
  const { events, look, pass } = searching();
  for (const query of ["t", "ta", "tax"]) {
    look(query);
    pass(100);
  }
  pass(50);
  assert.deepEqual(events, ["wait for t", "wait for ta", "wait for tax", "ask tax"]);
});

test("the same once more is no question", async () => {
  const { events, look, pass, answer } = searching();
  look("tax");
  look("tax");
  pass(150);
  await answer();
  look("tax");
  pass(1000);
  assert.deepEqual(events, ["wait for tax", "ask tax", "tax: 1"]);
});

test("another scope is another question", () => {
  const { events, look, pass } = searching();
  look("tax");
  look("tax", "folder");
  pass(150);
  assert.deepEqual(events, ["wait for tax", "wait for tax", "ask tax"]);
});

test("the next key gives up what is asked, and its answer is not shown", async () => {
  const { events, look, pass, answer } = searching();
  look("tax");
  pass(150);
  look("taxi");
  await answer();
  pass(150);
  await answer();
  assert.deepEqual(events, [
    "wait for tax",
    "ask tax",
    "give up tax",
    "wait for taxi",
    "ask taxi",
    "taxi: 1",
  ]);
});

test("an empty box asks nothing", () => {
  const { events, look, pass } = searching();
  look("tax");
  pass(150);
  look(" ");
  pass(1000);
  assert.deepEqual(events, ["wait for tax", "ask tax", "give up tax", "empty"]);
});

test("while transcripts are still read it is asked again, until all are", async () => {
  const { events, look, pass, answer } = searching();
  look("tax");
  pass(150);
  await answer(result({ hits: [], indexing: { done: 1, total: 3 } }));
  pass(699);
  assert.deepEqual(events.splice(0), ["wait for tax", "ask tax", "tax: 0"]);
  pass(1);
  await answer(result({ indexing: { done: 3, total: 3 } }));
  pass(10_000);
  assert.deepEqual(events, ["ask tax", "tax: 1"]);
});

test("a server that is slow is asked again later", async () => {
  const { events, look, pass, answer } = searching();
  look("tax");
  pass(150);
  pass(400);
  await answer(result({ indexing: { done: 1, total: 3 } }));
  pass(1999);
  assert.deepEqual(events.splice(0), ["wait for tax", "ask tax", "tax: 1"]);
  pass(1);
  assert.deepEqual(events, ["ask tax"]);
});

test("a failure is shown, and the next key asks again", async () => {
  const { events, look, pass, answer } = searching();
  look("tax");
  pass(150);
  await answer(new Error("no server"));
  look("taxi");
  pass(150);
  await answer(result({ hits: [hit(), hit({ ordinal: 8 })] }));
  assert.deepEqual(events, [
    "wait for tax",
    "ask tax",
    "tax failed: Error: no server",
    "give up tax",
    "wait for taxi",
    "ask taxi",
    "taxi: 2",
  ]);
});

for (const when of ["typing", "asking", "growing"])
  test(`who leaves while ${when} hears nothing more`, async () => {
    const { events, search, look, pass, answer } = searching();
    look("tax");
    if (when !== "typing") pass(150);
    if (when === "growing") await answer(result({ indexing: { done: 1, total: 3 } }));
    search.dispose();
    const before = events.length;
    await answer(new Error("late"));
    pass(10_000);
    assert.deepEqual(events.slice(before), []);
  });
