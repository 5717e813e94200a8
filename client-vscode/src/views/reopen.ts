// What is below the rows that are open? Asked for new rows, so that they can be compared with the shown.

import type { TreeNode } from "./tree";

/**
 * Gives new rows the children that shown rows of the same ids were opened for.
 *
 * @param ask must not throw
 * @returns whether anything was asked: meanwhile more may have been opened
 */
export async function reopen(
  shown: readonly TreeNode[],
  fresh: readonly TreeNode[],
  ask: (node: TreeNode) => Promise<TreeNode[]>,
): Promise<boolean> {
  const known = new Map(shown.map((node) => [node.id, node]));
  const asked = fresh.map((node) => reopenOne(known.get(node.id), node, ask));
  return (await Promise.all(asked)).includes(true);
}

async function reopenOne(
  shown: TreeNode | undefined,
  fresh: TreeNode,
  ask: (node: TreeNode) => Promise<TreeNode[]>,
): Promise<boolean> {
  if (!shown || !Array.isArray(shown.children) || !fresh.children) return false;
  const mustAsk = !Array.isArray(fresh.children);
  if (mustAsk && fresh.basis !== undefined && fresh.basis === shown.basis) {
    fresh.children = shown.children;
    return false;
  }
  const children = Array.isArray(fresh.children) ? fresh.children : await ask(fresh);
  fresh.children = children;
  return (await reopen(shown.children, children, ask)) || mustAsk;
}
