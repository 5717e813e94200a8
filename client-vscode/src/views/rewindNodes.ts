// Which rows does the view Rewind Preview have?

import { t } from "@vscode/l10n";
import type {
  NotCovered,
  RewindAction,
  RewindFile,
  RewindPreviewResult,
  ShellCall,
  Subagent,
  SubagentEdits,
} from "../protocol";
import { describeSubagent } from "./describe/conversation";
import { describeShellCall, describeSubagentEdits, notCoveredTooltip } from "./describe/notCovered";
import {
  cacheTooltip,
  describeCache,
  describeCode,
  describeContext,
  describeConversation,
  describeFileGroup,
  describeNoFiles,
  describeNotCovered,
} from "./describe/rewind";
import { describeRewindFile, hasDiff, rewindFileTooltip } from "./describe/rewindFile";
import type { Row } from "./describe/row";
import { openCommand } from "./sessionNodes";
import type { Target, TreeNode } from "./tree";

/** The row of a file, with what a rewind would do to it. */
export interface RewindFileNode extends TreeNode {
  file: RewindFile;
}

/** What the rows are made of beside the preview itself. */
export interface RewindSurroundings {
  /** The session, at the prompt. */
  target: Target;
  /** Of the session: they give subagents a name. */
  subagents: readonly Subagent[];
  /** How the workspace calls a file, by its URI. */
  pathOf(uri: string): string;
  /** Milliseconds since 1970. */
  now: number;
}

// What is lost comes first.
const ORDER: readonly RewindAction[] = ["delete", "overwrite", "create", "skip", "unchanged"];

export function rewindNodes(preview: RewindPreviewResult, around: RewindSurroundings): TreeNode[] {
  const { conversation, code, notCovered, cache } = preview;
  const { target } = around;
  const nodes: TreeNode[] = [
    {
      ...header("conversation", describeConversation(conversation)),
      target,
      click: openCommand(target),
    },
    header("context", describeContext(conversation)),
    { ...header("cache", describeCache(cache, around.now)), tooltip: () => cacheTooltip(cache) },
    header("code", describeCode(code)),
  ];
  if (code.available && code.files.length === 0) nodes.push(header("noFiles", describeNoFiles()));
  for (const action of ORDER) {
    const files = code.files.filter((file) => file.action === action);
    if (files.length > 0) nodes.push(fileGroup(action, files, around));
  }
  const isAllCovered = notCovered.shell.length + notCovered.subagents.length === 0;
  return isAllCovered ? nodes : [...nodes, notCoveredNode(notCovered, around)];
}

/** Whether a click, or a menu, was on a file's row. */
export function isRewindFileNode(argument: unknown): argument is RewindFileNode {
  return (
    typeof argument === "object" && argument !== null && "row" in argument && "file" in argument
  );
}

/** Long texts of a narrow row are whole in the tooltip. */
function header(name: string, row: Row): TreeNode {
  return {
    id: `rewind:${name}`,
    row,
    tooltip: () => [{ name: row.label, text: row.description }],
  };
}

function fileGroup(
  action: RewindAction,
  files: readonly RewindFile[],
  around: RewindSurroundings,
): TreeNode {
  const someChangeMode = files.some(({ modeChanges }) => modeChanges);
  const node: TreeNode = {
    id: `rewind:${action}`,
    row: describeFileGroup(action, files.length),
    opens: action === "unchanged" && !someChangeMode ? "closed" : "open",
  };
  node.children = files.map((file) => fileNode(file, node, around));
  return node;
}

function fileNode(
  file: RewindFile,
  parent: TreeNode,
  { pathOf }: RewindSurroundings,
): RewindFileNode {
  const path = pathOf(file.file);
  const node: RewindFileNode = {
    id: `${parent.id}/${file.file}`,
    parent,
    row: describeRewindFile(file, path),
    tooltip: () => rewindFileTooltip(file, path),
    file,
  };
  if (hasDiff(file))
    node.click = { command: "forkpoint.openRewindDiff", title: t("Open Diff"), arguments: [node] };
  return node;
}

function notCoveredNode(notCovered: NotCovered, around: RewindSurroundings): TreeNode {
  const node: TreeNode = {
    id: "rewind:notCovered",
    row: describeNotCovered(notCovered),
    opens: "open",
  };
  node.children = [
    ...notCovered.shell.map((call) => shellNode(call, node, around)),
    ...notCovered.subagents.map((edits) => subagentNode(edits, node, around)),
  ];
  return node;
}

function shellNode(call: ShellCall, parent: TreeNode, around: RewindSurroundings): TreeNode {
  const { files, ordinal, agentId } = call;
  const row = describeShellCall(call);
  const target: Target = { ...transcriptOf(agentId, around), ordinal };
  return {
    id: `${parent.id}/${call.toolUseId}`,
    parent,
    row,
    tooltip: () => notCoveredTooltip(row, files.map(around.pathOf)),
    target,
    click: openCommand(target),
  };
}

function subagentNode(
  edits: SubagentEdits,
  parent: TreeNode,
  around: RewindSurroundings,
): TreeNode {
  const { agentId, files } = edits;
  const agent = around.subagents.find((each) => each.agentId === agentId);
  const row = describeSubagentEdits(edits, agent ? describeSubagent(agent).label : agentId);
  const target = transcriptOf(agentId, around);
  return {
    id: `${parent.id}/${agentId}`,
    parent,
    row,
    tooltip: () => notCoveredTooltip(row, files.map(around.pathOf)),
    target,
    click: openCommand(target),
  };
}

/** The transcript that holds what a subagent did; null = the session itself did it. */
function transcriptOf(agentId: string | null, around: RewindSurroundings): Target {
  const { session } = around.target;
  if (agentId === null) return { session };
  const file = around.subagents.find((each) => each.agentId === agentId)?.transcript;
  return { session, agentId, file: file ?? undefined };
}
