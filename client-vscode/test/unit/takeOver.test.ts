// A refresh draws what changed and nothing else; nodes that the view knows stay the same objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { takeOver } from "../../src/views/takeOver";
import type { TreeNode } from "../../src/views/tree";

/** `a:one[b:two c:three]` = a node `a` that says "one", with two children. */
function tree(text: string, parent?: TreeNode): TreeNode[] {
  return [...text.matchAll(/(\w+):(\w+)(?:\[([^\]]*)\])?/g)].map(
    ([, id = "", label = "", below]) => {
      const row = { label, description: "", aria: "", context: "" };
      const node: TreeNode = { id, row, parent };
      if (below !== undefined) node.children = tree(below, node);
      return node;
    },
  );
}

function picture(nodes: readonly TreeNode[]): string {
  return nodes
    .map(({ id, row, children }) => {
      const below = Array.isArray(children) ? `[${picture(children)}]` : "";
      return `${id}:${row.label}${below}`;
    })
    .join(" ");
}

const CASES: [what: string, shown: string, fresh: string, redrawn: string[] | undefined][] = [
  ["nothing changed", "g:x[a:one b:two]", "g:x[a:one b:two]", []],
  ["a row says something else", "g:x[a:one b:two]", "g:x[a:one b:new]", ["b"]],
  ["a group says something else", "g:x[a:one] h:y[c:one]", "g:new[a:one] h:y[c:one]", ["g"]],
  ["a row more", "g:x[a:one] h:y[c:one]", "g:x[a:one b:two] h:y[c:one]", ["g"]],
  [
    "a row less, another one changed",
    "g:x[a:one b:two] h:y[c:one]",
    "g:x[b:two] h:y[c:new]",
    ["g", "c"],
  ],
  ["another order", "g:x[a:one b:two]", "g:x[b:two a:one]", ["g"]],
  ["a group more", "g:x[a:one]", "g:x[a:one] h:y[c:one]", undefined],
  ["the first rows", "", "g:x[a:one]", undefined],
];

for (const [what, before, after, redrawn] of CASES)
  test(what, () => {
    const shown = tree(before);
    const changed = takeOver(shown, tree(after));
    assert.deepEqual(
      changed?.map(({ id }) => id),
      redrawn,
    );
    assert.equal(picture(shown), redrawn ? after : before);
    for (const node of shown)
      for (const child of Array.isArray(node.children) ? node.children : [])
        assert.equal(child.parent, node);
  });

test("a node that stays is the same object", () => {
  const shown = tree("g:x[a:one]");
  const [group] = shown;
  const [child] = Array.isArray(group?.children) ? group.children : [];
  const changed = takeOver(shown, tree("g:x[a:new]"));
  assert.deepEqual(changed, [child]);
  assert.equal(child?.row.label, "new");
});
