// The view Branches: the tree of the session that was selected, and what the agent does at its end.

import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { SessionSummary } from "../protocol";
import { Latest, Refresher } from "../refresher";
import type { Told, Watches } from "../watching";
import { BranchNodes, leafId } from "./branchNodes";
import type { Conversations } from "./conversation";
import { describeLeaf } from "./describe/leaf";
import { sessionTitle } from "./describe/session";
import { goOnBelow } from "./moreRows";
import { NodeTree, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.branches";
const AGES_GROW_MS = 60_000;

export class BranchesView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly showed = new vscode.EventEmitter<void>();
  private readonly refresher = new Refresher(
    () => this.load(),
    () => this.view.visible,
  );
  private readonly loads = new Latest();
  private readonly subscriptions: vscode.Disposable[];
  private session: SessionSummary | undefined;
  private nodes: BranchNodes | undefined;
  /** State of the conversation that is shown, or asked for. */
  private stamp = "";
  private loading: Promise<void> = Promise.resolve();
  private questions = 0;

  readonly view: vscode.TreeView<TreeNode>;
  /** Another session is shown, or the same has grown. */
  readonly onDidShow = this.showed.event;

  constructor(
    private readonly conversations: Conversations,
    private readonly watches: Watches,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const ages = setInterval(() => this.session && this.refresher.soon(), AGES_GROW_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.tree.follow(this.view),
      this.showed,
      this.refresher,
      watches.onDidChange((told) => this.hear(told)),
      this.view.onDidChangeVisibility(() => this.refresher.look()),
      new vscode.Disposable(() => clearInterval(ages)),
    ];
    setContext("branches", "noSelection");
  }

  /** The session whose tree is shown. */
  get shown(): SessionSummary | undefined {
    return this.session;
  }

  show(session: SessionSummary): void {
    if (this.session?.sessionId === session.sessionId) return;
    this.session = session;
    this.view.description = sessionTitle(session);
    this.watches.need(VIEW, [session.sessionId]);
    this.loading = this.loadPatiently();
    this.showed.fire();
  }

  /** Shows the tree anew when its session is among these and has grown. */
  update(sessions: readonly SessionSummary[]): void {
    const current = sessions.find(({ sessionId }) => sessionId === this.session?.sessionId);
    if (!current) return;
    this.session = current;
    this.view.description = sessionTitle(current);
    this.refreshIfGrown();
  }

  /** Shows more of a very large tree. */
  async loadMore(): Promise<void> {
    if (!this.session) return;
    this.conversations.wantMoreSegments(this.session);
    await goOnBelow(this.tree, this.view, () => this.loadPatiently());
  }

  /** Selects the row where a resume would go on. */
  async revealActiveLeaf(): Promise<void> {
    await this.loading;
    const leaf = this.nodes?.activeLeaf;
    if (leaf) await this.view.reveal(leaf, { select: true, focus: true });
  }

  /** Selects the first of these branches that a resume would not go on with; all, by their ids. */
  async revealBranch(ids: readonly string[]): Promise<void> {
    await this.loading;
    const branch = this.nodes?.abandonedBranch(ids);
    if (branch) await this.view.reveal(branch, { select: true, focus: true, expand: true });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private hear({ sessionId }: Told): void {
    if (sessionId !== this.session?.sessionId) return;
    this.drawLeaf(this.session);
    this.refreshIfGrown();
  }

  /** At once, from what was told: the tree is asked for after it. */
  private drawLeaf(session: SessionSummary): void {
    const row = describeLeaf(this.watches.standing(session.sessionId), Date.now());
    this.tree.redraw(leafId(session), row);
    if (this.nodes?.activeLeaf) this.nodes.activeLeaf.row = row;
  }

  private refreshIfGrown(): void {
    const { session } = this;
    if (!session || this.conversations.stampOf(session) === this.stamp) return;
    this.refresher.soon();
    this.showed.fire();
  }

  /** Of another session: with a progress bar, whether the view is seen or not. */
  private async loadPatiently(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  private load(): Promise<void> {
    return this.loads.run(() => this.ask());
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async ask(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.questions += 1;
    const question = this.questions;
    this.stamp = this.conversations.stampOf(session);
    const standing = this.watches.standing(session.sessionId);
    const nodes = new BranchNodes(this.conversations, session, Date.now(), standing);
    try {
      const roots = await nodes.roots();
      if (question !== this.questions) return;
      this.nodes = nodes;
      say(this.view, "");
      setContext("branches", roots.length > 0 ? "shown" : "empty");
      await this.tree.replace(roots);
      this.drawLeaf(session); // it may do something else by now
    } catch (error) {
      if (question === this.questions) await this.showFailure(error);
    }
  }

  private async showFailure(error: unknown): Promise<void> {
    this.nodes = undefined;
    this.stamp = ""; // it is asked for again when the sessions are
    setContext("branches", "failed");
    say(this.view, sentenceOf(error));
    await this.tree.replace([]);
  }
}
