// Which session does an agent work on now? What "Follow the Live Session" turns to.

import type { SessionSummary } from "../protocol";
import { lastTime } from "./describe/session";

/**
 * The live session that worked last; undefined = the shown one stays.
 *
 * It stays as long as an agent is busy with it, so that two that work at once do not take turns.
 */
export function nextLive(
  sessions: readonly SessionSummary[],
  shown: SessionSummary | undefined,
): SessionSummary | undefined {
  const live = sessions.filter((session) => session.live !== null);
  const current = live.find(({ sessionId }) => sessionId === shown?.sessionId);
  if (current?.live?.status === "busy") return undefined;
  const [newest] = live.sort((a, b) => timeOf(b) - timeOf(a));
  if (!newest || newest === current) return undefined;
  return current && timeOf(newest) <= timeOf(current) ? undefined : newest;
}

function timeOf(session: SessionSummary): number {
  return Date.parse(lastTime(session));
}
