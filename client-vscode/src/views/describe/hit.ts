// What do the rows say of a record that was found?

import { t } from "@vscode/l10n";
import type { HitFate, HitPart, SearchHit } from "../../protocol";
import { aroundMatch } from "../../search/snippet";
import { age, ageInWords, counted, dateAndTime } from "../../words";
import { fileName, toolIcon } from "./conversation";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";
import { sessionTitle } from "./session";

/** A side bar shows some forty characters of a row, a quick pick twice as many. */
const BEFORE_MATCH_IN_VIEW = 12;
const BEFORE_MATCH_IN_PICK = 40;

/** @param namesSession whether the row stands below none that names it */
export function describeHit(hit: SearchHit, namesSession: boolean, now: number): Row {
  const { text, ranges } = aroundMatch(hit, BEFORE_MATCH_IN_VIEW);
  const fate = FATES[hit.fate]().words;
  return {
    label: text || t("(no text)"),
    highlights: ranges,
    description: dotted(
      namesSession && sessionTitle(hit),
      hit.at && age(hit.at, now),
      hit.agentId !== null && t("subagent"),
      fate,
    ),
    icon: hitIcon(hit),
    aria: spoken(
      partInWords(hit),
      hit.snippet || t("(no text)"),
      namesSession && t("in {0}", sessionTitle(hit)),
      hit.at && ageInWords(hit.at, now),
      hit.agentId !== null && t("by a subagent"),
      fate,
    ),
    context: flags("hit", { abandoned: hit.fate === "abandoned", subagent: hit.agentId !== null }),
    isDimmed: hit.fate === "abandoned" || hit.fate === "summarized",
  };
}

/** Three lines in a quick pick; a screen reader reads them out one after the other. */
export interface HitItem {
  label: string;
  description: string;
  detail: string;
  icon: RowIcon;
}

export function hitItem(hit: SearchHit, now: number): HitItem {
  return {
    label: aroundMatch(hit, BEFORE_MATCH_IN_PICK).text || t("(no text)"),
    description: sessionTitle(hit),
    detail: dotted(
      partInWords(hit),
      hit.agentId !== null && t("by a subagent"),
      hit.project.name,
      hit.at && age(hit.at, now),
      FATES[hit.fate]().words,
    ),
    icon: hitIcon(hit),
  };
}

export function hitTooltip(hit: SearchHit): TooltipLine[] {
  const facts: [string, string | null][] = [
    ["", hit.snippet],
    [t("What it is"), partInWords(hit)],
    [t("File"), hit.file && readablePath(hit.file)],
    [t("Session"), sessionTitle(hit)],
    [t("Project"), hit.project.cwd ?? hit.project.name],
    [t("Subagent"), hit.agentId],
    [t("Time"), hit.at && dateAndTime(hit.at)],
    [t("Next request"), FATES[hit.fate]().sentence],
    [t("Copies"), copiesInWords(hit)],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

function copiesInWords({ alsoIn }: SearchHit): string {
  if (alsoIn.length === 0) return "";
  return counted(
    alsoIn.length,
    t("{0} fork has a copy of it, which is no hit of its own"),
    t("{0} forks have copies of it, which are no hits of their own"),
  );
}

/** What of the conversation it is, with its tool and file: `output of Bash, failed`. */
function partInWords(hit: SearchHit): string {
  const { role, part, tool, isError } = hit;
  const failed = isError && t("failed");
  const name = tool ?? t("a tool");
  const file = hit.file && fileName(hit.file);
  if (part === "toolInput") return spoken(t("call of {0}", name), file, failed);
  if (part === "toolOutput") return spoken(t("output of {0}", name), file, failed);
  if (isError) return t("error of the API");
  if (part === "prompt" && role === "command") return t("command");
  if (part === "prompt" && role === "shell") return t("shell command");
  return PARTS[part]().words;
}

function hitIcon({ part, role, tool, isError }: SearchHit): RowIcon {
  if (isError) return { id: "error", color: "list.errorForeground" };
  if (part === "prompt" && role === "command") return { id: "zap" };
  if (part === "prompt" && role === "shell") return { id: "terminal" };
  if (part === "toolInput") return { id: toolIcon(tool ?? "") };
  return { id: PARTS[part]().icon };
}

// Functions, since texts are looked up when the language is known.
const PARTS: Readonly<Record<HitPart, () => { words: string; icon: string }>> = {
  prompt: () => ({ words: t("prompt"), icon: "comment" }),
  answer: () => ({ words: t("answer"), icon: "sparkle" }),
  thinking: () => ({ words: t("thinking"), icon: "lightbulb" }),
  toolInput: () => ({ words: t("call of a tool"), icon: "tools" }),
  toolOutput: () => ({ words: t("output of a tool"), icon: "output" }),
  context: () => ({ words: t("added by the client"), icon: "info" }),
};

/** `words` is '' where there is nothing to mention: it is sent, or never was meant to be. */
const FATES: Readonly<Record<HitFate, () => { words: string; sentence: string }>> = {
  sent: () => ({ words: "", sentence: t("carries it") }),
  notSent: () => ({ words: "", sentence: t("does not carry it, as none did") }),
  summarized: () => ({
    words: t("summarized away"),
    sentence: t("does not carry it: a compaction put a summary in its place"),
  }),
  abandoned: () => ({
    words: t("abandoned"),
    sentence: t("does not carry it: the conversation went another way"),
  }),
};

function readablePath(uri: string): string {
  try {
    return decodeURIComponent(new URL(uri).pathname);
  } catch {
    return uri;
  }
}
