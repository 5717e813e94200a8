// Rows of Branches stay the same rows when a rewind cuts the segment that they are in.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathEntry, Segment } from "../../src/protocol";
import { BranchNodes } from "../../src/views/branchNodes";
import type { Conversations } from "../../src/views/conversation";
import type { TreeNode } from "../../src/views/tree";
import { segment } from "./segments";
import { session } from "./sessions";

const SESSION = session({ sessionId: "s" });

interface Branch {
  /** Its first record. */
  id: string;
  parent: string | null;
  active: boolean;
  /** uuids of its prompts. */
  prompts: string[];
}

/** Ids of the rows, each with those below it, as they come when every row is opened. */
async function ids(branches: Branch[]): Promise<string[]> {
  const segments = branches.map(({ id, parent, active }) => segment(id, parent, { active }));
  const conversations = {
    segments: async () => segments,
    moreSegments: () => 0,
    segmentEntries: async (_: unknown, { id }: Segment) =>
      branches.find((each) => each.id === id)?.prompts.map(prompt) ?? [],
  } as unknown as Conversations;
  const open = async (nodes: TreeNode[]): Promise<string[]> => {
    const found: string[] = [];
    for (const node of nodes) {
      const { children, opens } = node;
      const ask = typeof children === "function" ? children : async () => children ?? [];
      const below = opens ? await ask() : [];
      found.push(node.id, ...(await open(below)));
    }
    return found;
  };
  return open(await new BranchNodes(conversations, SESSION, 0).roots());
}

function prompt(uuid: string): PathEntry {
  return {
    uuid,
    ordinal: 0,
    role: "prompt",
    fromPerson: true,
    messageId: null,
    timestamp: null,
    preview: uuid,
    blocks: [],
    fate: "sent",
    sessionId: null,
  };
}

const WHOLE: Branch = { id: "p1", parent: null, active: true, prompts: ["p1", "p2", "p3"] };

test("one way", async () => {
  const expected = ["segment:s:p1", "prompt:s:p1", "prompt:s:p2", "prompt:s:p3", "leaf:s"];
  assert.deepEqual(await ids([WHOLE]), expected);
});

test("the same with a rewind to before the second prompt", async () => {
  const rewound = [
    { ...WHOLE, prompts: ["p1"] },
    { id: "p4", parent: "p1", active: true, prompts: ["p4"] },
    { id: "p2", parent: "p1", active: false, prompts: ["p2", "p3"] },
  ];
  assert.deepEqual(await ids(rewound), [
    "segment:s:p1",
    "prompt:s:p1",
    "segment:s:p4",
    "prompt:s:p4",
    "leaf:s",
    "segment:s:p2",
    "prompt:s:p2",
    "prompt:s:p3",
  ]);
});

test("no two rows have one id, though a prompt lies in two segments", async () => {
  const odd = [
    { ...WHOLE, prompts: ["p1", "p2"] },
    { id: "p2", parent: "p1", active: true, prompts: ["p2"] },
  ];
  assert.deepEqual(await ids(odd), [
    "segment:s:p1",
    "prompt:s:p1",
    "prompt:s:p2",
    "segment:s:p2",
    "segment:s:p2/p2",
    "leaf:s",
  ]);
});

test("the abandoned one of several ways", async () => {
  const segments = [
    segment("p1", null, { active: true }),
    segment("p2", "p1", { active: false }),
    segment("p3", "p1", { active: true }),
  ];
  const conversations = {
    segments: async () => segments,
    moreSegments: () => 0,
  } as unknown as Conversations;
  const nodes = new BranchNodes(conversations, SESSION, 0);
  await nodes.roots();
  assert.equal(nodes.abandonedBranch(["p3", "p2"])?.id, "segment:s:p2");
  assert.equal(nodes.abandonedBranch(["p1", "p3"]), undefined);
});

test("a call on a file leads to the file, any other to the transcript", async () => {
  const calls = [
    { toolUseId: "1", name: "Edit", uuid: "a", files: ["file:///shop/cart.py"] },
    { toolUseId: "2", name: "Bash", uuid: "a", files: [] },
  ].map((call) => ({ ordinal: 1, at: null, state: "ok", summary: "", subagent: null, ...call }));
  const answer = { ...prompt("a"), fromPerson: false, blocks: [{ kind: "toolUse" }] };
  const conversations = {
    segments: async () => [segment("p1", null, { active: true })],
    moreSegments: () => 0,
    segmentEntries: async () => [prompt("p1"), answer],
    toolCalls: async () => calls,
  } as unknown as Conversations;
  const below = async ({ children }: TreeNode) =>
    typeof children === "function" ? children() : (children ?? []);
  const [branch] = await new BranchNodes(conversations, SESSION, 0).roots();
  assert.ok(branch);
  const [first] = await below(branch);
  assert.ok(first);
  const [edit, bash] = await below(first);
  assert.deepEqual(edit?.call, { sessionId: "s", toolUseId: "1" });
  assert.equal(edit?.click?.command, "forkpoint.jumpToEdit");
  assert.deepEqual(edit?.click?.arguments, [edit?.call]);
  assert.equal(edit?.row.context, "toolCall+file");
  assert.equal(bash?.call, undefined);
  assert.equal(bash?.click?.command, "forkpoint.openTranscript");
  assert.equal(bash?.row.context, "toolCall");
});
