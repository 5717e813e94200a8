// The file as it is being edited: is it there, how do its lines end, how is it changed?

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { fileName } from "../views/describe/conversation";
import type { LineEdit } from "./lineEdit";

export function eolOf({ eol }: vscode.TextDocument): string {
  return eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
}

/** Undo takes it back; saving is left to the person. */
export async function applyEdit(
  { uri }: vscode.TextDocument,
  { start, end, text }: LineEdit,
): Promise<void> {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, text);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error(t("{0} was not changed: VS Code refused the edit.", fileName(uri.path)));
}

/** @throws FileSystemError when that cannot be told */
export async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return false;
    throw error;
  }
}
