// What runs when VS Code starts Forkpoint? The parts, wired.

import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { registerBaselineCommands } from "./baselineCommands";
import { CacheClock } from "./cacheClock";
import { registerCacheCommands } from "./cacheCommands";
import { registerCheckpointCommands } from "./checkpointCommands";
import { registerCommands } from "./commands";
import { registerRawTexts } from "./documents/rawTexts";
import { registerVersionDocuments } from "./documents/versions";
import { BaselineStatus } from "./editor/baselineStatus";
import { Jumps } from "./editor/jump";
import { LineAuthors } from "./editor/lineAuthors";
import { LineBlame } from "./editor/lineBlame";
import { VersionBadges } from "./editor/versionBadges";
import { tellWorkingDiffs } from "./editor/versionSides";
import { registerExportCommands } from "./exportCommands";
import { registerFamilyCommands } from "./familyCommands";
import { registerHealthCommands } from "./healthCommands";
import { registerIssueCommands } from "./issueCommands";
import { registerJumpCommands } from "./jumpCommands";
import { log } from "./log";
import { makeParts } from "./parts";
import { restartWhenNeeded } from "./restarts";
import { registerRewindCommands } from "./rewindCommands";
import { registerSearchCommands } from "./searchCommands";
import { tellFailure } from "./serverFailure";
import { refreshStandardFeatures } from "./standardFeatures";
import { registerUsageCommands } from "./usageCommands";
import { registerDimming } from "./views/tree";
import { useLanguage } from "./words";

/** Never fails with the server: views and commands are there and say what is missing. */
export function activate(context: vscode.ExtensionContext): void {
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  useLanguage(vscode.env.language);
  const parts = makeParts(context);
  const { server, backend, preferences, sessions, branches } = parts;
  const { usage, diffs, baselines, conversations, watches } = parts;
  const jumps = new Jumps(backend);
  const authors = new LineAuthors(backend, server);
  context.subscriptions.push(
    log,
    jumps,
    authors,
    new LineBlame(authors),
    new BaselineStatus(baselines),
    new CacheClock(backend, sessions, branches, conversations, watches, preferences),
    new VersionBadges(backend, server),
    tellWorkingDiffs(),
    registerDimming(),
    registerVersionDocuments(backend),
    registerRawTexts(backend),
    ...registerCommands(parts),
    ...registerCheckpointCommands(diffs, parts),
    ...registerBaselineCommands(baselines, diffs, parts),
    ...registerRewindCommands(conversations, parts),
    ...registerCacheCommands(conversations, parts),
    ...registerJumpCommands(jumps, authors, parts),
    ...registerSearchCommands(parts.opener, parts),
    ...registerExportCommands(parts),
    ...registerHealthCommands(parts),
    ...registerFamilyCommands(parts),
    ...registerIssueCommands(context, parts),
    ...registerUsageCommands(usage, parts),
    ...restartWhenNeeded(server),
    refreshStandardFeatures(server),
    ...keepViewsTrue(parts),
  );
  void server.restart();
}

/** What the views ask anew, and when. */
function keepViewsTrue(parts: ReturnType<typeof makeParts>): vscode.Disposable[] {
  const { server, preferences, sessions, branches, checkpoints, cache, rewind, usage } = parts;
  return [
    server.onDidStart(() => {
      void sessions.startOver();
      checkpoints.refreshSoon();
      void rewind.refresh();
      void cache.refresh();
      parts.healthWatch.soon();
      void usage.refresh();
    }),
    server.onDidFail((failure) => {
      tellFailure(failure);
      void sessions.startOver();
      checkpoints.refreshSoon();
      usage.askAgain();
    }),
    sessions.onDidLoad((loaded) => {
      branches.update(loaded);
      rewind.update(loaded);
      cache.update(loaded);
    }),
    preferences.onDidChange(() => cache.askAgain()),
  ];
}
