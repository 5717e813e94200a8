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
  const { target, click } = shown;
  Object.assign(shown, fresh, { parent: shown.parent });
  keepTarget(shown, target, click);
  if (changedBelow) shown.children = before;
  for (const child of (changedBelow ? before : after) ?? []) child.parent = shown;
  const isSameList = !after || changedBelow;
  return said === saidBy(shown) && isSameList ? (changedBelow ?? []) : [shown];
}

/**
 * VS Code keeps a row's click as it was drawn: the target that it hands over gets the new content,
 * so that a row that says the same need not be drawn again.
 */
function keepTarget(shown: TreeNode, before: TreeNode["target"], click: TreeNode["click"]): void {
  const after = shown.target;
  if (!before || !after || before === after) return;
  for (const key of Object.keys(before)) Reflect.deleteProperty(before, key);
  shown.target = Object.assign(before, after);
  if (click && click.command === shown.click?.command && click.arguments?.[0] === before)
    shown.click = click;
}

function saidBy({ row, target, opens, hover }: TreeNode): string {
  return JSON.stringify([row, target === undefined, opens, hover]);
}
