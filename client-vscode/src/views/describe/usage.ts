// How is what was spent said? Rows of sums, with a bar, and in words for the ear.

import { t } from "@vscode/l10n";
import type { Problem, TokenCounts, UsageAmount, UsageRow, UsageSums } from "../../protocol";
import { counted, tokens } from "../../words";
import { price } from "./cacheWords";
import { dotted, type Row, spoken, type TooltipLine } from "./row";

const BAR_WIDTH = 8;
const HUNDRED = 100;

/** What a sum is of, and how it is drawn. */
export interface UsageWords {
  label: string;
  icon: string;
  context: string;
  /** The greatest weight among the rows beside it; undefined = no bar. */
  most?: number;
}

export function describeUsage(sums: UsageSums, words: UsageWords): Row {
  const { label, icon, context, most } = words;
  const line = most === undefined ? "" : bar(weight(sums), most);
  return {
    label,
    description: dotted(line, ...shown(sums.both)),
    icon: { id: icon },
    aria: spoken(label, ...amountInWords(sums.both), ofSubagents(sums)),
    context,
  };
}

/** A row below which sums stand that are asked for when it is opened. */
export function describeUsageGroup(label: string, icon: string): Row {
  return { label, description: "", icon: { id: icon }, aria: label, context: "usageGroup" };
}

/** What subagents spent of a sum. */
export function describeSubagents(sums: UsageSums): Row {
  const label = t("Of it by subagents");
  const share = shareOf(weight({ both: sums.subagents }), weight(sums));
  return {
    label,
    description: dotted(...shown(sums.subagents), share),
    icon: { id: "organization" },
    aria: spoken(label, ...amountInWords(sums.subagents), share),
    context: "usageSubagents",
  };
}

/** What is to be known about the numbers. */
export function describeNote({ sentence }: Problem): Row {
  return {
    label: sentence,
    description: "",
    icon: { id: "info" },
    aria: sentence,
    context: "usageNote",
  };
}

export function usageTooltip(label: string, sums: UsageSums): TooltipLine[] {
  const { both, own, subagents } = sums;
  const facts: [string, string][] = [
    ["", label],
    [t("API price equivalent"), withUnpriced(both)],
    [t("Of it by subagents"), subagents.responses > 0 ? withUnpriced(subagents) : ""],
    [t("Responses"), responsesInWords(both, own)],
    [t("Sessions"), String(sums.sessions)],
    ...kinds(both.tokens),
  ];
  return facts.filter(([, text]) => text !== "").map(([name, text]) => ({ name, text }));
}

/** What a row is called by one of its dimensions. */
export function nameOf(row: UsageRow): string {
  if (row.sessionId !== null) return row.title?.text || row.sessionId;
  if (row.day !== null) return row.day;
  if (row.month !== null) return row.month;
  if (row.project !== null) return row.project.name;
  return row.model ?? t("Not named");
}

/** By what rows are compared: dollars, else tokens where nothing has a price. */
export function weight({ both }: Pick<UsageSums, "both">): number {
  return both.costUsd ?? 0;
}

/** A line as long as a number's share of the greatest. */
export function bar(value: number, most: number): string {
  if (value <= 0 || most <= 0) return "";
  return "━".repeat(Math.max(1, Math.round((value / most) * BAR_WIDTH)));
}

/** Dollars, with a plus where some responses have no known price, and tokens. */
function shown(amount: UsageAmount): string[] {
  if (amount.responses === 0) return [t("nothing")];
  const known = price(amount.costUsd);
  const plus = known !== "" && amount.unpriced > 0 ? "+" : "";
  const none = amount.costUsd === null ? t("no known price") : "";
  return [`${known}${plus}` || none, t("{0} tokens", tokens(sum(amount.tokens)))];
}

/** The same as a screen reader should say it. */
function amountInWords(amount: UsageAmount): string[] {
  if (amount.responses === 0) return [t("nothing")];
  return [withUnpriced(amount), t("{0} tokens", tokens(sum(amount.tokens)))];
}

/** Dollars; what has no known price is named, never counted as nothing. */
function withUnpriced({ costUsd, unpriced }: UsageAmount): string {
  const known = price(costUsd);
  if (unpriced === 0) return known;
  const more = counted(
    unpriced,
    t("{0} response without a known price"),
    t("{0} responses without a known price"),
  );
  return known === "" ? more : t("{0} and {1}", known, more);
}

function ofSubagents({ subagents }: UsageSums): string {
  return subagents.responses > 0 ? t("{0} of it by subagents", withUnpriced(subagents)) : "";
}

function responsesInWords(both: UsageAmount, own: UsageAmount): string {
  const all = both.responses.toLocaleString("en-US");
  return own.responses === both.responses
    ? all
    : t(
        "{0}, {1} of them by subagents",
        all,
        (both.responses - own.responses).toLocaleString("en-US"),
      );
}

function shareOf(part: number, whole: number): string {
  return whole > 0 ? t("{0} %", Math.round((part / whole) * HUNDRED)) : "";
}

function kinds({
  input,
  output,
  cacheRead,
  cacheWrite5m,
  cacheWrite1h,
}: TokenCounts): [string, string][] {
  return [
    [t("Read from the cache"), tokens(cacheRead)],
    [t("Written for 5 minutes"), tokens(cacheWrite5m)],
    [t("Written for an hour"), tokens(cacheWrite1h)],
    [t("Sent without the cache"), tokens(input)],
    [t("Generated"), tokens(output)],
  ];
}

function sum({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: TokenCounts): number {
  return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}
