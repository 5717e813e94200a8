// How is a transcript opened at a record that was found? The one place that knows.

import type { Backend } from "../backend";
import type { Transcripts } from "../documents/transcript";
import type { AbandonedPrompt, SearchHit, Segment } from "../protocol";
import type { Place } from "../views/tree";
import { type Found, isHit } from "./question";

/** Opens readable transcripts at what was found, one after the other. */
export class FoundOpener {
  private opening: Promise<void> = Promise.resolve();
  private wanted = 0;

  constructor(
    private readonly backend: Pick<Backend, "ask">,
    private readonly transcripts: Pick<Transcripts, "open">,
  ) {}

  /** Of those that are wanted while one is being opened only the last one is. */
  open(found: Found, preserveFocus: boolean): Promise<void> {
    this.wanted += 1;
    const turn = this.wanted;
    const opened = this.opening.then(async () => {
      if (turn === this.wanted) await this.openNow(found, preserveFocus);
    });
    this.opening = opened.catch(() => undefined);
    return opened;
  }

  private async openNow(found: Found, preserveFocus: boolean): Promise<void> {
    const place = isHit(found) ? await this.placeOf(found) : placeOfPrompt(found);
    await this.transcripts.open(place, preserveFocus);
  }

  /** The whole session, from its beginning. */
  async openSession({ sessionId, title }: Found): Promise<void> {
    await this.transcripts.open({ session: { sessionId, title } }, false);
  }

  /** What is off the active path stands in the text of its own branch. */
  private async placeOf(hit: SearchHit): Promise<Place> {
    const { sessionId, title, ordinal, fate } = hit;
    const agent = hit.agentId === null ? {} : { agentId: hit.agentId };
    const place: Place = { session: { sessionId, title }, ...agent, ordinal };
    if (fate !== "abandoned") return place;
    const { segments } = await this.backend.ask("forkpoint/branchTree", { sessionId, ...agent });
    return { ...place, leaf: branchEnd(hit, segments) };
  }
}

/**
 * uuid of the end of the branch that a record lies on; the record itself where that is not certain,
 * as with two processes that wrote at once: then the text ends with it.
 */
export function branchEnd(
  { uuid, ordinal }: Pick<SearchHit, "uuid" | "ordinal">,
  segments: readonly Segment[],
): string {
  const around = segments.filter(
    ({ firstOrdinal, lastOrdinal }) => firstOrdinal <= ordinal && ordinal <= lastOrdinal,
  );
  const [only, ...others] = around;
  return only && others.length === 0 && !only.active ? only.lastUuid : uuid;
}

function placeOfPrompt({ sessionId, title, ordinal, leaf }: AbandonedPrompt): Place {
  return { session: { sessionId, title }, ordinal, leaf };
}
