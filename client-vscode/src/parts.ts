// Of which parts is the extension made, and which needs which?

import type * as vscode from "vscode";
import { Backend } from "./backend";
import { Transcripts } from "./documents/transcript";
import { Baselines } from "./editor/baselines";
import { VersionDiffs } from "./editor/versionDiff";
import { Preferences } from "./preferences";
import { Server } from "./server";
import { BranchesView } from "./views/branchesView";
import { CacheView } from "./views/cacheView";
import { CheckpointsView } from "./views/checkpointsView";
import { Conversations } from "./views/conversation";
import { RewindView } from "./views/rewindView";
import { SessionsView } from "./views/sessionsView";

/** All that lives as long as the window does. */
export function makeParts(context: vscode.ExtensionContext) {
  const server = new Server(context.extensionPath);
  const backend = new Backend(server);
  const preferences = new Preferences(context.globalState, context.workspaceState);
  const conversations = new Conversations(backend);
  const diffs = new VersionDiffs(backend);
  const parts = {
    server,
    backend,
    preferences,
    sessions: new SessionsView(backend, preferences, conversations),
    branches: new BranchesView(conversations),
    checkpoints: new CheckpointsView(backend, diffs),
    cache: new CacheView(conversations),
    diffs,
    baselines: new Baselines(backend, context.workspaceState),
    transcripts: new Transcripts(backend),
    rewind: new RewindView(backend, conversations),
  };
  context.subscriptions.push(...Object.values(parts));
  return { ...parts, conversations };
}
