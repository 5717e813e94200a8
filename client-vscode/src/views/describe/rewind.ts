// What do the rows above and around a rewind's files say: conversation, context, cache, code, groups?

import { t } from "@vscode/l10n";
import type {
  CacheNote,
  ImpactCertainty,
  NotCovered,
  RewindAction,
  RewindCode,
  RewindConversation,
} from "../../protocol";
import { counted, tokens } from "../../words";
import { describeVerdict } from "./cacheVerdict";
import { noteSentence } from "./cacheWords";
import { dotted, type Row, spoken, type TooltipLine } from "./row";

/** What would become of prompts and responses. */
export function describeConversation(conversation: RewindConversation): Row {
  const dropped = promptsAndResponses(conversation.prompts, conversation.responses);
  const kept = promptsAndResponses(conversation.promptsKept, conversation.responsesKept);
  const drops = dropped ? t("drops {0}", dropped) : t("drops nothing");
  const keepsShort =
    conversation.promptsKept > 0
      ? t("keeps {0}", conversation.promptsKept.toLocaleString("en-US"))
      : t("keeps none");
  return {
    label: t("Conversation"),
    description: dotted(drops, keepsShort),
    icon: { id: "comment-discussion" },
    aria: spoken(t("conversation"), drops, kept ? t("keeps {0}", kept) : t("keeps nothing")),
    context: "rewindConversation",
  };
}

/** `3 prompts and 4 responses`; '' for neither. */
function promptsAndResponses(prompts: number, responses: number): string {
  const some = [
    prompts > 0 && counted(prompts, t("{0} prompt"), t("{0} prompts")),
    responses > 0 && counted(responses, t("{0} response"), t("{0} responses")),
  ].filter((part) => part !== false);
  return some.length === 2 ? t("{0} and {1}", ...some) : some.join("");
}

/** How large the context is now, and how large it would be. */
export function describeContext({ tokensNow, tokensAfter }: RewindConversation): Row {
  const label = t("Context");
  const words = contextInWords(tokensNow, tokensAfter);
  const areBothKnown = tokensNow !== null && tokensAfter !== null;
  return {
    label,
    description: areBothKnown
      ? t("{0} → {1} tokens", tokens(tokensNow), tokens(tokensAfter))
      : words,
    icon: { id: "dashboard" },
    aria: spoken(t("context"), words),
    context: "rewindContext",
  };
}

function contextInWords(now: number | null, after: number | null): string {
  if (now === null && after === null) return t("size not known");
  return spoken(
    now === null ? t("size now not known") : t("{0} tokens now", tokens(now)),
    after === null ? t("afterwards not known") : t("{0} tokens afterwards", tokens(after)),
  );
}

/** What the next request from there would find in the prompt cache. */
export function describeCache(note: CacheNote, now: number): Row {
  const { label, description, icon, aria } = describeVerdict(note, now);
  return {
    label: t("Cache"),
    description: dotted(label, description),
    ...(icon ? { icon } : {}),
    aria,
    context: "rewindCache",
  };
}

/** The server's sentence, then why. */
export function cacheTooltip(note: CacheNote): TooltipLine[] {
  const reasons = note.causes.map(({ certainty, sentence, evidence }) => ({
    name: CERTAINTIES[certainty](),
    text: evidence ? t("{0} Seen: {1}.", sentence, evidence) : sentence,
  }));
  return [{ name: "", text: noteSentence(note) }, ...reasons];
}

const CERTAINTIES: Readonly<Record<ImpactCertainty, () => string>> = {
  certain: () => t("Certain"),
  likely: () => t("Likely"),
  unknowable: () => t("Cannot be known"),
};

/** Whether files would be restored; the sentence is the server's. */
export function describeCode({ available, sentence }: RewindCode): Row {
  return {
    label: t("Code"),
    description: sentence,
    icon: { id: available ? "code" : "circle-slash" },
    aria: spoken(t("code"), sentence),
    context: available ? "rewindCode" : "rewindCode+unavailable",
  };
}

/** Said in place of groups when the agent has recorded no file. */
export function describeNoFiles(): Row {
  const label = t("No files");
  const description = t("the agent's tools edited none");
  return {
    label,
    description,
    icon: { id: "info" },
    aria: spoken(label, description),
    context: "rewindNoFiles",
  };
}

/** The row above the files to which the same would happen. */
export function describeFileGroup(action: RewindAction, count: number): Row {
  const { label, icon } = GROUPS[action]();
  const files = counted(count, t("{0} file"), t("{0} files"));
  return {
    label,
    description: files,
    icon: { id: icon },
    aria: spoken(label, files),
    context: "rewindGroup",
  };
}

const GROUPS: Readonly<Record<RewindAction, () => { label: string; icon: string }>> = {
  delete: () => ({ label: t("Would be deleted"), icon: "trash" }),
  overwrite: () => ({ label: t("Would be overwritten"), icon: "edit" }),
  create: () => ({ label: t("Would be created"), icon: "new-file" }),
  skip: () => ({ label: t("Skipped"), icon: "circle-slash" }),
  unchanged: () => ({ label: t("Unchanged"), icon: "check" }),
};

/** The row above what a restore would not undo. */
export function describeNotCovered({ shell, subagents }: NotCovered): Row {
  const label = t("Not covered");
  const parts = [
    shell.length > 0 && counted(shell.length, t("{0} shell command"), t("{0} shell commands")),
    subagents.length > 0 && counted(subagents.length, t("{0} subagent"), t("{0} subagents")),
  ];
  return {
    label,
    description: dotted(...parts),
    icon: { id: "shield" },
    aria: spoken(t("not covered, a restore would not undo it"), ...parts),
    context: "rewindGroup",
  };
}
