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
import type { Watches } from "../watching";

const SESSIONS_KEPT = 20;

/** Segments of a tree that are asked for at first, and with each row that asks for more. */
const SEGMENTS = 2000;

/** Files with checkpoints, and what the session did to them up to now. */
export interface SessionFiles {
  histories: FileHistory[];
  changes: CheckpointChange[];
}

interface Kept {
  /** What the transcript was like that the answers belong to. */
  stamp: string;
  answers: Map<string, Promise<unknown>>;
  /** What was read of it before it grew; empty when it may be another one. */
  before: Read;
  read: Read;
}

/** Parts of a transcript that only grow at their ends. */
interface Read {
  segmentCount: number | undefined;
  segments: Map<string, ReadSegment>;
  calls: readonly ToolCall[];
}

interface ReadSegment {
  segment: Segment;
  entries: readonly PathEntry[];
}

/** Answers about sessions; those of a session are dropped when its transcript changed. */
export class Conversations {
  private readonly kept = new Map<string, Kept>();
  /** Of trees that are larger than a page, by session. */
  private readonly segmentsWanted = new Map<string, number>();
  private readonly segmentsLeft = new Map<string, number>();

  /** @param watches knows of followed sessions whether they changed; of others size and time tell */
  constructor(
    private readonly backend: Pick<Backend, "ask">,
    private readonly watches?: Pick<Watches, "revision">,
  ) {}

  /** Changes when the conversation may have changed. */
  stampOf({ sessionId, sizeBytes, modifiedAt, promptCount }: SessionSummary): string {
    const revision = this.watches?.revision(sessionId);
    if (revision) return `${readingOf(revision.reading)}${revision.growth}`;
    return `${sizeBytes} ${modifiedAt} ${promptCount}`;
  }

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
      const kept = this.keptFor(session);
      const { sessionId } = session;
      const limit = this.segmentsWanted.get(sessionId) ?? SEGMENTS;
      const tree = await this.backend.ask("forkpoint/branchTree", { sessionId, limit });
      const { segments, segmentCount } = tree;
      // What a request still carries changes where a segment more begins, at a compaction.
      if (kept.before.segmentCount !== segmentCount) kept.before = nothing();
      kept.read.segmentCount = segmentCount;
      this.segmentsLeft.set(sessionId, segmentCount - segments.length);
      return segments;
    });
  }

  /** How many segments of a tree that was asked for are left out; those of the active path are not. */
  moreSegments({ sessionId }: SessionSummary): number {
    return this.segmentsLeft.get(sessionId) ?? 0;
  }

  /** Has more of a tree asked for from now on. */
  wantMoreSegments(session: SessionSummary): void {
    const { sessionId } = session;
    const wanted = this.segmentsWanted.get(sessionId) ?? SEGMENTS;
    this.segmentsWanted.set(sessionId, wanted + SEGMENTS);
    this.keptFor(session).answers.delete("segments");
  }

  /** Entries of one segment, in the order of the conversation. */
  segmentEntries(session: SessionSummary, segment: Segment): Promise<PathEntry[]> {
    return this.once(session, `segment:${segment.id}:${segment.lastUuid}`, async () => {
      const kept = this.keptFor(session);
      const { read } = kept;
      if (kept.before.segments.has(segment.id)) await this.segments(session);
      const known = kept.before.segments.get(segment.id);
      const newer = known && (await this.entriesSince(session, segment, known));
      const entries = newer
        ? [...known.entries, ...newer]
        : inside(segment, await this.entriesOf(session, segment));
      read.segments.set(segment.id, { segment, entries });
      return entries;
    });
  }

  /** Calls that had a result do not change: only those from the first without one are asked again. */
  toolCalls(session: SessionSummary): Promise<ToolCall[]> {
    return this.once(session, "calls", async () => {
      const { sessionId } = session;
      const { before, read } = this.keptFor(session);
      const pending = before.calls.findIndex(({ state }) => state === "pending");
      const known = before.calls.slice(0, pending < 0 ? before.calls.length : pending);
      const offset = known.length > 0 ? { offset: known.length } : {};
      const { calls } = await this.backend.ask("forkpoint/toolCalls", { sessionId, ...offset });
      read.calls = [...known, ...calls];
      return [...known, ...calls];
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

  /** What holds a segment's entries, newest first. Of the active path a server has them at hand. */
  private async entriesOf(session: SessionSummary, segment: Segment): Promise<PathEntry[]> {
    if (segment.active) {
      const { entries } = await this.backend.ask("forkpoint/activePath", {
        sessionId: session.sessionId,
        order: "backward",
        firstOrdinal: segment.firstOrdinal,
        lastOrdinal: segment.lastOrdinal,
      });
      // None where the session was rewound since the tree was read. A request's order is not the
      // conversation's where rows from before a compaction are kept.
      if (entries.length > 0) return entries.sort((one, other) => other.ordinal - one.ordinal);
    }
    return this.pathBackTo(session, segment);
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

  /** What a segment gained since it was read; undefined = it is not the same with more at its end. */
  private async entriesSince(
    session: SessionSummary,
    segment: Segment,
    known: ReadSegment,
  ): Promise<PathEntry[] | undefined> {
    const { lastUuid, recordCount } = known.segment;
    if (lastUuid === segment.lastUuid) return [];
    const { entries } = await this.backend.ask("forkpoint/activePath", {
      sessionId: session.sessionId,
      leaf: segment.lastUuid,
      order: "backward",
      offset: 0,
      limit: Math.max(1, segment.recordCount - recordCount + 1),
    });
    const end = entries.findIndex(({ uuid }) => uuid === lastUuid);
    return end < 0 ? undefined : inside(segment, entries.slice(0, end));
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
    const stamp = this.stampOf(session);
    const known = this.kept.get(session.sessionId);
    if (known?.stamp === stamp) return known;
    const before = this.hasGrown(session, known) ? everRead(known) : nothing();
    const fresh: Kept = { stamp, answers: new Map(), before, read: nothing() };
    this.kept.delete(session.sessionId);
    this.kept.set(session.sessionId, fresh);
    const [oldest] = this.kept.keys();
    if (this.kept.size > SESSIONS_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return fresh;
  }

  /** Whether the transcript is the one that was read, with more at its end. */
  private hasGrown({ sessionId }: SessionSummary, known: Kept | undefined): known is Kept {
    const revision = this.watches?.revision(sessionId);
    if (!revision || !known) return false;
    // A session is first read, and followed a moment later.
    const wasFollowed = known.stamp.startsWith(READING);
    return !wasFollowed || known.stamp.startsWith(readingOf(revision.reading));
  }
}

const READING = "reading ";

function readingOf(reading: number): string {
  return `${READING}${reading}: `;
}

function nothing(): Read {
  return { segmentCount: undefined, segments: new Map(), calls: [] };
}

/** What was asked at the last stamp, and before it what was not asked then. */
function everRead({ before, read }: Kept): Read {
  return {
    segmentCount: read.segmentCount ?? before.segmentCount,
    segments: new Map([...before.segments, ...read.segments]),
    calls: read.calls.length > 0 ? read.calls : before.calls,
  };
}

/** @param backward a path, newest first */
function inside(segment: Segment, backward: readonly PathEntry[]): PathEntry[] {
  return backward
    .filter(({ ordinal }) => ordinal >= segment.firstOrdinal && ordinal <= segment.lastOrdinal)
    .reverse();
}
