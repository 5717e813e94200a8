// Resumes a session: in the official extension, in a terminal, or by the clipboard; asks before it costs.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "./backend";
import { foretell } from "./foretell";
import { complain, inform, isAgreed } from "./notices";
import { withoutIcons } from "./plainText";
import type { Preferences } from "./preferences";
import type { SessionSummary } from "./protocol";
import { chooseResume, type ResumeChoice } from "./resumeChoice";
import { resumeQuestion, type Start } from "./resumeQuestion";
import { sessionTitle } from "./views/describe/session";

const OFFICIAL_EXTENSION = "anthropic.claude-code";

/** Sessions that a person is being asked about: another click on one asks nothing more. */
const underWay = new Set<string>();

export async function resumeSession(
  session: SessionSummary,
  { backend, preferences }: { backend: Backend; preferences: Preferences },
): Promise<void> {
  const choice = chooseResume(session, {
    hasOfficialExtension: vscode.extensions.getExtension(OFFICIAL_EXTENSION) !== undefined,
    isDesktop: vscode.env.uiKind === vscode.UIKind.Desktop,
    isTrusted: vscode.workspace.isTrusted,
  });
  if (choice.kind === "copy") return copy(choice);
  if (choice.kind === "impossible") {
    void complain(t("No agent can resume a session with this id."));
    return;
  }
  if (underWay.has(session.sessionId)) return;
  underWay.add(session.sessionId);
  try {
    // What the cache of Codex does nobody can foretell: there is nothing to wait for.
    const isForetold = session.agent !== "codex";
    const note = isForetold ? await foretellWithProgress(backend, session) : undefined;
    const title = sessionTitle(session);
    const question = resumeQuestion(title, choice, note, preferences.resumeWarning);
    if (!question || (await isAgreed(question))) await start(choice, title);
  } finally {
    underWay.delete(session.sessionId);
  }
}

function foretellWithProgress(backend: Backend, session: SessionSummary) {
  const location = vscode.ProgressLocation.Window;
  const title = t("Forkpoint: looking at the prompt cache");
  return vscode.window.withProgress({ location, title }, () => foretell(backend, session));
}

async function start(choice: Start, title: string): Promise<void> {
  if (choice.kind === "extension") {
    await openInExtension(choice.sessionId);
    return;
  }
  const { cwd, command, env } = choice;
  const terminal = vscode.window.createTerminal({ name: withoutIcons(title), cwd, env });
  terminal.show();
  terminal.sendText(command);
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

async function copy({ command, because }: ResumeChoice & { kind: "copy" }): Promise<void> {
  await vscode.env.clipboard.writeText(command);
  void inform(
    because === "untrusted"
      ? t("This workspace is not trusted, so no terminal was opened. Copied: {0}", command)
      : t("The session's folder is gone, so no terminal was opened. Copied: {0}", command),
  );
}
