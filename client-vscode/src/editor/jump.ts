// Where is what a tool call wrote? The file is shown there, and how sure that is is said.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import { inform, sayBriefly } from "../notices";
import type { LocateResult, PlaceConfidence, TextRange } from "../protocol";
import { linesOf } from "./lineDiff";
import { shownLine } from "./savedLine";

/** Names a tool call. */
export interface CallReference {
  sessionId: string;
  /** The subagent that made it; undefined = the session itself. */
  agentId?: string | undefined;
  toolUseId: string;
}

const SHOWN_MS = 15_000;
/** How long VS Code may take to notice that somebody else wrote to an open file. */
const PATIENCE_MS = 1500;

const CONFIDENCES: Readonly<Record<PlaceConfidence, (sentence: string) => string>> = {
  exact: (sentence) => t("Exact: {0}", sentence),
  moved: (sentence) => t("Moved: {0}", sentence),
  fileOnly: (sentence) => t("File only: {0}", sentence),
};

/** Shows places of calls; they are marked until the cursor moves. */
export class Jumps implements vscode.Disposable {
  private readonly marked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.rangeHighlightForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  private readonly subscription: vscode.Disposable;

  constructor(private readonly backend: Backend) {
    const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
    this.subscription = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (kind === Keyboard || kind === Mouse) textEditor.setDecorations(this.marked, []);
    });
  }

  /** Says in the status bar, or in a message where there is nothing to show, what was found. */
  async open(call: CallReference, preserveFocus: boolean): Promise<void> {
    const { sessionId, agentId = null, toolUseId } = call;
    const found = await this.backend.ask("forkpoint/locate", { sessionId, agentId, toolUseId });
    const file = found.file === null ? undefined : vscode.Uri.parse(found.file, true);
    if (!file || !(await isThere(file))) {
      void inform(found.sentence);
      return;
    }
    const options = { preview: true, preserveFocus };
    if (found.ranges.length > 0) await this.show(file, found, options);
    else await vscode.commands.executeCommand("vscode.open", file, options);
    const sentence = CONFIDENCES[found.confidence](found.sentence);
    sayBriefly(sentence, SHOWN_MS);
  }

  dispose(): void {
    this.subscription.dispose();
    this.marked.dispose();
  }

  private async show(
    file: vscode.Uri,
    { ranges }: LocateResult,
    options: vscode.TextDocumentShowOptions,
  ): Promise<void> {
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document, options);
    const bytes = await vscode.workspace.fs.readFile(file);
    const onDisk = linesOf(new TextDecoder().decode(bytes));
    await heardOf(onDisk, document);
    const shown = linesOf(document.getText());
    const places = ranges.map((range) =>
      document.validateRange(rangeOf(range, (line) => shownLine(onDisk, shown, line))),
    );
    const [first] = places;
    if (!first) return;
    editor.selection = new vscode.Selection(first.start, first.start);
    editor.revealRange(first, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    editor.setDecorations(this.marked, places);
  }
}

function rangeOf({ start, end }: TextRange, lineOf: (line: number) => number): vscode.Range {
  return new vscode.Range(lineOf(start.line), start.character, lineOf(end.line), end.character);
}

/** Waits until the editor shows what is on disk, unless the file is edited there. */
async function heardOf(onDisk: readonly string[], document: vscode.TextDocument): Promise<void> {
  const isSame = () => onDisk.join("\n") === linesOf(document.getText()).join("\n");
  if (document.isDirty || isSame()) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, PATIENCE_MS);
    const listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && isSame()) done();
    });
  });
}

async function isThere(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
