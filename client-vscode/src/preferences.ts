// What does Forkpoint remember? Pins, what was archived here, and the toggles; nothing else is kept.

import * as vscode from "vscode";
import type { Agent, Scope } from "./protocol";
import { showPrices } from "./views/describe/cacheWords";
import type { Layout, Order } from "./views/resultNodes";

export type Grouping = "date" | "project";

const PINNED = "pinned";
const ARCHIVED = "archived";
const SCOPE = "scope";
const AGENT = "agent";
const GROUPING = "grouping";
const SHOW_ARCHIVED = "showArchived";
const FOLLOW_LIVE = "followLive";
const RESULT_LAYOUT = "resultLayout";
const RESULT_ORDER = "resultOrder";

/** Settings that rows and notes depend on. */
const SHOWN = [
  "scope",
  "showProgrammatic",
  "retentionWarningDays",
  "resumeWarning",
  "showPrices",
  "account",
  "prices",
  "statusLineCache",
];

/** Values are read where they are kept; every change is told and set as a context key for menus. */
export class Preferences implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly user: vscode.Memento,
    private readonly workspace: vscode.Memento,
  ) {
    this.subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      showPrices(setting("showPrices", true));
      if (SHOWN.some((name) => event.affectsConfiguration(`forkpoint.${name}`))) this.tell();
    });
    showPrices(setting("showPrices", true));
    this.setContexts();
  }

  /** How far around the opened folder to look; `all` when there is no folder. */
  get scope(): Scope {
    if (!vscode.workspace.workspaceFolders?.length) return "all";
    return this.workspace.get<Scope>(SCOPE) ?? setting<Scope>("scope", "repository");
  }

  /** Whose sessions to show; undefined = everybody's. */
  get agent(): Agent | undefined {
    return this.workspace.get<Agent>(AGENT);
  }

  get grouping(): Grouping {
    return this.user.get<Grouping>(GROUPING, "date");
  }

  get showsArchived(): boolean {
    return this.user.get(SHOW_ARCHIVED, false);
  }

  /** Whether a window begins with the session that an agent works on. */
  get followsLive(): boolean {
    return this.user.get(FOLLOW_LIVE, true);
  }

  get resultLayout(): Layout {
    return this.user.get<Layout>(RESULT_LAYOUT, "session");
  }

  get resultOrder(): Order {
    return this.user.get<Order>(RESULT_ORDER, "rank");
  }

  get showsProgrammatic(): boolean {
    return setting("showProgrammatic", false);
  }

  /** Days before its deletion in which a session says so; 0 = never. */
  get retentionWarningDays(): number {
    return setting("retentionWarningDays", 5);
  }

  /** US dollars from which on a resume without the prompt cache is asked about; 0 = never. */
  get resumeWarning(): number {
    return setting("resumeWarning", 1);
  }

  isPinned(sessionId: string): boolean {
    return this.user.get<string[]>(PINNED, []).includes(sessionId);
  }

  /** Whether it was hidden here; the agent's own archive is another matter. */
  isArchived(sessionId: string): boolean {
    return this.user.get<string[]>(ARCHIVED, []).includes(sessionId);
  }

  pin(sessionId: string, isPinned: boolean): Promise<void> {
    return this.setMember(PINNED, sessionId, isPinned);
  }

  archive(sessionId: string, isArchived: boolean): Promise<void> {
    return this.setMember(ARCHIVED, sessionId, isArchived);
  }

  async setScope(scope: Scope): Promise<void> {
    await this.workspace.update(SCOPE, scope);
    this.tell();
  }

  async setAgent(agent: Agent | undefined): Promise<void> {
    await this.workspace.update(AGENT, agent);
    this.tell();
  }

  async setGrouping(grouping: Grouping): Promise<void> {
    await this.user.update(GROUPING, grouping);
    this.tell();
  }

  async setShowsArchived(shows: boolean): Promise<void> {
    await this.user.update(SHOW_ARCHIVED, shows);
    this.tell();
  }

  async setFollowsLive(follows: boolean): Promise<void> {
    await this.user.update(FOLLOW_LIVE, follows);
  }

  async setResultLayout(layout: Layout): Promise<void> {
    await this.user.update(RESULT_LAYOUT, layout);
  }

  async setResultOrder(order: Order): Promise<void> {
    await this.user.update(RESULT_ORDER, order);
  }

  /** A setting like any other, so the change comes back as a configuration event. */
  async setShowsProgrammatic(shows: boolean): Promise<void> {
    await vscode.workspace
      .getConfiguration("forkpoint")
      .update("showProgrammatic", shows, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async setMember(key: string, sessionId: string, isMember: boolean): Promise<void> {
    const others = this.user.get<string[]>(key, []).filter((id) => id !== sessionId);
    await this.user.update(key, isMember ? [...others, sessionId] : others);
    this.tell();
  }

  private tell(): void {
    this.setContexts();
    this.changed.fire();
  }

  private setContexts(): void {
    setContext("scope", this.scope);
    setContext("agent", this.agent ?? "all");
    setContext("grouping", this.grouping);
    setContext("showArchived", this.showsArchived);
  }
}

/** Sets a context key `forkpoint.*` that `when` clauses of the manifest read. */
export function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand("setContext", `forkpoint.${key}`, value);
}

function setting<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration("forkpoint").get<T>(name, otherwise);
}
