// The readable transcript as a document: text, outline, folding, what is sent no more, and places in it.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { Requests } from "../protocol";
import { Refresher } from "../refresher";
import { isTranscriptImage, TRANSCRIPT_SCHEME, transcriptName, transcriptUri } from "../uri";
import { sessionTitle } from "../views/describe/session";
import type { Place } from "../views/tree";
import type { Watches } from "../watching";
import { foldAtFirst } from "./foldAtFirst";
import { foldedAtFirst, foldsOf } from "./folds";
import { type Move, placeAfter, type Text } from "./place";
import { ReadOnlyFiles } from "./readOnlyFiles";
import { ownLines, sectionAt, sectionOf } from "./sections";
import { TranscriptImages } from "./transcriptImages";
import { documentLink } from "./transcriptLinks";

type Transcript = Requests["forkpoint/transcript"]["result"];
type Section = Transcript["sections"][number];

const NOT_SENT_OPACITY = "0.6";
const HOLDER = "transcripts";
/** A long text is made and sent as a whole each time: that may not keep the server from the rest. */
const GAP_MS = 400;
const LARGEST_SHARE = 1 / 10;
/** Marks bytes as UTF-8, whatever encoding the user reads files in; no part of the text. */
const BYTE_ORDER_MARK = "\ufeff";

/** A text as it was given, and how VS Code tells that it is another one. */
interface Read {
  transcript: Transcript;
  bytes: Uint8Array;
  /** Milliseconds since 1970. */
  mtime: number;
  /** Of the session, when it was asked for. */
  revision: string;
}

/**
 * Opens transcripts and answers VS Code's questions about them.
 *
 * They are files of a file system: only of those VS Code replaces just the lines that changed. Of a
 * virtual document beyond 100,000 characters it replaces the whole text, with cursor and folding.
 */
export class Transcripts
  extends ReadOnlyFiles
  implements
    vscode.DocumentSymbolProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentLinkProvider,
    vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly read = new Map<string, Read>();
  /** Documents whose session changed since they were read. */
  private readonly stale = new Set<string>();
  private readonly refresher = new Refresher(
    () => this.readStale(),
    () => this.seenStale().length > 0,
    () => Math.max(GAP_MS, this.tookMs / LARGEST_SHARE),
  );
  /** How long it took to read the last time. */
  private tookMs = 0;
  private readonly dimmed = vscode.window.createTextEditorDecorationType({
    opacity: NOT_SENT_OPACITY,
  });
  /** What to do about readers of a text that is about to change. */
  private readonly moves = new WeakMap<vscode.TextEditor, Move>();
  /** Editors that show what they do since what they showed is gone. */
  private readonly moved = new WeakSet<vscode.TextEditor>();
  /** Documents in which that was folded which is so for somebody who just came. */
  private readonly begun = new Set<string>();
  /** The transcript that is read, and the one that was read before. */
  private reading: (vscode.Uri | undefined)[] = [];
  private readonly images: TranscriptImages;
  private readonly subscriptions: vscode.Disposable[];

  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly backend: Backend,
    private readonly watches: Watches,
  ) {
    super();
    this.images = new TranscriptImages(backend);
    const selector = { scheme: TRANSCRIPT_SCHEME };
    const setting = { isReadonly: true, isCaseSensitive: true };
    this.subscriptions = [
      this.changed,
      this.dimmed,
      this.refresher,
      vscode.workspace.registerFileSystemProvider(TRANSCRIPT_SCHEME, this, setting),
      vscode.languages.registerDocumentSymbolProvider(selector, this, { label: t("Transcript") }),
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.languages.registerDocumentLinkProvider(selector, this),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.count(uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.read.delete(uri.toString());
        this.stale.delete(uri.toString());
        this.begun.delete(uri.toString());
        this.count(uri);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.changedTo(document)),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.dim(editor);
        for (const editor of editors) void this.begin(editor);
        if (this.seenStale().length > 0) this.refresher.soon();
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        const uri = editor?.document.uri;
        if (uri?.scheme === TRANSCRIPT_SCHEME) this.reading = [uri, this.reading[0]];
      }),
      watches.onDidChange(({ sessionId }) => this.hear(sessionId)),
      backend.onDidChangeCatalog(({ changed }) => {
        for (const sessionId of changed) if (!watches.revision(sessionId)) this.forget(sessionId);
      }),
    ];
  }

  /** Shows a transcript at the place's record; only `Open Transcript` itself takes the focus. */
  async open(place: Place, preserveFocus: boolean): Promise<void> {
    const { uri, line } = await this.find(place);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
    this.dim(editor);
    if (line !== undefined) show(editor, line);
    void this.begin(editor, line);
  }

  /** The text that shows a record: of a long one that may be an earlier part, or another branch. */
  private async find(target: Place): Promise<{ uri: vscode.Uri; line: number | undefined }> {
    const { ordinal, session, agentId } = target;
    const uri = uriOf(target);
    const { sections } = (await this.newest(uri)).transcript; // first: a failure comes as it is
    if (ordinal === undefined) return { uri, line: undefined };
    const section = sectionAt(sections, ordinal);
    if (section) return { uri, line: section.line };
    const record = { sessionId: session.sessionId, ordinal, ...(agentId ? { agentId } : {}) };
    const ask = this.backend.ask("forkpoint/transcriptPlace", record);
    const place = await ask.catch(() => undefined); // logged
    if (!place) return { uri, line: sectionOf(sections, ordinal)?.line };
    const found = vscode.Uri.parse(place.document, true);
    await this.newest(found);
    return { uri: found, line: place.line };
  }

  /**
   * Folds what is folded at first, and shows the end of a text that has no beginning.
   */
  private async begin(editor: vscode.TextEditor, line?: number): Promise<void> {
    const { uri, lineCount } = editor.document;
    const transcript = this.read.get(uri.toString())?.transcript;
    if (!transcript || this.begun.has(uri.toString())) return;
    if (editor !== vscode.window.activeTextEditor) return;
    this.begun.add(uri.toString());
    const isPart = transcript.earlier > 0 || transcript.later > 0;
    const next = line ?? this.nextLine(uri, transcript);
    if (line === undefined && next !== undefined) show(editor, next);
    else if (line === undefined && isPart) show(editor, lineCount - 1, false);
    await foldAtFirst(editor, foldedAtFirst(transcript.folds, editor.selection.active.line));
  }

  /** Where a reader goes on who comes from the part above; undefined = it is none. */
  private nextLine(uri: vscode.Uri, { sections }: Transcript): number | undefined {
    const before = this.reading.find((each) => each && each.toString() !== uri.toString());
    const from = before && transcriptName(before);
    if (from?.before === undefined || from.sessionId !== transcriptName(uri)?.sessionId) return;
    return sectionAt(sections, from.before)?.line;
  }

  /** VS Code shows in the editor what is thrown here. */
  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (isTranscriptImage(uri)) return this.images.stat(uri);
    const { bytes, mtime } = await this.known(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return isTranscriptImage(uri) ? this.images.read(uri) : (await this.known(uri)).bytes;
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
    const folds = this.read.get(document.uri.toString())?.transcript.folds ?? [];
    return foldsOf(folds, this.sections(document), document.lineCount).map(
      ({ line, endLine }) => new vscode.FoldingRange(line, endLine),
    );
  }

  provideDocumentLinks({ uri }: vscode.TextDocument): vscode.DocumentLink[] {
    return (this.read.get(uri.toString())?.transcript.links ?? []).map(documentLink);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async known(uri: vscode.Uri): Promise<Read> {
    return this.read.get(uri.toString()) ?? (await this.ask(uri));
  }

  private async newest(uri: vscode.Uri): Promise<Read> {
    if (this.stale.delete(uri.toString())) await this.readAgain(uri);
    return this.known(uri);
  }

  /** A text that is the same as before stays the same for VS Code. */
  private async ask(uri: vscode.Uri): Promise<Read> {
    const name = transcriptName(uri);
    if (!name) throw new Error(t("This address names no session."));
    const revision = this.revision(name.sessionId);
    const transcript = await this.backend.ask("forkpoint/transcript", name);
    const before = this.read.get(uri.toString());
    const { bytes, mtime } =
      before?.transcript.text === transcript.text
        ? before
        : {
            bytes: new TextEncoder().encode(BYTE_ORDER_MARK + transcript.text),
            mtime: Math.max(Date.now(), (before?.mtime ?? 0) + 1),
          };
    const read = { transcript, bytes, mtime, revision };
    this.read.set(uri.toString(), read);
    return read;
  }

  private revision(sessionId: string): string {
    return JSON.stringify(this.watches.revision(sessionId));
  }

  private sections({ uri }: vscode.TextDocument): readonly Section[] {
    const transcript = this.read.get(uri.toString())?.transcript;
    return transcript ? allSections(transcript) : [];
  }

  /** Sessions of all transcripts that are open are followed. */
  private count({ scheme }: vscode.Uri): void {
    if (scheme !== TRANSCRIPT_SCHEME) return;
    const names = openTranscripts().map(transcriptName);
    const ids = names.flatMap((name) => (name ? [name.sessionId] : []));
    this.watches.need(HOLDER, ids);
  }

  private hear(sessionId: string): void {
    const revision = this.revision(sessionId);
    const isOther = (uri: vscode.Uri) => this.read.get(uri.toString())?.revision !== revision;
    this.forget(sessionId, isOther);
  }

  private forget(sessionId: string, isOther: (uri: vscode.Uri) => boolean = () => true): void {
    for (const uri of openTranscripts())
      if (transcriptName(uri)?.sessionId === sessionId && isOther(uri))
        this.stale.add(uri.toString());
    if (this.seenStale().length > 0) this.refresher.soon();
  }

  private seenStale(): vscode.Uri[] {
    const seen = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
    return seen.filter((uri) => this.stale.has(uri.toString()));
  }

  private async readStale(): Promise<void> {
    const began = performance.now();
    const uris = this.seenStale();
    for (const uri of uris) this.stale.delete(uri.toString());
    await Promise.all(uris.map((uri) => this.readAgain(uri).catch(() => undefined))); // logged
    this.tookMs = performance.now() - began;
  }

  private async readAgain(uri: vscode.Uri): Promise<void> {
    const before = this.read.get(uri.toString());
    const { mtime, transcript } = await this.ask(uri);
    if (mtime !== before?.mtime) {
      if (before) this.planMoves(uri, before.transcript, transcript);
      this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    } else for (const editor of editorsOf(uri)) this.dim(editor);
  }

  /** Before VS Code changes the text: after that nobody knows where a reader was. */
  private planMoves(uri: vscode.Uri, before: Transcript, after: Transcript): void {
    const texts = [asText(before), asText(after)] as const;
    for (const editor of editorsOf(uri)) {
      const { visibleRanges, selection } = editor;
      const reader = {
        top: visibleRanges[0]?.start.line ?? 0,
        bottom: visibleRanges.at(-1)?.end.line ?? 0,
        cursor: selection.active.line,
        wasMoved: this.moved.has(editor),
      };
      this.moves.set(editor, placeAfter(...texts, reader));
    }
  }

  private changedTo({ uri, lineCount }: vscode.TextDocument): void {
    for (const editor of editorsOf(uri)) {
      this.dim(editor);
      const move = this.moves.get(editor);
      if (!move || !this.moves.delete(editor)) continue;
      const { cursor, top, toEnd, wasMoved } = move;
      if (cursor !== undefined) editor.selection = new vscode.Selection(cursor, 0, cursor, 0);
      if (top !== undefined) editor.revealRange(lineRange(top), vscode.TextEditorRevealType.AtTop);
      if (toEnd) editor.revealRange(lineRange(lineCount - 1));
      if (wasMoved) this.moved.add(editor);
      else this.moved.delete(editor);
    }
  }

  private dim(editor: vscode.TextEditor): void {
    if (editor.document.uri.scheme !== TRANSCRIPT_SCHEME) return;
    const ranges = ownLines(this.sections(editor.document))
      .filter(({ section: { fate } }) => fate === "notSent" || fate === "summarized")
      .map(({ line, endLine }) => new vscode.Range(line, 0, endLine, Number.MAX_SAFE_INTEGER));
    editor.setDecorations(this.dimmed, ranges);
  }
}

function openTranscripts(): vscode.Uri[] {
  const uris = vscode.workspace.textDocuments.map(({ uri }) => uri);
  return uris.filter(({ scheme }) => scheme === TRANSCRIPT_SCHEME);
}

function editorsOf(uri: vscode.Uri): vscode.TextEditor[] {
  const name = uri.toString();
  return vscode.window.visibleTextEditors.filter(
    ({ document }) => document.uri.toString() === name,
  );
}

/** By line: those of older files stand above. */
function allSections({ inherited, sections }: Transcript): Section[] {
  return [...inherited.flatMap((part) => part.sections), ...sections];
}

function asText(transcript: Transcript): Text {
  const { text } = transcript;
  const named = allSections(transcript).map((each) =>
    each.uuid ? each : { ...each, uuid: `${each.ordinal}` },
  );
  return { lineCount: text.split("\n").length, sections: named };
}

/** Has a line on top of the editor, or at its bottom, and the cursor there. */
function show(editor: vscode.TextEditor, line: number, isOnTop = true): void {
  const { AtTop, Default } = vscode.TextEditorRevealType;
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(lineRange(line), isOnTop ? AtTop : Default);
}

function lineRange(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}

function uriOf({ session, agentId, leaf }: Place): vscode.Uri {
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
