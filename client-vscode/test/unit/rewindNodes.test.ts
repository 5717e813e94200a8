// Which rows a preview of a rewind has, in which order, and what a click on them does.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { RewindPreviewResult, ShellCall, Subagent } from "../../src/protocol";
import { isRewindFileNode, rewindNodes } from "../../src/views/rewindNodes";
import type { PromptTarget, TreeNode } from "../../src/views/tree";
import { NOTE_TIME } from "./notes";
import { code, pathOf, preview, rewindFile } from "./rewinds";
import { session } from "./sessions";

const TARGET: PromptTarget = {
  session: session(),
  ordinal: 40,
  prompt: { uuid: "p", preview: "Tidy up" },
};
const AGENT = {
  agentId: "a1",
  description: "Look for tests",
  type: "general-purpose",
  state: "completed",
  transcript: "file:///agent-a1.jsonl",
} as Subagent;

function nodes(of: RewindPreviewResult): TreeNode[] {
  return rewindNodes(of, { target: TARGET, subagents: [AGENT], pathOf, now: NOTE_TIME });
}

/** As in the end-to-end tests: `v` open, `>` closed, two spaces a level. */
function picture(of: readonly TreeNode[], level = 0): string[] {
  return of.flatMap(({ row, opens, children }) => {
    const sign = opens === undefined ? " " : opens === "open" ? "v" : ">";
    const line = `${"  ".repeat(level)}${sign} ${row.label} | ${row.description}`;
    return [line, ...picture(Array.isArray(children) ? children : [], level + 1)];
  });
}

const file = (name: string, changes: Parameters<typeof rewindFile>[0]) =>
  rewindFile({ file: `file:///home/dev/shop/${name}`, ...changes });

const SHELL: ShellCall = {
  toolUseId: "t1",
  uuid: "r1",
  ordinal: 52,
  agentId: null,
  command: "make",
  files: [],
  certainty: "unknown",
};

const FULL = preview({
  code: code({
    files: [
      file("same.py", { action: "unchanged", added: 0, removed: 0 }),
      file("new.py", { action: "create", removed: 0 }),
      file("link.py", { action: "skip", reason: "symlink" }),
      file("cart.py", { handEdited: true }),
      file("tax.py", {}),
      file("gone.py", { action: "skip", reason: "pruned", document: null }),
      file("extra.py", { action: "delete", added: 0 }),
    ],
  }),
  notCovered: {
    shell: [SHELL, { ...SHELL, toolUseId: "t2", agentId: "a1", ordinal: 3 }],
    subagents: [
      { agentId: "a1", toolUseId: null, files: ["file:///home/dev/shop/x.py"] },
      { agentId: "a2", toolUseId: null, files: ["file:///home/dev/shop/y.py"] },
    ],
  },
});

test("what is lost comes first, groups without files are not there", () => {
  assert.deepEqual(picture(nodes(FULL)), [
    "  Conversation | drops 3 prompts and 4 responses · keeps 2",
    "  Context | 143k → 59k tokens",
    "  Cache | Warm for about 54 min: $0.02 · 60k tokens read · likely",
    "  Code | 2 files would change.",
    "v Would be deleted | 1 file",
    "    extra.py | −1",
    "v Would be overwritten | 2 files",
    "    cart.py | +2 −1 · edited by you since",
    "    tax.py | +2 −1",
    "v Would be created | 1 file",
    "    new.py | +2",
    "v Skipped | 2 files",
    "    link.py | symbolic link",
    "    gone.py | copy gone",
    "> Unchanged | 1 file",
    "    same.py | ",
    "v Not covered | 2 shell commands · 2 subagents",
    "    make | may write files",
    "    make | may write files · run by a subagent",
    "    Look for tests | edits x.py",
    "    a2 | edits y.py",
  ]);
});

test("without files it is said, unless the code's sentence does", () => {
  assert.deepEqual(picture(nodes(preview())).slice(4), [
    "  No files | the agent's tools edited none",
  ]);
  const without = code({ available: false, reason: "noCheckpoint", sentence: "None." });
  assert.deepEqual(picture(nodes(preview({ code: without }))).slice(3), ["  Code | None."]);
});

test("ids are stable and tell all rows apart, parents are known", () => {
  const all = (of: readonly TreeNode[]): TreeNode[] =>
    of.flatMap((node) => [node, ...all(Array.isArray(node.children) ? node.children : [])]);
  const first = all(nodes(FULL)).map(({ id }) => id);
  assert.deepEqual(
    all(nodes(FULL)).map(({ id }) => id),
    first,
  );
  assert.equal(new Set(first).size, first.length);
  for (const node of all(nodes(FULL)))
    if (Array.isArray(node.children))
      for (const child of node.children) assert.equal(child.parent, node);
});

test("a click opens a diff of a file, and the transcript at the record of what is not covered", () => {
  const below = (label: string) => {
    const children = nodes(FULL).find(({ row }) => row.label === label)?.children;
    return Array.isArray(children) ? children : [];
  };
  const [link, gone] = below("Skipped");
  assert.equal(link?.click?.command, "forkpoint.openRewindDiff");
  const [argument] = link?.click?.arguments ?? [];
  assert.ok(isRewindFileNode(argument));
  assert.equal(argument.file.file, "file:///home/dev/shop/link.py");
  assert.equal(gone?.click, undefined);

  const [call, nested, agent, unnamed] = below("Not covered");
  const clicks = [call, nested, agent, unnamed, nodes(FULL)[0]].map((node) => node?.click);
  for (const click of clicks) assert.equal(click?.command, "forkpoint.openTranscript");
  assert.deepEqual(
    clicks.map((click) => click?.arguments?.[0]),
    [
      { session: TARGET.session, ordinal: 52 },
      { session: TARGET.session, agentId: "a1", file: AGENT.transcript, ordinal: 3 },
      { session: TARGET.session, agentId: "a1", file: AGENT.transcript },
      { session: TARGET.session, agentId: "a2", file: undefined },
      TARGET,
    ],
  );
});
