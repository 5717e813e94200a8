// What can be done with versions of files? Shown, compared, stepped through; nothing here changes a file.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type Command,
  type Commands,
  isNode,
  type Parts,
  pickOne,
  pickTarget,
  register,
  selectedTarget,
  withPatience,
} from "./commands";
import { type Span, showChanges } from "./editor/changes";
import { sessionPlace } from "./editor/stepping";
import type { VersionDiffs } from "./editor/versionDiff";
import { inform } from "./notices";
import { plainItem } from "./plainText";
import type { CheckpointFile } from "./protocol";
import type { CheckpointsView } from "./views/checkpointsView";
import { fileName } from "./views/describe/conversation";
import { dotted } from "./views/describe/row";
import { sessionTitle } from "./views/describe/session";
import { nameOfSession, promptOf } from "./views/describe/version";
import type { TreeNode } from "./views/tree";
import type { VersionTarget } from "./views/versionTarget";
import { counted } from "./words";

export function registerCheckpointCommands(diffs: VersionDiffs, parts: Parts): vscode.Disposable[] {
  return register({
    ...viewCommands(parts),
    ...diffCommands(diffs, parts),
    ...changesCommands(parts),
  });
}

function viewCommands(parts: Parts): Commands {
  const { checkpoints } = parts;
  return {
    pinCheckpoints: () => checkpoints.pin(),
    unpinCheckpoints: () => checkpoints.unpin(),
    refreshCheckpoints: () => checkpoints.refresh(),
    openCheckpointFile: async () => {
      const file = await pickFile(parts);
      if (file) await showFile(file, checkpoints);
    },
  };
}

function diffCommands(diffs: VersionDiffs, { checkpoints }: Parts): Commands {
  const onVersion = (run: (target: VersionTarget) => Promise<void>): Command => {
    return async (argument) => {
      const target = versionIn(argument) ?? checkpoints.view.selection[0]?.version;
      if (target) await withPatience(run(target));
      else tell(t("Select a version in the view File Checkpoints first."));
    };
  };
  return {
    openVersionDiff: onVersion(({ history, version }) =>
      diffs.open(history, { version, against: version ? "before" : "workingFile" }),
    ),
    compareWithWorkingFile: onVersion(({ history, version }) =>
      diffs.open(history, { version, against: "workingFile" }),
    ),
    openSessionDiff: onVersion(({ history }) => diffs.open(history, sessionPlace(history))),
    olderVersion: () => withPatience(diffs.step("older")),
    newerVersion: () => withPatience(diffs.step("newer")),
  };
}

function changesCommands(parts: Parts): Commands {
  const { backend, sessions, branches, checkpoints } = parts;
  const selected = () =>
    [checkpoints, sessions, branches].flatMap(({ view }) => view.selection.slice(0, 1));
  return {
    showTurnChanges: async (argument) => {
      const nodes = isNode(argument) ? [argument] : selected();
      const span = nodes.map(turnOf).find((each) => each !== undefined);
      if (span) await withPatience(showChanges(backend, span));
      else tell(t("Select a prompt or a version first."));
    },
    showSessionChanges: async (argument) => {
      const span = (isNode(argument) && sessionOf(argument)) || (await pickSession(parts));
      if (span) await withPatience(showChanges(backend, span));
    },
  };
}

/** A row's click hands over what it acts on, its menu the row itself. */
function versionIn(argument: unknown): VersionTarget | undefined {
  if (isNode(argument)) return argument.version;
  return isVersionTarget(argument) ? argument : undefined;
}

function isVersionTarget(argument: unknown): argument is VersionTarget {
  return typeof argument === "object" && argument !== null && "history" in argument;
}

function turnOf({ version: target, target: place }: TreeNode): Span | undefined {
  const version = target?.version;
  if (version?.prompt)
    return {
      sessionId: version.sessionId,
      prompt: version.prompt.uuid,
      title: t("Changes of “{0}”", promptOf(version)),
    };
  if (!place?.prompt) return undefined;
  const { uuid, preview } = place.prompt;
  const title = t("Changes of “{0}”", preview || t("(no text)"));
  return { sessionId: place.session.sessionId, prompt: uuid, title };
}

function sessionOf({ session, target }: TreeNode): Span | undefined {
  if (session) return spanOf(session.sessionId, nameOfSession(session));
  return target && spanOf(target.session.sessionId, sessionTitle(target.session));
}

async function pickSession(parts: Parts): Promise<Span | undefined> {
  const target = selectedTarget(parts) ?? (await pickTarget(parts));
  return target && spanOf(target.session.sessionId, sessionTitle(target.session));
}

function spanOf(sessionId: string, title: string): Span {
  return { sessionId, title: t("All changes of “{0}”", title) };
}

async function pickFile({ backend }: Parts): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
  const asked = backend.ask("forkpoint/checkpointFiles", folder ? { folder } : {});
  const items = asked.then(({ files }) => files.map(pickItem));
  const options = {
    title: t("Which file?"),
    placeHolder: t("Files that Claude has edited with its tools"),
    matchOnDescription: true,
  };
  return (await pickOne(items, options, t("No file has checkpoints yet.")))?.file;
}

function pickItem({ file, sessions }: CheckpointFile) {
  const path = vscode.workspace.asRelativePath(vscode.Uri.parse(file, true));
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const count = counted(sessions, t("{0} session"), t("{0} sessions"));
  return { file, ...plainItem({ label: fileName(file), description: dotted(folder, count) }) };
}

/** In an editor, which the view follows; a file that is gone only in the view. */
async function showFile(file: string, checkpoints: CheckpointsView): Promise<void> {
  const uri = vscode.Uri.parse(file, true);
  if (await exists(uri)) await vscode.commands.executeCommand("vscode.open", uri);
  else checkpoints.pin(file);
  await vscode.commands.executeCommand("forkpoint.checkpoints.focus");
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function tell(sentence: string): void {
  void inform(sentence);
}
