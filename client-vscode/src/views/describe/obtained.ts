// How is a version known that the agent kept no copy of?

import { t } from "@vscode/l10n";
import type { FileVersion, VersionObtained } from "../../protocol";

interface ObtainedTexts {
  /** In the description. */
  word: string;
  /** In the tooltip. */
  sentence: string;
}

type Rebuilt = Exclude<VersionObtained, "backup">;

// Functions, since texts are looked up when the language is known.
const OBTAINED: Readonly<Record<Rebuilt, () => ObtainedTexts>> = {
  recorded: () => ({
    word: t("recorded"),
    sentence: t("as the transcript has it"),
  }),
  forward: () => ({
    word: t("rebuilt forward"),
    sentence: t("rebuilt: patches applied to what the transcript has"),
  }),
  backward: () => ({
    word: t("rebuilt backward"),
    sentence: t("rebuilt: patches undone from what came later"),
  }),
  unknown: () => ({
    word: t("not known"),
    sentence: t("cannot be told from the patches"),
  }),
};

/** Undefined where the agent kept a copy. */
export function obtainedTexts({ obtained }: FileVersion): ObtainedTexts | undefined {
  return obtained === "backup" ? undefined : OBTAINED[obtained]();
}

/** Whether its content is not known, although nothing was deleted. */
export function isNotKnown({ obtained }: FileVersion): boolean {
  return obtained === "unknown";
}
