// What does a row say of something that a resume brings back, or does not?

import { t } from "@vscode/l10n";
import type { AtResume, WorkItem, WorkItemKind } from "../../protocol";
import { counted } from "../../words";
import { dotted, flags, type Row, type RowIcon, spoken, type TooltipLine } from "./row";

// What has to be seen to comes first.
const ORDER: readonly AtResume[] = ["notRestored", "fallback", "unknown", "restored"];

export function inOrder(items: readonly WorkItem[]): WorkItem[] {
  return ORDER.flatMap((state) => items.filter(({ atResume }) => atResume === state));
}

export function isAllRestored(items: readonly WorkItem[]): boolean {
  return items.every(({ atResume }) => atResume === "restored");
}

/** The row above the items. */
export function describeWork(items: readonly WorkItem[]): Row {
  return workRow(workInWords(items));
}

function workInWords(items: readonly WorkItem[]): string {
  if (items.length === 0) return t("nothing recorded");
  if (isAllRestored(items)) return t("everything");
  const others = ORDER.filter((state) => state !== "restored").map((state): string | false => {
    const count = items.filter(({ atResume }) => atResume === state).length;
    return count > 0 && STATES[state].some(count);
  });
  return dotted(...others);
}

/** The same row when the answer did not come. */
export function describeWorkNotKnown(): Row {
  return workRow(t("not known"));
}

function workRow(description: string): Row {
  return {
    label: t("Work brought back"),
    description,
    icon: { id: "briefcase" },
    aria: spoken(t("work that a resume brings back"), description),
    context: "cacheGroup",
  };
}

export function describeWorkItem(item: WorkItem): Row {
  const label = kindOf(item);
  const { icon, words } = STATES[item.atResume];
  const value = shortValue(item);
  const isRestored = item.atResume === "restored";
  return {
    label,
    description: dotted(value, !isRestored && words()),
    icon,
    aria: spoken(label, value, words()),
    context: flags("cacheWork", { [item.atResume]: true }),
  };
}

export function workItemTooltip(item: WorkItem): TooltipLine[] {
  return [
    { name: "", text: item.sentence },
    { name: kindOf(item), text: isCount(item) ? shortValue(item) : item.value },
  ];
}

function kindOf(item: WorkItem): string {
  const isOneFile = item.what === "fileReads" && !isCount(item);
  return isOneFile ? t("File Claude knows") : KINDS[item.what]();
}

interface StateTexts {
  icon: RowIcon;
  words: () => string;
  some: (count: number) => string;
}

const STATES: Readonly<Record<AtResume, StateTexts>> = {
  notRestored: {
    icon: { id: "warning", color: "list.warningForeground" },
    words: () => t("not restored"),
    some: (count) => t("{0} not restored", count),
  },
  fallback: {
    icon: { id: "replace" },
    words: () => t("replaced"),
    some: (count) => t("{0} replaced", count),
  },
  unknown: {
    icon: { id: "question" },
    words: () => t("not known"),
    some: (count) =>
      t({ message: "{0} not known", comment: ["a number of things"], args: [count] }),
  },
  restored: {
    icon: { id: "check" },
    words: () => t("restored"),
    some: (count) => t("{0} restored", count),
  },
};

const KINDS: Readonly<Record<WorkItemKind, () => string>> = {
  agent: () => t("Agent"),
  model: () => t("Model"),
  permissionMode: () => t("Permission mode"),
  mode: () => t("Mode"),
  worktree: () => t("Worktree"),
  cwd: () => t("Folder"),
  fileReads: () => t("Files Claude knows"),
  fileHistory: () => t("Checkpoints"),
  title: () => t("Title"),
  tag: () => t("Tag"),
  addedDirectories: () => t("Added folder"),
  mcpServers: () => t("MCP server"),
  backgroundTasks: () => t("Background task"),
};

const PATHS: ReadonlySet<WorkItemKind> = new Set([
  "worktree",
  "cwd",
  "fileReads",
  "addedDirectories",
]);

/** Of files a number, or the name of one; the tooltip has the whole path. */
function shortValue(item: WorkItem): string {
  const { what, value } = item;
  if (isCount(item)) return counted(Number(value), t("{0} file"), t("{0} files"));
  return PATHS.has(what) ? lastPart(value) : value;
}

function isCount({ what, value }: WorkItem): boolean {
  return (what === "fileReads" || what === "fileHistory") && /^\d+$/.test(value);
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
