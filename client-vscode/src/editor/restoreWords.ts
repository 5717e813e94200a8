// What does a person agree to who restores a version?

import { t } from "@vscode/l10n";
import type { FileVersion, LineEnd } from "../protocol";
import { versionInWords } from "../views/describe/version";
import { sentences } from "../words";

export interface Restoring {
  /** The file's. */
  name: string;
  version: Pick<FileVersion, "version" | "prompt">;
  /** Line ends of the version. */
  eol: LineEnd | null;
  /** Whether lines in the editor end with CRLF, or else with LF. */
  hasCrlf: boolean;
  /** Whether there is no file on disk. */
  isNew: boolean;
  /** Whether VS Code saves changed files by itself. */
  isSavedByItself: boolean;
}

export function restoreDetail(restoring: Restoring): string {
  const { name, version, isNew } = restoring;
  const becomes = t("{0} becomes {1}.", name, versionInWords(version));
  const consequence = isNew
    ? t("There is no such file now: its text comes in a new editor, and nothing is saved.")
    : savedInWords(restoring);
  return sentences(becomes, consequence, lineEndsInWords(restoring));
}

function savedInWords({ isSavedByItself }: Restoring): string {
  return isSavedByItself
    ? t("The editor changes, and your setting files.autoSave saves it; undo brings it back.")
    : t("The editor changes, nothing is saved; undo brings it back.");
}

/** An editor has one kind of line ends, and keeps its own. */
function lineEndsInWords({ eol, hasCrlf, isNew }: Restoring): string {
  const own = hasCrlf ? "crlf" : "lf";
  if (eol === null || eol === "none" || eol === own || isNew) return "";
  return t(
    "Lines of the version end with {0}; in the editor they end with {1} as before.",
    LINE_ENDS[eol](),
    LINE_ENDS[own](),
  );
}

const LINE_ENDS: Readonly<Record<Exclude<LineEnd, "none">, () => string>> = {
  lf: () => "LF",
  crlf: () => "CRLF",
  cr: () => "CR",
  mixed: () => t("LF and CRLF in turns"),
};
