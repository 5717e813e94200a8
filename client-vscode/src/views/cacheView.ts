// The view Resume & Cache: what going on with the selected session costs, why, and what it brings back.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { SessionSummary } from "../protocol";
import { type CacheAnswer, CacheNodes } from "./cacheNodes";
import { type Conversations, stampOf } from "./conversation";
import { nextQuestion } from "./describe/clock";
import { sessionTitle } from "./describe/session";
import { remedies, remedy } from "./remedies";
import { takeOver } from "./takeOver";
import { NodeTree, type PromptTarget, type TreeNode } from "./tree";

const VIEW = "forkpoint.cache";
const CLOCK_MS = 30_000;

/** An answer, and when it was given. */
interface Answered extends CacheAnswer {
  at: number;
}

export class CacheView implements vscode.Disposable {
  private readonly tree = new NodeTree(async () => this.roots);
  private readonly subscriptions: vscode.Disposable[];
  private session: SessionSummary | undefined;
  /** The prompt that a rewind is compared for, when one was chosen. */
  private prompt: PromptTarget | undefined;
  private answered: Answered | undefined;
  private roots: TreeNode[] = [];
  private questions = 0;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(private readonly conversations: Conversations) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const clock = setInterval(() => this.tick(), CLOCK_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.view.onDidChangeVisibility(({ visible }) => visible && void this.refresh()),
      // A machine that slept has no clock that ticked.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.tick()),
      new vscode.Disposable(() => clearInterval(clock)),
    ];
    setContext("cache", "noSelection");
  }

  /** The session that the view is about. */
  get shown(): SessionSummary | undefined {
    return this.session;
  }

  show(session: SessionSummary): void {
    if (this.session?.sessionId === session.sessionId) return;
    this.questions += 1; // an answer about another session is not shown
    this.session = session;
    this.prompt = undefined;
    this.answered = undefined;
    this.view.description = sessionTitle(session);
    this.view.message = "";
    this.replaceRoots([]);
    setContext("cache", "loading");
    void this.refresh();
  }

  /** Shows the session and takes the focus. */
  async open(session: SessionSummary): Promise<void> {
    this.show(session);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (!this.answered) await this.refresh();
    const [first] = this.roots;
    if (first) await this.view.reveal(first, { select: false, focus: true });
  }

  /** Compares with a rewind to this prompt of the session that is shown. */
  async compareRewind(prompt: PromptTarget): Promise<void> {
    this.prompt = prompt;
    this.draw();
    const compare = this.compareNode;
    if (!compare) return;
    this.tree.refresh([compare]);
    await this.view.reveal(compare, { expand: true, select: false, focus: true });
  }

  /** Asks again, with a progress bar in the view; a view that is not seen asks when it is. */
  async refresh(): Promise<void> {
    if (!this.session || !this.view.visible) return;
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  /** Asks again when the session is among these, and has grown or was opened or left by a client. */
  update(sessions: readonly SessionSummary[]): void {
    const before = this.session;
    const current = sessions.find(({ sessionId }) => sessionId === before?.sessionId);
    if (!before || !current) return;
    this.session = current;
    this.view.description = sessionTitle(current);
    const isOther = stampOf(current) !== stampOf(before) || isLive(current) !== isLive(before);
    if (isOther) this.askAgain();
  }

  /** As `refresh`, without a progress bar: for what happens by itself. */
  askAgain(): void {
    if (this.view.visible) void this.load();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private get compareNode(): TreeNode | undefined {
    return this.roots.find(({ id }) => id.endsWith(":compare"));
  }

  /** The clock alone changes what a verdict says, and at some times what it is. */
  private tick(): void {
    if (!this.answered || !this.view.visible) return;
    const { note, at } = this.answered;
    const end = nextQuestion(note, at);
    if (end !== undefined && Date.now() >= end) void this.load();
    else this.draw();
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async load(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.questions += 1;
    const question = this.questions;
    try {
      const at = Date.now();
      const [note, work] = await Promise.all([
        this.conversations.cacheNote(session),
        this.conversations.workItems(session).catch(asError),
      ]);
      if (question === this.questions) this.showAnswer({ note, work, at });
    } catch (error) {
      if (question === this.questions) this.showFailure(error);
    }
  }

  private showAnswer(answered: Answered): void {
    this.answered = answered;
    this.view.message = "";
    setContext("cache", "shown");
    const shown = this.roots;
    this.draw();
    if (this.roots !== shown) return;
    // The same rows go on: what was asked when they were opened belongs to the answer before.
    this.tree.refresh(this.roots.filter(({ children }) => typeof children === "function"));
  }

  private draw(): void {
    if (!this.answered || !this.session) return;
    const nodes = new CacheNodes(this.conversations, this.session, this.prompt);
    this.replaceRoots(nodes.roots(this.answered, Date.now()));
  }

  private showFailure(error: unknown): void {
    this.answered = undefined;
    this.view.message = sentenceOf(error);
    setContext("cache", "failed");
    this.replaceRoots([remedy("refreshCache", t("Try Again"), "sync"), ...remedies(error)]);
  }

  /** Only what changed is drawn: VS Code does not know a row's click while the row is drawn anew. */
  private replaceRoots(fresh: TreeNode[]): void {
    const changed = takeOver(this.roots, fresh);
    if (!changed) this.roots = fresh;
    if (!changed) this.tree.refresh();
    else if (changed.length > 0) this.tree.refresh(changed);
  }
}

function isLive({ live }: SessionSummary): boolean {
  return live !== null;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
