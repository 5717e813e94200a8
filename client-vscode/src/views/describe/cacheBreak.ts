// How did the prompt cache fare so far? Rows of its sums and of its breaks.

import { t } from "@vscode/l10n";
import type {
  BreakCause,
  BreakCertainty,
  BreakTotals,
  CacheBreak,
  CacheHistoryResult,
  CacheRequest,
  TokenCounts,
} from "../../protocol";
import { age, ageInWords, counted, dateAndTime, tokens } from "../../words";
import { price } from "./cacheWords";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";

/** A request that the cache should have served better. */
export interface BrokenRequest extends CacheRequest {
  break: CacheBreak;
}

/** Newest first. */
export function breaksIn({ requests }: CacheHistoryResult): BrokenRequest[] {
  return requests.filter((request): request is BrokenRequest => request.break !== null).reverse();
}

/** The row above the history. */
export function describeHistory(): Row {
  return {
    label: t("Cache history"),
    description: "",
    icon: { id: "history" },
    aria: t("cache history"),
    context: "cacheGroup",
  };
}

export function describeTotals({ requests, totals }: CacheHistoryResult): Row {
  const count = counted(requests.length, t("{0} request"), t("{0} requests"));
  const sent = t("{0} tokens sent", tokens(sentIn(totals.tokens)));
  const hits = hitShare(totals.tokens);
  return {
    label: count,
    description: dotted(price(totals.costUsd), hits, sent),
    icon: { id: "graph" },
    aria: spoken(count, price(totals.costUsd), hits, sent),
    context: "cacheTotals",
  };
}

export function totalsTooltip({ totals }: CacheHistoryResult): TooltipLine[] {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = totals.tokens;
  const facts: [string, string][] = [
    [t("Read from the cache"), tokens(cacheRead)],
    [t("Written for 5 minutes"), tokens(cacheWrite5m)],
    [t("Written for an hour"), tokens(cacheWrite1h)],
    [t("Sent without the cache"), tokens(input)],
    [t("Generated"), tokens(output)],
    [t("Costs"), price(totals.costUsd)],
    [t("Avoidable breaks"), breaksInWords(totals.avoidable)],
    [t("Expected breaks"), breaksInWords(totals.expected)],
  ];
  return facts.flatMap(([name, text]) => (text && text !== "0" ? [{ name, text }] : []));
}

function sentIn({ input, cacheRead, cacheWrite5m, cacheWrite1h }: TokenCounts): number {
  return input + cacheRead + cacheWrite5m + cacheWrite1h;
}

/** `92% from the cache`; '' when nothing was sent. Never 100% unless all was. */
function hitShare(counts: TokenCounts): string {
  const sent = sentIn(counts);
  return sent === 0 ? "" : t("{0}% from the cache", Math.floor((100 * counts.cacheRead) / sent));
}

function breaksInWords(totals: BreakTotals): string {
  return dotted(
    totals.count.toLocaleString("en-US"),
    totals.count > 0 && t("{0} tokens", tokens(totals.lostTokens)),
    totals.count > 0 && price(totals.costUsd),
  );
}

/** Said when the cache served all that could be asked of it. */
export function describeNoBreaks(): Row {
  const label = t("No breaks");
  const description = t("each request found what was cached");
  return {
    label,
    description,
    icon: { id: "check" },
    aria: spoken(label, description),
    context: "cacheNoBreaks",
  };
}

/** The row above the breaks that somebody asked for. */
export function describeExpected({ count, lostTokens, costUsd }: BreakTotals): Row {
  const label = t("Expected");
  const breaks = counted(count, t("{0} break"), t("{0} breaks"));
  const lost = t("{0} tokens", tokens(lostTokens));
  return {
    label,
    description: dotted(price(costUsd), breaks, lost),
    icon: { id: "info" },
    aria: spoken(t("expected breaks, somebody asked for them"), price(costUsd), breaks, lost),
    context: "cacheGroup",
    isDimmed: true,
  };
}

/**
 * Price first: in a view of the usual width the rest is cut.
 *
 * @param now milliseconds since 1970
 */
export function describeBreak({ at, break: broken }: BrokenRequest, now: number): Row {
  const { lostTokens, costUsd, expected } = broken;
  const label = CAUSES[broken.cause]();
  const lost = t("{0} tokens", tokens(lostTokens));
  return {
    label,
    description: dotted(price(costUsd), lost, expected && t("expected"), at && age(at, now)),
    icon: iconOf(broken),
    aria: spoken(
      expected ? t("expected cache break") : t("cache break"),
      broken.sentence,
      price(costUsd),
      CERTAINTIES[broken.certainty](),
      at && ageInWords(at, now),
    ),
    context: flags("cacheBreak", { expected }),
    isDimmed: expected,
  };
}

export function breakTooltip({ at, model, break: broken }: BrokenRequest): TooltipLine[] {
  const facts: [string, string][] = [
    ["", broken.sentence],
    [t("How sure"), CERTAINTIES[broken.certainty]()],
    [t("Costs more than reading them"), price(broken.costUsd)],
    [t("When"), at === null ? "" : dateAndTime(at)],
    [t("Model"), model ?? ""],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

function iconOf({ expected, certainty }: CacheBreak): RowIcon {
  if (expected) return { id: "info" };
  return certainty === "unknowable"
    ? { id: "question" }
    : { id: "warning", color: "list.warningForeground" };
}

const CERTAINTIES: Readonly<Record<BreakCertainty, () => string>> = {
  certain: () => t("certain"),
  likely: () => t("likely"),
  unknowable: () => t("cannot be known"),
};

const CAUSES: Readonly<Record<BreakCause, () => string>> = {
  compaction: () => t("Compacted"),
  clearing: () => t("Old tool results cleared"),
  rewind: () => t("Went on from an earlier point"),
  model: () => t("Another model"),
  tools: () => t("Other tools"),
  system: () => t("Another system prompt"),
  messages: () => t("An earlier message changed"),
  thinking: () => t("Other thinking settings"),
  effort: () => t("Another effort level"),
  fast: () => t("Fast mode turned on"),
  headers: () => t("Other beta headers"),
  expired: () => t("Idle for too long"),
  server: () => t("Gone on the server's side"),
  upgrade: () => t("Another version of Claude Code"),
  upgradeTools: () => t("Another version, maybe other tools"),
  cwd: () => t("Another folder"),
  git: () => t("Another git branch"),
  resumeDefect: () => t("Lost at a restart"),
  unknown: () => t("Cause not known"),
};
