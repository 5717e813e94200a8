// Of which parts is the extension made, and which needs which?

import type * as vscode from "vscode";
import { Backend } from "./backend";
import { Transcripts } from "./documents/transcript";
import { Baselines } from "./editor/baselines";
import { VersionDiffs } from "./editor/versionDiff";
import { FollowedSession } from "./following";
import { HealthWatch } from "./healthWatch";
import { log } from "./log";
import { Preferences } from "./preferences";
import { FoundOpener } from "./search/openFound";
import { Server } from "./server";
import { BranchesView } from "./views/branchesView";
import { CacheView } from "./views/cacheView";
import { CheckpointsView } from "./views/checkpointsView";
import { Conversations } from "./views/conversation";
import { HealthView } from "./views/healthView";
import { ResultsView } from "./views/resultsView";
import { RewindView } from "./views/rewindView";
import { SessionsView } from "./views/sessionsView";
import { UsageView } from "./views/usageView";
import { Watches } from "./watching";

/** All that lives as long as the window does. */
export function makeParts(context: vscode.ExtensionContext) {
  const server = new Server(context.extensionPath, context.globalStorageUri.fsPath);
  const backend = new Backend(server);
  const preferences = new Preferences(context.globalState, context.workspaceState);
  const watches = new Watches(backend, (sentence) => log.warn(sentence));
  const conversations = new Conversations(backend, watches);
  const diffs = new VersionDiffs(backend);
  const sessions = new SessionsView(backend, preferences, conversations, watches);
  const branches = new BranchesView(conversations, watches);
  const cache = new CacheView(conversations, watches);
  const healthWatch = new HealthWatch(backend);
  const parts = {
    server,
    backend,
    preferences,
    sessions,
    branches,
    checkpoints: new CheckpointsView(backend, diffs),
    cache,
    followed: new FollowedSession(preferences, sessions, branches, cache),
    diffs,
    baselines: new Baselines(backend, context.workspaceState),
    transcripts: new Transcripts(backend, watches),
    rewind: new RewindView(backend, conversations, watches),
    results: new ResultsView(preferences),
    healthWatch,
    health: new HealthView(healthWatch, sessions),
    usage: new UsageView(backend, preferences),
  };
  context.subscriptions.push(...Object.values(parts));
  context.subscriptions.push(
    backend.onDidChangeSession((change) => watches.hear(change)),
    backend.onDidChangeCatalog(({ added }) => watches.appeared(added)),
    server.onDidStart(() => watches.restart()),
  );
  const opener = new FoundOpener(backend, parts.transcripts);
  return { ...parts, conversations, watches, opener };
}
