// What does a session's row say of its prompt cache? The clock alone; the view Resume & Cache says the rest.

import { t } from "@vscode/l10n";
import type { SessionCache, SessionSummary } from "../../protocol";
import { DAY } from "../../words";
import { coldMark, timeLeft, timeLeftInWords } from "./cacheWords";
import { lastMinutes, MARGIN } from "./clock";

/** A short mark and how it is said. */
export interface CacheMark {
  text: string;
  aria: string;
}

/** What the mark depends on beside the session itself. */
export interface CacheMarkSetting {
  /** Milliseconds since 1970. */
  now: number;
  /** US dollars from which on going on without the cache is dear; 0 = never. */
  resumeWarning: number;
}

/**
 * The mark of a session whose cache is about to expire, or is gone and dear to write again.
 *
 * @param usedAt time of the session's last record, ISO 8601
 */
export function cacheMark(
  { cache, live }: Pick<SessionSummary, "cache" | "live">,
  usedAt: string,
  { now, resumeWarning }: CacheMarkSetting,
): CacheMark | undefined {
  if (!cache?.expiresAt) return undefined;
  const left = Date.parse(cache.expiresAt) - now;
  if (left > 0) return left <= lastMinutes(cache) ? expiringMark(left) : undefined;
  if (live) return undefined; // an open client may keep the cache warm without a trace
  const isRecent = now - Date.parse(usedAt) < DAY;
  const isMarked = isRecent && isGone(cache, now) && isDear(cache.costUsdCold, resumeWarning);
  return isMarked ? goneMark(cache) : undefined;
}

/** Whether a price is worth a question; one that is not known is none. */
export function isDear(usd: number | null, resumeWarning: number): boolean {
  return resumeWarning > 0 && usd !== null && usd >= resumeWarning;
}

function expiringMark(left: number): CacheMark {
  return {
    text: t("cache {0}", timeLeft(left)),
    aria: t("prompt cache expires in {0}", timeLeftInWords(left)),
  };
}

function goneMark({ costUsdCold }: SessionCache): CacheMark {
  const text = coldMark(costUsdCold);
  return { text, aria: t("prompt cache {0}", text) };
}

function isGone({ expiresAt, expiresBy }: SessionCache, now: number): boolean {
  return now > Date.parse(expiresBy ?? expiresAt ?? "") + MARGIN;
}
