// What does the row of a file say that a rewind knows of?

import { t } from "@vscode/l10n";
import type { RewindAction, RewindFile, SkipReason } from "../../protocol";
import { fileName } from "./conversation";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";
import { lineCounts, linesInWords } from "./version";

/** @param path where it lies, as the workspace calls it */
export function describeRewindFile(file: RewindFile, path: string): Row {
  const label = fileName(file.file);
  const folder = path.replace(/[\\/]?[^\\/]*$/, "");
  const reason = file.reason && REASONS[file.reason]();
  const marks = marksOf(file).map(({ short }) => short);
  return {
    label,
    description: dotted(reason?.short, wouldChange(file) && lineCounts(file), ...marks, folder),
    icon: fileIcon(file),
    aria: spoken(
      label,
      ACTIONS[file.action]().words,
      reason?.sentence,
      wouldChange(file) && linesInWords(file),
      ...marks,
      folder && t("in {0}", folder),
    ),
    context: flags("rewindFile", {
      [file.action]: true,
      edited: file.handEdited,
      outside: file.outsideWorkspace,
      mode: file.modeChanges,
      diff: hasDiff(file),
    }),
    isDimmed: file.action === "skip" || file.action === "unchanged",
  };
}

export function rewindFileTooltip(file: RewindFile, path: string): TooltipLine[] {
  const { words } = ACTIONS[file.action]();
  const facts: [string, string | false | null | undefined][] = [
    ["", path],
    [t("Rewind"), words],
    [t("Why"), file.reason && REASONS[file.reason]().sentence],
    [t("Restored from"), file.version !== null && t("version {0}", file.version)],
    [t("Lines"), wouldChange(file) && (areLinesKnown(file) ? linesInWords(file) : t("not known"))],
    ...marksOf(file).map(({ sentence }): [string, string] => [t("Note"), sentence]),
  ];
  return facts.flatMap(([name, text]) => (text ? [{ name, text }] : []));
}

/** Whether a restore of the code would change, make or delete it. */
export function wouldChange({ action }: RewindFile): boolean {
  return action === "overwrite" || action === "delete" || action === "create";
}

/** Whether there is something to compare it with, and reading it does not hang or fail. */
export function hasDiff({ document, reason }: RewindFile): boolean {
  return document !== null && reason !== "notRegular" && reason !== "unreadable";
}

const ACTIONS: Readonly<Record<RewindAction, () => { words: string; icon: string }>> = {
  overwrite: () => ({ words: t("would be overwritten"), icon: "diff-modified" }),
  delete: () => ({ words: t("would be deleted"), icon: "diff-removed" }),
  create: () => ({ words: t("would be created"), icon: "diff-added" }),
  unchanged: () => ({ words: t("content would stay as it is"), icon: "file" }),
  skip: () => ({ words: t("would be skipped"), icon: "circle-slash" }),
};

const REASONS: Readonly<Record<SkipReason, () => { short: string; sentence: string }>> = {
  symlink: () => ({
    short: t("symbolic link"),
    sentence: t("it, or what lies in place of the agent's copy, is a symbolic link"),
  }),
  hardLink: () => ({
    short: t("hard link"),
    sentence: t("it, or the agent's copy, has another name, a hard link"),
  }),
  pruned: () => ({
    short: t("copy gone"),
    sentence: t("the agent's copy is gone"),
  }),
  parentMoved: () => ({
    short: t("folder moved"),
    sentence: t("its folder is no longer where it was"),
  }),
  notRegular: () => ({
    short: t("not a regular file"),
    sentence: t("it, or what lies in place of the agent's copy, is no regular file"),
  }),
  unreadable: () => ({
    short: t("unreadable"),
    sentence: t("it, or the agent's copy, cannot be read"),
  }),
  notWritable: () => ({
    short: t("not writable"),
    sentence: t("it cannot be written"),
  }),
  keptBack: () => ({
    short: t("kept back"),
    sentence: t("nothing is deleted when another file could not be restored"),
  }),
};

interface Mark {
  short: string;
  sentence: string;
  icon: RowIcon;
}

/** What one should know before going back, the weightiest first. */
function marksOf({ handEdited, outsideWorkspace, modeChanges }: RewindFile): Mark[] {
  const marks: Mark[] = [];
  if (handEdited)
    marks.push({
      short: t("edited by you since"),
      sentence: t("edited by you since: it differs from all that the agent knows of it"),
      icon: { id: "warning", color: "list.warningForeground" },
    });
  if (outsideWorkspace)
    marks.push({
      short: t("outside the workspace"),
      sentence: t("outside the workspace: it is not in the folder that the session was started in"),
      icon: { id: "link-external" },
    });
  if (modeChanges)
    marks.push({
      short: t("permissions change"),
      sentence: t("permissions change: they would become those of the agent's copy"),
      icon: { id: "lock" },
    });
  return marks;
}

/** The group says the action, so that the icon is free for the weightiest mark. */
function fileIcon(file: RewindFile): RowIcon {
  return marksOf(file)[0]?.icon ?? { id: ACTIONS[file.action]().icon };
}

function areLinesKnown({ added, removed }: RewindFile): boolean {
  return added !== null && removed !== null;
}
