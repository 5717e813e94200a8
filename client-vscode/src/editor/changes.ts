// Which files did a turn, or a whole session, change? All of them in one multi-diff editor.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import { inform } from "../notices";
import { fileName } from "../views/describe/conversation";

/** What to compare, and how to call it. */
export interface Span {
  sessionId: string;
  /** uuid of the prompt that began the turn; undefined = the whole session. */
  prompt?: string;
  title: string;
}

/** Says in a sentence what it cannot show. */
export async function showChanges(backend: Backend, span: Span): Promise<void> {
  const { sessionId, prompt = null, title } = span;
  const { changes, unknown } = await backend.ask("forkpoint/checkpointChanges", {
    sessionId,
    prompt,
  });
  if (changes.length > 0)
    await vscode.commands.executeCommand(
      "vscode.changes",
      title,
      changes.map(({ file, kind, before, after }) => [
        vscode.Uri.parse(file, true),
        kind === "created" ? undefined : vscode.Uri.parse(before, true),
        kind === "deleted" ? undefined : vscode.Uri.parse(after, true),
      ]),
    );
  const names = unknown.map(fileName).join(", ");
  if (names) tell(t("What changed in {0} cannot be told: copies are pruned or missing.", names));
  else if (changes.length === 0) tell(t("No file changed that has checkpoints."));
}

function tell(sentence: string): void {
  void inform(sentence);
}
