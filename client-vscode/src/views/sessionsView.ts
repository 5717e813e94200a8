// The view Sessions: loads, refreshes what changed, says why it is empty.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { type Preferences, setContext } from "../preferences";
import type { Scope, SessionSummary } from "../protocol";
import { counted } from "../words";
import type { Conversations } from "./conversation";
import { remedies } from "./remedies";
import { type LoadedSessions, SessionList } from "./sessionList";
import { SessionNodes } from "./sessionNodes";
import { takeOver } from "./takeOver";
import { NodeTree, type TreeNode } from "./tree";

const VIEW = "forkpoint.sessions";
const COALESCE_MS = 200;
const AGES_GROW_MS = 60_000;

export class SessionsView implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<readonly SessionSummary[]>();
  private readonly list: SessionList;
  private readonly nodes: SessionNodes;
  private readonly tree = new NodeTree(() => this.roots());
  private readonly subscriptions: vscode.Disposable[];
  private first: Promise<void> | undefined;
  private hasAnswer = false;
  private isShown = false;
  private loaded: LoadedSessions = { sessions: [], remaining: 0, state: "shown" };
  private shownRoots: TreeNode[] = [];
  private questions = 0;
  private waiting: NodeJS.Timeout | undefined;

  readonly view: vscode.TreeView<TreeNode>;
  /** Tells the sessions that are loaded now. */
  readonly onDidLoad = this.changed.event;

  constructor(
    backend: Backend,
    private readonly preferences: Preferences,
    private readonly conversations: Conversations,
  ) {
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    this.list = new SessionList(backend, preferences, folder);
    this.nodes = new SessionNodes(conversations, preferences, (each) => this.list.isArchived(each));
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const ages = setInterval(() => this.view.visible && this.show(this.loaded), AGES_GROW_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.changed,
      backend.onDidChangeCatalog(() => this.refreshSoon()),
      // Sessions grow while one looks elsewhere, and the server tells only what it was asked about.
      this.view.onDidChangeVisibility(({ visible }) => visible && this.refreshSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refreshSoon()),
      preferences.onDidChange(() => void this.refresh()),
      new vscode.Disposable(() => clearInterval(ages)),
    ];
  }

  get sessions(): readonly SessionSummary[] {
    return this.loaded.sessions;
  }

  /** Asks again, with a progress bar in the view. */
  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  /** Forgets what the last server said and asks the one that runs now. */
  async startOver(): Promise<void> {
    this.conversations.clear();
    const isFirstUnderWay = this.first !== undefined && !this.hasAnswer;
    if (!isFirstUnderWay) await this.refresh();
  }

  async loadMore(): Promise<void> {
    this.list.wantMore();
    await this.refresh();
  }

  /** Shows other sessions than before; they start at their first page. */
  async setScope(scope: Scope): Promise<void> {
    this.list.wantOnePage();
    await this.preferences.setScope(scope);
  }

  dispose(): void {
    clearTimeout(this.waiting);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async roots(): Promise<TreeNode[]> {
    this.first ??= this.load();
    await this.first;
    this.isShown = true;
    return this.shownRoots;
  }

  /** Changes come in bursts: one question for all of them, without a progress bar. */
  private refreshSoon(): void {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      void this.load();
    }, COALESCE_MS);
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async load(): Promise<void> {
    this.questions += 1;
    const question = this.questions;
    this.view.description = scopeInWords(this.preferences.scope);
    try {
      const loaded = await this.list.load();
      if (question !== this.questions) return;
      this.view.message = "";
      this.show(loaded);
      this.changed.fire(loaded.sessions);
    } catch (error) {
      if (question === this.questions) this.showFailure(error);
    }
  }

  private show(loaded: LoadedSessions): void {
    this.loaded = loaded;
    setContext("state", loaded.state);
    const waiting = loaded.sessions.filter(({ live }) => live?.status === "waiting").length;
    const tooltip = counted(
      waiting,
      t("{0} session waits for you"),
      t("{0} sessions wait for you"),
    );
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    this.replaceRoots(this.nodes.roots(loaded, Date.now()));
  }

  /** Only what changed is drawn: VS Code does not know a row's click while the row is drawn anew. */
  private replaceRoots(fresh: TreeNode[]): void {
    this.hasAnswer = true;
    const changed = takeOver(this.shownRoots, fresh);
    if (!changed) this.shownRoots = fresh;
    if (!this.isShown) return; // the view has not asked yet, or still waits for this
    if (!changed) this.tree.refresh();
    else if (changed.length > 0) this.tree.refresh(changed);
  }

  private showFailure(error: unknown): void {
    setContext("state", "failed");
    this.view.message = sentenceOf(error);
    this.view.badge = undefined;
    this.replaceRoots(remedies(error));
  }
}

function scopeInWords(scope: Scope): string {
  if (scope === "folder") return t("this folder");
  return scope === "repository" ? t("this repository") : t("everything");
}
