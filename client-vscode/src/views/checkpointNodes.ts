// Which rows does a file's history have?

import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { FileHistory, FileVersion, HistorySession } from "../protocol";
import { fileTooltip } from "./describe/sessionFile";
import {
  describeGap,
  describeSessionMark,
  describeSessions,
  describeTouchingSession,
  describeVersion,
  describeWorkingFile,
  gapTooltip,
  versionTooltip,
} from "./describe/version";
import type { TreeNode } from "./tree";
import { type RunItem, type VersionRun, versionRuns, withGaps } from "./versionRuns";
import { versionKey } from "./versionTarget";

/**
 * The working file, then all versions, newest first, below a mark of their session.
 *
 * @param now milliseconds since 1970
 */
export function historyNodes(history: FileHistory, now: number): TreeNode[] {
  const runs = versionRuns(history.versions);
  return [
    workingNode(history),
    ...runs.flatMap((run) => [
      ...markNode(history, run, now),
      ...run.items.map((item) => itemNode(history, item, undefined, now)),
    ]),
    ...sessionsNode(history, now),
  ];
}

/** The sessions that have versions of the file, the newest first. */
function sessionsNode(history: FileHistory, now: number): TreeNode[] {
  const { sessions, versions, file } = history;
  if (sessions.length === 0) return [];
  const node: TreeNode = {
    id: `${file}/sessions`,
    row: describeSessions(sessions),
    opens: "closed",
  };
  const newestFirst = new Set(versions.map(({ sessionId }) => sessionId).reverse());
  node.children = [...newestFirst].flatMap((id) => {
    const session = sessionOf(history, id);
    const own = versions.filter(({ sessionId }) => sessionId === id);
    const [newest] = own.slice(-1);
    if (!newest || !session) return [];
    return {
      id: `${node.id}/${id}`,
      parent: node,
      row: describeTouchingSession(session, own.length, newest, now),
      session,
      click: {
        command: "forkpoint.openTranscriptAt",
        title: t("Open Transcript"),
        arguments: [{ sessionId: id }],
      },
    };
  });
  return [node];
}

/** The row of a version in a history's rows, or of the working file where there is none. */
export function nodeOf(
  nodes: readonly TreeNode[],
  version: FileVersion | undefined,
): TreeNode | undefined {
  const key = version && versionKey(version);
  return nodes.find(({ version: target }) => {
    if (!target) return false;
    return (target.version && versionKey(target.version)) === key;
  });
}

/** The versions of a history of one session, newest first, below the row of their file. */
export function versionNodes(history: FileHistory, parent: TreeNode, now: number): TreeNode[] {
  return withGaps(history.versions).map((item) => itemNode(history, item, parent, now));
}

function workingNode(history: FileHistory): TreeNode {
  return {
    id: `${history.file}/working`,
    row: describeWorkingFile(history),
    tooltip: () => fileTooltip(history),
    version: { history },
    click: diffCommand({ history }),
  };
}

function markNode(history: FileHistory, run: VersionRun, now: number): TreeNode[] {
  const newest = run.items.flat()[0];
  if (!newest) return [];
  const session = sessionOf(history, run.sessionId);
  return [
    {
      id: `${history.file}/session:${run.sessionId}:${run.number}`,
      row: describeSessionMark(session, newest, now),
      session,
    },
  ];
}

function itemNode(
  history: FileHistory,
  item: RunItem,
  parent: TreeNode | undefined,
  now: number,
): TreeNode {
  return Array.isArray(item)
    ? gapNode(history, item, parent, now)
    : versionNode(history, item, parent, now);
}

/** A gap grows at its newer end, so its oldest version names it. */
function gapNode(
  history: FileHistory,
  pruned: readonly FileVersion[],
  parent: TreeNode | undefined,
  now: number,
): TreeNode {
  const [oldest] = pruned.slice(-1);
  const node: TreeNode = {
    id: `${parent?.id ?? history.file}/gap:${oldest ? versionKey(oldest) : ""}`,
    parent,
    row: describeGap(pruned),
    opens: "closed",
    tooltip: () => gapTooltip(pruned),
  };
  node.children = pruned.map((version) => versionNode(history, version, node, now));
  return node;
}

function versionNode(
  history: FileHistory,
  version: FileVersion,
  parent: TreeNode | undefined,
  now: number,
): TreeNode {
  const { sessionId, document } = version;
  const target = { history, version };
  return {
    id: `${parent?.id ?? history.file}/version:${versionKey(version)}`,
    parent,
    row: describeVersion(version, now),
    tooltip: () => versionTooltip(version, sessionOf(history, sessionId)),
    version: target,
    click: document === null ? undefined : diffCommand(target),
  };
}

function diffCommand(target: TreeNode["version"]): vscode.Command {
  return { command: "forkpoint.openVersionDiff", title: t("Show Change"), arguments: [target] };
}

function sessionOf({ sessions }: FileHistory, sessionId: string): HistorySession | undefined {
  return sessions.find((each) => each.sessionId === sessionId);
}
