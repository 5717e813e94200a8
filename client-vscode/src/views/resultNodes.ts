// Which rows does the view of results have? Below their sessions, or one after the other.

import { t } from "@vscode/l10n";
import type { AbandonedPrompt } from "../protocol";
import { type Found, idsOf, isHit } from "../search/question";
import { counted, grouped } from "../words";
import { abandonedTooltip, describeAbandoned, describeAbandonedAnswer } from "./describe/abandoned";
import { describeHit, hitTooltip } from "./describe/hit";
import { dotted, type Row, spoken } from "./describe/row";
import { sessionTitle } from "./describe/session";
import type { TreeNode } from "./tree";

export type Layout = "session" | "list";
/** rank = as the server answered, the best first; time = the newest first. */
export type Order = "rank" | "time";

export interface ResultSetting {
  layout: Layout;
  order: Order;
  /** Milliseconds since 1970. */
  now: number;
}

/** What is shown, and how many there are at least. */
export interface Results {
  found: readonly Found[];
  total: number;
  isLowerBound: boolean;
  /** How many of them were asked for; some may be gone by now. */
  covered: number;
}

export function resultNodes(results: Results, setting: ResultSetting): TreeNode[] {
  const { found, total, covered } = results;
  const rows = new Rows(idsOf(found), setting.now);
  const sorted = setting.order === "time" ? newestFirst(found) : found;
  const nodes =
    setting.layout === "session"
      ? bySession(sorted).map((group) => rows.group(group))
      : sorted.map((each) => rows.found(each));
  return total > covered ? [...nodes, moreNode(results)] : nodes;
}

/** Wherever it stands, a row keeps its id, and so its selection. */
class Rows {
  constructor(
    private readonly ids: ReadonlyMap<Found, string>,
    private readonly now: number,
  ) {}

  group(group: Group): TreeNode {
    const [first] = group;
    const node: TreeNode = {
      id: `${isHit(first) ? "hits" : "abandoned"}:${first.sessionId}`,
      row: groupRow(first, group.length),
      opens: "open",
      found: first,
    };
    node.children = group.map((each) => this.found(each, node));
    return node;
  }

  /** @param parent of its session; undefined = there is none, so that the row names it */
  found(found: Found, parent?: TreeNode): TreeNode {
    const below = { id: this.ids.get(found) ?? "", parent, ...opening(found) };
    const namesSession = parent === undefined;
    if (isHit(found)) {
      const row = describeHit(found, namesSession, this.now);
      return { ...below, row, tooltip: () => hitTooltip(found) };
    }
    const row = describeAbandoned(found, namesSession, this.now);
    const node: TreeNode = { ...below, row, tooltip: () => abandonedTooltip(found) };
    if (found.answer === "") return node;
    return Object.assign(node, { opens: "open", children: [answerNode(found, node)] });
  }
}

/** Those without a time come last; equals stay as they were. */
function newestFirst(found: readonly Found[]): Found[] {
  const time = ({ at }: Found) => (at && Date.parse(at)) || 0;
  return [...found].sort((a, b) => time(b) - time(a));
}

type Group = [first: Found, ...others: Found[]];

/** Sessions in the order of the first of theirs. */
function bySession(found: readonly Found[]): Group[] {
  const groups = new Map<string, Group>();
  for (const each of found) {
    const group = groups.get(each.sessionId);
    if (group) group.push(each);
    else groups.set(each.sessionId, [each]);
  }
  return [...groups.values()];
}

function groupRow(first: Found, count: number): Row {
  const label = sessionTitle(first);
  const { name } = first.project;
  const words = isHit(first)
    ? counted(count, t("{0} hit"), t("{0} hits"))
    : counted(count, t("{0} abandoned prompt"), t("{0} abandoned prompts"));
  return {
    label,
    description: dotted(grouped(count), name),
    icon: { id: "comment-discussion" },
    aria: spoken(t("session {0}", label), name, words),
    context: "foundSession",
  };
}

function answerNode(found: AbandonedPrompt, parent: TreeNode): TreeNode {
  return {
    id: `${parent.id}/answer`,
    parent,
    row: describeAbandonedAnswer(found),
    tooltip: () => abandonedTooltip(found),
    ...opening(found),
  };
}

/** Of an abandoned prompt the answer stands just below it. */
function opening(found: Found): Pick<TreeNode, "found" | "click"> {
  const title = t("Open Transcript Here");
  return { found, click: { command: "forkpoint.openFound", title, arguments: [found] } };
}

function moreNode({ covered, total, isLowerBound }: Results): TreeNode {
  const label = t("Load more…");
  const all = `${grouped(total)}${isLowerBound ? "+" : ""}`;
  const description = t("{0} of {1} shown", grouped(covered), all);
  return {
    id: "more",
    row: {
      label,
      description,
      icon: { id: "ellipsis" },
      aria: `${label} ${description}`,
      context: "more",
    },
    click: { command: "forkpoint.loadMoreResults", title: label },
  };
}
