// What can be done about the health of transcripts? Shown, opened, copied: nothing is ever changed.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Commands, type Parts, register, withPatience } from "./commands";
import { SOON_DAYS } from "./healthWatch";
import { sayBriefly } from "./notices";
import type { RawPlace } from "./views/healthNodes";

const COPIED_SHOWN_MS = 4000;

export function registerHealthCommands({ sessions, backend, health }: Parts): vscode.Disposable[] {
  const commands: Commands = {
    showHealth: () => health.show(),
    refreshHealth: () => health.refresh(),
    closeHealth: () => health.close(),
    copyHealthReport: async () => {
      const asked = backend.ask("forkpoint/health", { withinDays: SOON_DAYS });
      const { report } = await withPatience(asked);
      await vscode.env.clipboard.writeText(report);
      const told = t("Copied a report without any content of transcripts.");
      sayBriefly(told, COPIED_SHOWN_MS);
    },
    openRawAt: (argument) => (isPlace(argument) ? openRawAt(argument) : undefined),
    showExpiring: async () => {
      await vscode.commands.executeCommand("forkpoint.sessions.focus");
      await sessions.showExpiring(SOON_DAYS);
    },
    showAllAges: () => sessions.showExpiring(undefined),
  };
  return register(commands);
}

/** Beside a click in a view the focus stays there. */
function openRawAt({ uri, line }: RawPlace): Thenable<unknown> {
  const selection = line === null ? {} : { selection: new vscode.Range(line, 0, line, 0) };
  const options: vscode.TextDocumentShowOptions = {
    preview: true,
    preserveFocus: true,
    ...selection,
  };
  return vscode.commands.executeCommand("vscode.open", vscode.Uri.parse(uri, true), options);
}

function isPlace(argument: unknown): argument is RawPlace {
  return typeof argument === "object" && argument !== null && "uri" in argument;
}
