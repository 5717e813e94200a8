// What does the row of a verdict on the prompt cache say?

import { t } from "@vscode/l10n";
import type { CacheNote, Confidence } from "../../protocol";
import { dateAndTime } from "../../words";
import { factName } from "./cacheReason";
import {
  type CacheStanding,
  noteFacts,
  noteSentence,
  price,
  priceNote,
  priceRange,
  standing,
  timeLeft,
  verdictParts,
  verdictSpoken,
} from "./cacheWords";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";

/**
 * Verdict and price first: in a view of the usual width the rest is cut.
 *
 * @param now milliseconds since 1970
 */
export function describeVerdict(note: CacheNote, now: number): Row {
  const state = standing(note, now);
  const doubt = doubtOf(note);
  const { verdict, tokens, price: cost } = verdictParts(note, now);
  return {
    label: cost === "" ? verdict : `${verdict}: ${cost}`,
    description: dotted(tokens, doubt),
    icon: ICONS[state],
    aria: spoken(t("prompt cache"), verdictSpoken(note, now), doubt),
    context: flags("cacheVerdict", { [state]: true }),
  };
}

const ICONS: Readonly<Record<CacheStanding, RowIcon>> = {
  warm: { id: "flame", color: "charts.green" },
  expiring: { id: "flame", color: "list.warningForeground" },
  partial: { id: "circle-large" },
  cold: { id: "circle-slash" },
  expired: { id: "circle-slash" },
  unknown: { id: "question" },
};

/** '' = it is sure, or the verdict itself says that it is not. */
function doubtOf({ verdict, confidence }: CacheNote): string {
  return verdict === "unknown" ? "" : DOUBTS[confidence]();
}

const DOUBTS: Readonly<Record<Confidence, () => string>> = {
  high: () => "",
  medium: () => t("likely"),
  low: () => t("a guess"),
};

/** The server's sentence, then times and prices, then what they rest on. */
export function verdictTooltip(note: CacheNote): TooltipLine[] {
  const { costUsd } = note;
  const facts: [string, string][] = [
    ["", noteSentence(note)],
    [t("Lifetime"), note.ttlSeconds === null ? "" : timeLeft(note.ttlSeconds * 1000)],
    [t("Last request"), between(note.lastRequestAt, note.lastRequestBy)],
    [t("Expires"), between(note.expiresAt, note.expiresBy)],
    [t("If the cache is there"), price(costUsd.warm)],
    [t("If it is gone"), priceRange(costUsd.coldLow, costUsd.coldHigh)],
    [t("Prices"), priceNote(note)],
    ...noteFacts(note).map((fact): [string, string] => [
      factName(fact),
      `${fact.value} (${fact.from})`,
    ]),
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

/** Two times that are the same to the minute are one. */
function between(earliest: string | null, latest: string | null): string {
  const times = [earliest, latest].map((time) => (time === null ? "" : dateAndTime(time)));
  const known = [...new Set(times)].filter((time) => time !== "");
  return known.length === 2 ? t("between {0} and {1}", ...known) : known.join("");
}
