// Tells once that the server cannot run, with what can be done about it.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { complain } from "./notices";
import type { ServerUnavailable } from "./server";

export async function tellFailure(failure: ServerUnavailable): Promise<void> {
  const log = t("Show Log");
  const remedy = failure.pythonIsMissing ? t("Choose Python…") : t("Restart Server");
  const chosen = await complain(failure.message, remedy, log);
  if (chosen === log) await vscode.commands.executeCommand("forkpoint.showLog");
  if (chosen !== remedy) return;
  const command = failure.pythonIsMissing ? "choosePython" : "restartServer";
  await vscode.commands.executeCommand(`forkpoint.${command}`);
}
