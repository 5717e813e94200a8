// Which sessions does the server tell about? Those that something here needs, as long as it does.

import type { Backend } from "./backend";
import type { DidChangeSessionParams, LiveProcess, RunningCall, Tip } from "./protocol";

/**
 * How long a client that was busy must be idle to count as such: between two turns of which the second
 * was waiting already it says so for up to 65 ms.
 */
export const IDLE_MS = 150;

/** Where a followed session stands, by the server's last word. */
export interface Standing {
  leaf: string | null;
  tip: Tip;
  /** Calls at the end of the active path without a result, and subagents in the background. */
  running: readonly RunningCall[];
  /** The client that has it open; null = none is known to. */
  live: LiveProcess | null;
  /**
   * When new records were told of, in milliseconds since 1970; undefined = not since it is followed,
   * or since its client ended.
   */
  heardAt: number | undefined;
}

/** What was told of a session; without a change it is where it stands as it is followed. */
export interface Told {
  sessionId: string;
  change?: DidChangeSessionParams;
}

/** How often a transcript was begun anew, and how often it grew since. */
export interface Revision {
  reading: number;
  growth: number;
}

interface Followed {
  standing: Standing | undefined;
  revision: Revision;
  isRefused: boolean;
  /** Runs while a client that says that it is idle still counts as busy. */
  resting: NodeJS.Timeout | undefined;
}

/** Counts who needs which session; asks the server for each of them once, and again after its restart. */
export class Watches {
  private readonly needs = new Map<string, ReadonlySet<string>>();
  private readonly followed = new Map<string, Followed>();
  private readonly listeners = new Set<(told: Told) => void>();
  private readings = 0;

  /** @param note told why the server does not follow a session: for the log, not for people */
  constructor(
    private readonly backend: Pick<Backend, "ask">,
    private readonly note: (sentence: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  onDidChange(listener: (told: Told) => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  /** @param sessionIds all that the holder needs from now on; what it needed before counts no more */
  need(holder: string, sessionIds: Iterable<string>): void {
    const before = this.needs.get(holder) ?? new Set();
    const after = new Set(sessionIds);
    this.needs.set(holder, after);
    for (const id of after) if (!this.followed.has(id)) this.follow(id);
    for (const id of before) if (!this.isNeeded(id)) this.leave(id);
  }

  /** Undefined = the session is not followed, or not yet. */
  standing(sessionId: string): Standing | undefined {
    return this.followed.get(sessionId)?.standing;
  }

  /** Changes with the transcript; undefined = nobody tells when it changes. */
  revision(sessionId: string): Revision | undefined {
    const followed = this.followed.get(sessionId);
    return followed?.standing && followed.revision;
  }

  /** Another server runs, which follows nothing so far. */
  restart(): void {
    for (const id of this.followed.keys()) this.follow(id);
  }

  /** Sessions are new: one that the server did not know before may be among them. */
  appeared(sessionIds: readonly string[]): void {
    for (const id of sessionIds) if (this.followed.get(id)?.isRefused) this.follow(id);
  }

  /** Takes what the server tells. */
  hear(change: DidChangeSessionParams): void {
    const followed = this.followed.get(change.sessionId);
    if (!followed) return;
    const { sessionId, agentId, leaf, tip, running, live, firstNew } = change;
    const before = followed.standing;
    const hasEnded = before?.live && !live;
    const heardBefore = hasEnded ? undefined : before?.heardAt;
    const heardAt = firstNew === null ? heardBefore : this.now();
    const isOwn = agentId === null || !before;
    followed.standing = isOwn
      ? { leaf, tip, running, live: this.settled(sessionId, followed, live), heardAt }
      : { ...before, heardAt };
    followed.revision = this.revisionAfter(followed.revision, change);
    this.tell({ sessionId, change });
  }

  /** What the client counts as: it is busy for a moment longer than it says, all else holds at once. */
  private settled(
    sessionId: string,
    followed: Followed,
    live: LiveProcess | null,
  ): LiveProcess | null {
    const before = followed.standing?.live;
    const isSame = before?.pid === live?.pid;
    if (!isSame || before?.status !== "busy" || live?.status !== "idle") {
      stopResting(followed);
      return live;
    }
    followed.resting ??= setTimeout(() => {
      followed.resting = undefined;
      if (!followed.standing) return;
      followed.standing = { ...followed.standing, live };
      this.tell({ sessionId });
    }, IDLE_MS);
    return before;
  }

  private revisionAfter(before: Revision, change: DidChangeSessionParams): Revision {
    if (change.reread || change.gone) return this.newRevision();
    const { firstNew, leafMoved, newBranch } = change;
    const isOther = firstNew !== null || leafMoved || newBranch;
    return isOther ? { ...before, growth: before.growth + 1 } : before;
  }

  private newRevision(): Revision {
    this.readings += 1;
    return { reading: this.readings, growth: 0 };
  }

  private isNeeded(sessionId: string): boolean {
    return [...this.needs.values()].some((needed) => needed.has(sessionId));
  }

  private follow(sessionId: string): void {
    const revision = this.newRevision();
    const followed: Followed = {
      standing: undefined,
      revision,
      isRefused: false,
      resting: undefined,
    };
    stopResting(this.followed.get(sessionId));
    this.followed.set(sessionId, followed);
    const isCurrent = () => this.followed.get(sessionId) === followed;
    this.backend.ask("forkpoint/watch", { sessionId }).then(
      ({ leaf, tip, running, live }) => {
        if (!isCurrent()) return;
        followed.standing = { leaf, tip, running, live, heardAt: undefined };
        this.tell({ sessionId });
      },
      (error) => {
        followed.isRefused = true;
        this.note(`${sessionId} is not followed: ${error}`);
      },
    );
  }

  private leave(sessionId: string): void {
    const wasRefused = this.followed.get(sessionId)?.isRefused ?? true;
    stopResting(this.followed.get(sessionId));
    this.followed.delete(sessionId);
    if (wasRefused) return;
    this.backend
      .ask("forkpoint/unwatch", { sessionId })
      .catch((error) => this.note(`${sessionId} is still followed: ${error}`));
  }

  private tell(told: Told): void {
    for (const listener of this.listeners) listener(told);
  }
}

function stopResting(followed: Followed | undefined): void {
  clearTimeout(followed?.resting);
  if (followed) followed.resting = undefined;
}
