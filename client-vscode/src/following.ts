// Which session do Branches and Resume & Cache show? The one that was chosen, or the live one.

import type * as vscode from "vscode";
import { type Preferences, setContext } from "./preferences";
import type { SessionSummary } from "./protocol";
import type { BranchesView } from "./views/branchesView";
import type { CacheView } from "./views/cacheView";
import { nextLive } from "./views/liveSession";
import type { SessionsView } from "./views/sessionsView";

/**
 * Follows the live session until another one is chosen. The selection in Sessions is its user's: it
 * stays where it is, and so does the focus.
 */
export class FollowedSession implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable[];
  private isFollowing: boolean;
  /** The row that was selected last: a list drawn anew may tell of it again. */
  private selected: string | undefined;

  constructor(
    private readonly preferences: Preferences,
    private readonly sessions: SessionsView,
    private readonly branches: BranchesView,
    private readonly cache: CacheView,
  ) {
    this.isFollowing = preferences.followsLive;
    setContext("followLive", this.isFollowing);
    this.subscriptions = [
      sessions.onDidLoad((loaded) => this.turn(loaded)),
      sessions.view.onDidChangeSelection(({ selection: [node] }) => {
        if (!node?.target || node.id === this.selected) return;
        this.selected = node.id;
        this.choose(node.target.session);
      }),
    ];
  }

  /** Shows a session that somebody chose: if it is another one, the live one is followed no more. */
  choose(session: SessionSummary): void {
    this.chosen(session);
    this.show(session);
  }

  /** A view shows a session that somebody chose for it alone. */
  chosen({ sessionId }: SessionSummary): void {
    if (sessionId !== this.branches.shown?.sessionId) this.setFollowing(false);
  }

  /** From now on, and in windows to come. */
  async follow(follows: boolean): Promise<void> {
    this.setFollowing(follows);
    this.turn(this.sessions.sessions);
    await this.preferences.setFollowsLive(follows);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private turn(sessions: readonly SessionSummary[]): void {
    const next = this.isFollowing ? nextLive(sessions, this.branches.shown) : undefined;
    if (next) this.show(next);
  }

  private show(session: SessionSummary): void {
    this.branches.show(session);
    this.cache.show(session);
  }

  private setFollowing(follows: boolean): void {
    this.isFollowing = follows;
    setContext("followLive", follows);
  }
}
