// Which rows have to be drawn again? Shown nodes take over the content of new ones.

import type { TreeNode } from "./tree";

/**
 * Gives shown nodes the content of new ones with the same ids in the same order.
 *
 * @returns the nodes whose row, or whose list of children, is another one now; undefined = these are
 *   not the same nodes, and nothing was done
 */
export function takeOver(
  shown: readonly TreeNode[],
  fresh: readonly TreeNode[],
): TreeNode[] | undefined {
  const isSame =
    shown.length === fresh.length && shown.every(({ id }, index) => id === fresh[index]?.id);
  if (!isSame) return undefined;
  return shown.flatMap((node, index) => takeOverOne(node, fresh[index] ?? node));
}

function takeOverOne(shown: TreeNode, fresh: TreeNode): TreeNode[] {
  const before = Array.isArray(shown.children) ? shown.children : undefined;
  const after = Array.isArray(fresh.children) ? fresh.children : undefined;
  const changedBelow = before && after && takeOver(before, after);
  const said = saidBy(shown);
  Object.assign(shown, fresh, { parent: shown.parent });
  if (changedBelow) shown.children = before;
  else for (const child of after ?? []) child.parent = shown;
  const isSameList = !after || changedBelow;
  return said === saidBy(shown) && isSameList ? (changedBelow ?? []) : [shown];
}

function saidBy({ row, target, opens }: TreeNode): string {
  return JSON.stringify([row, target, opens]);
}
