// What is below the rows that are open? Asked for new rows, so that they can be compared with the shown.

import type { TreeNode } from "./tree";

/**
 * Gives new rows what shown rows of the same ids have: children that they were opened for, and
 * whether they are open, wherever they stand now.
 *
 * @param ask must not throw
 * @returns whether anything was asked: meanwhile more may have been opened
 */
export function reopen(
  shown: readonly TreeNode[],
  fresh: readonly TreeNode[],
  ask: (node: TreeNode) => Promise<TreeNode[]>,
): Promise<boolean> {
  return reopenAll(new Map(withChildren(shown)), fresh, ask);
}

type ById = ReadonlyMap<string, TreeNode>;

function* withChildren(nodes: readonly TreeNode[]): Generator<[string, TreeNode]> {
  for (const node of nodes) {
    yield [node.id, node];
    if (Array.isArray(node.children)) yield* withChildren(node.children);
  }
}

async function reopenAll(
  shown: ById,
  fresh: readonly TreeNode[],
  ask: (node: TreeNode) => Promise<TreeNode[]>,
): Promise<boolean> {
  const asked = fresh.map((node) => reopenOne(shown, node, ask));
  return (await Promise.all(asked)).includes(true);
}

async function reopenOne(
  shown: ById,
  fresh: TreeNode,
  ask: (node: TreeNode) => Promise<TreeNode[]>,
): Promise<boolean> {
  const before = shown.get(fresh.id);
  if (before?.isOpen !== undefined) fresh.isOpen = before.isOpen;
  if (Array.isArray(fresh.children)) return reopenAll(shown, fresh.children, ask);
  if (!fresh.children || !Array.isArray(before?.children)) return false;
  if (fresh.basis !== undefined && fresh.basis === before.basis) {
    fresh.children = before.children;
    return false;
  }
  fresh.children = await ask(fresh);
  await reopenAll(shown, fresh.children, ask);
  return true;
}
