// Which rows the view of results has: below their sessions or one after the other, by rank or by time.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AbandonedPrompt, SearchHit } from "../../src/protocol";
import type { Found } from "../../src/search/question";
import { abandonedTooltip, describeAbandoned } from "../../src/views/describe/abandoned";
import { type ResultSetting, type Results, resultNodes } from "../../src/views/resultNodes";
import type { TreeNode } from "../../src/views/tree";
import { abandoned, FOUND_TIME, hit } from "./hits";

const OTHER = {
  sessionId: "other",
  title: { text: "Lower the tax", source: "ai" },
  project: { ...hit().project, name: "till" },
} as const;

/** A hit whose snippet is its name; sessions by the first letter: `a…` and `b…`. */
function named(name: string, changes: Partial<SearchHit> = {}): SearchHit {
  const session = name.startsWith("b") ? OTHER : {};
  return hit({ ...session, snippet: name, ranges: [], ordinal: Number(name.slice(1)), ...changes });
}

const at = (minute: number) => `2026-03-10T11:${minute}:00Z`;

function nodes(found: readonly Found[], changes: Partial<ResultSetting & Results> = {}) {
  const { layout = "session", order = "rank" } = changes;
  const { total = found.length, isLowerBound = false } = changes;
  const covered = found.length;
  return resultNodes({ found, total, isLowerBound, covered }, { layout, order, now: FOUND_TIME });
}

/** As in the end-to-end tests: `v` open, `>` closed, two spaces a level. */
function picture(of: readonly TreeNode[], level = 0): string[] {
  return of.flatMap(({ row, opens, children }) => {
    const sign = opens === undefined ? " " : opens === "open" ? "v" : ">";
    const line = `${"  ".repeat(level)}${sign} ${row.label} | ${row.description}`;
    return [line, ...picture(Array.isArray(children) ? children : [], level + 1)];
  });
}

const HITS = [
  named("a1", { at: at(50) }),
  named("b2", { at: at(56), fate: "abandoned" }),
  named("a3", { at: null }),
  named("b4", { at: at(58) }),
  named("a5", { at: at(50) }),
];

const PICTURES: [what: string, changes: Partial<ResultSetting & Results>, rows: string[]][] = [
  [
    "sessions in the order of their best hits",
    {},
    [
      "v Add a discount | 3 · shop",
      "    a1 | 10 min",
      "    a3 | ",
      "    a5 | 10 min",
      "v Lower the tax | 2 · till",
      "    b2 | 4 min · abandoned",
      "    b4 | 2 min",
    ],
  ],
  [
    "sessions in the order of their newest hits; what has no time comes last",
    { order: "time" },
    [
      "v Lower the tax | 2 · till",
      "    b4 | 2 min",
      "    b2 | 4 min · abandoned",
      "v Add a discount | 3 · shop",
      "    a1 | 10 min",
      "    a5 | 10 min",
      "    a3 | ",
    ],
  ],
  [
    "a list by rank, with more to load",
    { layout: "list", total: 1345 },
    [
      "  a1 | Add a discount · 10 min",
      "  b2 | Lower the tax · 4 min · abandoned",
      "  a3 | Add a discount",
      "  b4 | Lower the tax · 2 min",
      "  a5 | Add a discount · 10 min",
      "  Load more… | 5 of 1,345 shown",
    ],
  ],
  [
    "a list by time, of more than were counted",
    { layout: "list", order: "time", total: 6, isLowerBound: true },
    [
      "  b4 | Lower the tax · 2 min",
      "  b2 | Lower the tax · 4 min · abandoned",
      "  a1 | Add a discount · 10 min",
      "  a5 | Add a discount · 10 min",
      "  a3 | Add a discount",
      "  Load more… | 5 of 6+ shown",
    ],
  ],
];

for (const [what, changes, rows] of PICTURES)
  test(what, () => assert.deepEqual(picture(nodes(HITS, changes)), rows));

test("nothing has no rows", () => assert.deepEqual(nodes([]), []));

test("abandoned prompts stand above their answers", () => {
  const found = [
    abandoned({ ...OTHER, ordinal: 9, prompt: "Round up\nand down", answer: "" }),
    abandoned({ answer: "\n\nLowered.\nTests pass." }),
  ];
  assert.deepEqual(picture(nodes(found)), [
    "v Lower the tax | 1 · till",
    "    Round up | 1 h",
    "v Add a discount | 1 · shop",
    "  v Lower the tax rate | 1 h",
    "      Lowered. | ",
  ]);
  assert.deepEqual(picture(nodes(found, { layout: "list" })), [
    "  Round up | Lower the tax · 1 h",
    "v Lower the tax rate | Add a discount · 1 h",
    "    Lowered. | ",
  ]);
});

test("rows say in words what they are", () => {
  const arias = (of: readonly TreeNode[]): string[] =>
    of.flatMap(({ row, children }) => [
      row.aria,
      ...arias(Array.isArray(children) ? children : []),
    ]);
  assert.deepEqual(arias(nodes([named("a1", { at: at(56) })], { total: 3 })), [
    "session Add a discount, shop, 1 hit",
    "answer, a1, 4 minutes ago",
    "Load more… 1 of 3 shown",
  ]);
  assert.deepEqual(arias(nodes([abandoned()])), [
    "session Add a discount, shop, 1 abandoned prompt",
    "abandoned prompt, Lower the tax rate, 1 hour ago, 6 records follow",
    "its answer, Lowered to 7 %.",
  ]);
});

test("a click hands over what was found; an answer stands below its prompt", () => {
  const [found, prompt] = [named("a1"), abandoned({ ...OTHER })];
  const [row] = nodes([found], { layout: "list" });
  const [promptRow] = nodes([prompt], { layout: "list" });
  const [answerRow] = Array.isArray(promptRow?.children) ? promptRow.children : [];
  const clicks = [row, promptRow, answerRow].map((node) => node?.click);
  for (const click of clicks) assert.equal(click?.command, "forkpoint.openFound");
  assert.deepEqual(
    clicks.map((click) => click?.arguments),
    [[found], [prompt], [prompt]],
  );
  const [group] = nodes([found]);
  assert.deepEqual([group?.click, group?.found], [undefined, found]);
});

test("ids are stable, tell all rows apart and do not depend on the order; parents are known", () => {
  const all = (of: readonly TreeNode[]): TreeNode[] =>
    of.flatMap((node) => [node, ...all(Array.isArray(node.children) ? node.children : [])]);
  for (const found of [
    [
      ...HITS,
      named("a1", { agentId: "a1" }),
      named("a1", { part: "thinking" }),
      abandoned(),
      abandoned({ ...OTHER }),
    ],
    [abandoned(), abandoned({ ...OTHER }), abandoned({ ordinal: 9, answer: "" })],
  ]) {
    const ids = (changes: Partial<ResultSetting>) =>
      all(nodes(found, { ...changes, total: 99 })).map(({ id }) => id);
    assert.equal(new Set(ids({})).size, ids({}).length);
    assert.deepEqual(ids({ order: "time" }).sort(), ids({}).sort());
    for (const node of all(nodes(found)))
      if (Array.isArray(node.children))
        for (const child of node.children) assert.equal(child.parent, node);
  }
});

const LABELS: [changes: Partial<AbandonedPrompt>, label: string, context: string][] = [
  [{}, "Lower the tax rate", "abandonedPrompt+answered"],
  [{ answer: "" }, "Lower the tax rate", "abandonedPrompt"],
  [{ prompt: "  \n\tone\r\ntwo" }, "one", "abandonedPrompt+answered"],
  [{ prompt: "" }, "(no text)", "abandonedPrompt+answered"],
  [{ prompt: "😀".repeat(201) }, `${"😀".repeat(200)}…`, "abandonedPrompt+answered"],
  [{ prompt: "x".repeat(20_000) }, `${"x".repeat(200)}…`, "abandonedPrompt+answered"],
];

for (const [changes, label, context] of LABELS)
  test(`the row of an abandoned prompt: ${label.slice(0, 20)}, ${context}`, () => {
    const row = describeAbandoned(abandoned(changes), false, FOUND_TIME);
    assert.deepEqual([row.label, row.context], [label, context]);
  });

test("its tooltip has all of both texts", () => {
  const prompt = abandoned({ prompt: "one\ntwo", answer: "three\nfour", at: null });
  assert.deepEqual(
    abandonedTooltip(prompt).map(({ name, text }) => [name, text]),
    [
      ["", "one\ntwo"],
      ["Answer", "three\nfour"],
      ["Session", "Add a discount"],
      ["Project", "/home/dev/shop"],
      ["Records that follow", "6"],
    ],
  );
});
