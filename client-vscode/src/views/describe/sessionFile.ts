// What does the row of a file below a session say?

import { t } from "@vscode/l10n";
import type { CheckpointChange, FileHistory } from "../../protocol";
import { counted } from "../../words";
import { fileName } from "./conversation";
import { dotted, flags, type Row, spoken, type TooltipLine } from "./row";
import { lineCounts, linesInWords } from "./version";

/**
 * @param change what the session did to the file up to now; undefined = nothing, or it is unknown
 * @param isAmbiguous whether another file of the session has the same name
 */
export function describeSessionFile(
  { file, versions, working }: FileHistory,
  change: CheckpointChange | undefined,
  isAmbiguous: boolean,
): Row {
  const label = fileName(file);
  const folder = isAmbiguous && fileName(file.slice(0, file.lastIndexOf("/")));
  const count = counted(versions.length, t("{0} version"), t("{0} versions"));
  const state = change ? CHANGES[change.kind]() : !working.exists && t("not there");
  return {
    label,
    description: dotted(folder, count, state, change && lineCounts(change)),
    icon: { id: "file" },
    aria: spoken(
      t("file {0}", label),
      folder && t("in {0}", folder),
      count,
      state,
      change && linesInWords(change),
    ),
    context: flags("checkpointFile", { missing: !working.exists }),
  };
}

/** An edited file is told by its lines. */
const CHANGES: Readonly<Record<CheckpointChange["kind"], () => string>> = {
  edited: () => "",
  created: () => t("created"),
  deleted: () => t("deleted"),
};

export function fileTooltip({ file, problems }: FileHistory): TooltipLine[] {
  const path = file
    .replace(/^file:\/\//, "")
    .split("/")
    .map(fileName)
    .join("/");
  return [
    { name: t("File"), text: path },
    ...problems.map(({ sentence }) => ({ name: t("Problem"), text: sentence })),
  ];
}
