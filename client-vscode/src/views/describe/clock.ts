// What does the clock of a session's prompt cache show: how long it lives, or what its loss costs?

import { t } from "@vscode/l10n";
import type { CacheNote, SessionSummary } from "../../protocol";
import { sentences } from "../../words";
import { coldMark, timeLeft, timeLeftInWords, verdictLine, verdictSpoken } from "./cacheWords";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** So close to its end nobody knows whether an entry is there; the server says the same. */
export const MARGIN = MINUTE / 2;
const LAST_MINUTES = 5 * MINUTE;

/** What the status bar shows. */
export interface ClockFace {
  text: string;
  /** Whether the cache is about to be lost. */
  isUrgent: boolean;
  tooltip: string;
  aria: string;
}

/** open = it lives; ending = it may be gone; kept = it is gone unless an open client keeps it. */
type Phase = "open" | "ending" | "kept" | "gone";

/**
 * A note some time after it was given; undefined = nothing is known of its time.
 *
 * @param title of the session
 * @param now milliseconds since 1970
 */
export function clockFace(note: CacheNote, title: string, now: number): ClockFace | undefined {
  const phase = phaseOf(note, now);
  if (!phase) return undefined;
  const whose = t("Prompt cache of “{0}”", title);
  const click = t("Click to see why, and what a resume brings back.");
  // Of a warm cache the verdict tells the time.
  const isTimeUntold = phase === "open" && note.verdict !== "warm";
  const left = isTimeUntold ? t("It expires in {0}.", timeLeftInWords(leftOf(note, now))) : "";
  return {
    text: `$(${phase === "gone" ? "circle-slash" : "flame"}) ${textIn(phase, note, now)}`,
    isUrgent: phase === "ending" || (phase === "open" && leftOf(note, now) <= lastMinutes(note)),
    tooltip: [whose, verdictLine(note, now), left, click].filter(Boolean).join("\n"),
    aria: sentences(t("{0}: {1}.", whose, verdictSpoken(note, now)), left, click),
  };
}

function phaseOf(note: CacheNote, now: number): Phase | undefined {
  const { verdict, expiresAt, expiresBy, causes } = note;
  if (verdict === "cold") return "gone";
  if (expiresAt === null) return undefined;
  if (now < Date.parse(expiresAt) - MARGIN) return "open";
  if (now < Date.parse(expiresBy ?? expiresAt) + MARGIN) return "ending";
  return causes.some(({ code }) => code === "liveProcess") ? "kept" : "gone";
}

function textIn(phase: Phase, note: CacheNote, now: number): string {
  switch (phase) {
    case "open": {
      const left = timeLeft(leftOf(note, now));
      return note.verdict === "unknown" ? t("cache {0}?", left) : t("cache {0}", left);
    }
    case "ending":
      return t("cache ends about now");
    case "kept":
      return t("cache kept?");
    case "gone":
      return isOff(note) ? t("cache off") : t("cache {0}", coldMark(note.costUsd.coldHigh));
  }
}

function leftOf({ expiresAt }: CacheNote, now: number): number {
  return Date.parse(expiresAt ?? "") - now;
}

/** Long enough to act: a lifetime of an hour has five last minutes, one of five minutes has one. */
export function lastMinutes({ ttlSeconds }: Pick<CacheNote, "ttlSeconds">): number {
  return (ttlSeconds ?? 0) * 1000 >= HOUR ? LAST_MINUTES : MINUTE;
}

function isOff({ causes }: CacheNote): boolean {
  return causes.some(({ code }) => code === "cachingOff");
}

/**
 * When a note has to be asked for again, because the clock alone changes its verdict.
 *
 * @param askedAt when it was given, in milliseconds since 1970
 * @returns milliseconds since 1970; undefined = it stays as it is
 */
export function nextQuestion(note: CacheNote, askedAt: number): number | undefined {
  const { verdict, lastRequestAt, expiresAt, expiresBy } = note;
  if (verdict === "cold") return undefined;
  if (expiresAt === null) {
    // Of a request in the future more is known when its time has come.
    const sent = Date.parse(lastRequestAt ?? "");
    return sent > askedAt ? sent : undefined;
  }
  const ends = [Date.parse(expiresAt) - MARGIN, Date.parse(expiresBy ?? expiresAt) + MARGIN];
  return ends.find((end) => end > askedAt);
}

/**
 * Whether a note has to be asked for again: its time has come, or the clock was set back since.
 *
 * @param askedAt when it was given, in milliseconds since 1970
 * @param now likewise
 */
export function isDue(note: CacheNote, askedAt: number, now: number): boolean {
  const next = nextQuestion(note, askedAt);
  return now < askedAt || (next !== undefined && now >= next);
}

/**
 * The session whose clock is shown: one that is live here, the selected one first, else the selected.
 *
 * @param sessions newest first
 */
export function clockSession(
  sessions: readonly SessionSummary[],
  selected: SessionSummary | undefined,
  isHere: (session: SessionSummary) => boolean,
): SessionSummary | undefined {
  const isSelected = ({ sessionId }: SessionSummary) => sessionId === selected?.sessionId;
  const live = sessions.filter((session) => session.live !== null && isHere(session));
  return live.find(isSelected) ?? live[0] ?? sessions.find(isSelected) ?? selected;
}
