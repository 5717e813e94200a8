// What do the rows of changes say that a rewind would not undo?

import { t } from "@vscode/l10n";
import type { Certainty, ShellCall, SubagentEdits } from "../../protocol";
import { fileName } from "./conversation";
import { dotted, type Row, spoken, type TooltipLine } from "./row";

export function describeShellCall({ command, certainty, files, agentId }: ShellCall): Row {
  const label = command || t("(no text)");
  const names = files.map(fileName).join(", ");
  const wrote = CERTAINTIES[certainty](names);
  const by = agentId !== null && t("run by a subagent");
  return {
    label,
    description: dotted(wrote, by),
    icon: { id: "terminal" },
    aria: spoken(t("shell command"), label, wrote, by),
    context: "rewindShell",
  };
}

const CERTAINTIES: Readonly<Record<Certainty, (files: string) => string>> = {
  likely: (files) => (files ? t("writes {0}", files) : t("writes files")),
  unknown: (files) => (files ? t("may write {0}", files) : t("may write files")),
};

/** @param name what the subagent was told to do, or its id */
export function describeSubagentEdits({ files }: SubagentEdits, name: string): Row {
  const edits = t("edits {0}", files.map(fileName).join(", "));
  return {
    label: name,
    description: edits,
    icon: { id: "organization" },
    aria: spoken(t("subagent"), name, edits),
    context: "rewindSubagent",
  };
}

/** @param paths of the files, as the workspace calls them */
export function notCoveredTooltip(row: Row, paths: readonly string[]): TooltipLine[] {
  const lines = [
    { name: "", text: row.label },
    { name: "", text: row.description },
  ];
  if (paths.length > 0) lines.push({ name: t("Files"), text: paths.join(", ") });
  return [...lines, { name: t("Rewind"), text: t("would not undo it") }];
}
