// Which sessions were copied from which? Trees of those that are loaded.

import type { SessionSummary } from "../protocol";

/** A session with those that came from it. */
export interface Family {
  session: SessionSummary;
  /** In the order of the list, each by its newest member. */
  forks: Family[];
}

/**
 * The sessions as trees, each where its newest member stands in the list. None is left out: one
 * whose origin is not among them is a root, and of those that name each other in a circle the newest.
 *
 * @param sessions newest first
 */
export function familiesOf(sessions: readonly SessionSummary[]): Family[] {
  const families = new Map<string, Family>();
  for (const session of sessions) families.set(session.sessionId, { session, forks: [] });
  const origins = originsOf(sessions, families);
  const placed = new Set<Family>();
  const roots: Family[] = [];
  for (const family of families.values()) {
    let each = family;
    for (;;) {
      if (placed.has(each)) break;
      placed.add(each);
      const origin = origins.get(each);
      if (!origin) {
        roots.push(each);
        break;
      }
      origin.forks.push(each);
      each = origin;
    }
  }
  return roots;
}

/** All of its sessions, each before those that came from it. */
export function membersOf({ session, forks }: Family): SessionSummary[] {
  return [session, ...forks.flatMap(membersOf)];
}

/** Without those that would close a circle: the newest comes last. */
function originsOf(
  sessions: readonly SessionSummary[],
  families: ReadonlyMap<string, Family>,
): Map<Family, Family> {
  const origins = new Map<Family, Family>();
  for (const { sessionId, forkedFrom } of [...sessions].reverse()) {
    const family = families.get(sessionId);
    const origin = forkedFrom && families.get(forkedFrom.sessionId);
    if (!family || !origin) continue;
    let above: Family | undefined = origin;
    while (above && above !== family) above = origins.get(above);
    if (!above) origins.set(family, origin);
  }
  return origins;
}
