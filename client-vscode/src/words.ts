// How are ages, sizes and counts said?

import { t } from "@vscode/l10n";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;

/** A count as rows and sentences have it: `10,001`. */
export function grouped(n: number): string {
  return n.toLocaleString("en-US");
}

/** One of two texts by a number, which takes the place of `{0}` in both. */
export function counted(n: number, one: string, many: string): string {
  return (n === 1 ? one : many).replace("{0}", grouped(n));
}

type Part = string | number | null | undefined | false;

/** The parts that are there, as one sentence or list says them: `edited, 3 days ago`. */
export function enumerated(...parts: readonly Part[]): string {
  return parts.filter(Boolean).join(t({ message: ", ", comment: ["between parts of a sentence"] }));
}

/** The sentences that are there, one after the other. */
export function sentences(...said: readonly Part[]): string {
  return said.filter(Boolean).join(t({ message: " ", comment: ["between two sentences"] }));
}

/**
 * How long ago something was, as short as a row needs it: `4 min`, `3 days`; `in 3 days`.
 *
 * @param time ISO 8601; one that cannot be read gives ''
 * @param now milliseconds since 1970
 */
export function age(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  if (Math.abs(passed) < MINUTE) return t("now");
  const said = length(Math.abs(passed));
  return passed < 0 ? inTheFuture(said) : said;
}

/** A clock was set back, or that of another machine is ahead: nobody knows how long ago it was. */
function inTheFuture(length: string): string {
  return t({ message: "in {0}", args: [length], comment: ["a length of time, as in 3 days"] });
}

function length(passed: number): string {
  if (passed < HOUR) return t("{0} min", Math.floor(passed / MINUTE));
  if (passed < DAY) return t("{0} h", Math.floor(passed / HOUR));
  return days(passed);
}

/** The same as a screen reader should say it: `4 minutes ago`. */
export function ageInWords(time: string, now: number): string {
  const passed = now - Date.parse(time);
  if (Number.isNaN(passed)) return "";
  if (Math.abs(passed) < MINUTE) return t("just now");
  const said = lengthInWords(Math.abs(passed));
  return passed < 0 ? inTheFuture(said) : t("{0} ago", said);
}

function lengthInWords(passed: number): string {
  if (passed < HOUR) return counted(Math.floor(passed / MINUTE), t("{0} minute"), t("{0} minutes"));
  if (passed < DAY) return counted(Math.floor(passed / HOUR), t("{0} hour"), t("{0} hours"));
  return days(passed);
}

function days(passed: number): string {
  if (passed < 2 * MONTH) return counted(Math.floor(passed / DAY), t("{0} day"), t("{0} days"));
  if (passed < YEAR) return t("{0} months", Math.floor(passed / MONTH));
  return counted(Math.floor(passed / YEAR), t("{0} year"), t("{0} years"));
}

/** Bytes with two or three digits: `512 B`, `1.2 MB`. */
export function size(bytes: number): string {
  return scaled(bytes, 1000, [" B", " kB", " MB", " GB", " TB"]);
}

/** A number of tokens with two or three digits: `950`, `143k`, `1.2M`. */
export function tokens(count: number): string {
  return scaled(count, 1000, ["", "k", "M", "G"]);
}

function scaled(value: number, step: number, units: readonly string[]): string {
  let unit = 0;
  let rest = value;
  // 999.5 and more would be rounded to four digits.
  while (rest >= step - 0.5 && unit < units.length - 1) {
    rest /= step;
    unit += 1;
  }
  const digits = unit > 0 && rest < 9.95 ? 1 : 0;
  return `${rest.toFixed(digits)}${units[unit] ?? ""}`;
}

let language: string | undefined;

/**
 * Days and times are said as in a language.
 *
 * @param code of VS Code's display language: `zh-cn`; English has many manners, and is not chosen
 */
export function useLanguage(code: string): void {
  language = code.startsWith("en") ? undefined : code;
}

/** A day and time in the user's manner, for tooltips; '' when it cannot be read. */
export function dateAndTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}
