// Which rows the search's quick pick has: hits, what can be done instead, and what is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { QueryProblemCode, SearchResult } from "../../src/protocol";
import {
  answerRows,
  failedRows,
  operatorRows,
  type PickRow,
  pickTitle,
} from "../../src/search/pickRows";
import type { Question } from "../../src/search/question";
import { FOUND_TIME, hit, result } from "./hits";

const EVERYWHERE: Question = { query: "tax ", scope: "all", folder: undefined };
const HERE: Question = { query: "tax", scope: "repository", folder: "file:///home/dev/shop" };

/** `icon label | description | detail => what choosing it does` */
function picture(rows: readonly PickRow[]): string[] {
  return rows.map(({ icon, label, description, detail, deed }) => {
    const texts = [label, description, detail].filter((text) => text !== undefined);
    return `${icon.id} ${texts.join(" | ")} => ${deed.kind}`;
  });
}

const HIT =
  "sparkle The discount is applied once. | Add a discount | answer · shop · 4 min => open";
const GROWING = { done: 3, total: 8 };

const ANSWERS: [what: string, question: Question, given: Partial<SearchResult>, rows: string[]][] =
  [
    ["all hits", EVERYWHERE, {}, [HIT, "list-tree Show these in a view | 1 hit => list"]],
    [
      "more hits than rows",
      EVERYWHERE,
      { total: 345 },
      [HIT, "list-tree Show all in a view | 345 hits => list"],
    ],
    [
      "more hits than were counted, while transcripts are read",
      EVERYWHERE,
      { totalIsLowerBound: true, indexing: GROWING },
      [
        HIT,
        "list-tree Show all in a view | 1+ hits | 3 of 8 transcripts are searchable yet => list",
      ],
    ],
    [
      "no hits",
      { ...EVERYWHERE, query: "tax*" },
      { hits: [] },
      ["info No hits for “tax*” everywhere => nothing"],
    ],
    [
      "no hits here",
      HERE,
      { hits: [] },
      [
        "info No hits for “tax” in this repository => nothing",
        "regex Search for words that begin so | tax* => type",
        "globe Search everywhere => look",
      ],
    ],
    [
      "no hits so far",
      EVERYWHERE,
      { hits: [], indexing: GROWING },
      [
        "info No hits for “tax” everywhere | 3 of 8 transcripts are searchable yet: more may come => nothing",
        "regex Search for words that begin so | tax* => type",
      ],
    ],
    [
      "what was left out is said",
      EVERYWHERE,
      { notes: [{ code: "toolOutputs", sentence: "Outputs of tools are left out." }] },
      [
        HIT,
        "list-tree Show these in a view | 1 hit => list",
        "info Outputs of tools are left out. => nothing",
      ],
    ],
  ];

for (const [what, question, given, rows] of ANSWERS)
  test(what, () =>
    assert.deepEqual(picture(answerRows(question, result(given), FOUND_TIME)), rows),
  );

const PROBLEMS: [code: QueryProblemCode, query: string, part: [number, number], row: string][] = [
  ["badDate", "tax after:soon", [4, 14], "warning What? | after:soon => nothing"],
  ["openQuote", 'the "tax', [4, 8], 'warning What? | "tax => nothing'],
  ["noWords", "  ", [0, 2], "warning What? => nothing"],
  ["tooLong", "tax", [0, 0], "warning What? => nothing"],
];

for (const [code, query, [start, end], row] of PROBLEMS)
  test(`a problem is a row: ${code}`, () => {
    const problem = { code, sentence: "What?", start, end };
    const given = result({ hits: [], problem });
    assert.deepEqual(picture(answerRows({ ...HERE, query }, given, FOUND_TIME)), [row]);
    assert.equal(pickTitle(HERE, given), "Search Transcripts in this repository");
  });

test("an empty box says what could be typed", () => {
  const rows = picture(operatorRows());
  for (const operator of ["file:", "tool:", "branch:", "after:", "before:", "in:", "model:"])
    assert.ok(
      rows.some((row) => row.startsWith(`filter ${operator}`) && row.endsWith("=> insert")),
      operator,
    );
  for (const operator of ["is:error", "is:abandoned"])
    assert.ok(
      rows.some((row) => row.startsWith(`filter ${operator} | `)),
      operator,
    );
});

test("a failure is a row, with what may help", () => {
  const remedy = { command: "forkpoint.showLog", label: "Show Log", icon: { id: "output" } };
  assert.deepEqual(picture(failedRows("The server ended.", [remedy])), [
    "error The server ended. => nothing",
    "output Show Log => run",
  ]);
});

const LONG: [sentence: string, row: string][] = [
  [
    "There is no server: none was found (tried python3, python). Install one, or name one.",
    "error There is no server: none was found (tried python3, python). | Install one, or name one. => nothing",
  ],
  [`No end ${"x".repeat(80)}. None`, `error No end ${"x".repeat(80)}. None => nothing`],
];

for (const [sentence, row] of LONG)
  test(`a long sentence: ${row.slice(0, 40)}`, () =>
    assert.deepEqual(picture(failedRows(sentence, [])), [row]));

test("ids tell all rows apart, and are the same when rows are made anew", () => {
  const given = result({
    hits: [hit(), hit({ ordinal: 8 }), hit({ agentId: "a1" }), hit({ sessionId: "other" })],
  });
  const ids = () => answerRows(HERE, given, FOUND_TIME).map(({ id }) => id);
  assert.deepEqual(ids(), ids());
  assert.equal(new Set(ids()).size, 5);
  const operators = operatorRows().map(({ id }) => id);
  assert.equal(new Set(operators).size, operators.length);
});

const TITLES: [given: SearchResult | undefined, title: string][] = [
  [undefined, "Search Transcripts in this repository"],
  [result(), "Search Transcripts in this repository · 1 hit"],
  [result({ hits: [] }), "Search Transcripts in this repository"],
  [
    result({ total: 9, totalIsLowerBound: true, indexing: GROWING }),
    "Search Transcripts in this repository · 3 of 8 transcripts are searchable yet",
  ],
];

for (const [given, title] of TITLES) test(title, () => assert.equal(pickTitle(HERE, given), title));
