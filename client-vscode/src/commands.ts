// What can be done? All commands; each waits for the server and tells in words when it fails.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { chooseAgent } from "./agentFilter";
import { type Backend, RequestFailed, sentenceOf } from "./backend";
import { rawDocument } from "./documents/rawTexts";
import type { Transcripts } from "./documents/transcript";
import type { FollowedSession } from "./following";
import { lastErrors } from "./lastErrors";
import { log } from "./log";
import { complain, inform, sayBriefly } from "./notices";
import { plainItem } from "./plainText";
import type { Preferences } from "./preferences";
import type { SessionSummary } from "./protocol";
import { resumeSession } from "./resume";
import { resumeCommand } from "./resumeChoice";
import type { Server } from "./server";
import type { BranchesView } from "./views/branchesView";
import type { CacheView } from "./views/cacheView";
import type { CheckpointsView } from "./views/checkpointsView";
import { dotted } from "./views/describe/row";
import { describeSession } from "./views/describe/session";
import type { HealthView } from "./views/healthView";
import type { ResultsView } from "./views/resultsView";
import type { RewindView } from "./views/rewindView";
import type { SessionsView } from "./views/sessionsView";
import type { Target, TreeNode } from "./views/tree";
import type { UsageView } from "./views/usageView";

const PATIENCE_MS = 300;
const CHOICES = 500;
const COPIED_SHOWN_MS = 4000;

/** What commands work with. */
export interface Parts {
  server: Server;
  backend: Backend;
  preferences: Preferences;
  sessions: SessionsView;
  branches: BranchesView;
  checkpoints: CheckpointsView;
  cache: CacheView;
  followed: FollowedSession;
  transcripts: Transcripts;
  rewind: RewindView;
  results: ResultsView;
  health: HealthView;
  usage: UsageView;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const all = { ...viewCommands(parts), ...sessionCommands(parts), ...serverCommands(parts) };
  return register(all);
}

/** Registers commands under Forkpoint's name; one that fails tells why. */
export function register(commands: Commands): vscode.Disposable[] {
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`forkpoint.${name}`, (...given: unknown[]) =>
      toldWhenItFails(() => run(...given), name),
    ),
  );
}

/** Menus hand over what they were opened on. */
export type Command = (...given: unknown[]) => unknown;
export type Commands = Record<string, Command>;

function openRaw(uri: string): unknown {
  return vscode.commands.executeCommand("vscode.open", rawDocument(uri));
}

function serverCommands({ server }: Parts): Commands {
  return {
    restartServer: () => withPatience(server.restart()),
    showLog: () => log.show(),
    choosePython: () => openSetting("forkpoint.python"),
    chooseFolders: () => openSetting("forkpoint.claudeConfigDirs"),
    chooseCodexHomes: () => openSetting("forkpoint.codexHomes"),
  };
}

function viewCommands(parts: Parts): Commands {
  const { preferences, sessions, branches, checkpoints, cache, rewind, results, health, followed } =
    parts;
  const { usage } = parts;
  const views: Readonly<Record<string, { view: vscode.TreeView<TreeNode> }>> = {
    sessions,
    branches,
    checkpoints,
    cache,
    rewind,
    results,
    health,
    usage,
  };
  return {
    refresh: () => sessions.refresh(),
    loadMore: (of) => (of === "branches" ? branches.loadMore() : sessions.loadMore()),
    showFolder: () => sessions.setScope("folder"),
    showRepository: () => sessions.setScope("repository"),
    showEverything: () => sessions.setScope("all"),
    chooseAgent: () => chooseAgent(sessions, preferences.agent),
    showAllAgents: () => sessions.setAgent(undefined),
    groupByDate: () => preferences.setGrouping("date"),
    groupByProject: () => preferences.setGrouping("project"),
    showArchived: () => preferences.setShowsArchived(true),
    hideArchived: () => preferences.setShowsArchived(false),
    showProgrammatic: () => preferences.setShowsProgrammatic(true),
    hideProgrammatic: () => preferences.setShowsProgrammatic(false),
    followLive: () => followed.follow(true),
    unfollowLive: () => followed.follow(false),
    copyRow: (argument) => {
      if (isNode(argument)) return copyRow(argument);
      return copyRow(views[String(argument)]?.view.selection[0]);
    },
  };
}

function sessionCommands(parts: Parts): Commands {
  const { preferences, branches, transcripts, followed } = parts;
  const onSession = (run: (session: SessionSummary, target: Target) => unknown): Command => {
    return async (argument) => {
      const target = targetIn(argument) ?? selectedTarget(parts) ?? (await pickTarget(parts));
      if (target) await run(target.session, target);
    };
  };
  const pick: Command = async () => {
    const target = await pickTarget(parts);
    if (target) followed.choose(target.session);
  };
  return {
    openTranscript: (argument) =>
      onSession((session, target) => {
        // A row that was selected before tells of no selection when it is clicked again.
        if (isRowClick(argument) && isWhole(target)) followed.choose(session);
        return withPatience(transcripts.open(target, isRowClick(argument)));
      })(argument),
    openRaw: onSession(({ transcript }, { file }) => openRaw(file ?? transcript)),
    showBranches: pick,
    showBranch: (argument) => showBranch(waysIn(argument), parts),
    revealActiveLeaf: onSession(async (session) => {
      followed.choose(session);
      await withPatience(branches.revealActiveLeaf());
    }),
    resume: onSession((session) => resumeSession(session, parts)),
    copySessionId: onSession(({ sessionId }) => copy(sessionId)),
    copyResumeCommand: onSession((session) =>
      copy(resumeCommand(session), t("No agent can resume a session with this id.")),
    ),
    copyFirstPrompt: onSession(({ firstPrompt }) =>
      copy(firstPrompt, t("This session has no prompt.")),
    ),
    pin: onSession(({ sessionId }) => preferences.pin(sessionId, true)),
    unpin: onSession(({ sessionId }) => preferences.pin(sessionId, false)),
    archive: onSession(({ sessionId }) => preferences.archive(sessionId, true)),
    unarchive: onSession(({ sessionId }) => preferences.archive(sessionId, false)),
  };
}

/** Shows one of several ways in the view, or opens it where the view has no rows of it. */
async function showBranch(ways: Ways | undefined, parts: Parts): Promise<void> {
  const { branches, transcripts, followed } = parts;
  const session = ways && (await sessionOf(parts, ways.sessionId));
  if (!session) return;
  if (ways.agentId !== undefined) {
    const [leaf] = ways.uuids.slice(-1);
    await withPatience(transcripts.open({ session, agentId: ways.agentId, leaf }, false));
    return;
  }
  followed.choose(session);
  await withPatience(branches.revealBranch(ways.uuids));
}

/** Where a conversation goes on in several ways: the first record of each. */
interface Ways {
  sessionId: string;
  agentId: string | undefined;
  uuids: string[];
}

/** What the server's marks hand over. */
function waysIn(argument: unknown): Ways | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const { sessionId, agentId, uuids } = argument as Record<string, unknown>;
  if (typeof sessionId !== "string" || !Array.isArray(uuids)) return undefined;
  return {
    sessionId,
    agentId: typeof agentId === "string" ? agentId : undefined,
    uuids: uuids.filter((uuid) => typeof uuid === "string"),
  };
}

async function sessionOf(
  { backend }: Parts,
  sessionId: string,
): Promise<SessionSummary | undefined> {
  const every = { includeProgrammatic: true, includeArchived: true };
  const { sessions } = await backend.ask("forkpoint/sessions", { ...every, query: sessionId });
  return sessions.find((session) => session.sessionId === sessionId);
}

export function isNode(argument: unknown): argument is TreeNode {
  return typeof argument === "object" && argument !== null && "row" in argument;
}

/** A row's click hands its target over, its menu the row itself. */
function isRowClick(argument: unknown): argument is Target {
  return typeof argument === "object" && argument !== null && "session" in argument;
}

/** Whether the target is a session, and nothing inside of one. */
function isWhole({ agentId, ordinal, prompt }: Target): boolean {
  return agentId === undefined && ordinal === undefined && prompt === undefined;
}

export function targetIn(argument: unknown): Target | undefined {
  if (isNode(argument)) return argument.target;
  return isRowClick(argument) ? argument : undefined;
}

/** The selected row's, else the session whose branches are shown. */
export function selectedTarget({ sessions, branches }: Parts): Target | undefined {
  const selected = sessions.view.selection[0]?.target;
  return selected ?? (branches.shown && { session: branches.shown });
}

export async function pickTarget({ backend, preferences }: Parts): Promise<Target | undefined> {
  const asked = backend.ask("forkpoint/sessions", {
    includeProgrammatic: preferences.showsProgrammatic,
    limit: CHOICES,
  });
  const now = Date.now();
  const items = asked.then(({ sessions }) => sessions.map((session) => pickItem(session, now)));
  const options = {
    title: t("Which session?"),
    placeHolder: t("Title, branch or first prompt"),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  const picked = await pickOne(items, options, t("There is no session yet."));
  return picked && { session: picked.session };
}

/** A choice among items that are still asked for; where there are none, that is said instead. */
export async function pickOne<T extends vscode.QuickPickItem>(
  asked: Promise<T[]>,
  options: vscode.QuickPickOptions,
  nothing: string,
): Promise<T | undefined> {
  const closing = new vscode.CancellationTokenSource();
  const items = asked.then((found) => {
    if (found.length > 0) return found;
    closing.cancel();
    void inform(nothing);
    return [];
  });
  try {
    return await vscode.window.showQuickPick(items, options, closing.token);
  } finally {
    closing.dispose();
  }
}

function pickItem(session: SessionSummary, now: number) {
  const setting = {
    now,
    retentionWarningDays: 0,
    resumeWarning: 0,
    isPinned: false,
    isArchived: session.archived,
  };
  const { label, description, icon } = describeSession(session, setting);
  const { firstPrompt } = session;
  const detail = firstPrompt && firstPrompt !== label ? { detail: firstPrompt } : {};
  return {
    ...plainItem({ label, description, ...detail }),
    session,
    ...(icon ? { iconPath: new vscode.ThemeIcon(icon.id.replace("~spin", "")) } : {}),
  };
}

/** VS Code tells extensions which row is selected, not which has the focus: so it says what it took. */
async function copyRow(node: TreeNode | undefined): Promise<void> {
  if (!node) return;
  const text = dotted(node.row.label, node.row.description);
  await vscode.env.clipboard.writeText(text);
  sayBriefly(t("Copied: {0}", text), COPIED_SHOWN_MS);
}

async function copy(text: string | null | undefined, nothing = ""): Promise<void> {
  if (text) await vscode.env.clipboard.writeText(text);
  else void inform(nothing);
}

/** Settings of a remote machine stand on a page of their own, and not on that of the user. */
function openSetting(query: string): Thenable<unknown> {
  const command = vscode.env.remoteName ? "openRemoteSettings" : "openSettings2";
  return vscode.commands.executeCommand(`workbench.action.${command}`, { query });
}

/** What takes longer than a blink is seen to be at work. */
export async function withPatience<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<"late">((resolve) => setTimeout(() => resolve("late"), PATIENCE_MS));
  if ((await Promise.race([work, late])) === "late")
    void vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t("Forkpoint: waiting for the server") },
      () => work.catch(() => undefined),
    );
  return work;
}

/** What goes wrong in it is told. */
export async function toldWhenItFails(run: () => unknown, command = "search"): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof RequestFailed)) lastErrors.add(command, error); // requests are kept as such
    log.error(error instanceof Error ? error : String(error));
    void complain(sentenceOf(error));
  }
}
