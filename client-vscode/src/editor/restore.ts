// Makes a working file what it was: shows what would change, asks, edits the editor, saves nothing.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { emptyDocument } from "../documents/versions";
import { inform, isAgreed } from "../notices";
import type { FileVersion } from "../protocol";
import { fileName } from "../views/describe/conversation";
import { versionName } from "../views/describe/version";
import { linesOf } from "./lineDiff";
import { editTo, type LineEdit } from "./lineEdit";
import { type Restoring, restoreDetail } from "./restoreWords";
import type { VersionText } from "./versionText";
import { applyEdit, eolOf, exists } from "./workingFile";

/** @param file the working file; one that is gone comes back as an editor that was not saved yet */
export async function restoreVersion(
  file: vscode.Uri,
  version: FileVersion,
  { text, eol }: VersionText,
): Promise<void> {
  const name = fileName(file.toString());
  const now = (await exists(file)) ? await vscode.workspace.openTextDocument(file) : undefined;
  if (now && !editOf(now, text)) {
    const sentence = t("{0} is as it was at {1} already.", name, versionName(version));
    void inform(sentence);
    return;
  }
  const preview = await showPreview(file, now, version);
  if (!(await isConfirmed({ name, version, eol, ...editorState(now) }))) return;
  const untitled = file.with({ scheme: "untitled" });
  const working = now ?? (await vscode.workspace.openTextDocument(untitled));
  // Made from the text now: it may have changed while the person was asked.
  const edit = editOf(working, text);
  if (edit) await applyEdit(working, edit);
  await vscode.window.showTextDocument(working, { preview: false });
  await closePreview(preview);
}

/** Undefined = nothing is to be changed. */
function editOf(document: vscode.TextDocument, text: string): LineEdit | undefined {
  return editTo(linesOf(document.getText()), linesOf(text), eolOf(document));
}

/** The right side is what the file would become. */
interface Preview {
  original: vscode.Uri;
  modified: vscode.Uri;
}

async function showPreview(
  file: vscode.Uri,
  now: vscode.TextDocument | undefined,
  version: FileVersion,
): Promise<Preview> {
  const original = now?.uri ?? emptyDocument(file.toString());
  const modified = vscode.Uri.parse(version.document ?? "", true);
  const title = t("{0}: now ↔ {1} restored", fileName(file.toString()), versionName(version));
  const options = { preview: true };
  await vscode.commands.executeCommand("vscode.diff", original, modified, title, options);
  return { original, modified };
}

function editorState(
  now: vscode.TextDocument | undefined,
): Pick<Restoring, "hasCrlf" | "isNew" | "isSavedByItself"> {
  if (!now) return { hasCrlf: false, isNew: true, isSavedByItself: false };
  const autoSave = vscode.workspace.getConfiguration("files", now.uri).get("autoSave", "off");
  return { hasCrlf: eolOf(now) === "\r\n", isNew: false, isSavedByItself: autoSave !== "off" };
}

/** A person who wants to read on says no: the diff stays, and its title bar restores too. */
async function isConfirmed(restoring: Restoring): Promise<boolean> {
  return isAgreed({
    message: t("Restore {0} to {1}?", restoring.name, versionName(restoring.version)),
    detail: restoreDetail(restoring),
    yes: t("Restore"),
  });
}

async function closePreview({ original, modified }: Preview): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isPreview = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputTextDiff &&
    input.original.toString() === original.toString() &&
    input.modified.toString() === modified.toString();
  await vscode.window.tabGroups.close(tabs.filter(isPreview), true);
}
