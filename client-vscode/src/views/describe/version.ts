// What do the rows of a file's history say?

import { t } from "@vscode/l10n";
import type { FileHistory, FileVersion, HistorySession, VersionKind } from "../../protocol";
import { age, ageInWords, counted, dateAndTime, size } from "../../words";
import { isNotKnown, obtainedTexts } from "./obtained";
import { dotted, flags, type Row, spoken, type TooltipLine } from "./row";

/** @param now milliseconds since 1970 */
export function describeVersion(version: FileVersion, now: number): Row {
  const kind = kindTexts(version);
  const obtained = isNotKnown(version) ? undefined : obtainedTexts(version)?.word;
  const label = promptOf(version);
  const lines = lineCounts(version);
  const isToldByLines = version.kind === "edited" && lines !== "";
  const content = contentMark(version);
  const branch = !version.onActivePath && t("off the active path");
  return {
    label,
    description: dotted(
      versionName(version),
      !isToldByLines && kind.word,
      content,
      lines,
      obtained,
      version.time && age(version.time, now),
      branch,
    ),
    icon: { id: kind.icon },
    aria: spoken(
      t("version {0}", version.version),
      kind.words,
      content,
      linesInWords(version),
      version.after ? t("left by the prompt {0}", label) : t("before the prompt {0}", label),
      obtained,
      version.time && ageInWords(version.time, now),
      branch,
    ),
    context: flags("version", {
      first: version.first,
      [version.state]: true,
      prompted: version.prompt !== null,
    }),
    isDimmed: version.state === "pruned" || !version.onActivePath,
  };
}

/** What the kind does not say of the content. */
function contentMark({ state, kind, binary }: FileVersion): string {
  if (state === "absent" && kind !== "deleted") return t("not there");
  return binary ? t("binary") : "";
}

/** `v7`: the agent's own number in the version's session. */
export function versionName({ version }: { version: number }): string {
  return t("v{0}", version);
}

/** The first words of the prompt that followed, or why there are none. */
export function promptOf({
  prompt,
  obtained = "backup",
}: Pick<FileVersion, "prompt"> & Partial<Pick<FileVersion, "obtained">>): string {
  if (!prompt && obtained !== "backup") return t("Prompt that no record names");
  if (!prompt) return t("Copy that no record names");
  return prompt.preview === null ? t("Prompt that is gone") : prompt.preview || t("(no text)");
}

/** `v7 (before “Lower the tax rate”)`; of a patch `v7 (after “…”)`. */
export function versionInWords(
  version: Pick<FileVersion, "version" | "prompt"> & { after?: boolean },
): string {
  const name = versionName(version);
  if (!version.prompt) return name;
  const prompt = promptOf(version);
  return version.after
    ? t("{0} (after “{1}”)", name, prompt)
    : t("{0} (before “{1}”)", name, prompt);
}

/** `+12 −3`; '' when nothing is known or nothing changed. */
export function lineCounts({ added, removed }: LineCounts): string {
  return [added ? `+${added}` : "", removed ? `−${removed}` : ""].filter(Boolean).join(" ");
}

/** Lines against another content; null = unknown, binary, or too large. */
export interface LineCounts {
  added: number | null;
  removed: number | null;
}

export function linesInWords({ added, removed }: LineCounts): string {
  return spoken(
    added ? counted(added, t("{0} line added"), t("{0} lines added")) : "",
    removed ? counted(removed, t("{0} line removed"), t("{0} lines removed")) : "",
  );
}

export function describeWorkingFile({ working, versions }: FileHistory): Row {
  const newest = versions.at(-1);
  const state = workingState(working, newest);
  const label = t("Working file");
  return {
    label,
    description: dotted(state, lineCounts(working)),
    icon: { id: "file" },
    aria: spoken(label, state, linesInWords(working)),
    context: flags("workingFile", { missing: !working.exists, edited: working.editedSince }),
  };
}

function workingState(working: FileHistory["working"], newest: FileVersion | undefined): string {
  if (!working.exists) return t("not there");
  if (!newest) return "";
  const name = versionName(newest);
  if (working.editedSince) return t("edited since {0}", name);
  if (isNotKnown(newest)) return t("{0} is not known", name);
  return newest.state === "pruned" ? t("{0} is pruned", name) : t("same as {0}", name);
}

/** @param newest the newest of the session's versions that stand below the row */
export function describeSessionMark(
  session: HistorySession | undefined,
  newest: FileVersion,
  now: number,
): Row {
  const label = nameOfSession(session);
  const isLive = session?.live ?? false;
  return {
    label,
    description: dotted(isLive && t("live"), newest.time && age(newest.time, now)),
    icon: isLive ? { id: "circle-filled", color: "charts.green" } : { id: "comment-discussion" },
    aria: spoken(
      t("session {0}", label),
      isLive && t("live"),
      newest.time && ageInWords(newest.time, now),
    ),
    context: flags("sessionMark", { live: isLive }),
  };
}

/** The row above the sessions that touched a file. */
export function describeSessions(sessions: readonly HistorySession[]): Row {
  const label = t("Sessions that touched this file");
  const count = counted(sessions.length, t("{0} session"), t("{0} sessions"));
  return {
    label,
    description: count,
    icon: { id: "list-tree" },
    aria: spoken(label, count),
    context: "touchingSessions",
  };
}

/**
 * @param versions how many versions of the file it has
 * @param newest the newest of them
 */
export function describeTouchingSession(
  session: HistorySession,
  versions: number,
  newest: FileVersion,
  now: number,
): Row {
  const mark = describeSessionMark(session, newest, now);
  const count = counted(versions, t("{0} version"), t("{0} versions"));
  return {
    ...mark,
    description: dotted(count, mark.description),
    aria: spoken(mark.aria, count),
  };
}

export function nameOfSession(session: HistorySession | undefined): string {
  return session?.title || t("Untitled session");
}

/** @param pruned versions that follow each other, newest first; their copies are gone */
export function describeGap(pruned: readonly FileVersion[]): Row {
  const names = [pruned.at(-1), pruned[0]].flatMap((each) => (each ? [versionName(each)] : []));
  const areUnknown = pruned.every(isNotKnown);
  const name = names.join("–");
  const label = areUnknown ? t("{0} not known", name) : t("{0} pruned", name);
  const count = counted(pruned.length, t("{0} version"), t("{0} versions"));
  const kind = areUnknown ? notKnown() : KINDS.pruned();
  return {
    label,
    description: count,
    icon: { id: kind.icon },
    aria: spoken(label, count, kind.sentence),
    context: "gap",
    isDimmed: true,
  };
}

export function gapTooltip(pruned: readonly FileVersion[]): TooltipLine[] {
  const kind = pruned.every(isNotKnown) ? notKnown() : KINDS.pruned();
  return [{ name: "", text: kind.sentence }];
}

/** Lines in the order of what one wants to know; a fact that is not known has no line. */
export function versionTooltip(
  version: FileVersion,
  session: HistorySession | undefined,
): TooltipLine[] {
  const { prompt, time, sizeBytes, note } = version;
  const name = versionName(version);
  const facts: [string, string | null | undefined | false][] = [
    ["", whenSentence(version, name)],
    [t("Prompt"), prompt && promptOf(version)],
    [t("Session"), session?.title || version.sessionId],
    [t("Time"), time && dateAndTime(time)],
    [t("Change"), dotted(kindTexts(version).sentence, linesInWords(version))],
    [t("Size"), sizeBytes === null ? null : size(sizeBytes)],
    [t("Branch"), prompt && !version.onActivePath && t("the prompt is off the active path")],
    [t("Content"), contentSentence(version)],
    [t("How it is known"), note],
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

function whenSentence({ prompt, after, obtained }: FileVersion, name: string): string {
  if (after) return t("{0}: the file as a patch left it.", name);
  if (prompt) return t("{0}: the file as it was before this prompt ran.", name);
  return obtained === "backup"
    ? t("{0}: the agent made this copy and ended before it wrote why.", name)
    : t("{0}: the file as a patch found it.", name);
}

function contentSentence(version: FileVersion): string {
  const { state, source } = version;
  if (state === "absent") return CONTENTS.absent();
  return obtainedTexts(version)?.sentence ?? CONTENTS[state === "present" ? source : state]();
}

type Content = Exclude<FileVersion["state"], "present"> | FileVersion["source"];

const CONTENTS: Readonly<Record<Content, () => string>> = {
  absent: () => t("the file did not exist then"),
  pruned: () => t("the copy is gone"),
  backup: () => t("the agent's copy"),
  patches: () => t("rebuilt from the agent's patches"),
  toolResult: () =>
    t("the result of the agent's first edit, since its copy was made after that edit"),
};

interface KindTexts {
  icon: string;
  /** In the description. */
  word: string;
  /** For the ear. */
  words: string;
  sentence: string;
}

function kindTexts(version: FileVersion): KindTexts {
  return isNotKnown(version) ? notKnown() : KINDS[version.kind]();
}

function notKnown(): KindTexts {
  return {
    icon: "question",
    word: t("not known"),
    words: t("not known"),
    sentence: t("cannot be told: the agent keeps no backups, and its patches do not tell"),
  };
}

// Functions, since texts are looked up when the language is known.
const KINDS: Readonly<Record<VersionKind, () => KindTexts>> = {
  first: () => ({
    icon: "milestone",
    word: t("first"),
    words: t("before the first edit of its session"),
    sentence: t("none yet: the state before the agent's first edit in this session"),
  }),
  edited: () => ({
    icon: "diff-modified",
    word: t("edited"),
    words: t("edited"),
    sentence: t("edited since the version before"),
  }),
  created: () => ({
    icon: "diff-added",
    word: t("created"),
    words: t("created"),
    sentence: t("created since the version before"),
  }),
  deleted: () => ({
    icon: "diff-removed",
    word: t("deleted"),
    words: t("deleted"),
    sentence: t("deleted since the version before"),
  }),
  unchanged: () => ({
    icon: "circle-outline",
    word: t("unchanged"),
    words: t("unchanged"),
    sentence: t("none since the version before"),
  }),
  pruned: () => ({
    icon: "circle-slash",
    word: t("pruned"),
    words: t("pruned, the copy is gone"),
    sentence: t("cannot be told, since the copy is gone: the agent deletes old ones"),
  }),
};
