// Where does somebody go on who asked for more rows? At the first of them: the row that they were on,
// which stood for these, is gone or further down.

import type { TreeView } from "vscode";
import type { NodeTree, TreeNode } from "./tree";

/** Has more rows loaded into a view, and takes the keyboard to the first that was not there. */
export async function goOnBelow(
  tree: Pick<NodeTree, "roots">,
  view: Pick<TreeView<TreeNode>, "reveal">,
  load: () => Promise<void>,
): Promise<void> {
  const before = new Set<string>();
  for (const { id } of everyRow(tree.roots)) before.add(id);
  await load();
  for (const row of everyRow(tree.roots)) {
    if (before.has(row.id)) continue;
    await view.reveal(row, { select: false, focus: true });
    return;
  }
}

/** From the top, as far as rows were opened. */
function* everyRow(rows: readonly TreeNode[]): Generator<TreeNode> {
  for (const row of rows) {
    yield row;
    if (Array.isArray(row.children)) yield* everyRow(row.children);
  }
}
