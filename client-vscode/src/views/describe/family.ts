// What do rows say of where a session came from?

import { t } from "@vscode/l10n";
import type { ForkEvidence, ForkOrigin, SessionSummary } from "../../protocol";

type Forked = Pick<SessionSummary, "forkedFrom">;

/** For a screen reader; '' = it came from nowhere. */
export function originInWords({ forkedFrom }: Forked, origin: string | undefined): string {
  if (!forkedFrom) return "";
  if (goesOn(forkedFrom))
    return origin === undefined
      ? t("goes on from a session that is not listed here")
      : t("goes on from {0}", origin);
  return origin === undefined
    ? t("fork of a session that is not listed here")
    : t("fork of {0}", origin);
}

/** Lines of a tooltip: from where, and what shows it. */
export function originLines(
  { forkedFrom }: Forked,
  origin: Pick<SessionSummary, "title"> | undefined,
): [string, string][] {
  if (!forkedFrom) return [];
  const name = goesOn(forkedFrom) ? t("Goes on from") : t("Forked from");
  return [
    [name, origin?.title.text || forkedFrom.sessionId],
    [t("What shows it"), EVIDENCE[forkedFrom.evidence]()],
  ];
}

function goesOn({ evidence }: ForkOrigin): boolean {
  return evidence === "parentInOtherFile" || evidence === "historyBase";
}

// Functions, since texts are looked up when the language is known.
const EVIDENCE: Readonly<Record<ForkEvidence, () => string>> = {
  forkedFrom: () => t("its records say so"),
  historyBase: () => t("its first line says up to where it goes on from the other file"),
  forkContextRef: () => t("a line of it points at the context that it began with"),
  parentInOtherFile: () => t("its first record goes on from one that stands in the other file"),
  sameFirstUuid: () => t("the first record has the same id in both files"),
  sameMessageIds: () => t("the first answers have the same ids in both files"),
};
