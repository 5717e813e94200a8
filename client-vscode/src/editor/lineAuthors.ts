// Who wrote a line of a file that is open? Asked once for each state of the file as it is saved.

import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { LineChange, LineHistoryResult, LineRun } from "../protocol";
import type { Server } from "../server";
import { linesOf } from "./lineDiff";
import { savedLine } from "./savedLine";

/** What is known of a line. */
export interface LineAuthor {
  run: LineRun;
  /** The call that wrote it; undefined = none did. */
  change: LineChange | undefined;
}

interface Asked {
  /** Of the file, when it was asked about. */
  lines: readonly string[];
  answer: Promise<LineHistoryResult | undefined>;
}

/** Of what is not saved, nothing is told. */
export class LineAuthors implements vscode.Disposable {
  private readonly asked = new Map<string, Asked>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];

  /** What was told may be something else now. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly backend: Backend,
    server: Server,
  ) {
    this.subscriptions = [
      this.changed,
      server.onDidStart(() => this.forgetAll()),
      backend.onDidChangeCatalog(() => this.forgetAll()),
      backend.onDidChangeSession(({ checkpointFiles }) => {
        if (checkpointFiles.length > 0) this.forgetAll();
      }),
      vscode.workspace.onDidSaveTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // Somebody else wrote to the file, and the editor shows it.
        if (!document.isDirty) this.forget(document);
      }),
    ];
  }

  /** @param line from 0; undefined = nothing is known of it, or of the file */
  async of(document: vscode.TextDocument, line: number): Promise<LineAuthor | undefined> {
    if (document.uri.scheme !== "file") return undefined;
    const asked = this.asked.get(keyOf(document)) ?? this.ask(document);
    const answer = await asked?.answer;
    if (!asked || !answer) return undefined;
    const saved = document.isDirty
      ? savedLine(asked.lines, linesOf(document.getText()), line)
      : line;
    const run = answer.runs.find((each) => isIn(each, saved));
    if (!run) return undefined;
    const change = run.change === null ? undefined : answer.changes[run.change];
    return { run, change };
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private ask(document: vscode.TextDocument): Asked | undefined {
    if (document.isDirty) return undefined;
    const file = document.uri.toString();
    const answer = this.backend.ask("forkpoint/lineHistory", { file }).catch(() => undefined);
    const asked = { lines: linesOf(document.getText()), answer };
    this.asked.set(keyOf(document), asked);
    return asked;
  }

  private forget(document: vscode.TextDocument): void {
    if (this.asked.delete(keyOf(document))) this.changed.fire();
  }

  private forgetAll(): void {
    if (this.asked.size === 0) return;
    this.asked.clear();
    this.changed.fire();
  }
}

function keyOf({ uri }: vscode.TextDocument): string {
  return uri.toString();
}

function isIn({ line, endLine }: LineRun, wanted: number | undefined): boolean {
  return wanted !== undefined && line <= wanted && wanted <= endLine;
}
