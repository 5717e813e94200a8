// What was seen before transcripts were previewed? Whoever gives up a search is back where it began.

import * as vscode from "vscode";
import { TRANSCRIPT_SCHEME } from "../uri";

/** A click into a preview hides the quick pick, and is told of a moment later. */
const CLICK_MS = 100;

interface Before {
  editor: vscode.TextEditor | undefined;
  selection: vscode.Selection | undefined;
  top: vscode.Range | undefined;
  /** In the tab that the next preview takes, if there is one. */
  preview: vscode.Uri | undefined;
  isPreviewActive: boolean;
  /** What was open, by URI. */
  names: ReadonlySet<string>;
}

export class EditorBefore {
  private before: Before | undefined;
  private wasClicked = false;
  private readonly subscription = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    if (kind === vscode.TextEditorSelectionChangeKind.Mouse) this.wasClicked = true;
  });

  /** Something else is about to be shown; of several times the first counts. */
  leave(): void {
    if (this.before) return;
    const editor = vscode.window.activeTextEditor;
    const preview = vscode.window.tabGroups.activeTabGroup.tabs.find(({ isPreview }) => isPreview);
    this.wasClicked = false;
    this.before = {
      editor,
      selection: editor?.selection,
      top: editor?.visibleRanges[0],
      preview: preview && uriOf(preview),
      isPreviewActive: preview?.isActive ?? false,
      names: new Set(open().map(({ uri }) => uri.toString())),
    };
  }

  /** What is shown now is what was looked for. */
  forget(): void {
    this.before = undefined;
    this.subscription.dispose();
  }

  /** Back, unless it was forgotten, or somebody clicked into what is shown now. */
  async restore(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, CLICK_MS));
    const { before, wasClicked } = this;
    this.forget();
    if (!before || wasClicked) return;
    await bringBackPreview(before);
    await showAgain(before);
    const added = open().filter(
      ({ uri, tab }) =>
        uri.scheme === TRANSCRIPT_SCHEME && tab.isPreview && !before.names.has(uri.toString()),
    );
    await vscode.window.tabGroups.close(added.map(({ tab }) => tab));
  }
}

/** Another one took its tab. */
async function bringBackPreview({ preview }: Before): Promise<void> {
  if (!preview || open().some(({ uri }) => uri.toString() === preview.toString())) return;
  const document = await vscode.workspace.openTextDocument(preview);
  await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
}

async function showAgain({ editor, selection, top, isPreviewActive }: Before): Promise<void> {
  if (!editor) return;
  const document = await vscode.workspace.openTextDocument(editor.document.uri);
  const shown = await vscode.window.showTextDocument(document, {
    preview: isPreviewActive,
    ...(editor.viewColumn ? { viewColumn: editor.viewColumn } : {}),
    ...(selection ? { selection } : {}),
  });
  if (top) shown.revealRange(top, vscode.TextEditorRevealType.AtTop);
}

/** Tabs of texts. */
function open(): { uri: vscode.Uri; tab: vscode.Tab }[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap((tab) => {
    const uri = uriOf(tab);
    return uri ? [{ uri, tab }] : [];
  });
}

function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}
