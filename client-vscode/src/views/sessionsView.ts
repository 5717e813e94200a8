// The view Sessions: loads, refreshes what changed, says why it is empty.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { type Preferences, setContext } from "../preferences";
import type { Agent, DidChangeCatalogParams, Scope, SessionSummary } from "../protocol";
import { GAP_MS, Refresher } from "../refresher";
import type { Watches } from "../watching";
import { counted } from "../words";
import type { Conversations } from "./conversation";
import { agentName } from "./describe/agent";
import { waitsForUser } from "./describe/live";
import { dotted } from "./describe/row";
import { goOnBelow } from "./moreRows";
import { remedies } from "./remedies";
import { type LoadedSessions, SessionList } from "./sessionList";
import { SessionNodes } from "./sessionNodes";
import { NodeTree, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.sessions";
/** While the view is hidden the badge and the clock in the status bar go on. */
const HIDDEN_GAP_MS = 1000;
/** A first reading of very many transcripts changes again and again what is further down. */
const DISTANT_GAP_MS = 1000;
const AGES_GROW_MS = 60_000;

export class SessionsView implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<readonly SessionSummary[]>();
  private readonly list: SessionList;
  private readonly nodes: SessionNodes;
  private readonly tree = new NodeTree(() => this.firstLoad());
  private readonly refresher = new Refresher(
    () => this.load(),
    () => true,
    () => (this.view.visible ? GAP_MS : HIDDEN_GAP_MS),
  );
  private readonly distant = new Refresher(
    async () => this.refresher.soon(),
    () => true,
    () => DISTANT_GAP_MS,
  );
  private readonly subscriptions: vscode.Disposable[];
  private first: Promise<void> | undefined;
  private hasAnswer = false;
  private loaded: LoadedSessions = { sessions: [], remaining: 0, state: "shown" };
  private questions = 0;

  readonly view: vscode.TreeView<TreeNode>;
  /** Tells the sessions that are loaded now. */
  readonly onDidLoad = this.changed.event;

  constructor(
    backend: Backend,
    private readonly preferences: Preferences,
    private readonly conversations: Conversations,
    private readonly watches: Watches,
  ) {
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    this.list = new SessionList(backend, preferences, folder);
    this.nodes = new SessionNodes(conversations, preferences, (each) => this.list.isArchived(each));
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    const ages = setInterval(() => this.view.visible && void this.draw(), AGES_GROW_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.tree.follow(this.view),
      this.changed,
      this.refresher,
      this.distant,
      backend.onDidChangeCatalog((told) => this.hear(told)),
      // Where nothing is watched, sessions grow while one looks elsewhere and nothing tells.
      this.view.onDidChangeVisibility(({ visible }) => this.seen(visible)),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refresher.soon()),
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
    await goOnBelow(this.tree, this.view, () => this.refresh());
  }

  /** Shows this agent's sessions only, or everybody's; they start at their first page. */
  async setAgent(agent: Agent | undefined): Promise<void> {
    this.list.wantOnePage();
    await this.preferences.setAgent(agent);
  }

  /** Shows other sessions than before; they start at their first page. */
  async setScope(scope: Scope): Promise<void> {
    this.list.wantOnePage();
    await this.preferences.setScope(scope);
  }

  /** Shows only what the agent deletes within so many days; undefined = all again. */
  async showExpiring(days: number | undefined): Promise<void> {
    this.list.wantOnePage();
    this.list.expiring = days;
    setContext("expiring", days !== undefined);
    await this.refresh();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** What is not loaded may belong there by now: it is looked at, too, but not as often. */
  private hear({ added, changed, removed }: DidChangeCatalogParams): void {
    const loaded = new Set(this.loaded.sessions.map(({ sessionId }) => sessionId));
    const isNear = added.length > 0 || [...changed, ...removed].some((id) => loaded.has(id));
    (isNear ? this.refresher : this.distant).soon();
  }

  private async firstLoad(): Promise<void> {
    this.first ??= this.load();
    await this.first;
  }

  private seen(isVisible: boolean): void {
    this.followLive();
    if (isVisible) this.refresher.soon();
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async load(): Promise<void> {
    this.questions += 1;
    const question = this.questions;
    this.view.description = this.whatInWords();
    try {
      const loaded = await this.list.load();
      if (question !== this.questions) return;
      const drawn = this.show(loaded);
      this.changed.fire(loaded.sessions); // nobody waits for what is asked below opened rows
      await drawn;
    } catch (error) {
      if (question === this.questions) await this.showFailure(error);
    }
  }

  private whatInWords(): string {
    const { expiring } = this.list;
    if (expiring === undefined) return shownInWords(this.preferences);
    return counted(expiring, t("deleted within {0} day"), t("deleted within {0} days"));
  }

  private async show(loaded: LoadedSessions): Promise<void> {
    this.loaded = loaded;
    say(this.view, "");
    setContext("state", loaded.state);
    this.followLive();
    const waiting = loaded.sessions.filter(({ live }) => waitsForUser(live)).length;
    const tooltip = counted(
      waiting,
      t("{0} session waits for you"),
      t("{0} sessions wait for you"),
    );
    this.view.badge = waiting > 0 ? { value: waiting, tooltip } : undefined;
    await this.draw();
  }

  private async draw(): Promise<void> {
    this.hasAnswer = true;
    await this.tree.replace(this.nodes.roots(this.loaded, Date.now()));
  }

  /** Live sessions are followed while they are seen. */
  private followLive(): void {
    const live = this.view.visible ? this.loaded.sessions.filter((each) => each.live !== null) : [];
    const ids = live.map(({ sessionId }) => sessionId);
    this.watches.need(VIEW, ids);
  }

  private async showFailure(error: unknown): Promise<void> {
    setContext("state", "failed");
    say(this.view, sentenceOf(error));
    this.view.badge = undefined;
    this.hasAnswer = true;
    await this.tree.replace(remedies(error));
  }
}

function shownInWords({ scope, agent }: Preferences): string {
  return dotted(agent && agentName(agent), scopeInWords(scope));
}

function scopeInWords(scope: Scope): string {
  if (scope === "folder") return t("this folder");
  return scope === "repository" ? t("this repository") : t("everything");
}
