// In which order does a file's history stand, and what stands together?

import type { FileVersion } from "../protocol";

/** Versions of one session that no other session's version stands between. */
export interface VersionRun {
  sessionId: string;
  /** How many runs are older. */
  number: number;
  /** Newest first. */
  items: RunItem[];
}

/** A version, or at least two that follow each other and whose copies are all gone, newest first. */
export type RunItem = FileVersion | FileVersion[];

/**
 * @param versions oldest first
 * @returns runs, newest first
 */
export function versionRuns(versions: readonly FileVersion[]): VersionRun[] {
  const runs: { sessionId: string; members: FileVersion[] }[] = [];
  for (const version of versions) {
    const run = runs.at(-1);
    if (run?.sessionId === version.sessionId) run.members.push(version);
    else runs.push({ sessionId: version.sessionId, members: [version] });
  }
  return runs
    .map(({ sessionId, members }, number) => ({ sessionId, number, items: withGaps(members) }))
    .reverse();
}

/**
 * @param versions oldest first
 * @returns the same newest first, pruned ones that follow each other as one
 */
export function withGaps(versions: readonly FileVersion[]): RunItem[] {
  const items: FileVersion[][] = [];
  for (const version of [...versions].reverse()) {
    const last = items.at(-1);
    if (version.state === "pruned" && last?.[0]?.state === "pruned") last.push(version);
    else items.push([version]);
  }
  return items.flatMap((item) => (item.length > 1 ? [item] : item));
}
