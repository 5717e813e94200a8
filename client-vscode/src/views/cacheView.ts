// The view Resume & Cache: what going on with the selected session costs, why, and what it brings back.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import { setContext } from "../preferences";
import type { SessionSummary } from "../protocol";
import { Latest, Refresher } from "../refresher";
import type { Told, Watches } from "../watching";
import { type CacheAnswer, CacheNodes } from "./cacheNodes";
import type { Conversations } from "./conversation";
import { isDue } from "./describe/clock";
import { sessionTitle } from "./describe/session";
import { remedies, remedy } from "./remedies";
import { NodeTree, type PromptTarget, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.cache";
const CLOCK_MS = 30_000;
/** Of a forecast for minutes and hours once a second is often. */
const GAP_MS = 1000;

/** An answer, and when it was given. */
interface Answered extends CacheAnswer {
  at: number;
}

export class CacheView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly refresher = new Refresher(
    () => this.load(),
    () => this.view.visible,
    () => GAP_MS,
  );
  private readonly loads = new Latest();
  private readonly subscriptions: vscode.Disposable[];
  private session: SessionSummary | undefined;
  /** The prompt that a rewind is compared for, when one was chosen. */
  private prompt: PromptTarget | undefined;
  private answered: Answered | undefined;
  /** State of the session that was asked about last. */
  private asked = "";
  private questions = 0;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly conversations: Conversations,
    private readonly watches: Watches,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const clock = setInterval(() => this.tick(), CLOCK_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.refresher,
      watches.onDidChange((told) => this.hear(told)),
      this.view.onDidChangeVisibility(({ visible }) => visible && this.seen()),
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
    say(this.view, "");
    this.watches.need(VIEW, [session.sessionId]);
    void this.tree.replace([]);
    setContext("cache", "loading");
    void this.refresh();
  }

  /** Shows the session and takes the focus. */
  async open(session: SessionSummary): Promise<void> {
    this.show(session);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (!this.answered) await this.refresh();
    const [first] = this.tree.roots;
    if (first) await this.view.reveal(first, { select: false, focus: true });
  }

  /** Compares with a rewind to this prompt of the session that is shown. */
  async compareRewind(prompt: PromptTarget): Promise<void> {
    this.prompt = prompt;
    await this.draw();
    const compare = this.compareNode;
    if (compare) await this.view.reveal(compare, { expand: true, select: false, focus: true });
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
    this.askIfOther();
  }

  /** As `refresh`, without a progress bar: for what happens by itself. */
  askAgain(): void {
    if (this.session) this.refresher.soon();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** What the disk and the clock changed meanwhile nobody tells. */
  private seen(): void {
    if (this.answered) this.askAgain();
    else void this.refresh();
  }

  private hear({ sessionId }: Told): void {
    if (sessionId === this.session?.sessionId) this.askIfOther();
  }

  private askIfOther(): void {
    if (this.session && this.stateOf(this.session) !== this.asked) this.refresher.soon();
  }

  /** Changes when the server may say something else of the session. */
  private stateOf(session: SessionSummary): string {
    const standing = this.watches.standing(session.sessionId);
    const isLive = (standing ?? session).live !== null;
    return `${this.conversations.stampOf(session)} ${isLive}`;
  }

  private get compareNode(): TreeNode | undefined {
    return this.tree.roots.find(({ id }) => id.endsWith(":compare"));
  }

  /** The clock alone changes what a verdict says, and at some times what it is. */
  private tick(): void {
    if (!this.answered || !this.view.visible) return;
    const { note, at } = this.answered;
    if (isDue(note, at, Date.now())) this.refresher.soon();
    else void this.draw();
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
    this.asked = this.stateOf(session);
    try {
      const at = Date.now();
      const [note, work] = await Promise.all([
        this.conversations.cacheNote(session),
        this.conversations.workItems(session).catch(asError),
      ]);
      if (question === this.questions) await this.showAnswer({ note, work, at });
    } catch (error) {
      if (question === this.questions) await this.showFailure(error);
    }
  }

  private async showAnswer(answered: Answered): Promise<void> {
    this.answered = answered;
    say(this.view, "");
    setContext("cache", "shown");
    await this.draw();
  }

  private async draw(): Promise<void> {
    const { answered, session, prompt } = this;
    if (!answered || !session) return;
    const basis = `${answered.at} ${prompt?.prompt.uuid}`;
    const nodes = new CacheNodes(this.conversations, session, prompt, basis);
    await this.tree.replace(nodes.roots(answered, Date.now()));
  }

  private async showFailure(error: unknown): Promise<void> {
    this.answered = undefined;
    say(this.view, sentenceOf(error));
    setContext("cache", "failed");
    await this.tree.replace([remedy("refreshCache", t("Try Again"), "sync"), ...remedies(error)]);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
