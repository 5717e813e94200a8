// A refresh draws what changed and nothing else; nodes that the view knows stay the same objects.

import assert from "node:assert/strict";
import { test } from "node:test";
import { takeOver } from "../../src/views/takeOver";
import type { TreeNode } from "../../src/views/tree";
import { session } from "./sessions";

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

/** A row whose click hands its target over, as VS Code keeps it. */
function clickable(title: string, leaf?: string): TreeNode {
  const target = { session: session({ title: { text: title, source: "ai" } }), leaf };
  const row = { label: "one", description: "", aria: "", context: "" };
  const click = { command: "forkpoint.openTranscript", title: "Open", arguments: [target] };
  return { id: "a", row, target, click };
}

test("a click that VS Code keeps hands over what is true now, and nothing is drawn", () => {
  const node = clickable("Before", "r1");
  const kept = node.click;
  assert.deepEqual(takeOver([node], [clickable("After")]), []);
  assert.equal(node.click, kept);
  assert.equal(kept?.arguments?.[0], node.target);
  assert.equal(node.target?.session.title.text, "After");
  assert.equal(node.target?.leaf, undefined);
});

test("another tooltip: the row is drawn, since VS Code asks for it only then", () => {
  const node = { ...clickable("Before"), hover: "1" };
  assert.deepEqual(takeOver([node], [{ ...clickable("Before"), hover: "2" }]), [node]);
});

test("children that are known already belong to the row that stays", () => {
  const [shown] = tree("a:one[b:two]");
  const [fresh] = tree("a:one");
  assert.ok(shown && fresh && Array.isArray(shown.children));
  fresh.children = shown.children;
  for (const child of shown.children) child.parent = fresh;
  assert.deepEqual(takeOver([shown], [fresh]), []);
  assert.deepEqual(
    shown.children.map(({ parent }) => parent === shown),
    [true],
  );
});
