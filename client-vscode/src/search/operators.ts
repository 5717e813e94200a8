// What may stand in the box beside words? For those who do not know it yet.

import { t } from "@vscode/l10n";

export interface Operator {
  /** What is put into the box when it is chosen. */
  inserts: string;
  /** How it looks in use. */
  example: string;
  explanation: string;
}

// A function, since texts are looked up when the language is known.
export function operators(): readonly Operator[] {
  const operator = (inserts: string, example: string, explanation: string): Operator => ({
    inserts,
    example: `${inserts}${example}`,
    explanation,
  });
  return [
    operator('"', 'two words"', t("a phrase: these words one after the other")),
    operator("file:", "cart.py", t("calls of tools on files with this in their path")),
    operator("tool:", "Bash", t("calls of this tool, and what they put out")),
    operator("is:error", "", t("calls that failed, and errors of the API")),
    operator("is:abandoned", "", t("what a rewind or a resend left behind")),
    operator("in:", "prompts", t("also answers, calls, outputs, thinking, context, subagents")),
    operator("branch:", "main", t("sessions on this git branch")),
    operator("model:", "opus", t("answers of this model")),
    operator("agent:", "codex", t("sessions of this agent: claude or codex")),
    operator("after:", "2026-03-01", t("on this day or later")),
    operator("before:", "2026-03-01", t("earlier than this day")),
  ];
}

/**
 * The query with its last word as the beginning of words; undefined = it does not end with a word
 * that one may not have typed to its end.
 */
export function withPrefix(query: string): string | undefined {
  const typed = query.trimEnd();
  const last = /\S*$/.exec(typed)?.[0] ?? "";
  const isWhole = !/[\p{L}\p{N}]$/u.test(last) || /^(agent|is|in|after|before):/i.test(last);
  return isWhole ? undefined : `${typed}*`;
}

/** The box with an operator at its end, as somebody would have typed it. */
export function withOperator(query: string, { inserts }: Operator): string {
  const before = query.trimEnd();
  const isWhole = /\w$/.test(inserts);
  return `${before}${before ? " " : ""}${inserts}${isWhole ? " " : ""}`;
}
