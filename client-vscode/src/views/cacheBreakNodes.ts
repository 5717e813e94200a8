// Which rows tell how the prompt cache fared?

import type { CacheHistoryResult, CacheRequest, Segment, SessionSummary } from "../protocol";
import {
  type BrokenRequest,
  breaksIn,
  breakTooltip,
  describeBreak,
  describeExpected,
  describeNoBreaks,
  describeTotals,
  totalsTooltip,
} from "./describe/cacheBreak";
import { leafOf, openCommand } from "./sessionNodes";
import type { Target, TreeNode } from "./tree";

interface Surroundings {
  session: SessionSummary;
  /** Of the session: requests were made on all its branches. */
  segments: readonly Segment[];
  parent: TreeNode;
  /** Milliseconds since 1970. */
  now: number;
}

/** Sums, then the avoidable breaks; those that somebody asked for stand together below. */
export function breakNodes(history: CacheHistoryResult, around: Surroundings): TreeNode[] {
  const { parent } = around;
  const breaks = breaksIn(history);
  const avoidable = breaks.filter((request) => !request.break.expected);
  const expected = breaks.filter((request) => request.break.expected);
  const nodes: TreeNode[] = [
    {
      id: `${parent.id}/totals`,
      parent,
      row: describeTotals(history),
      tooltip: () => totalsTooltip(history),
    },
    ...avoidable.map((request) => breakNode(request, parent, around)),
  ];
  if (breaks.length === 0) nodes.push({ id: `${parent.id}/none`, parent, row: describeNoBreaks() });
  return expected.length === 0 ? nodes : [...nodes, expectedNode(history, expected, around)];
}

function expectedNode(
  { totals }: CacheHistoryResult,
  requests: readonly BrokenRequest[],
  around: Surroundings,
): TreeNode {
  const { parent } = around;
  const node: TreeNode = {
    id: `${parent.id}/expected`,
    parent,
    row: describeExpected(totals.expected),
    opens: "closed",
  };
  node.children = requests.map((request) => breakNode(request, node, around));
  return node;
}

function breakNode(request: BrokenRequest, parent: TreeNode, around: Surroundings): TreeNode {
  const { session, segments, now } = around;
  const target: Target = { session, ordinal: request.ordinal, leaf: leafAt(request, segments) };
  return {
    id: `${parent.id}/${request.ordinal}`,
    parent,
    row: describeBreak(request, now),
    tooltip: () => breakTooltip(request),
    target,
    click: openCommand(target),
  };
}

/**
 * Where the text ends in which a request's answer stands; undefined = on the active path.
 *
 * Branches that two clients wrote at once lie in each other in the file: there the text ends with
 * the answer itself.
 */
function leafAt({ ordinal, uuid }: CacheRequest, segments: readonly Segment[]): string | undefined {
  const around = segments.filter(
    ({ firstOrdinal, lastOrdinal }) => firstOrdinal <= ordinal && ordinal <= lastOrdinal,
  );
  if (around.every(({ active }) => active)) return undefined;
  const [only, ...others] = around;
  return only && others.length === 0 ? leafOf(only) : uuid || undefined;
}
