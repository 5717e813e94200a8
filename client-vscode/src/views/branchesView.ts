// The view Branches: the tree of the session that was selected.

import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { SessionSummary } from "../protocol";
import { BranchNodes } from "./branchNodes";
import { type Conversations, stampOf } from "./conversation";
import { sessionTitle } from "./describe/session";
import { NodeTree, type TreeNode } from "./tree";

const VIEW = "forkpoint.branches";

export class BranchesView implements vscode.Disposable {
  private readonly tree = new NodeTree(() => this.roots());
  private readonly showed = new vscode.EventEmitter<void>();
  private session: SessionSummary | undefined;
  private nodes: BranchNodes | undefined;
  private loading: Promise<TreeNode[]> = Promise.resolve([]);

  readonly view: vscode.TreeView<TreeNode>;
  /** Another session is shown, or the same has grown. */
  readonly onDidShow = this.showed.event;

  constructor(private readonly conversations: Conversations) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    setContext("branches", "noSelection");
  }

  /** The session whose tree is shown. */
  get shown(): SessionSummary | undefined {
    return this.session;
  }

  show(session: SessionSummary): void {
    if (this.session?.sessionId === session.sessionId) return;
    this.reload(session);
  }

  /** Shows the tree anew when its session is among these and has grown. */
  update(sessions: readonly SessionSummary[]): void {
    const current = sessions.find(({ sessionId }) => sessionId === this.session?.sessionId);
    if (current && this.session && stampOf(current) !== stampOf(this.session)) this.reload(current);
  }

  /** Selects the row where a resume would go on. */
  async revealActiveLeaf(): Promise<void> {
    await this.loading;
    const leaf = this.nodes?.activeLeaf;
    if (leaf) await this.view.reveal(leaf, { select: true, focus: true });
  }

  dispose(): void {
    this.view.dispose();
    this.tree.dispose();
    this.showed.dispose();
  }

  private reload(session: SessionSummary): void {
    this.session = session;
    this.view.description = sessionTitle(session);
    const nodes = new BranchNodes(this.conversations, session, Date.now());
    this.nodes = nodes;
    this.loading = this.load(nodes);
    this.tree.refresh();
    this.showed.fire();
  }

  private async roots(): Promise<TreeNode[]> {
    return this.loading;
  }

  private async load(nodes: BranchNodes): Promise<TreeNode[]> {
    try {
      const location = { viewId: VIEW };
      const roots = await vscode.window.withProgress({ location }, () => nodes.roots());
      this.view.message = "";
      setContext("branches", roots.length > 0 ? "shown" : "empty");
      return roots;
    } catch (error) {
      setContext("branches", "failed");
      this.view.message = sentenceOf(error);
      return [];
    }
  }
}
