// Which files does a session have checkpoints of, and what became of each?

import { t } from "@vscode/l10n";
import type { CheckpointChange, FileHistory, SessionSummary } from "../protocol";
import { versionNodes } from "./checkpointNodes";
import type { SessionFiles } from "./conversation";
import { fileName } from "./describe/conversation";
import { describeSessionFile, fileTooltip } from "./describe/sessionFile";
import type { TreeNode } from "./tree";

/** Rows of files, with their versions of this session below them. */
export function sessionFileNodes(
  session: SessionSummary,
  { histories, changes }: SessionFiles,
  parent: TreeNode,
  now: number,
): TreeNode[] {
  const changed = new Map(changes.map((change) => [change.file, change]));
  const names = histories.map(({ file }) => fileName(file));
  return histories.map((history, index) =>
    fileNode(session, history, {
      change: changed.get(history.file),
      isAmbiguous: names.some((name, other) => name === names[index] && other !== index),
      parent,
      now,
    }),
  );
}

interface FileSetting {
  change: CheckpointChange | undefined;
  isAmbiguous: boolean;
  parent: TreeNode;
  now: number;
}

function fileNode(session: SessionSummary, history: FileHistory, setting: FileSetting): TreeNode {
  const { change, isAmbiguous, parent, now } = setting;
  const version = { history };
  const node: TreeNode = {
    id: `${parent.id}/${history.file}`,
    parent,
    row: describeSessionFile(history, change, isAmbiguous),
    opens: "closed",
    tooltip: () => fileTooltip(history),
    target: { session },
    version,
    click: {
      command: "forkpoint.openSessionDiff",
      title: t("Show Changes Since the Session Began"),
      arguments: [version],
    },
  };
  node.children = versionNodes(history, node, now);
  return node;
}
