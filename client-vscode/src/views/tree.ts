// How do rows become a tree view? Nodes of all views, and the one provider that shows them.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import type { HistorySession, PromptReference, SessionSummary } from "../protocol";
import type { Row, TooltipLine } from "./describe/row";
import type { VersionTarget } from "./versionTarget";

/** Scheme of the URIs by which dimmed rows get their colour. */
const DIMMED_SCHEME = "forkpoint-dimmed";

/** What commands on a row act on. */
export interface Target {
  session: SessionSummary;
  /** A subagent's transcript; undefined = the session's own. */
  agentId?: string | undefined;
  /** URI of that transcript's file; undefined = the session's own. */
  file?: string | undefined;
  /** uuid of the end of the branch to read; undefined = the active leaf. */
  leaf?: string | undefined;
  /** Ordinal of the record to show; undefined = the beginning. */
  ordinal?: number | undefined;
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
  /** What is below it, or how to ask for that when the row is opened. */
  children?: TreeNode[] | (() => Promise<TreeNode[]>) | undefined;
  tooltip?: (() => TooltipLine[] | Promise<TooltipLine[]>) | undefined;
  target?: Target | undefined;
  /** A version of a file, or its whole history where the row is the file. */
  version?: VersionTarget | undefined;
  /** The session of the versions that follow. */
  session?: HistorySession | undefined;
  click?: vscode.Command | undefined;
}

/** Shows nodes; asks for children only when a row is opened. */
export class NodeTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();

  readonly onDidChangeTreeData = this.changed.event;

  /** @param roots must not throw: a view that fails shows nothing but an endless progress bar */
  constructor(private readonly roots: () => Promise<TreeNode[]>) {}

  /** @param nodes the ones that changed; undefined = any may have */
  refresh(nodes?: TreeNode[]): void {
    this.changed.fire(nodes);
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (!node) return this.roots();
    if (!node.children) return [];
    if (Array.isArray(node.children)) return node.children;
    try {
      return await node.children();
    } catch (error) {
      return [failedNode(node, sentenceOf(error))];
    }
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const { row } = node;
    const item = new vscode.TreeItem(row.label, collapsibleState(node));
    item.id = node.id;
    item.description = row.description;
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

function collapsibleState({ opens }: TreeNode): vscode.TreeItemCollapsibleState {
  if (!opens) return vscode.TreeItemCollapsibleState.None;
  return opens === "open"
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
