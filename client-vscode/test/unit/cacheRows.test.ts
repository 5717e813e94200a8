// What the rows of the view Resume & Cache say: verdict, causes, layers, facts, ways to go on.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheLayer, CacheNote, Survival } from "../../src/protocol";
import {
  actionTooltip,
  type ComparedAction,
  describeAction,
  describeActionFailure,
} from "../../src/views/describe/cacheAction";
import {
  causeTooltip,
  describeCause,
  describeFact,
  describeLayer,
  describeLayers,
  describeWhy,
  differ,
} from "../../src/views/describe/cacheReason";
import { describeVerdict, verdictTooltip } from "../../src/views/describe/cacheVerdict";
import { coldNote, NOTE_TIME, warmNote } from "./notes";

test("a warm verdict", () => {
  assert.deepEqual(describeVerdict(warmNote(), NOTE_TIME), {
    label: "Warm for about 48 min: $0.03",
    description: "143k tokens read",
    icon: { id: "flame", color: "charts.green" },
    aria: "prompt cache, Warm for about 48 minutes: 143k tokens read, $0.03",
    context: "cacheVerdict+warm",
  });
});

const LATER = NOTE_TIME + 3 * 3_600_000;

const STATES: [what: string, note: CacheNote, now: number, icon: string, context: string][] = [
  ["cold", coldNote(), NOTE_TIME, "circle-slash", "cacheVerdict+cold"],
  ["over by now", warmNote(), LATER, "circle-slash", "cacheVerdict+expired"],
  ["either", warmNote({ verdict: "unknown" }), NOTE_TIME, "question", "cacheVerdict+unknown"],
  ["in part", warmNote({ verdict: "partial" }), NOTE_TIME, "circle-large", "cacheVerdict+partial"],
];

for (const [what, note, now, icon, context] of STATES)
  test(`no icon is the same as that of warm: ${what}`, () => {
    const row = describeVerdict(note, now);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.context, context);
  });

const DOUBTS: [changes: Partial<CacheNote>, said: string][] = [
  [{ confidence: "high" }, "143k tokens read"],
  [{ confidence: "medium" }, "143k tokens read · likely"],
  [{ confidence: "low" }, "143k tokens read · a guess"],
  [{ confidence: "low", verdict: "unknown" }, "144k tokens read or written again"],
];

for (const [changes, said] of DOUBTS)
  test(`a doubt is told: ${said}`, () => {
    const { description, aria } = describeVerdict(warmNote(changes), NOTE_TIME);
    assert.equal(description, said);
    const [, doubt = ""] = said.split(" · ");
    assert.ok(aria.endsWith(doubt));
  });

test("a verdict without a price stands alone", () => {
  const costUsd = { warm: null, coldLow: null, coldHigh: null, expected: null };
  const { label, description } = describeVerdict(coldNote({ costUsd }), NOTE_TIME);
  assert.deepEqual([label, description], ["Cold", "144k tokens will be written again"]);
});

test("a tooltip tells sentence, times, prices and facts", () => {
  const note = coldNote({ lastRequestAt: null, lastRequestBy: null, expiresBy: null });
  const lines = verdictTooltip(note).map(({ name, text }) => `${name}: ${text}`);
  const [sentence, lifetime, expires, ...rest] = lines;
  assert.equal(sentence, `: ${note.sentence}`);
  assert.equal(lifetime, "Lifetime: 1 h");
  assert.match(expires ?? "", /^Expires: .*2026/);
  assert.deepEqual(rest, [
    "If the cache is there: $0.03",
    "If it is gone: $0.98–$1.15",
    "Prices: list price of the API for claude-opus-5-5",
    "Version that goes on: 2.1.332 (installed program)",
    "Account: apiKey (environment variable)",
  ]);
});

test("two times that differ by minutes are both told, by seconds one", () => {
  const told = (changes: Partial<CacheNote>) =>
    verdictTooltip(warmNote(changes)).find(({ name }) => name === "Last request")?.text ?? "";
  assert.doesNotMatch(told({}), /between/);
  assert.match(told({ lastRequestBy: "2026-03-10T11:52:20Z" }), /^between .* and .*/);
});

const CAUSE = {
  code: "toolSetUnknown",
  certainty: "unknowable",
  sentence: "2.1.340 may offer other tools.",
  evidence: "2.1.332 ran last",
} as const;

test("a cause tells how sure it is, in words and not by its icon alone", () => {
  assert.deepEqual(describeCause(CAUSE), {
    label: "2.1.340 may offer other tools.",
    description: "cannot be known",
    icon: { id: "question" },
    aria: "2.1.340 may offer other tools., cannot be known",
    context: "cacheCause",
  });
  assert.deepEqual(
    (["certain", "likely"] as const).map((certainty) => {
      const { description, icon } = describeCause({ ...CAUSE, certainty });
      return [description, icon?.id];
    }),
    [
      ["certain", "circle-filled"],
      ["likely", "circle-outline"],
    ],
  );
  assert.deepEqual(causeTooltip(CAUSE), [
    { name: "", text: "2.1.340 may offer other tools." },
    { name: "How sure", text: "cannot be known" },
    { name: "Seen", text: "2.1.332 ran last" },
  ]);
  assert.equal(describeWhy([CAUSE, CAUSE]).description, "2 reasons");
});

function layers(...survive: Survival[]): CacheLayer[] {
  const names = ["tools", "system", "project", "conversation"] as const;
  return names.map((layer, index) => ({ layer, survives: survive[index] ?? "yes" }));
}

const LAYERS: [layers: CacheLayer[], said: string, more: boolean][] = [
  [layers("yes", "yes", "yes", "yes"), "all kept", false],
  [layers("no", "no", "no", "no"), "all lost", false],
  [layers("unknown", "unknown", "unknown", "unknown"), "not known", false],
  [layers("yes", "no", "no", "no"), "lost from system prompt on", true],
  [layers("unknown", "unknown", "no", "no"), "lost from project context on", true],
  [layers("yes", "yes", "yes", "unknown"), "not known from conversation on", true],
];

for (const [of, said, more] of LAYERS)
  test(`layers are "${said}"`, () => {
    assert.equal(describeLayers(of).description, said);
    assert.equal(differ(of), more);
  });

test("a layer is kept, lost or not known, in words", () => {
  const said = layers("yes", "no", "unknown").map((layer) => {
    const { label, description, icon, aria } = describeLayer(layer);
    return [label, description, icon?.id, aria];
  });
  assert.deepEqual(said, [
    ["Tools", "kept", "check", "Tools, kept"],
    ["System prompt", "lost", "close", "System prompt, lost"],
    ["Project context", "not known", "question", "Project context, not known"],
    ["Conversation", "kept", "check", "Conversation, kept"],
  ]);
});

test("a fact that has no words yet goes by its own name", () => {
  assert.equal(describeFact({ what: "weather", value: "rain", from: "window" }).label, "weather");
});

test("a fact tells what was found where", () => {
  const fact = { what: "version", value: "2.1.332", from: "installed program" };
  const { label, description, aria } = describeFact(fact);
  assert.deepEqual(
    [label, description, aria],
    [
      "Version that goes on",
      "2.1.332 · installed program",
      "Version that goes on, 2.1.332, from installed program",
    ],
  );
});

/** Example 19: a rewind that keeps 59,500 tokens. */
const REWIND = warmNote({
  confidence: "medium",
  sentence: "Keeps about 59.5k cached tokens and drops about 83k.",
  contextTokens: 60_404,
  readTokens: 59_500,
  writeTokens: 904,
  droppedTokens: 83_269,
  costUsd: { warm: 0.0191, coldLow: null, coldHigh: 0.4832, expected: 0.0191 },
});
const EITHER = { verdict: "unknown", readTokens: null, writeTokens: null } as const;
const LONG = "Write the tests of the discount module anew";

const ACTIONS: [
  action: ComparedAction,
  note: CacheNote,
  prompt: string,
  label: string,
  description: string,
  aria: string,
][] = [
  [
    "resume",
    warmNote(),
    "",
    "Resume",
    "$0.03 · 143k read · 623 written",
    "Resume, warm, $0.03, 143k tokens read, 623 written",
  ],
  [
    "rewind",
    REWIND,
    LONG,
    "Rewind",
    "$0.02 · to “Write the tests of the disc…” · 60k read · 904 written",
    `Rewind to “${LONG}”, warm, $0.02, 60k tokens read, 904 written, 83k tokens dropped`,
  ],
  [
    "compact",
    coldNote(),
    "",
    "Compact",
    "$0.98–$1.15 · 0 read · 144k written",
    "Compact, cold, $0.98–$1.15, 0 tokens read, 144k written",
  ],
  [
    "resume",
    warmNote(EITHER),
    "",
    "Resume",
    "$0.03 or $0.98–$1.15 · 144k read or written",
    "Resume, warm or cold, $0.03 or $0.98–$1.15, 144k tokens read or written",
  ],
  [
    "clear",
    warmNote({
      ...EITHER,
      contextTokens: null,
      costUsd: { warm: null, coldLow: null, coldHigh: null, expected: null },
    }),
    "",
    "Clear",
    "not known",
    "Clear, warm or cold, not known",
  ],
];

for (const [action, note, prompt, label, description, aria] of ACTIONS)
  test(`going on: ${aria}`, () => {
    const row = describeAction(action, note, prompt);
    assert.deepEqual([row.label, row.description, row.aria], [label, description, aria]);
    assert.equal(row.context, `cacheAction+${action}`);
  });

test("a way that the server could not tell about says why", () => {
  const { label, description, aria } = describeActionFailure("rewind", "No such prompt.", "Hi");
  assert.deepEqual(
    [label, description, aria],
    ["Rewind", "to “Hi” · No such prompt.", "Rewind to “Hi”, not available: No such prompt."],
  );
});

test("a way's tooltip has the whole prompt and what is dropped", () => {
  assert.deepEqual(actionTooltip("rewind", REWIND, LONG), [
    { name: `Rewind to “${LONG}”`, text: REWIND.sentence },
    { name: "Tokens", text: "60k tokens read, 904 written" },
    { name: "Dropped", text: "83k tokens" },
    { name: "Costs", text: "$0.02" },
    { name: "Prices", text: "list price of the API for claude-opus-5-5" },
  ]);
});
