// A segment to change one fact of.

import type { Segment } from "../../src/protocol";

export function segment(
  id: string,
  parent: string | null,
  changes: Partial<Segment> = {},
): Segment {
  return {
    id,
    parent,
    firstOrdinal: 0,
    lastUuid: `${id}-last`,
    lastOrdinal: 9,
    recordCount: 10,
    promptCount: 2,
    label: `Prompt ${id}`,
    startedAt: "2026-03-10T11:00:00Z",
    endedAt: "2026-03-10T11:56:00Z",
    active: false,
    reason: "continuation",
    resendOf: null,
    editedFiles: [],
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
    ...changes,
  };
}
