// What would going on in one way or another cost? Rows to compare.

import { t } from "@vscode/l10n";
import type { CacheNote } from "../../protocol";
import { tokens } from "../../words";
import { noteSentence, priceNote, priceOf } from "./cacheWords";
import { dotted, type Row, spoken, type TooltipLine } from "./row";

/** Ways to go on that are compared. */
export type ComparedAction = "resume" | "rewind" | "compact" | "clear";

const PROMPT_SHOWN = 28;

/** The row above them. */
export function describeCompare(): Row {
  return {
    label: t("Compare"),
    description: t("resume, rewind, compact, clear"),
    icon: { id: "split-horizontal" },
    aria: t("compare resume, rewind, compact and clear"),
    context: "cacheGroup",
  };
}

/**
 * Price first: in a narrow view the rest is cut.
 *
 * @param prompt text of the prompt that a rewind goes back to
 */
export function describeAction(action: ComparedAction, note: CacheNote, prompt = ""): Row {
  const { icon } = ACTIONS[action];
  const dropped =
    note.droppedTokens !== null && t("{0} tokens dropped", tokens(note.droppedTokens));
  return {
    label: ACTIONS[action].label(),
    description: dotted(priceOf(note), to(prompt), shortTraffic(note)),
    icon: { id: icon },
    aria: spoken(
      actionLabel(action, prompt),
      VERDICTS[note.verdict](),
      priceOf(note),
      traffic(note),
      dropped,
    ),
    context: `cacheAction+${action}`,
  };
}

/** In place of one that the server could not tell about. */
export function describeActionFailure(action: ComparedAction, sentence: string, prompt = ""): Row {
  return {
    label: ACTIONS[action].label(),
    description: dotted(to(prompt), sentence),
    icon: { id: "error", color: "list.errorForeground" },
    aria: spoken(actionLabel(action, prompt), t("not available: {0}", sentence)),
    context: `cacheAction+${action}`,
  };
}

export function actionTooltip(action: ComparedAction, note: CacheNote, prompt = ""): TooltipLine[] {
  const { droppedTokens } = note;
  const facts: [string, string][] = [
    [actionLabel(action, prompt), noteSentence(note)],
    [t("Tokens"), traffic(note)],
    [t("Dropped"), droppedTokens === null ? "" : t("{0} tokens", tokens(droppedTokens))],
    [t("Costs"), priceOf(note)],
    [t("Prices"), priceNote(note)],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

function actionLabel(action: ComparedAction, prompt: string): string {
  return action === "rewind" && prompt ? t("Rewind to “{0}”", prompt) : ACTIONS[action].label();
}

const ACTIONS: Readonly<Record<ComparedAction, { icon: string; label: () => string }>> = {
  resume: { icon: "debug-continue", label: () => t("Resume") },
  rewind: { icon: "discard", label: () => t("Rewind") },
  compact: { icon: "fold", label: () => t("Compact") },
  clear: { icon: "clear-all", label: () => t("Clear") },
};

const VERDICTS: Readonly<Record<CacheNote["verdict"], () => string>> = {
  warm: () => t("warm"),
  partial: () => t("partly warm"),
  cold: () => t("cold"),
  unknown: () => t("warm or cold"),
};

function shortTraffic({ readTokens, writeTokens, contextTokens }: CacheNote): string {
  if (readTokens === null || writeTokens === null)
    return contextTokens === null
      ? t("not known")
      : t("{0} read or written", tokens(contextTokens));
  return dotted(t("{0} read", tokens(readTokens)), t("{0} written", tokens(writeTokens)));
}

function traffic({ readTokens, writeTokens, contextTokens }: CacheNote): string {
  if (readTokens === null || writeTokens === null)
    return contextTokens === null
      ? t("not known")
      : t("{0} tokens read or written", tokens(contextTokens));
  return t("{0} tokens read, {1} written", tokens(readTokens), tokens(writeTokens));
}

/** Which prompt a rewind goes back to, short; '' = it is no rewind. */
function to(prompt: string): string {
  return prompt && t("to “{0}”", shortened(prompt));
}

function shortened(prompt: string): string {
  const letters = [...prompt];
  return letters.length <= PROMPT_SHOWN
    ? prompt
    : `${letters
        .slice(0, PROMPT_SHOWN - 1)
        .join("")
        .trimEnd()}…`;
}
