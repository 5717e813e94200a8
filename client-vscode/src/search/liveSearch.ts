// What is found while somebody types? Asked a moment after the last key, given up at the next.

import type { SearchResult } from "../protocol";
import { isSameQuestion, progressInWords, type Question } from "./question";

/** Keys of a word come faster than this. */
export const TYPING_MS = 150;
/** While transcripts are still read, the answer grows. */
export const GROWING_MS = 700;
/** Asking again takes at most this share of the server's time. */
const LARGEST_SHARE = 1 / 5;

/** What is known of what stands in the box. */
export type Seen =
  | { kind: "empty" }
  | { kind: "asking"; question: Question }
  | { kind: "answered"; question: Question; result: SearchResult }
  | { kind: "failed"; question: Question; error: unknown };

export class LiveSearch {
  private question: Question | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked: AbortController | undefined;

  /**
   * @param ask asks the server; may fail
   * @param show told whenever something else is known
   */
  constructor(
    private readonly ask: (question: Question, signal: AbortSignal) => Promise<SearchResult>,
    private readonly show: (seen: Seen) => void,
  ) {}

  /** Something else may stand in the box. */
  look(question: Question): void {
    if (isSameQuestion(question, this.question)) return;
    this.giveUp();
    this.question = question;
    if (question.query.trim() === "") {
      this.show({ kind: "empty" });
      return;
    }
    this.show({ kind: "asking", question });
    this.askAfter(TYPING_MS, question);
  }

  /** Nobody wants to know any more. */
  dispose(): void {
    this.giveUp();
    this.question = undefined;
  }

  private giveUp(): void {
    clearTimeout(this.timer);
    this.asked?.abort();
    this.asked = undefined;
  }

  private askAfter(ms: number, question: Question): void {
    this.timer = setTimeout(() => void this.askNow(question), ms);
  }

  private async askNow(question: Question): Promise<void> {
    const asked = new AbortController();
    this.asked = asked;
    const began = performance.now();
    try {
      const result = await this.ask(question, asked.signal);
      if (asked.signal.aborted) return;
      this.show({ kind: "answered", question, result });
      if (!progressInWords(result.indexing)) return;
      const took = performance.now() - began;
      this.askAfter(Math.max(GROWING_MS, took / LARGEST_SHARE), question);
    } catch (error) {
      if (!asked.signal.aborted) this.show({ kind: "failed", question, error });
    }
  }
}
