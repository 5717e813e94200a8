// Takes back one change of a working file: the one at the cursor, or whose inline diff is shown.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sayBriefly } from "../notices";
import { activeTab } from "./activeTab";
import type { Baselines } from "./baselines";
import { hunkOf, type InlineChange } from "./inlineChange";
import { type Hunk, hunkAt, hunksBetween, linesOf } from "./lineDiff";
import { replaceLines } from "./lineEdit";
import { versionSides } from "./versionSides";
import { applyEdit, eolOf } from "./workingFile";

const SENTENCE_SHOWN_MS = 4000;

/** The change that the inline diff of a file against its baseline shows. */
export async function restoreChange(
  baselines: Baselines,
  file: vscode.Uri,
  change: InlineChange,
): Promise<void> {
  const document = baselines.of(file)?.document;
  if (!document) return;
  const [version, working] = await Promise.all([
    vscode.workspace.openTextDocument(vscode.Uri.parse(document, true)),
    vscode.workspace.openTextDocument(file),
  ]);
  await takeBack(version, working, hunkOf(change));
}

/** The change at the cursor, in a diff with the working file or in a file that has a baseline. */
export async function restoreAtCursor(baselines: Baselines): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const sides = editor && (await comparedWith(baselines, editor.document));
  if (!sides) {
    say(t("Open a diff with the working file, or take an inline baseline first."));
    return;
  }
  const { version, working } = sides;
  const hunks = hunksBetween(linesOf(version.getText()), linesOf(working.getText()));
  const side = editor.document === version ? "before" : "after";
  const hunk = hunkAt(hunks, side, editor.selection.active.line);
  if (hunk) await takeBack(version, working, hunk);
  else say(t("There is no change at the cursor."));
}

interface Compared {
  version: vscode.TextDocument;
  working: vscode.TextDocument;
}

async function comparedWith(
  baselines: Baselines,
  document: vscode.TextDocument,
): Promise<Compared | undefined> {
  const { working, versions: [version] = [] } = versionSides(activeTab()) ?? {};
  if (working && version)
    return {
      version: await vscode.workspace.openTextDocument(version),
      working: await vscode.workspace.openTextDocument(working),
    };
  const baseline = baselines.of(document.uri)?.document;
  if (!baseline) return undefined;
  const uri = vscode.Uri.parse(baseline, true);
  return { version: await vscode.workspace.openTextDocument(uri), working: document };
}

async function takeBack(
  version: vscode.TextDocument,
  working: vscode.TextDocument,
  { before, after }: Hunk,
): Promise<void> {
  const lines = linesOf(version.getText()).slice(before.from, before.to);
  const edit = replaceLines(linesOf(working.getText()), after, lines, eolOf(working));
  await applyEdit(working, edit);
  say(t("Change restored: undo brings it back."));
}

/** In the status bar: a message would take the eye from the text. */
function say(sentence: string): void {
  sayBriefly(sentence, SENTENCE_SHOWN_MS);
}
