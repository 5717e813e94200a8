// The readable transcript as a document: text, outline, folding, what is sent no more, and places in it.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { Requests } from "../protocol";
import { TRANSCRIPT_SCHEME, transcriptName, transcriptUri } from "../uri";
import { sessionTitle } from "../views/describe/session";
import type { Target } from "../views/tree";
import { sectionOf } from "./sections";

type Transcript = Requests["forkpoint/transcript"]["result"];
type Section = Transcript["sections"][number];

const NOT_SENT_OPACITY = "0.6";

/** Opens transcripts and answers VS Code's questions about them. */
export class Transcripts
  implements
    vscode.TextDocumentContentProvider,
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider,
    vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly read = new Map<string, Transcript>();
  private readonly dimmed = vscode.window.createTextEditorDecorationType({
    opacity: NOT_SENT_OPACITY,
  });
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChange = this.changed.event;

  constructor(private readonly backend: Backend) {
    const selector = { scheme: TRANSCRIPT_SCHEME };
    this.subscriptions = [
      this.changed,
      this.dimmed,
      vscode.workspace.registerTextDocumentContentProvider(TRANSCRIPT_SCHEME, this),
      vscode.languages.registerDocumentSymbolProvider(selector, this, { label: t("Transcript") }),
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.read.delete(uri.toString())),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.dimAll(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.dim(editor);
      }),
      backend.onDidChangeCatalog(({ changed }) => this.readAgain(new Set(changed))),
    ];
  }

  /** Shows a transcript at the target's record; only `Open Transcript` itself takes the focus. */
  async open(target: Target, preserveFocus: boolean): Promise<void> {
    const { ordinal } = target;
    const uri = uriOf(target);
    if (!this.read.has(uri.toString())) await this.ask(uri); // so that a failure comes as it is
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
    this.dim(editor);
    const sections = this.read.get(document.uri.toString())?.sections ?? [];
    const section = ordinal === undefined ? undefined : sectionOf(sections, ordinal);
    if (!section) return;
    const start = new vscode.Position(section.line, 0);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  }

  /** VS Code shows in the editor what is thrown here. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (this.read.get(uri.toString()) ?? (await this.ask(uri))).text;
  }

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const symbols: vscode.DocumentSymbol[] = [];
    for (const section of this.sections(document)) {
      const turn = symbols.at(-1);
      const symbol = symbolOf(section, document);
      if (section.level > 0 && turn) {
        turn.children.push(symbol);
        turn.range = turn.range.union(symbol.range);
      } else symbols.push(symbol);
    }
    return symbols;
  }

  provideFoldingRanges(document: vscode.TextDocument): vscode.FoldingRange[] {
    return this.sections(document)
      .filter(({ line, endLine }) => endLine > line)
      .map(({ line, endLine }) => new vscode.FoldingRange(line, endLine));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async ask(uri: vscode.Uri): Promise<Transcript> {
    const name = transcriptName(uri);
    if (!name) throw new Error(t("This address names no session."));
    const transcript = await this.backend.ask("forkpoint/transcript", name);
    this.read.set(uri.toString(), transcript);
    return transcript;
  }

  private sections({ uri }: vscode.TextDocument): readonly Section[] {
    return this.read.get(uri.toString())?.sections ?? [];
  }

  private readAgain(sessionIds: ReadonlySet<string>): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme !== TRANSCRIPT_SCHEME) continue;
      const name = transcriptName(uri);
      if (!name || !sessionIds.has(name.sessionId)) continue;
      this.read.delete(uri.toString());
      this.changed.fire(uri);
    }
  }

  private dimAll(document: vscode.TextDocument): void {
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document === document) this.dim(editor);
  }

  private dim(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== TRANSCRIPT_SCHEME) return;
    const ranges = this.sections(editor.document)
      .filter(({ fate }) => fate === "notSent" || fate === "summarized")
      .map(({ line, endLine }) => new vscode.Range(line, 0, endLine, Number.MAX_SAFE_INTEGER));
    editor.setDecorations(this.dimmed, ranges);
  }
}

function uriOf({ session, agentId, leaf }: Target): vscode.Uri {
  const { sessionId } = session;
  const name = { sessionId, ...(agentId ? { agentId } : {}), ...(leaf ? { leaf } : {}) };
  return vscode.Uri.from(transcriptUri(name, sessionTitle(session)));
}

function symbolOf(section: Section, document: vscode.TextDocument): vscode.DocumentSymbol {
  const { label, level, line, endLine } = section;
  const kind = level === 0 ? vscode.SymbolKind.Event : vscode.SymbolKind.String;
  const first = document.lineAt(Math.min(line, document.lineCount - 1)).range;
  const last = document.lineAt(Math.min(endLine, document.lineCount - 1)).range;
  return new vscode.DocumentSymbol(label, "", kind, first.union(last), first);
}
