// Which rows the view Resume & Cache has, in which order, and what is asked when.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CacheHistoryResult, PathEntry, Segment, WorkItem } from "../../src/protocol";
import { CacheNodes } from "../../src/views/cacheNodes";
import type { TreeNode } from "../../src/views/tree";
import { history, request } from "./histories";
import { coldNote, NOTE_TIME, warmNote } from "./notes";
import { session } from "./sessions";

const MODEL: WorkItem = {
  what: "model",
  value: "opus",
  atResume: "restored",
  sentence: "The model goes on.",
  at: null,
};
const PLAN: WorkItem = {
  what: "permissionMode",
  value: "plan",
  atResume: "notRestored",
  sentence: "Choose it again.",
  at: null,
};
const PROMPTS = ["First", "Second", "Third"].map(
  (preview, index) => ({ uuid: `p${index}`, preview, ordinal: 10 * index }) as PathEntry,
);

/** A server that notes what it is asked. */
function server(known: {
  history?: CacheHistoryResult;
  prompts?: PathEntry[];
  segments?: Segment[];
}) {
  const asked: string[] = [];
  return {
    asked,
    conversations: {
      cacheNote: async (_session: unknown, action = "resume", prompt?: string) => {
        asked.push([action, prompt].filter(Boolean).join(" "));
        if (action === "compact") throw new Error("Not answered.");
        return warmNote({ droppedTokens: prompt ? 10_000 : null });
      },
      cacheHistory: async () => known.history ?? history([]),
      promptsOnPath: async () => known.prompts ?? PROMPTS,
      segments: async () => known.segments ?? [],
    },
  };
}

/** As in the end-to-end tests; what is only asked when opened is asked. */
async function picture(of: readonly TreeNode[], level = 0): Promise<string[]> {
  const lines = of.map(async ({ row, opens, children }) => {
    const sign = opens === undefined ? " " : opens === "open" ? "v" : ">";
    const below = typeof children === "function" ? await children() : (children ?? []);
    const line = `${"  ".repeat(level)}${sign} ${row.label} | ${row.description}`;
    return [line.trimEnd(), ...(await picture(below, level + 1))];
  });
  return (await Promise.all(lines)).flat();
}

async function below(nodes: readonly TreeNode[], label: string): Promise<TreeNode[]> {
  const children = nodes.find(({ row }) => row.label === label)?.children;
  return typeof children === "function" ? children() : (children ?? []);
}

test("all rows, in order; what needs an eye is open", async () => {
  const { asked, conversations } = server({ history: history([request(3)]) });
  const nodes = new CacheNodes(conversations, session());
  const roots = nodes.roots({ note: coldNote(), work: [MODEL, PLAN] }, NOTE_TIME);
  assert.deepEqual(asked, []);
  assert.deepEqual(await picture(roots), [
    "  Cold: $0.98–$1.15 | 144k tokens will be written again",
    "v Why |",
    "    The lifetime of 1 h is over. | certain",
    "v Layers | lost from project context on",
    "    Tools | not known",
    "    System prompt | not known",
    "    Project context | lost",
    "    Conversation | lost",
    "v Work brought back | 1 not restored",
    "    Permission mode | plan · not restored",
    "    Model | opus",
    "> Compare | resume, rewind, compact, clear",
    "    Resume | $0.98–$1.15 · 0 read · 144k written",
    "    Rewind | $0.03 · to “Second” · 143k read · 623 written",
    "    Compact | Not answered.",
    "    Clear | $0.03 · 143k read · 623 written",
    "> Cache history |",
    "    1 request | $1.23 · 92% from the cache · 1.0M tokens sent",
    "    No breaks | each request found what was cached",
    "> Based on | 2 facts",
    "    Version that goes on | 2.1.332 · installed program",
    "    Account | apiKey · environment variable",
  ]);
  assert.deepEqual(asked, ["rewind p1", "compact", "clear"]);
});

test("what is as it was is closed", () => {
  const nodes = new CacheNodes(server({}).conversations, session());
  const roots = nodes.roots({ note: warmNote(), work: [MODEL] }, NOTE_TIME);
  const opens = Object.fromEntries(roots.map(({ row, opens }) => [row.label, opens]));
  assert.equal(opens.Layers, "closed");
  assert.equal(opens["Work brought back"], "closed");
});

test("work that could not be looked at says so when it is opened", async () => {
  const nodes = new CacheNodes(server({}).conversations, session());
  const roots = nodes.roots({ note: warmNote(), work: new Error("No.") }, NOTE_TIME);
  await assert.rejects(below(roots, "Work brought back"), /^Error: No\.$/);
});

test("another prompt can be compared, and a click previews its rewind", async () => {
  const { conversations, asked } = server({});
  const chosen = { session: session(), prompt: { uuid: "p0", preview: "First" } };
  const nodes = new CacheNodes(conversations, session(), chosen);
  const roots = nodes.roots({ note: warmNote(), work: [] }, NOTE_TIME);
  const [resume, rewind] = await below(roots, "Compare");
  assert.equal(asked[0], "rewind p0");
  assert.match(rewind?.row.description ?? "", /· to “First” ·/);
  assert.equal(rewind?.click?.command, "forkpoint.previewRewind");
  assert.deepEqual(rewind?.click?.arguments, [rewind]);
  assert.equal(rewind?.target, chosen);
  assert.equal(resume?.click, undefined);
});

const PATHS: [what: string, prompts: PathEntry[], rewinds: string[]][] = [
  ["none", [], []],
  ["one", PROMPTS.slice(0, 1), ["rewind p0"]],
  ["two", PROMPTS.slice(0, 2), ["rewind p0"]],
];

for (const [what, prompts, rewinds] of PATHS)
  test(`prompts on the path: ${what}`, async () => {
    const { conversations, asked } = server({ prompts });
    const nodes = new CacheNodes(conversations, session());
    await below(nodes.roots({ note: warmNote(), work: [] }, NOTE_TIME), "Compare");
    assert.deepEqual(asked, [...rewinds, "compact", "clear"]);
  });

const SEGMENTS = [
  { firstOrdinal: 0, lastOrdinal: 39, lastUuid: "a", active: true },
  { firstOrdinal: 40, lastOrdinal: 69, lastUuid: "b", active: false },
  { firstOrdinal: 60, lastOrdinal: 99, lastUuid: "c", active: true },
] as Segment[];

test("breaks, newest first, those that were asked for apart", async () => {
  const model = { cause: "model", expected: true, sentence: "The model changed." } as const;
  const requests = [
    request(9),
    request(20, { cause: "unknown", certainty: "unknowable", costUsd: null }),
    request(45, {}),
    request(65, model),
    request(80, { ...model, cause: "compaction" }),
  ];
  const expected = { count: 2, lostTokens: 68_000, costUsd: 0.5304 };
  const { conversations } = server({
    history: history(requests, { expected }),
    segments: SEGMENTS,
  });
  const nodes = new CacheNodes(conversations, session());
  const rows = await below(nodes.roots({ note: warmNote(), work: [] }, NOTE_TIME), "Cache history");
  assert.deepEqual(await picture(rows), [
    "  5 requests | $1.23 · 92% from the cache · 1.0M tokens sent",
    "  Idle for too long | $0.27 · 34k tokens · 4 min",
    "  Cause not known | 34k tokens · 4 min",
    "> Expected | $0.53 · 2 breaks · 68k tokens",
    "    Compacted | $0.27 · 34k tokens · expected · 4 min",
    "    Another model | $0.27 · 34k tokens · expected · 4 min",
  ]);
  const [, idle, unknown, group] = rows;
  assert.equal(
    idle?.row.aria,
    "cache break, Idle for 3 h: about 34k tokens were sent anew., $0.27, certain, 4 minutes ago",
  );
  const [compacted, another] = await below([group as TreeNode], "Expected");
  assert.equal(
    another?.row.aria,
    "expected cache break, The model changed., $0.27, certain, 4 minutes ago",
  );
  const all = [unknown, idle, another, compacted];
  assert.deepEqual(
    all.map((node) => node?.target && [node.target.ordinal, node.target.leaf]),
    [
      [20, undefined],
      [45, "b"],
      [65, "u65"],
      [80, undefined],
    ],
  );
  for (const node of all) assert.deepEqual(node?.click?.arguments, [node?.target]);
  assert.deepEqual(
    all.map((node) => node?.row.isDimmed),
    [false, false, true, true],
  );
});

test("ids are stable, tell all rows apart, and are the session's own", async () => {
  const ids = async (id: string) => {
    const nodes = new CacheNodes(server({}).conversations, session({ sessionId: id }));
    const twice = { ...MODEL };
    const roots = nodes.roots({ note: coldNote(), work: [MODEL, twice] }, NOTE_TIME);
    const found: string[] = [];
    const visit = async (of: readonly TreeNode[], parent?: TreeNode): Promise<void> => {
      for (const node of of) {
        assert.equal(node.parent, parent);
        found.push(node.id);
        await visit(
          typeof node.children === "function" ? await node.children() : (node.children ?? []),
          node,
        );
      }
    };
    await visit(roots);
    return found;
  };
  const first = await ids("a");
  assert.deepEqual(await ids("a"), first);
  const both = [...first, ...(await ids("b"))];
  assert.equal(new Set(both).size, both.length);
});

test("of Codex there is nothing to compare and no reason to give", async () => {
  const { conversations } = server({});
  const note = warmNote({
    verdict: "unknown",
    causes: [],
    basis: [{ what: "agent", value: "Codex", from: "the transcript" }],
  });
  const nodes = new CacheNodes(conversations, session({ agent: "codex" }));
  assert.deepEqual(
    nodes.roots({ note, work: [PLAN] }, NOTE_TIME).map(({ row }) => row.label),
    ["Not known", "Work brought back", "Cache history", "Based on"],
  );
});
