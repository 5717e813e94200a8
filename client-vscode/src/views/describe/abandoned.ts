// What do the rows say of a prompt that was left behind, and of its answer?

import { t } from "@vscode/l10n";
import type { AbandonedPrompt } from "../../protocol";
import { age, ageInWords, counted, dateAndTime } from "../../words";
import { dotted, flags, type Row, spoken, type TooltipLine } from "./row";
import { sessionTitle } from "./session";

/** A row shows no more, and a screen reader should not have to read it out. */
const LONGEST_LABEL = 200;

/** @param namesSession whether the row stands below none that names it */
export function describeAbandoned(
  prompt: AbandonedPrompt,
  namesSession: boolean,
  now: number,
): Row {
  const label = firstLine(prompt.prompt) || t("(no text)");
  const session = namesSession && sessionTitle(prompt);
  const records = counted(prompt.recordCount, t("{0} record follows"), t("{0} records follow"));
  return {
    label,
    description: dotted(session, prompt.at && age(prompt.at, now)),
    icon: { id: "comment" },
    aria: spoken(
      t("abandoned prompt"),
      label,
      session && t("in {0}", session),
      prompt.at && ageInWords(prompt.at, now),
      records,
    ),
    context: flags("abandonedPrompt", { answered: prompt.answer !== "" }),
  };
}

export function describeAbandonedAnswer({ answer }: AbandonedPrompt): Row {
  const label = firstLine(answer);
  return {
    label,
    description: "",
    icon: { id: "sparkle" },
    aria: spoken(t("its answer"), label),
    context: "abandonedAnswer",
  };
}

export function abandonedTooltip(prompt: AbandonedPrompt): TooltipLine[] {
  const facts: [string, string | null][] = [
    ["", prompt.prompt],
    [t("Answer"), prompt.answer],
    [t("Session"), sessionTitle(prompt)],
    [t("Project"), prompt.project.cwd ?? prompt.project.name],
    [t("Time"), prompt.at && dateAndTime(prompt.at)],
    [t("Records that follow"), prompt.recordCount.toLocaleString("en-US")],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

/** The first line with something on it; whole characters, not halves of surrogates. */
function firstLine(text: string): string {
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  const shown = [...line.slice(0, 2 * LONGEST_LABEL)].slice(0, LONGEST_LABEL).join("");
  return shown.length < line.length ? `${shown}…` : line;
}
