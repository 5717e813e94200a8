// New rows get the children that shown rows were opened for, and no question is asked in vain.

import assert from "node:assert/strict";
import { test } from "node:test";
import { reopen } from "../../src/views/reopen";
import type { TreeNode } from "../../src/views/tree";

interface Setting {
  basis?: string;
  children?: TreeNode[] | (() => Promise<TreeNode[]>);
}

function node(id: string, setting: Setting = {}): TreeNode {
  return { id, row: { label: id, description: "", aria: "", context: "" }, ...setting };
}

/** A row that asks for its children, given here, when it is opened. */
function closed(id: string, children: TreeNode[], basis?: string): TreeNode {
  const asking = { children: async () => children };
  return node(id, basis === undefined ? asking : { ...asking, basis });
}

function picture(nodes: readonly TreeNode[]): string {
  return nodes
    .map(({ id, children }) => {
      if (!children) return id;
      return Array.isArray(children) ? `${id}[${picture(children)}]` : `${id}…`;
    })
    .join(" ");
}

const CASES: [
  what: string,
  shown: TreeNode[],
  fresh: TreeNode[],
  after: string,
  asked: string[],
][] = [
  ["nothing was opened", [closed("a", [])], [closed("a", [node("x")])], "a…", []],
  [
    "a row was opened",
    [node("a", { children: [node("x")] })],
    [closed("a", [node("x"), node("y")])],
    "a[x y]",
    ["a"],
  ],
  [
    "a row inside of it, too",
    [node("a", { children: [node("x", { children: [node("1")] }), closed("y", [])] })],
    [closed("a", [closed("x", [node("2")]), closed("y", [node("3")])])],
    "a[x[2] y…]",
    ["a", "x"],
  ],
  [
    "rows below a row that came with them",
    [node("g", { children: [node("a", { children: [] })] })],
    [node("g", { children: [closed("a", [node("x")]), closed("b", [])] })],
    "g[a[x] b…]",
    ["a"],
  ],
  [
    "it is known to be true still",
    [node("a", { children: [node("x")], basis: "1" })],
    [closed("a", [node("y")], "1")],
    "a[x]",
    [],
  ],
  [
    "it may not be true any more",
    [node("a", { children: [node("x")], basis: "1" })],
    [closed("a", [node("y")], "2")],
    "a[y]",
    ["a"],
  ],
  [
    "an open row comes below another heading",
    [node("g", { children: [node("a", { children: [node("x")] })] }), node("h", { children: [] })],
    [node("h", { children: [closed("a", [node("y")]), closed("b", [])] })],
    "h[a[y] b…]",
    ["a"],
  ],
  [
    "an open row comes below one that was opened",
    [node("g", { children: [node("a", { children: [node("x")] }), closed("b", [])] })],
    [node("g", { children: [node("b", { children: [closed("a", [node("y")])] })] })],
    "g[b[a[y]]]",
    ["a"],
  ],
  ["there is nothing below any more", [node("a", { children: [node("x")] })], [node("a")], "a", []],
  ["another row", [node("a", { children: [node("x")] })], [closed("b", [])], "b…", []],
];

for (const [what, shown, fresh, after, expected] of CASES)
  test(what, async () => {
    const asked: string[] = [];
    const ask = async (each: TreeNode) => {
      asked.push(each.id);
      return typeof each.children === "function" ? each.children() : [];
    };
    assert.equal(await reopen(shown, fresh, ask), expected.length > 0);
    assert.equal(picture(fresh), after);
    assert.deepEqual(asked, expected);
    assert.equal(await reopen(shown, fresh, ask), false);
  });

const OPENED: [what: string, shown: boolean | undefined, fresh: boolean | undefined][] = [
  ["opened", true, true],
  ["closed", false, false],
  ["neither", undefined, undefined],
];

for (const [what, isOpen, expected] of OPENED)
  test(`a row that was ${what} stays so below another heading`, async () => {
    const shown = [node("g", { children: [{ ...closed("a", []), isOpen }] })];
    const moved = closed("a", []);
    await reopen(shown, [node("h", { children: [moved] })], async () => []);
    assert.equal(moved.isOpen, expected);
  });
