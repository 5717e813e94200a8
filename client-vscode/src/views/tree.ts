// How do rows become a tree view? Nodes of all views, and the one provider that shows them.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import type { CallReference } from "../editor/jump";
import { inPlace } from "../plainText";
import type { HistorySession, PromptReference, SessionSummary } from "../protocol";
import { Latest } from "../refresher";
import type { Found } from "../search/question";
import type { Row, TooltipLine } from "./describe/row";
import { reopen } from "./reopen";
import { takeOver } from "./takeOver";
import type { VersionTarget } from "./versionTarget";

/** Scheme of the URIs by which dimmed rows get their colour. */
const DIMMED_SCHEME = "forkpoint-dimmed";

/** A place in a readable transcript. */
export interface Place {
  session: Pick<SessionSummary, "sessionId" | "title">;
  /** A subagent's transcript; undefined = the session's own. */
  agentId?: string | undefined;
  /** uuid of the end of the branch to read; undefined = the active leaf. */
  leaf?: string | undefined;
  /** Ordinal of the record to show; undefined = the beginning. */
  ordinal?: number | undefined;
}

/** What commands on a row act on. */
export interface Target extends Place {
  session: SessionSummary;
  /** URI of the file of the subagent's transcript; undefined = the session's own. */
  file?: string | undefined;
  /** The prompt that the row is about; undefined = no prompt. */
  prompt?: PromptReference | undefined;
}

/** What a row of a prompt is about. */
export interface PromptTarget extends Target {
  prompt: PromptReference;
}

/** A row of a view. Equal ids keep expansion and selection when rows are made anew. */
export interface TreeNode {
  id: string;
  row: Row;
  parent?: TreeNode | undefined;
  /** Undefined = no children. */
  opens?: "closed" | "open" | undefined;
  /** Whether somebody opened or closed it; undefined = neither, it is as it came. */
  isOpen?: boolean | undefined;
  /** What is below it, or how to ask for that when the row is opened. */
  children?: TreeNode[] | (() => Promise<TreeNode[]>) | undefined;
  /** What is asked for children stays true while this does; undefined = it may always be other. */
  basis?: string | undefined;
  tooltip?: (() => TooltipLine[] | Promise<TooltipLine[]>) | undefined;
  /** What the tooltip is made of: VS Code asks for it anew only when the row is drawn anew. */
  hover?: string | undefined;
  target?: Target | undefined;
  /** The call of a tool that works on a file. */
  call?: CallReference | undefined;
  /** A version of a file, or its whole history where the row is the file. */
  version?: VersionTarget | undefined;
  /** What was found; of a session's row the first of it. */
  found?: Found | undefined;
  /** The session of the versions that follow. */
  session?: HistorySession | undefined;
  click?: vscode.Command | undefined;
}

/** Shows nodes; asks for children only when a row is opened. */
export class NodeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  private shown: TreeNode[] = [];
  private readonly latest = new Latest();
  private replacements = 0;
  private isAsked = false;

  readonly onDidChangeTreeData = this.changed.event;

  /** @param ready waited for before the first rows are shown; must not throw */
  constructor(private readonly ready: () => Promise<void> = async () => {}) {}

  /** The rows that are shown, with all below them that was opened. */
  get roots(): readonly TreeNode[] {
    return this.shown;
  }

  /**
   * Shows these rows instead: only what says something else is drawn again, so that nothing
   * flickers and the selection stays. Of calls that overlap the last one counts.
   *
   * VS Code does not know a row's click while the row is drawn anew.
   */
  replace(fresh: TreeNode[]): Promise<void> {
    return this.latest.run(() => this.replaceUnlessLater(fresh));
  }

  /** Keeps in mind which rows were opened in the view: VS Code forgets it of a row that moves. */
  follow(view: vscode.TreeView<TreeNode>): vscode.Disposable {
    const keep = (isOpen: boolean) => (event: vscode.TreeViewExpansionEvent<TreeNode>) => {
      for (const node of withId(this.shown, event.element.id)) node.isOpen = isOpen;
    };
    return vscode.Disposable.from(
      view.onDidExpandElement(keep(true)),
      view.onDidCollapseElement(keep(false)),
    );
  }

  /** Gives rows with this id another look. */
  redraw(id: string, row: Row): void {
    for (const node of withId(this.shown, id)) {
      if (JSON.stringify(node.row) === JSON.stringify(row)) continue;
      node.row = row;
      this.changed.fire([node]);
    }
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.rootsWhenReady();
    const { children } = node;
    if (typeof children !== "function") return children ?? [];
    const opened = await childrenOf(node);
    if (node.children !== children) return this.getChildren(node); // it was replaced meanwhile
    for (const child of opened) child.parent = node;
    node.children = opened;
    return opened;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { row } = node;
    const item = new vscode.TreeItem(labelOf(row), collapsibleState(node));
    item.id = node.id;
    item.description = inPlace(row.description);
    item.contextValue = row.context;
    item.accessibilityInformation = { label: row.aria };
    if (row.icon) item.iconPath = themeIcon(row.icon);
    if (row.isDimmed) item.resourceUri = vscode.Uri.from({ scheme: DIMMED_SCHEME, path: "/row" });
    if (node.click) item.command = node.click;
    if (!node.tooltip) item.tooltip = row.label;
    return item;
  }

  async resolveTreeItem(
    item: vscode.TreeItem,
    node: TreeNode,
    token: vscode.CancellationToken,
  ): Promise<vscode.TreeItem> {
    const lines = await node.tooltip?.();
    if (lines && !token.isCancellationRequested) item.tooltip = tooltipMarkdown(lines);
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async replaceUnlessLater(fresh: TreeNode[]): Promise<void> {
    this.replacements += 1;
    const replacement = this.replacements;
    const isLast = () => replacement === this.replacements;
    while (await reopen(this.shown, fresh, childrenOf)) if (!isLast()) return;
    if (!isLast()) return;
    const changed = takeOver(this.shown, fresh);
    if (!changed) this.shown = fresh;
    if (!this.isAsked) return; // the view has not asked yet, or still waits for these
    if (!changed) this.changed.fire(undefined);
    else if (changed.length > 0) this.changed.fire(changed);
  }

  private async rootsWhenReady(): Promise<TreeNode[]> {
    await this.ready();
    this.isAsked = true;
    return this.shown;
  }
}

/** Asks for what is below a row; a failure is a row that says so. */
async function childrenOf(node: TreeNode): Promise<TreeNode[]> {
  if (typeof node.children !== "function") return node.children ?? [];
  try {
    return await node.children();
  } catch (error) {
    return [failedNode(node, sentenceOf(error))];
  }
}

function withId(nodes: readonly TreeNode[], id: string): TreeNode[] {
  return nodes.flatMap((node) => [
    ...(node.id === id ? [node] : []),
    ...(Array.isArray(node.children) ? withId(node.children, id) : []),
  ]);
}

/**
 * Says something above a view's rows; '' = nothing.
 *
 * VS Code takes a message for a change of the view, and lets rows that change after it wait 200 ms.
 */
export function say(view: vscode.TreeView<TreeNode>, message: string): void {
  if ((view.message ?? "") !== message) view.message = message;
}

/** Draws the labels of dimmed rows in the quieter colour of descriptions. */
export function registerDimming(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === DIMMED_SCHEME
        ? { color: new vscode.ThemeColor("descriptionForeground") }
        : undefined,
  });
}

function labelOf({ label, highlights }: Row): string | vscode.TreeItemLabel {
  const text = inPlace(label);
  return highlights?.length ? { label: text, highlights } : text;
}

function collapsibleState({ opens, isOpen }: TreeNode): vscode.TreeItemCollapsibleState {
  if (!opens) return vscode.TreeItemCollapsibleState.None;
  return (isOpen ?? opens === "open")
    ? vscode.TreeItemCollapsibleState.Expanded
    : vscode.TreeItemCollapsibleState.Collapsed;
}

function themeIcon({ id, color }: NonNullable<Row["icon"]>): vscode.ThemeIcon {
  return color ? new vscode.ThemeIcon(id, new vscode.ThemeColor(color)) : new vscode.ThemeIcon(id);
}

/** Only the names are ours; what a transcript brought along is appended as plain text. */
function tooltipMarkdown(lines: readonly TooltipLine[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = false;
  for (const { name, text } of lines) {
    if (name) markdown.appendMarkdown(`**${name}:** `);
    appendWords(markdown, text);
    markdown.appendMarkdown(name ? "  \n" : "\n\n");
  }
  return markdown;
}

/** Word by word, since appendText makes spaces unbreakable and a long prompt has to wrap. */
function appendWords(markdown: vscode.MarkdownString, text: string): void {
  for (const word of text.split(/\s+/)) markdown.appendText(word).appendMarkdown(" ");
}

function failedNode(parent: TreeNode, sentence: string): TreeNode {
  return {
    id: `${parent.id}/failed`,
    parent,
    row: {
      label: t("Not available"),
      description: sentence,
      icon: { id: "error", color: "list.errorForeground" },
      aria: t("not available: {0}", sentence),
      context: "failed",
    },
  };
}
