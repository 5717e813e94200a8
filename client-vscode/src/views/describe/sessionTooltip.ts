// What does a session's tooltip say? Built only when the pointer rests on the row.

import { t } from "@vscode/l10n";
import type { Agent, CacheNote, SessionSummary, SharedFile, TokenCounts } from "../../protocol";
import { counted, dateAndTime, enumerated, size, tokens } from "../../words";
import { noteSentence } from "./cacheWords";
import { fileName } from "./conversation";
import { originLines } from "./family";
import type { TooltipLine } from "./row";
import { lastTime, sessionTitle, stateInWords } from "./session";

/**
 * Lines in the order of what one wants to know; a fact that is not known has no line.
 *
 * @param note on going on with the session; undefined = nobody could tell
 * @param origin the session that it came from; undefined = none, or not in the list
 */
export function sessionTooltip(
  session: SessionSummary,
  note?: CacheNote,
  origin?: SessionSummary,
): TooltipLine[] {
  const facts: [string, string | null | undefined][] = [
    ["", sessionTitle(session)],
    [t("State"), stateInWords(session)],
    [t("Project"), session.project.cwd ?? session.project.name],
    [t("Worktree of"), session.project.worktreeOf],
    [t("Last change"), dateAndTime(lastTime(session))],
    [t("Version"), session.version],
    [t("Models"), session.models.join(", ")],
    [t("Prompts"), promptsAndBranches(session)],
    [t("Copied from there"), copiedInWords(session)],
    [t("Tokens"), session.tokens && tokensInWords(session.tokens, session.agent)],
    [t("Subagents"), subagents(session)],
    [t("Context"), session.contextTokens ? t("{0} tokens", tokens(session.contextTokens)) : null],
    [t("Prompt cache"), note && noteSentence(note)],
    [t("Size"), size(session.sizeBytes)],
    [t("First prompt"), session.firstPrompt],
    [t("Also edited by another live session"), session.sharedFiles.map(nameOf).join(", ")],
    ...originLines(session, origin),
    [t("Deleted by the agent"), session.expiresAt && dateAndTime(session.expiresAt)],
    ...session.problems.map(({ sentence }): [string, string] => [t("Problem"), sentence]),
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

/** `14 in, 2.1k out, 143k from the cache, 12k into the cache`; Codex does not tell the last. */
export function tokensInWords(counts: TokenCounts, agent: Agent = "claude-code"): string {
  if (agent === "codex")
    return t(
      "{0} in, {1} out, {2} from the cache",
      tokens(counts.input),
      tokens(counts.output),
      tokens(counts.cacheRead),
    );
  return t(
    "{0} in, {1} out, {2} from the cache, {3} into the cache",
    tokens(counts.input),
    tokens(counts.output),
    tokens(counts.cacheRead),
    tokens(counts.cacheWrite5m + counts.cacheWrite1h),
  );
}

function copiedInWords({ inheritedPromptCount, inheritedTokens }: SessionSummary): string {
  const prompts = inheritedPromptCount ?? 0;
  const count = prompts ? counted(prompts, t("{0} prompt"), t("{0} prompts")) : "";
  const spent = inheritedTokens ? tokensInWords(inheritedTokens) : "";
  return count && spent ? t("{0}: {1}", count, spent) : count || spent;
}

function nameOf({ file }: SharedFile): string {
  return fileName(file);
}

function promptsAndBranches({ promptCount, branchCount, compactionCount }: SessionSummary): string {
  if (promptCount === null) return "";
  const branches =
    branchCount && counted(branchCount, t("{0} abandoned branch"), t("{0} abandoned branches"));
  const compactions =
    compactionCount && counted(compactionCount, t("{0} compaction"), t("{0} compactions"));
  return enumerated(promptCount.toLocaleString("en-US"), branches, compactions);
}

function subagents({ subagentCount, subagentTokens, agent }: SessionSummary): string {
  if (!subagentCount) return "";
  if (!subagentTokens) return String(subagentCount);
  return t("{0}: {1}", subagentCount, tokensInWords(subagentTokens, agent));
}
