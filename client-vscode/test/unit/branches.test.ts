// The tree of branches: which row stands under which, and what it says.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Segment } from "../../src/protocol";
import { type BranchShape, branchShape } from "../../src/views/branchShape";
import { describeResends, describeSegment } from "../../src/views/describe/segment";
import { segment } from "./segments";

const NOW = Date.parse("2026-03-10T12:00:00Z");

/** Shapes as lines: `*` active, `-` abandoned, `~` an earlier resend, `<` holds the leaf. */
function picture(shapes: BranchShape[], indent = "", mark = ""): string[] {
  return shapes.flatMap(({ segment: { id, active }, resends, branches, holdsLeaf }) => [
    `${indent}${mark || (active ? "*" : "-")} ${id}${holdsLeaf ? " <" : ""}`,
    ...picture(branches, `${indent}  `),
    ...picture(resends, `${indent}  `, "~"),
  ]);
}

const active = { active: true };

const SHAPES: [what: string, segments: Segment[], expected: string[]][] = [
  ["nothing", [], []],
  ["one", [segment("a", null, active)], ["* a <"]],
  [
    "a fork indents, the active branch first",
    [segment("a", null, active), segment("c", "a", active), segment("b", "a")],
    ["* a", "  * c <", "  - b"],
  ],
  [
    "what simply goes on does not indent",
    [segment("a", null, active), segment("b", "a", active), segment("c", "b", active)],
    ["* a", "* b", "* c <"],
  ],
  [
    "a compaction inside a branch stands beside it",
    [
      segment("a", null, active),
      segment("c", "a", active),
      segment("d", "c", active),
      segment("b", "a"),
    ],
    ["* a", "  * c", "  * d <", "  - b"],
  ],
  [
    "a rewind that did not go on: the leaf is where branches begin",
    [segment("a", null, active), segment("b", "a"), segment("c", "a")],
    ["* a <", "  - b", "  - c"],
  ],
  ["two roots", [segment("b", null, active), segment("a", null)], ["* b <", "- a"]],
  [
    "one prompt sent three times is one row",
    [
      segment("a", null, active),
      segment("d", "a", { active: true, firstOrdinal: 30, resendOf: "b" }),
      segment("b", "a", { firstOrdinal: 10 }),
      segment("c", "a", { firstOrdinal: 20, resendOf: "b" }),
    ],
    ["* a", "* d <", "  ~ b", "  ~ c"],
  ],
  [
    "of resends that were all abandoned the newest stands for all",
    [
      segment("a", null, active),
      segment("x", "a", active),
      segment("b", "a", { firstOrdinal: 10 }),
      segment("c", "a", { firstOrdinal: 20, resendOf: "b" }),
    ],
    ["* a", "  * x <", "  - c", "    ~ b"],
  ],
];

for (const [what, segments, expected] of SHAPES)
  test(what, () => assert.deepEqual(picture(branchShape(segments)), expected));

test("a whole row", () => {
  assert.deepEqual(describeSegment(segment("a", null, { active: true, reason: "rewind" }), NOW), {
    label: "Prompt a",
    description: "active · 2 prompts · 4 min · rewind",
    icon: { id: "git-commit", color: "charts.green" },
    aria: "active branch, Prompt a, 2 prompts, 4 minutes ago, rewind",
    context: "segment+active",
    isDimmed: false,
  });
});

const ROWS: [changes: Partial<Segment>, times: number, row: string, aria: string][] = [
  [{}, 1, "Prompt a | 2 prompts · 4 min", "abandoned branch, Prompt a, 2 prompts, 4 minutes ago"],
  [
    { promptCount: 1, endedAt: null },
    1,
    "Prompt a | 1 prompt",
    "abandoned branch, Prompt a, 1 prompt",
  ],
  [
    { label: "/compact", promptCount: 0, reason: "compaction" },
    1,
    "Compaction | 0 prompts · 4 min",
    "abandoned branch, Compaction, 0 prompts, 4 minutes ago",
  ],
  [
    { label: null, promptCount: 0, reason: "start" },
    1,
    "Start | 0 prompts · 4 min",
    "abandoned branch, Start, 0 prompts, 4 minutes ago",
  ],
  [
    { reason: "resend" },
    3,
    "Prompt a | 2 prompts · 4 min · same prompt ×3",
    "abandoned branch, Prompt a, 2 prompts, 4 minutes ago, resend, same prompt sent 3 times",
  ],
  [
    { reason: "twoWriters" },
    1,
    "Prompt a | 2 prompts · 4 min · two writers",
    "abandoned branch, Prompt a, 2 prompts, 4 minutes ago, two writers",
  ],
  [
    { reason: "restart" },
    1,
    "Prompt a | 2 prompts · 4 min · restart",
    "abandoned branch, Prompt a, 2 prompts, 4 minutes ago, restart",
  ],
];

for (const [changes, times, row, aria] of ROWS)
  test(row, () => {
    const described = describeSegment(segment("a", null, changes), NOW, times);
    assert.equal(`${described.label} | ${described.description}`, row);
    assert.equal(described.aria, aria);
    assert.equal(described.isDimmed, true);
  });

test("a row that stands for no single branch", () => {
  const resends = describeResends([segment("a", null), segment("b", null)]);
  assert.equal(`${resends.label} | ${resends.description}`, "Same prompt sent 3 times | 2 earlier");
});
