// A cache history to change one fact of.

import type { CacheBreak, CacheHistoryResult, CacheRequest } from "../../src/protocol";

export function request(ordinal: number, broken: Partial<CacheBreak> | null = null): CacheRequest {
  return {
    messageId: `m${ordinal}`,
    uuid: `u${ordinal}`,
    ordinal,
    at: "2026-03-10T11:56:00Z",
    model: "claude-opus-5-5",
    ttl: "1h",
    input: 1,
    cacheRead: 90_000,
    cacheWrite5m: 0,
    cacheWrite1h: 2_000,
    output: 300,
    costUsd: 0.04,
    break: broken && {
      lostTokens: 34_000,
      costUsd: 0.2652,
      cause: "expired",
      certainty: "certain",
      expected: false,
      sentence: "Idle for 3 h: about 34k tokens were sent anew.",
      ...broken,
    },
  };
}

export function history(
  requests: CacheRequest[],
  changes: Partial<CacheHistoryResult["totals"]> = {},
): CacheHistoryResult {
  const none = { count: 0, lostTokens: 0, costUsd: 0 };
  return {
    requests,
    totals: {
      tokens: {
        input: 10,
        output: 2_100,
        cacheRead: 920_000,
        cacheWrite5m: 0,
        cacheWrite1h: 79_990,
      },
      costUsd: 1.2345,
      expected: none,
      avoidable: none,
      ...changes,
    },
  };
}
