// What runs when VS Code starts Forkpoint? The parts, wired.

import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { Backend } from "./backend";
import { registerBaselineCommands } from "./baselineCommands";
import { registerCheckpointCommands } from "./checkpointCommands";
import { registerCommands } from "./commands";
import { Transcripts } from "./documents/transcript";
import { registerVersionDocuments } from "./documents/versions";
import { BaselineStatus } from "./editor/baselineStatus";
import { Baselines } from "./editor/baselines";
import { VersionBadges } from "./editor/versionBadges";
import { VersionDiffs } from "./editor/versionDiff";
import { tellWorkingDiffs } from "./editor/versionSides";
import { log } from "./log";
import { Preferences } from "./preferences";
import { onDidChangePythonExtensionChoice } from "./python";
import { registerRewindCommands } from "./rewindCommands";
import { Server } from "./server";
import { tellFailure } from "./serverFailure";
import { BranchesView } from "./views/branchesView";
import { CheckpointsView } from "./views/checkpointsView";
import { Conversations } from "./views/conversation";
import { RewindView } from "./views/rewindView";
import { SessionsView } from "./views/sessionsView";
import { registerDimming } from "./views/tree";

const SERVER_SETTINGS = ["python", "claudeConfigDirs"];

/** Never fails with the server: views and commands are there and say what is missing. */
export function activate(context: vscode.ExtensionContext): void {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const server = new Server(context.extensionPath);
  const backend = new Backend(server);
  const preferences = new Preferences(context.globalState, context.workspaceState);
  const conversations = new Conversations(backend);
  const sessions = new SessionsView(backend, preferences, conversations);
  const branches = new BranchesView(conversations);
  const diffs = new VersionDiffs(backend);
  const checkpoints = new CheckpointsView(backend, diffs);
  const baselines = new Baselines(backend, context.workspaceState);
  const transcripts = new Transcripts(backend);
  const rewind = new RewindView(backend, conversations);
  const parts = {
    server,
    backend,
    preferences,
    sessions,
    branches,
    checkpoints,
    transcripts,
    rewind,
  };
  context.subscriptions.push(
    log,
    server,
    backend,
    preferences,
    sessions,
    branches,
    checkpoints,
    diffs,
    baselines,
    new BaselineStatus(baselines),
    new VersionBadges(backend, server),
    tellWorkingDiffs(),
    transcripts,
    rewind,
    registerDimming(),
    registerVersionDocuments(backend),
    ...registerCommands(parts),
    ...registerCheckpointCommands(diffs, parts),
    ...registerBaselineCommands(baselines, diffs, parts),
    ...registerRewindCommands(conversations, parts),
    ...restartWhenNeeded(server),
    server.onDidStart(() => {
      void sessions.startOver();
      checkpoints.refreshSoon();
      void rewind.refresh();
    }),
    server.onDidFail((failure) => {
      tellFailure(failure);
      void sessions.startOver();
      checkpoints.refreshSoon();
    }),
    sessions.onDidLoad((loaded) => {
      branches.update(loaded);
      rewind.update(loaded);
    }),
    sessions.view.onDidChangeSelection(({ selection: [node] }) => {
      if (node?.target) branches.show(node.target.session);
    }),
  );
  void server.restart();
}

function restartWhenNeeded(server: Server): vscode.Disposable[] {
  const restart = () => void server.restart();
  return [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SERVER_SETTINGS.some((name) => event.affectsConfiguration(`forkpoint.${name}`)))
        restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    onDidChangePythonExtensionChoice(restart),
  ];
}
