// A session to change one fact of.

import type { SessionSummary } from "../../src/protocol";

const ID = "11111111-2222-4333-8444-555555555555";

export function session(changes: Partial<SessionSummary> = {}): SessionSummary {
  return {
    sessionId: ID,
    resumeId: changes.sessionId ?? ID,
    agent: "claude-code",
    transcript: "file:///home/dev/.claude/projects/-home-dev-shop/11111111.jsonl",
    configDir: null,
    project: {
      key: "-home-dev-shop",
      cwd: "/home/dev/shop",
      name: "shop",
      worktreeOf: null,
      exists: true,
    },
    title: { text: "Add a discount", source: "ai" },
    firstPrompt: "Please add a discount",
    tag: null,
    agentName: null,
    gitBranch: "main",
    version: "2.1.300",
    models: ["claude-sonnet-4-5"],
    createdAt: "2026-03-10T11:00:00Z",
    updatedAt: "2026-03-10T11:56:00Z",
    modifiedAt: "2026-03-10T11:56:01Z",
    sizeBytes: 340_000,
    promptCount: 3,
    inheritedPromptCount: null,
    responseCount: 7,
    branchCount: 0,
    compactionCount: 0,
    checkpointFileCount: 0,
    subagentCount: 0,
    tokens: { input: 14, output: 2_100, cacheRead: 143_000, cacheWrite5m: 12_000, cacheWrite1h: 0 },
    subagentTokens: null,
    inheritedTokens: null,
    costUsd: null,
    contextTokens: 51_000,
    cache: null,
    tip: "complete",
    live: null,
    sharedFiles: [],
    forkedFrom: null,
    pullRequests: [],
    entrypoint: "cli",
    archived: false,
    expiresAt: null,
    problems: [],
    ...changes,
  };
}
