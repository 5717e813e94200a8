// Which prompt changed this line? Told where the setting asks for it: in hovers, above or behind the line.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { withoutIcons } from "../plainText";
import type { LineChange } from "../protocol";
import {
  commandLink,
  escaped,
  lineAuthor,
  noAuthor,
  promptWords,
} from "../views/describe/lineAuthor";
import type { LineAuthors } from "./lineAuthors";

const SETTING = "forkpoint.lineBlame";
const SETTLES_MS = 150;
const OPEN = "forkpoint.openTranscriptAt";
const SHOW = "forkpoint.showChangesAt";

type Manner = "off" | "hover" | "codeLens" | "currentLine";

/** Names a place in a transcript; commands take it from links. */
export interface TranscriptPlace {
  sessionId: string;
  agentId?: string | undefined;
  /** uuid of the end of the branch to read; undefined = the active leaf. */
  leaf?: string | undefined;
  ordinal?: number | undefined;
}

export function placeOf(change: LineChange): TranscriptPlace {
  const { sessionId, agentId, ordinal, uuid, onActivePath } = change;
  if (agentId !== null) return { sessionId, agentId, ordinal };
  return { sessionId, ordinal, ...(onActivePath ? {} : { leaf: uuid }) };
}

export class LineBlame implements vscode.HoverProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly behind = vscode.window.createTextEditorDecorationType({
    after: {
      margin: "0 0 0 3em",
      color: new vscode.ThemeColor("editorCodeLens.foreground"),
      fontStyle: "italic",
    },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedOpen,
  });
  private readonly subscriptions: vscode.Disposable[];
  private registration: vscode.Disposable | undefined;
  private timer: NodeJS.Timeout | undefined;
  private manner: Manner = "off";

  readonly onDidChangeCodeLenses = this.lensesChanged.event;

  constructor(private readonly authors: LineAuthors) {
    this.subscriptions = [
      this.lensesChanged,
      this.behind,
      authors.onDidChange(() => this.drawSoon()),
      vscode.window.onDidChangeTextEditorSelection(() => this.drawSoon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.drawSoon()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.followSetting();
      }),
    ];
    this.followSetting();
  }

  async provideHover(
    document: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const author = await this.authors.of(document, line);
    if (!author) return undefined;
    const { run, change } = author;
    if (!change && run.by !== "outside") return undefined;
    const range = document.lineAt(line).range;
    const text = change ? hoverText(change) : plainText(noAuthor(run, Date.now()));
    return new vscode.Hover(text, range);
  }

  /** Only for the line of the cursor. */
  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document !== document) return [];
    const { line } = editor.selection.active;
    const change = (await this.authors.of(document, line))?.change;
    if (!change) return [];
    const command = {
      title: withoutIcons(lineAuthor(change, Date.now())),
      tooltip: promptWords(change),
      command: OPEN,
      arguments: [placeOf(change)],
    };
    return [new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command)];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private followSetting(): void {
    this.registration?.dispose();
    this.registration = undefined;
    this.manner = vscode.workspace.getConfiguration().get<Manner>(SETTING, "hover");
    const selector = { scheme: "file" };
    if (this.manner === "hover")
      this.registration = vscode.languages.registerHoverProvider(selector, this);
    if (this.manner === "codeLens")
      this.registration = vscode.languages.registerCodeLensProvider(selector, this);
    this.drawSoon();
  }

  /** The cursor passes by most lines. */
  private drawSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), SETTLES_MS);
  }

  private async draw(): Promise<void> {
    if (this.manner === "codeLens") this.lensesChanged.fire();
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    if (this.manner !== "currentLine") {
      editor.setDecorations(this.behind, []);
      return;
    }
    const { line } = editor.selection.active;
    const change = (await this.authors.of(editor.document, line))?.change;
    if (editor.selection.active.line !== line || line >= editor.document.lineCount) return;
    editor.setDecorations(this.behind, change ? [behindLine(editor.document, line, change)] : []);
  }
}

function behindLine(
  document: vscode.TextDocument,
  line: number,
  change: LineChange,
): vscode.DecorationOptions {
  const { end } = document.lineAt(line).range;
  return {
    range: new vscode.Range(end, end),
    renderOptions: { after: { contentText: lineAuthor(change, Date.now()) } },
  };
}

/** Words of transcripts are escaped, and links run two of our own commands only. */
function hoverText(change: LineChange): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = { enabledCommands: [OPEN, SHOW] };
  markdown.appendMarkdown(`${escaped(lineAuthor(change, Date.now()))}\n\n`);
  const words = promptWords(change);
  if (words) markdown.appendMarkdown(`${escaped(words)}\n\n`);
  const { sessionId, prompt, promptNumber } = change;
  const links = [`[${t("Go to the Prompt")}](${commandLink(OPEN, placeOf(change))})`];
  if (prompt)
    links.push(
      `[${t("Show What It Changed")}](${commandLink(SHOW, { sessionId, prompt: prompt.uuid, promptNumber })})`,
    );
  markdown.appendMarkdown(links.join(" · "));
  return markdown;
}

function plainText(sentence: string): vscode.MarkdownString {
  return new vscode.MarkdownString(escaped(sentence));
}
