// How is something folded in an editor that was just opened?

import * as vscode from "vscode";
import type { Fold } from "./folds";

/** VS Code forgets what it was told to fold when another extension begins to say what folds. */
const PAUSES_MS = [0, 250, 1000, 2000];

/** Folds parts of a text, in the active editor only: VS Code has no other way. */
export async function foldAtFirst(
  editor: vscode.TextEditor,
  folds: readonly Fold[],
): Promise<void> {
  const selectionLines = folds.map(({ line }) => line);
  if (selectionLines.length === 0) return;
  for (const pause of PAUSES_MS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (editor !== vscode.window.activeTextEditor || isFolded(editor, folds)) return;
    // Without levels, what is folded already would fold what is around it.
    await vscode.commands.executeCommand("editor.fold", { selectionLines, levels: 1 });
  }
}

/** Whether a part that would be seen is not: where one is folded, all are. */
function isFolded({ visibleRanges }: vscode.TextEditor, folds: readonly Fold[]): boolean {
  const top = visibleRanges[0]?.start.line ?? 0;
  const bottom = visibleRanges.at(-1)?.end.line ?? 0;
  return folds.some(
    ({ line, endLine }) =>
      line >= top &&
      endLine < bottom &&
      !visibleRanges.some(({ start, end }) => start.line <= endLine && endLine <= end.line),
  );
}
