// What does a version hold, when it is text?

import { t } from "@vscode/l10n";
import type { Backend } from "../backend";
import type { FileVersion, LineEnd } from "../protocol";

export interface VersionText {
  text: string;
  eol: LineEnd | null;
}

/** @throws Error that says in words why there is no text: gone, binary, too large */
export async function versionText(
  backend: Backend,
  { document }: FileVersion,
): Promise<VersionText> {
  if (document === null) throw new Error(t("This version's content is gone."));
  const content = await backend.ask("forkpoint/checkpointContent", { document });
  const { text, eol, sentence } = content;
  if (text === null) throw new Error(sentence ?? t("This version is no text."));
  return { text, eol };
}
