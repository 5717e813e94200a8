// What is odd, in words of rows and of the status bar? Findings bring their own sentence.

import { t } from "@vscode/l10n";
import type { HealthResult, HealthTotals, Problem } from "../../protocol";
import { counted, grouped, sentences } from "../../words";

/** What the status bar shows. */
export interface HealthFace {
  text: string;
  tooltip: string;
  aria: string;
}

/** Undefined = nothing is odd, nothing is deleted soon, and the server has all its parts. */
export function healthFace(health: HealthResult): HealthFace | undefined {
  const { findings, retention } = health;
  const odd = findings > 0 ? counted(findings, t("{0} finding"), t("{0} findings")) : "";
  const soon = retention.soon > 0 ? counted(retention.soon, t("{0} expires"), t("{0} expire")) : "";
  const slow = withoutNatives(health);
  if (!odd && !soon && slow.length === 0) return undefined;
  const words = [odd, soon, slow.length > 0 ? t("slower") : ""].filter(Boolean).join(" · ");
  const click = t("Click to see what and where.");
  const lines = [
    findings > 0 ? health.sentence : "",
    retention.soon > 0 ? retention.sentence : "",
    ...slow.map(({ sentence }) => sentence),
    remainsSentence(health.totals),
    click,
  ].filter(Boolean);
  return {
    text: `$(${odd ? "pulse" : soon ? "history" : "watch"}) ${words}`,
    tooltip: lines.join("\n"),
    aria: sentences(t("Format health: {0}.", words), ...lines),
  };
}

/** What is said of it that native parts of the server's libraries do not load; empty = they do. */
export function withoutNatives({ problems }: HealthResult): Problem[] {
  return problems.filter(({ code }) => code === "withoutNatives");
}

export function remainsSentence({ remains }: HealthTotals): string {
  return remains > 0
    ? counted(
        remains,
        t("{0} remain of a session that is gone."),
        t("{0} remains of sessions that are gone."),
      )
    : "";
}

/** How far the reading has come; '' = to its end. */
export function soFar({ indexing, copies }: HealthResult): string {
  if (indexing.done < indexing.total)
    return t(
      "So far: {0} of {1} transcripts are read.",
      grouped(indexing.done),
      grouped(indexing.total),
    );
  if (copies.done < copies.total)
    return t(
      "So far: copies of {0} of {1} sessions are looked at.",
      grouped(copies.done),
      grouped(copies.total),
    );
  return "";
}
