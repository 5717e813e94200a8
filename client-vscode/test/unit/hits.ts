// What was found, to change one fact of.

import type { AbandonedPrompt, SearchHit, SearchResult } from "../../src/protocol";
import { session } from "./sessions";

export const FOUND_TIME = Date.parse("2026-03-10T12:00:00Z");

const { sessionId, title, project } = session();

export function hit(changes: Partial<SearchHit> = {}): SearchHit {
  return {
    sessionId,
    agentId: null,
    title,
    project,
    uuid: "u7",
    ordinal: 7,
    role: "response",
    part: "answer",
    tool: null,
    file: null,
    isError: false,
    snippet: "The discount is applied once.",
    ranges: [{ start: 4, end: 12 }],
    at: "2026-03-10T11:56:00Z",
    fate: "sent",
    alsoIn: [],
    ...changes,
  };
}

export function result(changes: Partial<SearchResult> = {}): SearchResult {
  const hits = changes.hits ?? [hit()];
  return {
    hits,
    total: hits.length,
    totalIsLowerBound: false,
    indexing: null,
    problem: null,
    notes: [],
    ...changes,
  };
}

export function abandoned(changes: Partial<AbandonedPrompt> = {}): AbandonedPrompt {
  return {
    sessionId,
    title,
    project,
    uuid: "u3",
    ordinal: 3,
    at: "2026-03-10T11:00:00Z",
    prompt: "Lower the tax rate",
    answer: "Lowered to 7 %.",
    answerUuid: "u4",
    leaf: "u9",
    recordCount: 6,
    ...changes,
  };
}
