// The view Rewind Preview: what going back to a prompt would do. It asks and shows, and changes nothing.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { RewindPreviewResult, SessionSummary } from "../protocol";
import { Latest, Refresher } from "../refresher";
import type { Told, Watches } from "../watching";
import type { Conversations } from "./conversation";
import { remedies, remedy } from "./remedies";
import { rewindNodes } from "./rewindNodes";
import { NodeTree, type PromptTarget, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.rewind";
/** The disk is read for each answer. */
const GAP_MS = 500;

/** What the view shows: the question and its answer. */
export interface ShownRewind {
  target: PromptTarget;
  preview: RewindPreviewResult;
}

export class RewindView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly refresher = new Refresher(
    () => this.load(),
    () => this.view.visible,
    () => GAP_MS,
  );
  private readonly loads = new Latest();
  private readonly subscriptions: vscode.Disposable[];
  private target: PromptTarget | undefined;
  private preview: RewindPreviewResult | undefined;
  /** State of the conversation that was asked about last. */
  private stamp = "";
  private questions = 0;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly backend: Backend,
    private readonly conversations: Conversations,
    private readonly watches: Watches,
  ) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.tree });
    this.subscriptions = [
      this.view,
      this.tree,
      this.refresher,
      watches.onDidChange((told) => this.hear(told)),
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
    this.watches.need(VIEW, [target.session.sessionId]);
    this.view.description = target.prompt.preview ?? "";
    say(this.view, "");
    void this.tree.replace([]);
    setContext("rewind", "loading");
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.refresh();
    const [first] = this.tree.roots;
    if (first) await this.view.reveal(first, { select: false, focus: true });
  }

  close(): void {
    this.questions += 1; // an answer that is still to come is not shown
    this.target = undefined;
    this.preview = undefined;
    this.watches.need(VIEW, []);
    void this.tree.replace([]);
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
    this.target = { ...target, session: current };
    this.refreshIfGrown();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private concerns(uri: vscode.Uri): boolean {
    const saved = uri.toString();
    const files = this.preview?.code.files ?? [];
    return files.some(({ file }) => vscode.Uri.parse(file, true).toString() === saved);
  }

  private hear({ sessionId }: Told): void {
    if (sessionId === this.target?.session.sessionId) this.refreshIfGrown();
  }

  private refreshIfGrown(): void {
    if (this.target && this.conversations.stampOf(this.target.session) !== this.stamp)
      this.refreshSoon();
  }

  private refreshSoon(): void {
    if (this.target) this.refresher.soon();
  }

  private load(): Promise<void> {
    return this.loads.run(() => this.ask());
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async ask(): Promise<void> {
    const { target } = this;
    if (!target) return;
    this.questions += 1;
    const question = this.questions;
    this.stamp = this.conversations.stampOf(target.session);
    try {
      const preview = await this.previewOf(target);
      const subagents = await this.subagentsNamed(preview, target.session);
      if (question !== this.questions) return;
      this.preview = preview;
      say(this.view, "");
      setContext("rewind", "shown");
      await this.tree.replace(rewindNodes(preview, { target, subagents, pathOf, now: Date.now() }));
    } catch (error) {
      if (question === this.questions) await this.showFailure(error);
    }
  }

  private previewOf({ session, prompt }: PromptTarget): Promise<RewindPreviewResult> {
    const { sessionId } = session;
    return this.backend.ask("forkpoint/rewindPreview", { sessionId, prompt: prompt.uuid });
  }

  /** The session's subagents, when one of them is named in the preview. */
  private async subagentsNamed({ notCovered }: RewindPreviewResult, session: SessionSummary) {
    const isOneNamed =
      notCovered.subagents.length > 0 || notCovered.shell.some(({ agentId }) => agentId !== null);
    return isOneNamed ? this.conversations.subagents(session) : [];
  }

  private async showFailure(error: unknown): Promise<void> {
    this.preview = undefined;
    say(this.view, sentenceOf(error));
    setContext("rewind", "failed");
    await this.tree.replace([remedy("refreshRewind", t("Try Again"), "sync"), ...remedies(error)]);
  }
}

/** How the workspace calls a file: relative to its folder when it lies there. */
export function pathOf(uri: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
}
