// Which rows does the view Sessions have?

import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import type { Preferences } from "../preferences";
import type { CacheNote, PathEntry, Segment, SessionSummary, Subagent } from "../protocol";
import { counted, enumerated, grouped } from "../words";
import { verdictNode } from "./cacheVerdictNode";
import type { Conversations } from "./conversation";
import { describePrompt, describeSubagent } from "./describe/conversation";
import type { Row } from "./describe/row";
import { describeSegment, segmentTooltip } from "./describe/segment";
import { describeSession, sessionTitle } from "./describe/session";
import { sessionTooltip } from "./describe/sessionTooltip";
import type { Family } from "./sessionFamilies";
import { sessionFileNodes } from "./sessionFileNodes";
import { groupExpiring, groupSessions, type SessionGroup } from "./sessionGroups";
import type { LoadedSessions } from "./sessionList";
import type { PromptTarget, Target, TreeNode } from "./tree";

/** Makes the rows; asks for what is inside a session when it is opened. */
export class SessionNodes {
  private warningDays = 0;

  constructor(
    private readonly conversations: Conversations,
    private readonly preferences: Preferences,
    private readonly isArchived: (session: SessionSummary) => boolean,
  ) {}

  /** @param now milliseconds since 1970 */
  roots({ sessions, remaining, expiring }: LoadedSessions, now: number): TreeNode[] {
    this.warningDays = Math.max(this.preferences.retentionWarningDays, expiring ?? 0);
    const groups =
      expiring === undefined
        ? groupSessions(sessions, {
            grouping: this.preferences.grouping,
            now,
            timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            isPinned: (sessionId) => this.preferences.isPinned(sessionId),
          })
        : groupExpiring(sessions);
    const goesOn = (place: number) =>
      remaining > 0 && (this.preferences.grouping === "project" || place === groups.length - 1);
    const nodes = groups.map((group, place) => {
      const row = groupRow(group, goesOn(place));
      return this.group(group, row, groups.length === 1, now);
    });
    return remaining > 0 ? [...nodes, moreNode(sessions.length, remaining)] : nodes;
  }

  private group(group: SessionGroup, row: Row, isOnly: boolean, now: number): TreeNode {
    const node: TreeNode = {
      id: `group:${group.id}`,
      row,
      opens: group.id === "older" && !isOnly ? "closed" : "open",
    };
    node.children = group.families.map((family) => this.family(family, node, now));
    return node;
  }

  /** A session with its forks below it; what is in itself then stands in a row of its own. */
  private family(family: Family, parent: TreeNode, now: number, origin?: Family): TreeNode {
    const node = this.session(family.session, parent, now, origin?.session);
    if (family.forks.length === 0) return node;
    node.id += ":family"; // VS Code keeps a row closed that was closed when it had no forks
    node.opens = "open";
    node.children = [
      ...family.forks.map((fork) => this.family(fork, node, now, family)),
      this.own(family.session, node, now),
    ];
    return node;
  }

  private own(session: SessionSummary, parent: TreeNode, now: number): TreeNode {
    const label = t("In This Session");
    const node: TreeNode = {
      id: `${parent.id}/own`,
      parent,
      basis: JSON.stringify(session),
      row: { label, description: "", icon: { id: "list-tree" }, aria: label, context: "own" },
      opens: "closed",
    };
    node.children = async () => this.parts(session, node, now);
    return node;
  }

  private session(
    session: SessionSummary,
    parent: TreeNode,
    now: number,
    origin?: SessionSummary,
  ): TreeNode {
    const target: Target = { session };
    const facts = JSON.stringify(session);
    const node: TreeNode = {
      id: `session:${session.agent}:${session.sessionId}`,
      parent,
      basis: facts,
      hover: facts,
      row: describeSession(session, {
        now,
        retentionWarningDays: this.warningDays,
        resumeWarning: this.preferences.resumeWarning,
        isPinned: this.preferences.isPinned(session.sessionId),
        isArchived: this.isArchived(session),
        origin: origin && sessionTitle(origin),
      }),
      opens: session.tip === "empty" ? undefined : "closed",
      tooltip: async () =>
        sessionTooltip(session, await this.conversations.foretell(session), origin),
      target,
      click: openCommand(target),
    };
    node.children = async () => this.parts(session, node, now);
    return node;
  }

  private parts(session: SessionSummary, parent: TreeNode, now: number): TreeNode[] {
    const { branchCount, checkpointFileCount, subagentCount } = session;
    const { conversations } = this;
    const part = (id: string, label: string, icon: string, count: Count, children: PartChildren) =>
      count === 0 ? [] : [partNode(parent, id, withCount(label, count), icon, children)];
    return [
      ...part("prompts", t("Prompts"), "comment-discussion", null, async (node) => {
        const entries = await conversations.promptsOnPath(session);
        return entries.map((entry) => promptNode(session, entry, node, now));
      }),
      ...part("abandoned", t("Abandoned"), "git-branch", branchCount, async (node) => {
        const segments = await conversations.segments(session);
        const left = segments.filter(({ active }) => !active);
        return left.map((segment) => segmentNode(session, segment, node, now));
      }),
      ...part("checkpoints", t("Checkpoints"), "versions", checkpointFileCount, async (node) => {
        const files = await conversations.files(session);
        return sessionFileNodes(session, files, node, now);
      }),
      ...part("subagents", t("Subagents"), "organization", subagentCount, async (node) => {
        const agents = await conversations.subagents(session);
        return agents.map((agent) => subagentNode(session, agent, node));
      }),
      ...part("cache", t("Cache"), "flame", null, async (node) => {
        const note = await conversations.cacheNote(session);
        return [cacheNode(session, note, node)];
      }),
    ];
  }
}

/** Opens the readable transcript at the target; the editor is a preview, the view keeps the focus. */
export function openCommand(target: Target): vscode.Command {
  return { command: "forkpoint.openTranscript", title: t("Open Transcript"), arguments: [target] };
}

/** @param leaf uuid of the end of the branch that the prompt lies on; undefined = the active leaf */
export function promptTarget(
  session: SessionSummary,
  { uuid, preview, ordinal }: PathEntry,
  leaf?: string,
): PromptTarget {
  return { session, ordinal, leaf, prompt: { uuid, preview } };
}

/** Where the text of a branch ends; the active one goes up to the active leaf. */
export function leafOf({ active, lastUuid }: Segment): string | undefined {
  return active ? undefined : lastUuid;
}

type PartChildren = (node: TreeNode) => Promise<TreeNode[]>;

function partNode(
  parent: TreeNode,
  part: string,
  label: string,
  icon: string,
  children: PartChildren,
): TreeNode {
  const node: TreeNode = {
    id: `${parent.id}/${part}`,
    parent,
    row: { label, description: "", icon: { id: icon }, aria: label, context: part },
    opens: "closed",
  };
  node.children = () => children(node);
  return node;
}

function promptNode(
  session: SessionSummary,
  entry: PathEntry,
  parent: TreeNode,
  now: number,
): TreeNode {
  const target = promptTarget(session, entry);
  return {
    id: `${parent.id}/${entry.uuid}`,
    parent,
    row: describePrompt(entry, now),
    target,
    click: openCommand(target),
  };
}

function segmentNode(
  session: SessionSummary,
  segment: Segment,
  parent: TreeNode,
  now: number,
): TreeNode {
  const target: Target = { session, ordinal: segment.firstOrdinal, leaf: leafOf(segment) };
  return {
    id: `${parent.id}/${segment.id}`,
    parent,
    row: describeSegment(segment, now),
    tooltip: () => segmentTooltip(segment),
    target,
    click: openCommand(target),
  };
}

function subagentNode(session: SessionSummary, agent: Subagent, parent: TreeNode): TreeNode {
  const { agentId, transcript } = agent;
  const target: Target = { session, agentId, file: transcript ?? undefined };
  return {
    id: `${parent.id}/${agentId}`,
    parent,
    row: describeSubagent(agent),
    target,
    click: openCommand(target),
  };
}

/** The verdict by now, whenever the row above it was drawn. */
function cacheNode(session: SessionSummary, note: CacheNote, parent: TreeNode): TreeNode {
  const target: Target = { session };
  const title = t("Show Resume & Cache");
  return {
    ...verdictNode(`${parent.id}/verdict`, note, Date.now()),
    parent,
    target,
    click: { command: "forkpoint.showCache", title, arguments: [target] },
  };
}

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
    click: { command: "forkpoint.loadMore", title: label },
  };
}

/** @param goesOn whether sessions that are not loaded yet may belong to it */
function groupRow({ label, description, sessions }: SessionGroup, goesOn: boolean): Row {
  const count = goesOn
    ? counted(sessions.length, t("at least {0} session"), t("at least {0} sessions"))
    : counted(sessions.length, t("{0} session"), t("{0} sessions"));
  return {
    label,
    description: description || `${grouped(sessions.length)}${goesOn ? "+" : ""}`,
    aria: enumerated(label, description, count),
    context: "group",
  };
}

/** How many there are; null = not known, or nothing to count. */
type Count = number | null;

function withCount(label: string, count: Count): string {
  return count === null ? label : `${label} (${count})`;
}
