// What is asked before a session is resumed, by what the prompt cache would do.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheNote } from "../../src/protocol";
import { type ResumeQuestion, resumeQuestion, type Start } from "../../src/resumeQuestion";
import { showPrices } from "../../src/views/describe/cacheWords";
import { coldNote, warmNote } from "./notes";

const TERMINAL: Start = {
  kind: "terminal",
  cwd: "/home/dev/shop",
  command: "claude --resume 1",
  env: {},
};
const EXTENSION: Start = { kind: "extension", sessionId: "1" };
const RUNS = "Runs claude --resume 1 in /home/dev/shop.";
const ON_PLAN = { basis: [{ what: "account", value: "subscription", from: "parameter" }] };
const UNPRICED = { costUsd: { warm: null, coldLow: null, coldHigh: null, expected: null } };
const UNKNOWN = warmNote({
  verdict: "unknown",
  costUsd: { ...coldNote().costUsd, expected: null },
});
const PRICE = "Price: list price of the API for claude-opus-5-5.";
const PLAN_PRICE =
  "Price: list price of the API for claude-opus-5-5, for comparison: the plan is not charged so.";

const ask = (start: Start, note: CacheNote | undefined, resumeWarning = 1) =>
  resumeQuestion("Add a discount", start, note, resumeWarning);

test("a cold and dear resume in a terminal", () => {
  assert.deepEqual(ask(TERMINAL, coldNote()), {
    isWarning: true,
    message: "Resume “Add a discount” in a terminal?",
    detail: [coldNote().sentence, PRICE, RUNS].join("\n\n"),
    yes: "Resume for about $1.15",
  } satisfies ResumeQuestion);
});

test("the same in the extension", () => {
  assert.deepEqual(ask(EXTENSION, coldNote()), {
    isWarning: true,
    message: "Resume “Add a discount” in the Claude Code extension?",
    detail: [coldNote().sentence, PRICE].join("\n\n"),
    yes: "Resume for about $1.15",
  } satisfies ResumeQuestion);
});

test("nobody knows, so it is asked as ever", () => {
  assert.deepEqual(ask(TERMINAL, undefined), {
    isWarning: false,
    message: "Resume “Add a discount” in a terminal?",
    detail: RUNS,
    yes: "Resume",
  } satisfies ResumeQuestion);
});

const WARNINGS: [what: string, note: CacheNote, yes: string, price: string][] = [
  ["it may be cold", UNKNOWN, "Resume (up to $1.15)", PRICE],
  ["a part is lost", coldNote({ verdict: "partial" }), "Resume for about $1.15", PRICE],
  ["a plan pays", coldNote(ON_PLAN), "Resume (about $1.15 at API prices)", PLAN_PRICE],
  [
    "a plan pays, and it may be cold",
    { ...UNKNOWN, ...ON_PLAN },
    "Resume (up to $1.15 at API prices)",
    PLAN_PRICE,
  ],
];

for (const [what, note, yes, price] of WARNINGS)
  test(`a warning: ${what}`, () => {
    const question = ask(TERMINAL, note);
    assert.ok(question?.isWarning);
    assert.equal(question.yes, yes);
    assert.equal(question.detail, [note.sentence, price, RUNS].join("\n\n"));
    assert.equal(ask(EXTENSION, note)?.yes, yes);
  });

const CALM: [what: string, note: CacheNote, resumeWarning: number][] = [
  ["warm", warmNote(), 0.01],
  ["cheap", coldNote(), 1.16],
  ["never to be warned of", coldNote(), 0],
  ["of a model without a price", coldNote(UNPRICED), 0.01],
];

for (const [what, note, resumeWarning] of CALM)
  test(`no warning of what is ${what}`, () => {
    const question = ask(TERMINAL, note, resumeWarning);
    assert.ok(question && !question.isWarning);
    assert.equal(question.detail, [note.sentence, RUNS].join("\n\n"));
    assert.equal(question.yes, "Resume");
    assert.equal(ask(EXTENSION, note, resumeWarning), undefined);
  });

test("the price that is asked about counts as dear", () => {
  assert.ok(ask(TERMINAL, coldNote(), coldNote().costUsd.expected ?? 0)?.isWarning);
});

test("without prices it is still asked", () => {
  showPrices(false);
  try {
    const question = ask(TERMINAL, coldNote());
    assert.ok(question?.isWarning);
    assert.equal(question.yes, "Resume");
    assert.equal(question.detail, `Cold: 144k tokens will be written again\n\n${RUNS}`);
  } finally {
    showPrices(true);
  }
});
