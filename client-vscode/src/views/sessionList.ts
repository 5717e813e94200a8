// Which sessions are loaded, and why are there none?

import type { Backend } from "../backend";
import type { Preferences } from "../preferences";
import type { Agent, Scope, SessionSummary } from "../protocol";

const PAGE = 200;

/** Why the list is as it is. */
export type ListState =
  | "shown"
  | "noSessions"
  | "noneOfAgent"
  | "noneInScope"
  | "allArchived"
  | "noneExpiring";

export interface LoadedSessions {
  /** Newest first. */
  sessions: SessionSummary[];
  /** How many more the server knows. */
  remaining: number;
  state: ListState;
  /** Only those are shown that the agent deletes within so many days; undefined = all. */
  expiring?: number | undefined;
}

/** Asks for as many pages as were wanted so far. */
export class SessionList {
  private limit = PAGE;

  /** Only what the agent deletes within so many days, wherever it is; undefined = all. */
  expiring: number | undefined;

  constructor(
    private readonly backend: Backend,
    private readonly preferences: Preferences,
    private readonly folder: () => string | undefined,
  ) {}

  wantMore(): void {
    this.limit += PAGE;
  }

  /** Forgets that more than a page was wanted. */
  wantOnePage(): void {
    this.limit = PAGE;
  }

  async load(): Promise<LoadedSessions> {
    const showsArchived = this.preferences.showsArchived || this.expiring !== undefined;
    const { scope, agent } = this.preferences;
    const { sessions, total } = await this.ask(scope, this.limit, agent);
    const shown = sessions.filter((session) => showsArchived || !this.isArchived(session));
    return {
      sessions: shown,
      remaining: Math.max(0, total - sessions.length),
      state: shown.length > 0 ? "shown" : await this.whyNone(total),
      expiring: this.expiring,
    };
  }

  /** Hidden by the agent itself or here. */
  isArchived({ sessionId, archived }: SessionSummary): boolean {
    return archived || this.preferences.isArchived(sessionId);
  }

  private async whyNone(totalInScope: number): Promise<ListState> {
    if (this.expiring !== undefined) return "noneExpiring";
    if (totalInScope > 0) return "allArchived";
    if (this.preferences.agent !== undefined) return "noneOfAgent";
    if (this.preferences.scope === "all") return "noSessions";
    return (await this.ask("all", 1)).total > 0 ? "noneInScope" : "noSessions";
  }

  private ask(scope: Scope, limit: number, agent?: Agent) {
    if (this.expiring !== undefined) return this.askForExpiring(this.expiring, limit);
    const folder = this.folder();
    return this.backend.ask("forkpoint/sessions", {
      scope,
      ...(folder && scope !== "all" ? { folder } : {}),
      includeProgrammatic: this.preferences.showsProgrammatic,
      includeArchived: this.preferences.showsArchived,
      ...(agent ? { agent } : {}),
      limit,
    });
  }

  /** The agent's clean-up knows neither folders nor archives: so many as it deletes are shown. */
  private askForExpiring(expiring: number, limit: number) {
    const every = { includeProgrammatic: true, includeArchived: true };
    return this.backend.ask("forkpoint/sessions", { ...every, expiring, limit });
  }
}
