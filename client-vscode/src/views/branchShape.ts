// Which branch stands under which? The tree of rows that a tree of segments makes.

import type { Segment } from "../protocol";

/** A row for a segment, with what hangs below it. */
export interface BranchShape {
  segment: Segment;
  /** Earlier branches from the same place that began with the same prompt, oldest first. */
  resends: BranchShape[];
  /** Branches that begin where this one ends, the active one first; empty when it simply goes on. */
  branches: BranchShape[];
  /** Whether the active path ends in it. */
  holdsLeaf: boolean;
}

/**
 * Rows are indented at fork points only: a segment that alone follows another, as after a
 * compaction, stands beside it. Of a prompt sent again and again one branch stands for all.
 */
export function branchShape(segments: readonly Segment[]): BranchShape[] {
  const children = new Map<string | null, Segment[]>();
  for (const segment of segments) {
    const siblings = children.get(segment.parent);
    if (siblings) siblings.push(segment);
    else children.set(segment.parent, [segment]);
  }
  const goesOn = ({ id }: Segment) => children.get(id)?.some(({ active }) => active) ?? false;
  const leafSegment = segments.filter((segment) => segment.active && !goesOn(segment)).at(-1);

  const below = (parent: string | null) => collapseResends(children.get(parent) ?? []);
  const flow = ({ shown, earlier }: Collapsed): BranchShape[] => {
    const next = below(shown.id);
    const isForkPoint = next.length > 1;
    const shape = {
      segment: shown,
      resends: earlier.flatMap((segment) => flow({ shown: segment, earlier: [] })),
      branches: isForkPoint ? next.flatMap(flow) : [],
      holdsLeaf: shown === leafSegment,
    };
    return isForkPoint ? [shape] : [shape, ...next.flatMap(flow)];
  };
  return below(null).flatMap(flow);
}

/** A segment and the earlier ones of the same prompt that it stands for. */
interface Collapsed {
  shown: Segment;
  earlier: Segment[];
}

function collapseResends(siblings: readonly Segment[]): Collapsed[] {
  const bySource = new Map<string, [Segment, ...Segment[]]>();
  for (const segment of siblings) {
    const source = segment.resendOf ?? segment.id;
    const sent = bySource.get(source);
    if (sent) sent.push(segment);
    else bySource.set(source, [segment]);
  }
  return [...bySource.values()].map(newestForAll);
}

/** The active one stands for all, else the newest. */
function newestForAll(sent: readonly [Segment, ...Segment[]]): Collapsed {
  const oldestFirst = [...sent].sort((a, b) => a.firstOrdinal - b.firstOrdinal);
  const shown = sent.find(({ active }) => active) ?? oldestFirst.at(-1) ?? sent[0];
  return { shown, earlier: oldestFirst.filter((segment) => segment !== shown) };
}
