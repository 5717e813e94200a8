// Who wrote a line, in words.

import { t } from "@vscode/l10n";
import type { LineChange, LineRun } from "../../protocol";
import { ageInWords, enumerated } from "../../words";
import { dotted } from "./row";

/**
 * `last changed by Claude: prompt 14 of “Login fix”, 3 days ago`.
 *
 * @param now milliseconds since 1970
 */
export function lineAuthor(change: LineChange, now: number): string {
  const { title, promptNumber, at, onActivePath, agentId } = change;
  const session = title || t("Untitled session");
  const where =
    promptNumber === null
      ? t("last changed by Claude in “{0}”", session)
      : t("last changed by Claude: prompt {0} of “{1}”", promptNumber, session);
  const age = at ? ageInWords(at, now) : "";
  return enumerated(
    where,
    age,
    agentId !== null && t("by a subagent"),
    !onActivePath && t("on a branch that was left"),
  );
}

/** Of a line that no call wrote. */
export function noAuthor({ by, since, until }: LineRun, now: number): string {
  if (by === "older") return t("This line is older than what is recorded of the file.");
  if (by === "unknown") return t("This line is older than the edits that were looked at.");
  const ages = [until, since].map((time) => (time ? ageInWords(time, now) : ""));
  const [seen, missing] = ages;
  if (seen && missing)
    return t("Not changed by Claude's edits: written between {0} and {1}.", missing, seen);
  return missing
    ? t("Not changed by Claude's edits: written later than {0}.", missing)
    : t("Not changed by Claude's edits.");
}

/** The first words of the prompt, for a second line. */
export function promptWords({ prompt, name }: LineChange): string {
  return dotted(name, prompt?.preview);
}

/** As Markdown that shows the text and nothing else: every mark is escaped. */
export function escaped(text: string): string {
  return text
    .replace(/[\p{C}\u2028\u2029]+/gu, " ")
    .replace(/[!-/:-@[-`{-~]/g, "\\$&")
    .trim();
}

/** A link that runs one of our own commands; whatever is in its argument stays in it. */
export function commandLink(command: string, argument: object): string {
  const encoded = encodeURIComponent(JSON.stringify([argument]));
  const safe = encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `command:${command}?${safe}`;
}
