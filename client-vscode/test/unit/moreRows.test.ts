// Who loads more rows goes on at the first of them: the row that stood for them is gone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { goOnBelow } from "../../src/views/moreRows";
import type { TreeNode } from "../../src/views/tree";

/** Rows by ids, children in brackets behind their parent. */
type Rows = (string | [string, Rows])[];

function nodesOf(rows: Rows): TreeNode[] {
  return rows.map((each): TreeNode => {
    const [id, children] = typeof each === "string" ? [each, undefined] : each;
    const row = { label: id, description: "", aria: id, context: "" };
    return { id, row, ...(children ? { children: nodesOf(children) } : {}) };
  });
}

const CASES: [what: string, before: Rows, after: Rows, focused: string[]][] = [
  ["the first of several", ["a", "more"], ["a", "b", "c", "more"], ["b"]],
  ["the first inside of what is there", [["g", ["a"]], "more"], [["g", ["a", "b"]], "h"], ["b"]],
  [
    "a heading that is new",
    [["g", ["a"]], "more"],
    [
      ["g", ["a"]],
      ["h", ["b"]],
    ],
    ["h"],
  ],
  ["nothing where nothing came", ["a", "more"], ["a"], []],
];

for (const [what, before, after, focused] of CASES)
  test(`more rows: the keyboard goes to ${what}`, async () => {
    const tree = { roots: nodesOf(before) };
    const went: string[] = [];
    const view = {
      reveal: async (node: TreeNode, options: object) => {
        assert.deepEqual(options, { select: false, focus: true });
        went.push(node.id);
      },
    };
    await goOnBelow(tree, view as never, async () => {
      tree.roots = nodesOf(after);
    });
    assert.deepEqual(went, focused);
  });
