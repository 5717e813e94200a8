// What does a branch's row say?

import { t } from "@vscode/l10n";
import type { Segment, SegmentReason } from "../../protocol";
import { age, ageInWords, counted, dateAndTime } from "../../words";
import { fileName } from "./conversation";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";
import { tokensInWords } from "./sessionTooltip";

const ACTIVE_COLOR = "charts.green";

/** @param timesSent how often its first prompt was sent from the same place, this one included */
export function describeSegment(segment: Segment, now: number, timesSent = 1): Row {
  const reason = REASONS[segment.reason]();
  const label = segmentLabel(segment);
  const prompts = counted(segment.promptCount, t("{0} prompt"), t("{0} prompts"));
  const sent = timesSent > 1 && t("same prompt ×{0}", timesSent);
  return {
    label,
    description: dotted(
      segment.active && t("active"),
      prompts,
      segment.endedAt && age(segment.endedAt, now),
      sent || reason.word,
    ),
    icon: segmentIcon(segment),
    aria: spoken(
      segment.active ? t("active branch") : t("abandoned branch"),
      label,
      prompts,
      segment.endedAt && ageInWords(segment.endedAt, now),
      reason.word,
      timesSent > 1 && t("same prompt sent {0} times", timesSent),
    ),
    context: flags("segment", { active: segment.active, abandoned: !segment.active }),
    isDimmed: !segment.active,
  };
}

/** The row that holds the earlier ones of a prompt sent several times. */
export function describeResends(earlier: readonly Segment[]): Row {
  const label = t("Same prompt sent {0} times", earlier.length + 1);
  return {
    label,
    description: counted(earlier.length, t("{0} earlier"), t("{0} earlier")),
    icon: { id: "sync" },
    aria: spoken(label, counted(earlier.length, t("{0} earlier"), t("{0} earlier"))),
    context: "resends",
    isDimmed: true,
  };
}

export function segmentTooltip(segment: Segment): TooltipLine[] {
  const facts: [string, string | null][] = [
    ["", segmentLabel(segment)],
    [t("First prompt"), segment.label],
    [t("Begins"), REASONS[segment.reason]().sentence],
    [t("From"), segment.startedAt && dateAndTime(segment.startedAt)],
    [t("To"), segment.endedAt && dateAndTime(segment.endedAt)],
    [t("Records"), segment.recordCount.toLocaleString("en-US")],
    [t("Edited files"), segment.editedFiles.map(fileName).join(", ")],
    [t("Tokens"), tokensInWords(segment.tokens)],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

/** The first prompt names a branch; a compaction is something of its own. */
function segmentLabel({ label, reason }: Segment): string {
  const { withoutPrompt } = REASONS[reason]();
  return reason === "compaction" ? withoutPrompt : (label ?? withoutPrompt);
}

function segmentIcon({ reason, active }: Segment): RowIcon {
  const id = reason === "compaction" ? "fold" : active ? "git-commit" : "git-branch";
  return active ? { id, color: ACTIVE_COLOR } : { id };
}

interface ReasonTexts {
  /** In the description; '' = nothing worth a word. */
  word: string;
  /** The label of a segment without a prompt. */
  withoutPrompt: string;
  sentence: string;
}

const REASONS: Readonly<Record<SegmentReason, () => ReasonTexts>> = {
  start: () => ({
    word: "",
    withoutPrompt: t("Start"),
    sentence: t("the conversation starts here"),
  }),
  rewind: () => ({
    word: t("rewind"),
    withoutPrompt: t("Rewind"),
    sentence: t("a rewind went back, and the conversation went on from there"),
  }),
  resend: () => ({
    word: t("resend"),
    withoutPrompt: t("Resend"),
    sentence: t("the same prompt was sent again"),
  }),
  twoWriters: () => ({
    word: t("two writers"),
    withoutPrompt: t("Second writer"),
    sentence: t("two processes wrote to the session at once"),
  }),
  compaction: () => ({
    word: "",
    withoutPrompt: t("Compaction"),
    sentence: t("a compaction put a summary in place of what came before"),
  }),
  continuation: () => ({
    word: "",
    withoutPrompt: t("Continuation"),
    sentence: t("the conversation went on; another branch starts at the same place"),
  }),
  restart: () => ({
    word: t("restart"),
    withoutPrompt: t("Restart"),
    sentence: t("a prompt without anything before it"),
  }),
};
