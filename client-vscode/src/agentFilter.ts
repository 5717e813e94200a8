// Whose sessions does the view Sessions show?

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Agent } from "./protocol";
import { agentName } from "./views/describe/agent";
import type { SessionsView } from "./views/sessionsView";

/**
 * Asks for an agent, or all of them.
 *
 * @param shown whose sessions are shown now; undefined = everybody's
 */
export async function chooseAgent(sessions: SessionsView, shown?: Agent): Promise<void> {
  const choices: (Agent | undefined)[] = [undefined, "claude-code", "codex"];
  const items = choices.map((agent) => ({
    label: agent === undefined ? t("All Agents") : agentName(agent),
    description: agent === shown ? t("shown now") : "",
    agent,
  }));
  const placeHolder = t("Whose sessions to show");
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (chosen) await sessions.setAgent(chosen.agent);
}
