// A health where nothing is odd, to change facts of.

import type { HealthResult, HealthTotals, TranscriptHealth } from "../../src/protocol";

export const TOTALS: HealthTotals = {
  malformed: 0,
  unknownTypes: [],
  tornTails: 0,
  brokenChains: 0,
  loops: 0,
  repeatedUuids: 0,
  gluedRecords: 0,
  missingBackups: 0,
  prunedBackups: 0,
  transcriptsWithoutBackups: 0,
  duplicateIds: 0,
  unreadable: 0,
  remains: 0,
};

export function health(changes: Partial<HealthResult> = {}): HealthResult {
  return {
    sessions: [],
    totals: TOTALS,
    findings: 0,
    sentence: "Nothing odd in 5 transcripts.",
    unknownFields: { fields: [], records: 9, total: 9, sentence: "All 9 were looked at." },
    duplicateIds: [],
    transcriptsWithoutBackups: [],
    unreadable: [],
    remains: [],
    retention: {
      withinDays: 7,
      soon: 0,
      sessions: [],
      settings: [],
      sentence: "No session will be deleted within 7 days.",
    },
    problems: [],
    report: "# Format health",
    indexing: { done: 5, total: 5 },
    copies: { done: 3, total: 3 },
    ...changes,
  };
}

export const TRANSCRIPT = "file:///home/dev/.claude/projects/-home-dev-shop/11111111.jsonl";

export function transcript(changes: Partial<TranscriptHealth> = {}): TranscriptHealth {
  return {
    sessionId: "11111111-2222-4333-8444-555555555555",
    agent: "claude-code",
    agentId: null,
    transcript: TRANSCRIPT,
    malformed: [],
    unknownTypes: [],
    tornTail: null,
    brokenChains: [],
    loops: [],
    repeatedUuids: [],
    missingBackups: [],
    prunedBackups: 0,
    problems: [],
    ...changes,
  };
}
