// Which rows does the view Branches have?

import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { CallReference } from "../editor/jump";
import type { PathEntry, Segment, SessionSummary, ToolCall } from "../protocol";
import type { Standing } from "../watching";
import { grouped } from "../words";
import { type BranchShape, branchShape } from "./branchShape";
import type { Conversations } from "./conversation";
import { describePrompt, describeToolCall } from "./describe/conversation";
import { describeLeaf } from "./describe/leaf";
import type { TooltipLine } from "./describe/row";
import { describeResends, describeSegment, segmentTooltip } from "./describe/segment";
import { leafOf, openCommand, promptTarget } from "./sessionNodes";
import type { Target, TreeNode } from "./tree";
import { callsOf, type Turn, turnsOf } from "./turns";

/** All rows of one session's tree; what is inside a segment is asked for when it is opened. */
export class BranchNodes {
  private leaf: TreeNode | undefined;
  /** Rows of abandoned segments, by the segments' ids. */
  private readonly abandoned = new Map<string, TreeNode>();
  /** Ids of the rows that prompts were first met below, by the prompts' uuids. */
  private readonly segmentOf = new Map<string, string>();

  /**
   * @param now milliseconds since 1970
   * @param standing undefined = the session is not followed
   */
  constructor(
    private readonly conversations: Conversations,
    private readonly session: SessionSummary,
    private readonly now: number,
    private readonly standing?: Standing,
  ) {}

  async roots(): Promise<TreeNode[]> {
    const segments = await this.conversations.segments(this.session);
    const rows = branchShape(segments).map((shape) => this.branch(shape, undefined));
    const left = this.conversations.moreSegments(this.session);
    return left > 0 ? [...rows, moreNode(segments.length, left)] : rows;
  }

  /** The row of the active leaf, once `roots` was asked for. */
  get activeLeaf(): TreeNode | undefined {
    return this.leaf;
  }

  /** The row of the first of these segments that is abandoned, once `roots` was asked for. */
  abandonedBranch(ids: readonly string[]): TreeNode | undefined {
    return ids.map((id) => this.abandoned.get(id)).find((node) => node !== undefined);
  }

  private branch(shape: BranchShape, parent: TreeNode | undefined): TreeNode {
    const { segment, resends, holdsLeaf } = shape;
    const target: Target = {
      session: this.session,
      ordinal: segment.firstOrdinal,
      leaf: leafOf(segment),
    };
    const node: TreeNode = {
      id: `segment:${this.session.sessionId}:${segment.id}`,
      parent,
      row: describeSegment(segment, this.now, resends.length + 1),
      opens: segment.active ? "open" : "closed",
      tooltip: () => segmentTooltip(segment),
      target,
      click: openCommand(target),
    };
    if (!segment.active) this.abandoned.set(segment.id, node);
    const below: TreeNode[] = [];
    if (holdsLeaf) {
      this.leaf = this.leafNode(shape, node);
      below.push(this.leaf);
    }
    below.push(...shape.branches.map((each) => this.branch(each, node)));
    if (resends.length > 0) below.push(this.resends(resends, node));
    node.children = async () => [...(await this.turns(shape, node)), ...below];
    return node;
  }

  private leafNode({ segment }: BranchShape, parent: TreeNode): TreeNode {
    const target: Target = { session: this.session, ordinal: segment.lastOrdinal };
    return {
      id: leafId(this.session),
      parent,
      row: describeLeaf(this.standing, this.now),
      tooltip: async (): Promise<TooltipLine[]> => [
        { name: t("Active leaf"), text: await this.conversations.leafSentence(this.session) },
      ],
      target,
      click: openCommand(target),
    };
  }

  private resends(shapes: BranchShape[], parent: TreeNode): TreeNode {
    const node: TreeNode = {
      id: `${parent.id}/resends`,
      parent,
      row: describeResends(shapes.map(({ segment }) => segment)),
      opens: "closed",
    };
    node.children = shapes.map((shape) => this.branch(shape, node));
    return node;
  }

  /** Prompts of a segment; calls before its first prompt stand beside them. */
  private async turns({ segment }: BranchShape, parent: TreeNode): Promise<TreeNode[]> {
    const entries = await this.conversations.segmentEntries(this.session, segment);
    const nodes = turnsOf(entries).map((turn) =>
      turn.prompt
        ? [this.prompt(turn, turn.prompt, parent, segment)]
        : this.calls(turn, parent, segment),
    );
    return (await Promise.all(nodes)).flat();
  }

  private prompt(turn: Turn, entry: PathEntry, parent: TreeNode, segment: Segment): TreeNode {
    const target = promptTarget(this.session, entry, leafOf(segment));
    const node: TreeNode = {
      id: this.promptId(entry.uuid, parent),
      parent,
      row: describePrompt(entry, this.now),
      opens: turn.calling.size > 0 ? "closed" : undefined,
      target,
      click: openCommand(target),
    };
    node.children = () => this.calls(turn, node, segment);
    return node;
  }

  /**
   * Without the segment, so that the row stays the same when a rewind gives the prompt to another one.
   *
   * Of files that are not in order a prompt may lie in two: then the second row is another one.
   */
  private promptId(uuid: string, segment: TreeNode): string {
    const first = this.segmentOf.get(uuid) ?? segment.id;
    this.segmentOf.set(uuid, first);
    const isOther = first !== segment.id;
    return isOther ? `${segment.id}/${uuid}` : `prompt:${this.session.sessionId}:${uuid}`;
  }

  private async calls(turn: Turn, parent: TreeNode, segment: Segment): Promise<TreeNode[]> {
    const calls = await this.conversations.toolCalls(this.session);
    return callsOf(turn, calls).map((call) => this.call(call, parent, segment));
  }

  private call(call: ToolCall, parent: TreeNode, segment: Segment): TreeNode {
    const target: Target = { session: this.session, ordinal: call.ordinal, leaf: leafOf(segment) };
    const reference = { sessionId: this.session.sessionId, toolUseId: call.toolUseId };
    const isOnFile = call.files.length > 0;
    return {
      id: `${parent.id}/${call.toolUseId}`,
      parent,
      row: describeToolCall(call),
      tooltip: () => [{ name: call.name, text: call.summary }],
      target,
      call: isOnFile ? reference : undefined,
      click: isOnFile ? jumpCommand(reference) : openCommand(target),
    };
  }
}

function jumpCommand(call: CallReference): vscode.Command {
  const title = t("Go to the Edited Place");
  return { command: "forkpoint.jumpToEdit", title, arguments: [call] };
}

/** Of the one row that marks where a session's client goes on. */
export function leafId({ sessionId }: SessionSummary): string {
  return `leaf:${sessionId}`;
}

/** Stands for branches of a very large tree that are not asked for yet. */
function moreNode(loaded: number, remaining: number): TreeNode {
  const label = t("Load more…");
  const description = t("{0} of {1} shown", grouped(loaded), grouped(loaded + remaining));
  return {
    id: "more",
    row: {
      label,
      description,
      icon: { id: "ellipsis" },
      aria: `${label} ${description}`,
      context: "more",
    },
    click: { command: "forkpoint.loadMore", title: label, arguments: ["branches"] },
  };
}
