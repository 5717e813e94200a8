// What is asked before a session is resumed? The words alone; resume.ts asks and carries out.

import { t } from "@vscode/l10n";
import type { CacheNote } from "./protocol";
import type { ResumeChoice } from "./resumeChoice";
import { isOnPlan, noteSentence, price, priceNote } from "./views/describe/cacheWords";
import { isDear } from "./views/describe/sessionCache";

export interface ResumeQuestion {
  /** Whether it costs so much that a warning is due. */
  isWarning: boolean;
  message: string;
  detail: string;
  /** The button that starts it. */
  yes: string;
}

/** The ways that start the agent. */
export type Start = ResumeChoice & { kind: "extension" | "terminal" };

/**
 * What the agent does with the session costs money, so a person says yes to the exact command, and
 * to a price that they may not expect.
 *
 * @param note on going on with the session; undefined = nobody could tell
 * @param resumeWarning US dollars from which on a cold resume is dear; 0 = never
 * @returns undefined = nothing has to be asked: the extension asks for a prompt before it sends one
 */
export function resumeQuestion(
  title: string,
  start: Start,
  note: CacheNote | undefined,
  resumeWarning: number,
): ResumeQuestion | undefined {
  const cost = note && costOfLoss(note);
  const isWarning = isDear(cost ?? null, resumeWarning);
  if (start.kind === "extension" && !isWarning) return undefined;
  const isTerminal = start.kind === "terminal";
  const details = [
    note && noteSentence(note),
    isWarning && note && priceSource(note),
    isTerminal && t("Runs {0} in {1}.", start.command, start.cwd),
  ];
  return {
    isWarning,
    message: isTerminal
      ? t("Resume “{0}” in a terminal?", title)
      : t("Resume “{0}” in the Claude Code extension?", title),
    detail: details.filter(Boolean).join("\n\n"),
    yes: isWarning && note ? yesWithPrice(note) : t("Resume"),
  };
}

/** What going on costs when the cache is, or may be, gone; null = it is there, or no price is known. */
function costOfLoss({ verdict, costUsd }: CacheNote): number | null {
  if (verdict === "warm") return null;
  return verdict === "unknown" ? costUsd.coldHigh : costUsd.expected;
}

function priceSource(note: CacheNote): string {
  const source = priceNote(note);
  return source && t("Price: {0}.", source);
}

function yesWithPrice(note: CacheNote): string {
  const cost = price(costOfLoss(note));
  if (cost === "") return t("Resume");
  if (note.verdict === "unknown")
    return isOnPlan(note)
      ? t("Resume (up to {0} at API prices)", cost)
      : t("Resume (up to {0})", cost);
  return isOnPlan(note)
    ? t("Resume (about {0} at API prices)", cost)
    : t("Resume for about {0}", cost);
}
