// Prompts, tool calls, subagents: their rows, and which call belongs to which prompt.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathEntry, Role, Subagent, ToolCall } from "../../src/protocol";
import {
  describePrompt,
  describeSubagent,
  describeToolCall,
} from "../../src/views/describe/conversation";
import { callsOf, turnsOf } from "../../src/views/turns";

const NOW = Date.parse("2026-03-10T12:00:00Z");

function entry(uuid: string, role: Role, changes: Partial<PathEntry> = {}): PathEntry {
  return {
    uuid,
    ordinal: 0,
    role,
    fromPerson: role === "prompt",
    messageId: null,
    timestamp: "2026-03-10T11:56:00Z",
    preview: "Add a discount",
    blocks: [],
    fate: "sent",
    sessionId: null,
    ...changes,
  };
}

const PROMPTS: [entry: PathEntry, row: string, icon: string, aria: string][] = [
  [
    entry("a", "prompt"),
    "Add a discount | 4 min",
    "comment",
    "prompt, Add a discount, 4 minutes ago",
  ],
  [
    entry("a", "command", { preview: "/compact" }),
    "/compact | 4 min",
    "zap",
    "command, /compact, 4 minutes ago",
  ],
  [
    entry("a", "shell", { preview: "ls", timestamp: null }),
    "ls | ",
    "terminal",
    "shell command, ls",
  ],
  [
    entry("a", "prompt", { preview: "" }),
    "(no text) | 4 min",
    "comment",
    "prompt, (no text), 4 minutes ago",
  ],
  [
    entry("a", "prompt", { fate: "summarized" }),
    "Add a discount | 4 min · summarized",
    "comment",
    "prompt, Add a discount, 4 minutes ago, summarized, no longer sent",
  ],
];

for (const [prompt, expected, icon, aria] of PROMPTS)
  test(`prompt row: ${expected}`, () => {
    const row = describePrompt(prompt, NOW);
    assert.equal(`${row.label} | ${row.description}`, expected);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, aria);
  });

function call(changes: Partial<ToolCall> = {}): ToolCall {
  return {
    toolUseId: "toolu_1",
    name: "Edit",
    uuid: "r1",
    ordinal: 0,
    at: null,
    state: "ok",
    files: ["file:///home/dev/shop/tax%20rate.py"],
    summary: "tax rate.py",
    subagent: null,
    onActivePath: true,
    ...changes,
  };
}

const CALLS: [changes: Partial<ToolCall>, row: string, icon: string, aria: string][] = [
  [{}, "Edit | tax rate.py", "edit", "tool call Edit, tax rate.py"],
  [{ files: ["file:///a%zz.py"] }, "Edit | a%zz.py", "edit", "tool call Edit, a%zz.py"],
  [
    { name: "Bash", files: [], summary: "ls -l" },
    "Bash | ls -l",
    "terminal",
    "tool call Bash, ls -l",
  ],
  [{ name: "mcp__x__y", files: [], summary: "" }, "mcp__x__y | ", "tools", "tool call mcp__x__y"],
  [
    { state: "error" },
    "Edit | tax rate.py · failed",
    "error",
    "tool call Edit, tax rate.py, failed",
  ],
  [
    { state: "denied" },
    "Edit | tax rate.py · denied",
    "circle-slash",
    "tool call Edit, tax rate.py, denied",
  ],
  [
    { state: "pending" },
    "Edit | tax rate.py · no result",
    "question",
    "tool call Edit, tax rate.py, no result",
  ],
  [
    { state: "interrupted" },
    "Edit | tax rate.py · interrupted",
    "circle-slash",
    "tool call Edit, tax rate.py, interrupted",
  ],
];

for (const [changes, expected, icon, aria] of CALLS)
  test(`call row: ${expected}`, () => {
    const row = describeToolCall(call(changes));
    assert.equal(`${row.label} | ${row.description}`, expected);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, aria);
  });

const AGENT: Subagent = {
  agentId: "a1",
  parentAgentId: null,
  toolUseId: null,
  type: "Explore",
  description: "Find the tax rules",
  model: null,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  state: "completed",
  transcript: "file:///agent-a1.jsonl",
};

const AGENTS: [changes: Partial<Subagent>, row: string, aria: string][] = [
  [{}, "Find the tax rules | Explore", "subagent, Find the tax rules, Explore, completed"],
  [
    { state: "failed" },
    "Find the tax rules | Explore · failed",
    "subagent, Find the tax rules, Explore, failed",
  ],
  [{ description: null }, "Explore | ", "subagent, Explore, completed"],
  [
    { description: null, type: null, state: "unknown" },
    "a1 | end unknown",
    "subagent, a1, end unknown",
  ],
];

for (const [changes, expected, aria] of AGENTS)
  test(`subagent row: ${expected}`, () => {
    const row = describeSubagent({ ...AGENT, ...changes });
    assert.equal(`${row.label} | ${row.description}`, expected);
    assert.equal(row.aria, aria);
  });

test("a path is cut at what a person gave", () => {
  const tool = { blocks: [{ kind: "toolUse" as const, name: "Edit", toolUseId: "t" }] };
  const turns = turnsOf([
    entry("r0", "response", tool), // goes on after a compaction
    entry("p1", "prompt"),
    entry("r1", "response", tool),
    entry("x1", "toolResult"),
    entry("r2", "response", tool),
    entry("r3", "response"),
    entry("i1", "injected"),
    entry("c1", "command", { fromPerson: true }),
    entry("o1", "command"), // what the command put out
    entry("p2", "prompt"),
    entry("r4", "response", tool),
  ]);
  const picture = turns.map(({ prompt, calling }) => `${prompt?.uuid ?? "-"}: ${[...calling]}`);
  assert.deepEqual(picture, ["-: r0", "p1: r1,r2", "c1: ", "p2: r4"]);

  const calls = ["r1", "r4", "r2", "elsewhere"].map((uuid) => call({ uuid, toolUseId: uuid }));
  const ofFirst = callsOf(turns[1] ?? assert.fail("no second turn"), calls);
  assert.deepEqual(
    ofFirst.map(({ uuid }) => uuid),
    ["r1", "r2"],
  );
});

test("a path that begins with a prompt has nothing before it", () => {
  assert.deepEqual(
    turnsOf([entry("s", "system"), entry("p", "prompt")]).map(({ prompt }) => prompt?.uuid),
    ["p"],
  );
});
