// The view Usage: what was spent, today and before, by project, model and session.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, RequestFailed, sentenceOf } from "../backend";
import { type Preferences, setContext } from "../preferences";
import type { Indexing, UsageParams, UsageResult } from "../protocol";
import { Latest, Refresher } from "../refresher";
import { grouped } from "../words";
import { remedies, remedy } from "./remedies";
import { NodeTree, say, type TreeNode } from "./tree";
import { askUsage, dayBefore, UsageNodes } from "./usageNodes";

const VIEW = "forkpoint.usage";
/** While agents work or transcripts are read, sums change all the time. */
const GAP_MS = 3000;
/** How often it may be another day by now. */
const CLOCK_MS = 60_000;

export class UsageView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly refresher = new Refresher(
    () => this.load(),
    () => this.view.visible,
    () => GAP_MS,
  );
  private readonly loads = new Latest();
  private readonly subscriptions: vscode.Disposable[];
  private questions = 0;
  private isShown = false;
  private day = "";

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly backend: Backend,
    preferences: Preferences,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    this.view.description = t("API price equivalent");
    const clock = setInterval(() => this.tick(), CLOCK_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.tree.follow(this.view),
      this.refresher,
      backend.onDidChangeCatalog(() => this.refresher.soon()),
      preferences.onDidChange(() => this.refresher.soon()),
      this.view.onDidChangeVisibility(({ visible }) => visible && this.seen()),
      new vscode.Disposable(() => clearInterval(clock)),
    ];
    setContext("usage", "loading");
  }

  /** Asks again, with a progress bar in the view; a view that is not seen asks when it is. */
  async refresh(): Promise<void> {
    if (!this.view.visible) return;
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  /** As `refresh`, without a progress bar: for what happens by itself. */
  askAgain(): void {
    this.refresher.soon();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private seen(): void {
    if (this.isShown) this.refresher.soon();
    else void this.refresh();
  }

  private tick(): void {
    if (this.isShown && this.day !== dayBefore(Date.now(), 0)) this.refresher.soon();
  }

  private load(): Promise<void> {
    return this.loads.run(() => this.ask());
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async ask(): Promise<void> {
    this.questions += 1;
    const question = this.questions;
    const now = Date.now();
    try {
      const ask = (params: UsageParams) => usageHere(this.backend, params);
      const answer = await askUsage(ask, now);
      if (question !== this.questions) return;
      this.isShown = true;
      this.day = dayBefore(now, 0);
      const isEmpty = answer.all.total.both.responses === 0;
      const isReading = answer.all.indexing.done < answer.all.indexing.total;
      say(this.view, isReading ? soFar(answer.all.indexing) : "");
      setContext("usage", isEmpty && !isReading ? "empty" : "shown");
      const nodes = new UsageNodes(ask, now, JSON.stringify(answer));
      await this.tree.replace(isEmpty ? [] : nodes.roots(answer));
    } catch (error) {
      if (question === this.questions) await this.showFailure(error);
    }
  }

  private async showFailure(error: unknown): Promise<void> {
    this.isShown = false;
    say(this.view, sentenceOf(error));
    setContext("usage", "failed");
    await this.tree.replace([remedy("refreshUsage", t("Try Again"), "sync"), ...remedies(error)]);
  }
}

/** Asks by the days of where the user is, which may be far from where the server runs. */
export async function usageHere(backend: Backend, params: UsageParams): Promise<UsageResult> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  try {
    return await backend.ask("forkpoint/usage", { ...params, timeZone });
  } catch (error) {
    // A machine without a table of zones knows its own alone.
    if (!(error instanceof RequestFailed)) throw error;
    return backend.ask("forkpoint/usage", params);
  }
}

function soFar({ done, total }: Indexing): string {
  return t("Sums so far: {0} of {1} transcripts are read.", grouped(done), grouped(total));
}
