// The view Rewind Preview: what going back to a prompt would do. It asks and shows, and changes nothing.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { RewindPreviewResult, SessionSummary } from "../protocol";
import { type Conversations, stampOf } from "./conversation";
import { remedies, remedy } from "./remedies";
import { rewindNodes } from "./rewindNodes";
import { takeOver } from "./takeOver";
import { NodeTree, type PromptTarget, type TreeNode } from "./tree";

const VIEW = "forkpoint.rewind";
const COALESCE_MS = 200;

/** What the view shows: the question and its answer. */
export interface ShownRewind {
  target: PromptTarget;
  preview: RewindPreviewResult;
}

export class RewindView implements vscode.Disposable {
  private readonly tree = new NodeTree(async () => this.roots);
  private readonly subscriptions: vscode.Disposable[];
  private roots: TreeNode[] = [];
  private target: PromptTarget | undefined;
  private preview: RewindPreviewResult | undefined;
  private questions = 0;
  private waiting: NodeJS.Timeout | undefined;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly backend: Backend,
    private readonly conversations: Conversations,
  ) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.tree });
    this.subscriptions = [
      this.view,
      this.tree,
      // Files change outside of VS Code too, and nothing tells.
      this.view.onDidChangeVisibility(({ visible }) => visible && this.refreshSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refreshSoon()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.concerns(uri) && this.refreshSoon()),
    ];
  }

  /** Undefined = no preview is open, or it has no answer yet. */
  get shown(): ShownRewind | undefined {
    return this.target && this.preview && { target: this.target, preview: this.preview };
  }

  /** Shows what going back to the prompt would do, and takes the focus. */
  async open(target: PromptTarget): Promise<void> {
    this.target = target;
    this.preview = undefined;
    this.view.description = target.prompt.preview ?? "";
    this.view.message = "";
    this.show([]);
    setContext("rewind", "loading");
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.refresh();
    const [first] = this.roots;
    if (first) await this.view.reveal(first, { select: false, focus: true });
  }

  close(): void {
    this.questions += 1; // an answer that is still to come is not shown
    this.target = undefined;
    this.preview = undefined;
    this.show([]);
    setContext("rewind", false);
  }

  /** Asks again, with a progress bar in the view. */
  async refresh(): Promise<void> {
    if (!this.target) return;
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  /** Asks again when the session is among these and has grown. */
  update(sessions: readonly SessionSummary[]): void {
    const { target } = this;
    const current = sessions.find(({ sessionId }) => sessionId === target?.session.sessionId);
    if (!target || !current) return;
    const hasGrown = stampOf(current) !== stampOf(target.session);
    this.target = { ...target, session: current };
    if (hasGrown) this.refreshSoon();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private concerns(uri: vscode.Uri): boolean {
    const saved = uri.toString();
    const files = this.preview?.code.files ?? [];
    return files.some(({ file }) => vscode.Uri.parse(file, true).toString() === saved);
  }

  private refreshSoon(): void {
    if (!this.target) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      void this.load();
    }, COALESCE_MS);
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async load(): Promise<void> {
    const { target } = this;
    if (!target) return;
    this.questions += 1;
    const question = this.questions;
    try {
      const preview = await this.ask(target);
      const subagents = await this.subagentsNamed(preview, target.session);
      if (question !== this.questions) return;
      this.preview = preview;
      this.view.message = "";
      this.show(rewindNodes(preview, { target, subagents, pathOf, now: Date.now() }));
      setContext("rewind", "shown");
    } catch (error) {
      if (question === this.questions) this.showFailure(error);
    }
  }

  private ask({ session, prompt }: PromptTarget): Promise<RewindPreviewResult> {
    const { sessionId } = session;
    return this.backend.ask("forkpoint/rewindPreview", { sessionId, prompt: prompt.uuid });
  }

  /** The session's subagents, when one of them is named in the preview. */
  private async subagentsNamed({ notCovered }: RewindPreviewResult, session: SessionSummary) {
    const isOneNamed =
      notCovered.subagents.length > 0 || notCovered.shell.some(({ agentId }) => agentId !== null);
    return isOneNamed ? this.conversations.subagents(session) : [];
  }

  private showFailure(error: unknown): void {
    this.preview = undefined;
    this.view.message = sentenceOf(error);
    this.show([remedy("refreshRewind", t("Try Again"), "sync"), ...remedies(error)]);
    setContext("rewind", "failed");
  }

  /** Only what changed is drawn: VS Code does not know a row's click while the row is drawn anew. */
  private show(fresh: TreeNode[]): void {
    const changed = takeOver(this.roots, fresh);
    if (!changed) this.roots = fresh;
    if (!changed) this.tree.refresh();
    else if (changed.length > 0) this.tree.refresh(changed);
  }
}

/** How the workspace calls a file: relative to its folder when it lies there. */
export function pathOf(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
}
