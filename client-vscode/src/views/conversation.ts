// What is inside a session? Paths, branches, calls and subagents, asked once until the session grows.

import type { Backend } from "../backend";
import { cacheQuestion, foretell } from "../foretell";
import type {
  CacheAction,
  CacheHistoryResult,
  CacheNote,
  CheckpointChange,
  FileHistory,
  PathEntry,
  Segment,
  SessionSummary,
  Subagent,
  ToolCall,
  WorkItem,
} from "../protocol";

const SESSIONS_KEPT = 20;

/** Files with checkpoints, and what the session did to them up to now. */
export interface SessionFiles {
  histories: FileHistory[];
  changes: CheckpointChange[];
}

interface Kept {
  /** Size and time of the transcript that the answers belong to. */
  stamp: string;
  answers: Map<string, Promise<unknown>>;
}

/** Answers about sessions; those of a session are dropped when its transcript changed. */
export class Conversations {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly backend: Pick<Backend, "ask">) {}

  /** What a person gave on the active path, in its order. */
  promptsOnPath(session: SessionSummary): Promise<PathEntry[]> {
    return this.once(session, "prompts", async () => {
      const { sessionId } = session;
      const path = await this.backend.ask("forkpoint/activePath", { sessionId, fromPerson: true });
      return path.entries;
    });
  }

  /** Why the active leaf is the one it is, in words. */
  leafSentence(session: SessionSummary): Promise<string> {
    return this.once(session, "leaf", async () => {
      const { sessionId } = session;
      const path = await this.backend.ask("forkpoint/activePath", { sessionId, limit: 1 });
      return path.leaf.sentence;
    });
  }

  segments(session: SessionSummary): Promise<Segment[]> {
    return this.once(session, "segments", async () => {
      const { sessionId } = session;
      return (await this.backend.ask("forkpoint/branchTree", { sessionId })).segments;
    });
  }

  /** Entries of one segment, in the order of the conversation. */
  segmentEntries(session: SessionSummary, segment: Segment): Promise<PathEntry[]> {
    return this.once(session, `segment:${segment.id}`, async () => {
      const path = await this.pathBackTo(session, segment);
      return path
        .filter(({ ordinal }) => ordinal >= segment.firstOrdinal && ordinal <= segment.lastOrdinal)
        .reverse();
    });
  }

  toolCalls(session: SessionSummary): Promise<ToolCall[]> {
    return this.once(session, "calls", async () => {
      const { sessionId } = session;
      return (await this.backend.ask("forkpoint/toolCalls", { sessionId })).calls;
    });
  }

  subagents(session: SessionSummary): Promise<Subagent[]> {
    return this.once(session, "subagents", async () => {
      const { sessionId } = session;
      return (await this.backend.ask("forkpoint/subagents", { sessionId })).agents;
    });
  }

  /** Asked each time: files change without the session. */
  async files({ sessionId }: SessionSummary): Promise<SessionFiles> {
    const [{ files }, { changes }] = await Promise.all([
      this.backend.ask("forkpoint/checkpoints", { sessionId }),
      this.backend.ask("forkpoint/checkpointChanges", { sessionId }),
    ]);
    return { histories: files, changes };
  }

  /** Asked each time: the prompt cache expires without the session. */
  foretell(session: SessionSummary): Promise<CacheNote | undefined> {
    return foretell(this.backend, session);
  }

  /**
   * Asked each time, as above.
   *
   * @param prompt uuid of the prompt that a rewind goes back to
   */
  cacheNote(
    session: SessionSummary,
    action: CacheAction = "resume",
    prompt?: string,
  ): Promise<CacheNote> {
    return this.backend.ask("forkpoint/cacheImpact", cacheQuestion(session, action, prompt));
  }

  cacheHistory(session: SessionSummary): Promise<CacheHistoryResult> {
    return this.once(session, "cacheHistory", () => {
      const { sessionId } = session;
      return this.backend.ask("forkpoint/cacheHistory", { sessionId });
    });
  }

  /** Asked each time: it is checked against the disk. */
  async workItems({ sessionId }: SessionSummary): Promise<WorkItem[]> {
    return (await this.backend.ask("forkpoint/workState", { sessionId })).items;
  }

  /** Forgets everything, as after a restart of the server. */
  clear(): void {
    this.kept.clear();
  }

  /**
   * The end of the path to a segment's last record, newest first, back to its first record.
   *
   * That is about as many entries as the segment has records; a compaction may have put some of its
   * own between them.
   */
  private async pathBackTo(session: SessionSummary, segment: Segment): Promise<PathEntry[]> {
    const found: PathEntry[] = [];
    for (;;) {
      const { entries, total } = await this.backend.ask("forkpoint/activePath", {
        sessionId: session.sessionId,
        leaf: segment.lastUuid,
        order: "backward",
        offset: found.length,
        limit: segment.recordCount,
      });
      found.push(...entries);
      const isComplete = entries.length === 0 || found.length >= total;
      if (isComplete || entries.some(({ uuid }) => uuid === segment.id)) return found;
    }
  }

  private once<T>(session: SessionSummary, what: string, ask: () => Promise<T>): Promise<T> {
    const { answers } = this.keptFor(session);
    const known = answers.get(what);
    if (known) return known as Promise<T>;
    const answer = ask();
    answers.set(what, answer);
    answer.catch(() => answers.delete(what)); // a failure is asked again
    return answer;
  }

  private keptFor(session: SessionSummary): Kept {
    const stamp = stampOf(session);
    const known = this.kept.get(session.sessionId);
    if (known?.stamp === stamp) return known;
    const fresh: Kept = { stamp, answers: new Map() };
    this.kept.delete(session.sessionId);
    this.kept.set(session.sessionId, fresh);
    const [oldest] = this.kept.keys();
    if (this.kept.size > SESSIONS_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return fresh;
  }
}

/** Changes when the conversation may have changed. */
export function stampOf({ sizeBytes, modifiedAt, promptCount }: SessionSummary): string {
  return `${sizeBytes} ${modifiedAt} ${promptCount}`;
}
