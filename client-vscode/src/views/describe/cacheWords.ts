// How are the prompt cache's verdicts, prices and times said? The same everywhere they are shown.

import { t } from "@vscode/l10n";
import type { CacheFact, CacheNote, ImpactCode, ImpactCosts } from "../../protocol";
import { counted, enumerated, tokens } from "../../words";

const MINUTE = 60_000;
const CENT = 0.01;

/**
 * A verdict as the clock has it by now, without asking again: expiring = a warm prefix may be gone
 * already; expired = it is gone by the clock.
 */
export type CacheStanding = CacheNote["verdict"] | "expiring" | "expired";

/** @param now milliseconds since 1970 */
export function standing(note: CacheNote, now: number): CacheStanding {
  const { verdict, expiresAt, expiresBy } = note;
  // A note without times has none that could pass.
  if (verdict !== "warm" || expiresAt === null || now < Date.parse(expiresAt)) return verdict;
  if (expiresBy !== null && now < Date.parse(expiresBy)) return "expiring";
  // An open client may keep the cache warm without a trace.
  return hasCause(note, "liveProcess") ? "expiring" : "expired";
}

/** What a verdict says, apart; a part that is not known is ''. */
export interface VerdictParts {
  /** `Warm for about 48 min` */
  verdict: string;
  /** `143k tokens read` */
  tokens: string;
  /** `$0.03` */
  price: string;
}

/** The verdict in one line: `Warm for about 48 min: 143k tokens read, $0.03`. */
export function verdictLine(note: CacheNote, now: number): string {
  return inOneLine(verdictParts(note, now));
}

/** The same as a screen reader should say it. */
export function verdictSpoken(note: CacheNote, now: number): string {
  return inOneLine(verdictParts(note, now, SPOKEN));
}

function inOneLine({ verdict, tokens: read, price: cost }: VerdictParts): string {
  const facts = [read, cost].filter((fact) => fact !== "");
  return facts.length === 0 ? verdict : t("{0}: {1}", verdict, enumerated(...facts));
}

interface Wording {
  left: (milliseconds: number) => string;
  range: (low: number | null, high: number | null) => string;
}

export function verdictParts(note: CacheNote, now: number, wording = SHOWN): VerdictParts {
  const { costUsd } = note;
  switch (standing(note, now)) {
    case "warm":
      return {
        verdict: warmth(note, now, wording),
        tokens: read(note),
        price: price(costUsd.warm),
      };
    case "partial":
      return {
        verdict: t("Partly warm"),
        tokens: readAndWritten(note),
        price: price(costUsd.expected),
      };
    case "cold":
      return coldParts(note, t("Cold"), note.writeTokens ?? note.contextTokens, wording);
    case "expired":
      return coldParts(note, t("Expired"), note.contextTokens, wording);
    case "expiring":
      return eitherParts(note, t("Expires about now"), wording);
    case "unknown":
      if (isNotForetold(note)) return notForetoldParts();
      return eitherParts(note, endsNow(note) ? t("Expires about now") : t("Warm or cold"), wording);
  }
}

/** Whether nothing at all can be said: of Codex there are no rules to go by. */
export function isNotForetold({ verdict, causes }: CacheNote): boolean {
  return verdict === "unknown" && causes.length === 0;
}

function notForetoldParts(): VerdictParts {
  return {
    verdict: t("Not known"),
    tokens: t("Codex does not say how long it is kept"),
    price: "",
  };
}

function warmth({ expiresAt }: CacheNote, now: number, { left }: Wording): string {
  if (expiresAt === null) return t("Warm");
  const milliseconds = Date.parse(expiresAt) - now;
  const isLastMinute = Math.round(milliseconds / MINUTE) < 1;
  return isLastMinute
    ? t("Warm for {0}", left(milliseconds))
    : t("Warm for about {0}", left(milliseconds));
}

function coldParts(
  note: CacheNote,
  verdict: string,
  written: number | null,
  { range }: Wording,
): VerdictParts {
  const { coldLow, coldHigh } = note.costUsd;
  return { verdict, tokens: writtenAgain(note, written), price: range(coldLow, coldHigh) };
}

function writtenAgain(note: CacheNote, written: number | null): string {
  if (written === null) return "";
  return hasCause(note, "cachingOff")
    ? t("caching is off, {0} tokens at full price", tokens(written))
    : t("{0} tokens will be written again", tokens(written));
}

function eitherParts(note: CacheNote, verdict: string, { range }: Wording): VerdictParts {
  const { contextTokens, costUsd } = note;
  const isUnused = hasCause(note, "noCacheUse");
  if (contextTokens === null || isUnused)
    return { verdict: t("Not known"), tokens: unused(note), price: "" };
  const either = t("{0} tokens read or written again", tokens(contextTokens));
  return { verdict, tokens: either, price: eitherPrice(costUsd, range) };
}

function unused({ contextTokens }: CacheNote): string {
  return contextTokens === null
    ? t("no request was answered yet")
    : t("no use of the cache was reported");
}

/** Whether it is the clock that leaves it open. */
function endsNow({ causes: [deciding], expiresAt }: CacheNote): boolean {
  return deciding?.code === "expiresNow" && expiresAt !== null;
}

function hasCause({ causes }: CacheNote, wanted: ImpactCode): boolean {
  return causes.some(({ code }) => code === wanted);
}

function read({ readTokens }: CacheNote): string {
  return readTokens === null ? "" : t("{0} tokens read", tokens(readTokens));
}

function readAndWritten({ readTokens, writeTokens }: CacheNote): string {
  if (readTokens === null || writeTokens === null) return "";
  return t("{0} tokens read, {1} written", tokens(readTokens), tokens(writeTokens));
}

function eitherPrice({ warm, coldLow, coldHigh }: ImpactCosts, range: Wording["range"]): string {
  const cold = range(coldLow, coldHigh);
  if (warm === null || cold === "") return "";
  return isBelowCent(warm)
    ? t("up to {0}", price(coldHigh ?? coldLow))
    : t("{0} or {1}", price(warm), cold);
}

let arePricesShown = true;

/** Whether dollar figures are said at all, here and so everywhere. */
export function showPrices(shows: boolean): void {
  arePricesShown = shows;
}

/** US dollars to the cent: `$1.15`, `less than $0.01`; '' = no price is known, or none is shown. */
export function price(usd: number | null): string {
  if (usd === null || !arePricesShown) return "";
  return isBelowCent(usd) ? t("less than {0}", dollars(CENT)) : dollars(usd);
}

/** `$0.98–$1.15`; one price when both are the same to the cent, or only one is known. */
export function priceRange(low: number | null, high: number | null): string {
  return rangeIn((from, to) => `${from}–${to}`, low, high);
}

/** The same as a screen reader should say it: `$0.98 to $1.15`. */
export function priceRangeSpoken(low: number | null, high: number | null): string {
  return rangeIn((from, to) => t("{0} to {1}", from, to), low, high);
}

function rangeIn(
  between: (from: string, to: string) => string,
  low: number | null,
  high: number | null,
): string {
  const [from, to] = [price(low), price(high)];
  if (from === "" || to === "" || from === to) return to || from;
  if (low !== null && isBelowCent(low)) return t("up to {0}", to);
  return between(from, to);
}

/** Whether it would be rounded to nothing. */
function isBelowCent(usd: number): boolean {
  return usd < CENT / 2;
}

function dollars(usd: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${usd.toLocaleString("en-US", digits)}`;
}

/** What a note's request costs by its verdict: `$0.03`, `$0.98–$1.15`, `$0.03 or $1.15`. */
export function priceOf({ verdict, costUsd }: CacheNote): string {
  if (verdict === "unknown") return eitherPrice(costUsd, priceRange);
  if (verdict === "cold") return priceRange(costUsd.coldLow, costUsd.coldHigh);
  return price(costUsd.expected);
}

/** The server's sentence, which tells prices; where none are shown, the verdict in a line. */
export function noteSentence(note: CacheNote, now = Date.now()): string {
  return arePricesShown ? note.sentence : verdictLine(note, now);
}

/** What the note rests on, but for prices where none are shown. */
export function noteFacts({ basis }: CacheNote): CacheFact[] {
  return arePricesShown ? basis : basis.filter(({ what }) => what !== "price");
}

/** A mark for a row: `cold · $1.15`, or `cold` when no price is known. */
export function coldMark(usd: number | null): string {
  const said = price(usd);
  return said === "" ? t("cold") : t("cold · {0}", said);
}

/** What is left of a lifetime, to the minute: `48 min`, `less than 1 min`. */
export function timeLeft(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 1) return t("less than {0} min", 1);
  if (minutes < 60) return t("{0} min", minutes);
  return t("{0} h", Math.round(minutes / 60));
}

/** The same as a screen reader should say it: `48 minutes`. */
export function timeLeftInWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE);
  if (minutes < 1) return t("less than one minute");
  if (minutes < 60) return counted(minutes, t("{0} minute"), t("{0} minutes"));
  return counted(Math.round(minutes / 60), t("{0} hour"), t("{0} hours"));
}

/** Whether a plan pays, so that prices only compare. */
export function isOnPlan({ basis }: CacheNote): boolean {
  return basis.some(({ what, value }) => what === "account" && value === "subscription");
}

/** Whose prices these are; '' = no price is known, or none is shown. */
export function priceNote(note: CacheNote): string {
  const { priceModel } = note;
  if (priceModel === null || !arePricesShown) return "";
  return isOnPlan(note)
    ? t("list price of the API for {0}, for comparison: the plan is not charged so", priceModel)
    : t("list price of the API for {0}", priceModel);
}

const SHOWN: Wording = { left: timeLeft, range: priceRange };
const SPOKEN: Wording = { left: timeLeftInWords, range: priceRangeSpoken };
