// The view of results: what a search found, or what was left behind. It is there as long as it shows something.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import { type Preferences, setContext } from "../preferences";
import { GROWING_MS } from "../search/liveSearch";
import { progressInWords } from "../search/question";
import { type Answer, collect, type Source } from "../search/sources";
import { sentences } from "../words";
import { dotted } from "./describe/row";
import { goOnBelow } from "./moreRows";
import { remedies, remedy } from "./remedies";
import { type Layout, type Order, resultNodes } from "./resultNodes";
import { NodeTree, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.results";
const PAGE = 100;
const AGES_GROW_MS = 60_000;
/** While transcripts are still read, asking again takes at most this share of the time. */
const LARGEST_SHARE = 1 / 5;

export class ResultsView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly subscriptions: vscode.Disposable[];
  private source: Source | undefined;
  private answer: Answer | undefined;
  private wanted = PAGE;
  private asked = new AbortController();
  private growing: NodeJS.Timeout | undefined;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(private readonly preferences: Preferences) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const ages = setInterval(() => this.view.visible && void this.draw(), AGES_GROW_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.tree.follow(this.view),
      new vscode.Disposable(() => clearInterval(ages)),
    ];
    setContext("results", false);
    this.setContexts();
  }

  /** What is shown, if anything is. */
  get shown(): Source | undefined {
    return this.source;
  }

  /**
   * Shows something else, and takes the focus.
   *
   * @param answer what is known of it already; undefined = it is asked for
   */
  async show(source: Source, answer?: Answer): Promise<void> {
    this.giveUp();
    this.source = source;
    this.wanted = answer?.covered || PAGE;
    this.answer = undefined;
    this.view.title = source.title;
    this.view.description = source.asked;
    say(this.view, "");
    void this.tree.replace([]);
    setContext("results", source.kind);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    if (answer) await this.tell(answer);
    else await this.refresh();
    const [first] = this.tree.roots;
    if (first && this.source === source)
      await this.view.reveal(first, { select: false, focus: true });
  }

  /** Asks again, with a progress bar in the view. */
  async refresh(): Promise<void> {
    if (!this.source) return;
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  async loadMore(): Promise<void> {
    this.wanted = (this.answer?.covered ?? 0) + PAGE;
    await goOnBelow(this.tree, this.view, () => this.refresh());
  }

  clear(): void {
    this.giveUp();
    this.source = undefined;
    this.answer = undefined;
    void this.tree.replace([]);
    setContext("results", false);
  }

  async setLayout(layout: Layout): Promise<void> {
    await this.preferences.setResultLayout(layout);
    await this.draw();
  }

  async setOrder(order: Order): Promise<void> {
    await this.preferences.setResultOrder(order);
    await this.draw();
  }

  dispose(): void {
    this.giveUp();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private giveUp(): void {
    clearTimeout(this.growing);
    this.asked.abort();
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async load(): Promise<void> {
    const { source } = this;
    if (!source) return;
    this.giveUp();
    const asked = new AbortController();
    this.asked = asked;
    const began = performance.now();
    try {
      const answer = await collect(source, this.wanted, asked.signal);
      if (asked.signal.aborted) return;
      await this.tell(answer);
      if (progressInWords(answer.indexing)) this.askSoon(performance.now() - began);
    } catch (error) {
      if (!asked.signal.aborted) await this.tellFailure(error);
    }
  }

  private askSoon(tookMs: number): void {
    const gap = Math.max(GROWING_MS, tookMs / LARGEST_SHARE);
    this.growing = setTimeout(() => void this.load(), gap);
  }

  private async tell(answer: Answer): Promise<void> {
    this.answer = answer;
    this.view.description = dotted(this.source?.asked, answer.count);
    const progress = progressInWords(answer.indexing);
    say(this.view, sentences(progress && t("{0}.", progress), ...answer.sentences));
    setContext("resultsState", "shown");
    await this.draw();
  }

  private async tellFailure(error: unknown): Promise<void> {
    this.answer = undefined;
    this.view.description = this.source?.asked ?? "";
    say(this.view, sentenceOf(error));
    setContext("resultsState", "failed");
    await this.tree.replace([remedy("refreshResults", t("Try Again"), "sync"), ...remedies(error)]);
  }

  private async draw(): Promise<void> {
    this.setContexts();
    const { answer } = this;
    if (!answer) return;
    const { resultLayout: layout, resultOrder: order } = this.preferences;
    await this.tree.replace(resultNodes(answer, { layout, order, now: Date.now() }));
  }

  private setContexts(): void {
    setContext("resultLayout", this.preferences.resultLayout);
    setContext("resultOrder", this.preferences.resultOrder);
  }
}
