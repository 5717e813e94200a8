// Resumes a session: in the official extension, in a terminal after a question, or by the clipboard.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { SessionSummary } from "./protocol";
import { chooseResume, type ResumeChoice } from "./resumeChoice";
import { sessionTitle } from "./views/describe/session";

const OFFICIAL_EXTENSION = "anthropic.claude-code";

export async function resumeSession(session: SessionSummary): Promise<void> {
  const choice = chooseResume(session, {
    hasOfficialExtension: vscode.extensions.getExtension(OFFICIAL_EXTENSION) !== undefined,
    isDesktop: vscode.env.uiKind === vscode.UIKind.Desktop,
    isTrusted: vscode.workspace.isTrusted,
  });
  if (choice.kind === "extension") await openInExtension(choice.sessionId);
  else if (choice.kind === "terminal") await resumeInTerminal(session, choice);
  else if (choice.kind === "copy") await copy(choice);
  else void vscode.window.showErrorMessage(t("No agent can resume a session with this id."));
}

async function openInExtension(sessionId: string): Promise<void> {
  const uri = vscode.Uri.from({
    scheme: vscode.env.uriScheme,
    authority: OFFICIAL_EXTENSION,
    path: "/open",
    query: new URLSearchParams({ session: sessionId }).toString(),
  });
  await vscode.env.openExternal(uri);
}

/** What the agent does with the session costs money, so a person says yes to the exact command. */
async function resumeInTerminal(
  session: SessionSummary,
  { cwd, command, env }: ResumeChoice & { kind: "terminal" },
): Promise<void> {
  const title = sessionTitle(session);
  const resume = t("Resume");
  const answer = await vscode.window.showInformationMessage(
    t("Resume “{0}” in a terminal?", title),
    { modal: true, detail: t("Runs {0} in {1}.", command, cwd) },
    resume,
  );
  if (answer !== resume) return;
  const terminal = vscode.window.createTerminal({ name: title, cwd, env });
  terminal.show();
  terminal.sendText(command);
}

async function copy({ command, because }: ResumeChoice & { kind: "copy" }): Promise<void> {
  await vscode.env.clipboard.writeText(command);
  void vscode.window.showInformationMessage(
    because === "untrusted"
      ? t("This workspace is not trusted, so no terminal was opened. Copied: {0}", command)
      : t("The session's folder is gone, so no terminal was opened. Copied: {0}", command),
  );
}
