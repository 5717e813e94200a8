// The rows of a file's history, in the view of a file and below a session.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CheckpointChange, FileHistory } from "../../src/protocol";
import { historyNodes, nodeOf, versionNodes } from "../../src/views/checkpointNodes";
import { sessionFileNodes } from "../../src/views/sessionFileNodes";
import type { TreeNode } from "../../src/views/tree";
import { session } from "./sessions";
import { FILE, history, pruned, version } from "./versions";

const NOW = Date.parse("2026-03-10T12:00:00Z");
const PARENT: TreeNode = {
  id: "session/checkpoints",
  row: { label: "", description: "", aria: "", context: "" },
};

/** Rows as lines; `>` can be opened, what is below is indented; a `!` row does nothing on a click. */
function picture(nodes: readonly TreeNode[], indent = ""): string[] {
  return nodes.flatMap(({ row, opens, click, children }) => [
    `${indent}${opens ? ">" : click ? "" : "!"} ${row.label} | ${row.description}`,
    ...picture(Array.isArray(children) ? children : [], `${indent}  `),
  ]);
}

function idsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ id, children }) => [
    id,
    ...idsOf(Array.isArray(children) ? children : []),
  ]);
}

const VERSIONS = [
  version(1, { sessionId: "a", kind: "first", added: null, removed: null }),
  pruned(2, { sessionId: "a" }),
  pruned(3, { sessionId: "a" }),
  version(1, { sessionId: "b", added: 1, removed: 0 }),
  version(4, { sessionId: "a", added: 0, removed: 1 }),
];

test("newest first, below a mark of each session", () => {
  const nodes = historyNodes(history(VERSIONS), NOW);
  assert.deepEqual(picture(nodes), [
    " Working file | same as v4",
    "! Title a | 4 min",
    " Prompt 4 | v4 · −1 · 4 min",
    "! Title b | 4 min",
    " Prompt 1 | v1 · +1 · 4 min",
    "! Title a | 4 min",
    "> v2–v3 pruned | 2 versions",
    "  ! Prompt 3 | v3 · pruned · 4 min",
    "  ! Prompt 2 | v2 · pruned · 4 min",
    " Prompt 1 | v1 · first · 4 min",
    "> Sessions that touched this file | 2 sessions",
    "   Title a | 4 versions · 4 min",
    "   Title b | 1 version · 4 min",
  ]);
});

test("a session that touched the file opens its transcript", () => {
  const [row] = historyNodes(history(VERSIONS), NOW).slice(-1);
  const [first] = Array.isArray(row?.children) ? row.children : [];
  assert.equal(first?.session?.sessionId, "a");
  assert.equal(first?.click?.command, "forkpoint.openTranscriptAt");
  assert.deepEqual(first?.click?.arguments, [{ sessionId: "a" }]);
});

test("rows act on their version, marks on their session", () => {
  const given = history(VERSIONS);
  const [working, mark, newest] = historyNodes(given, NOW);
  assert.deepEqual(working?.version, { history: given });
  assert.equal(mark?.session?.sessionId, "a");
  assert.deepEqual(newest?.version, { history: given, version: VERSIONS[4] });
  assert.deepEqual(newest?.click?.arguments, [newest?.version]);
});

test("each row has its own id, which stays when versions come", () => {
  const before = idsOf(historyNodes(history(VERSIONS), NOW));
  const grown = [...VERSIONS, version(5, { sessionId: "a" }), version(1, { sessionId: "c" })];
  const after = idsOf(historyNodes(history(grown), NOW));
  assert.equal(new Set(after).size, after.length);
  assert.deepEqual(
    before.filter((id) => !after.includes(id)),
    [],
  );
  assert.equal(after.length, before.length + 4); // two versions, one mark, one session
});

test("rows of two files never share an id", () => {
  const other = { ...history(VERSIONS), file: "file:///home/dev/shop/tax.py" };
  const ids = [...idsOf(historyNodes(history(VERSIONS), NOW)), ...idsOf(historyNodes(other, NOW))];
  assert.equal(new Set(ids).size, ids.length);
});

test("a version's row is found by the version of another answer", () => {
  const nodes = historyNodes(history(VERSIONS), NOW);
  const [first, gone, , other] = structuredClone(VERSIONS);
  assert.equal(nodeOf(nodes, first)?.row.description, "v1 · first · 4 min");
  assert.equal(nodeOf(nodes, other)?.row.description, "v1 · +1 · 4 min");
  assert.equal(nodeOf(nodes, undefined)?.row.label, "Working file");
  assert.equal(nodeOf(nodes, gone), undefined); // inside a gap, and no diff leads there
});

test("below a file of a session there are versions only", () => {
  const nodes = versionNodes(history([version(1), version(2)]), PARENT, NOW);
  assert.deepEqual(picture(nodes), [
    " Prompt 2 | v2 · +12 −3 · 4 min",
    " Prompt 1 | v1 · +12 −3 · 4 min",
  ]);
});

function fileAt(path: string, working: Partial<FileHistory["working"]> = {}): FileHistory {
  return { ...history([version(1)], working), file: `file:///home/dev/shop/${path}` };
}

function change(path: string, changes: Partial<CheckpointChange> = {}): CheckpointChange {
  const file = `file:///home/dev/shop/${path}`;
  return { file, kind: "edited", before: "", after: file, added: 4, removed: 1, ...changes };
}

test("files of a session, each with what became of it", () => {
  const files = {
    histories: [
      history([version(1), version(2)]),
      fileAt("tax.py"),
      fileAt("discount.py"),
      fileAt("old.py", { exists: false }),
      fileAt("a/index%20one.ts"),
      fileAt("b/index%20one.ts", { exists: false }),
    ],
    changes: [
      { ...change("cart.py"), file: FILE },
      change("discount.py", { kind: "created", removed: 0 }),
      change("old.py", { kind: "deleted", added: 0 }),
    ],
  };
  const nodes = sessionFileNodes(session(), files, PARENT, NOW);
  assert.deepEqual(
    nodes.map(({ row }) => `${row.label} | ${row.description}`),
    [
      "cart.py | 2 versions · +4 −1",
      "tax.py | 1 version",
      "discount.py | 1 version · created · +4",
      "old.py | 1 version · deleted · −1",
      "index one.ts | a · 1 version",
      "index one.ts | b · 1 version · not there",
    ],
  );
  assert.equal(nodes[0]?.row.aria, "file cart.py, 2 versions, 4 lines added, 1 line removed");
  assert.equal(nodes[0]?.row.context, "checkpointFile");
  assert.equal(nodes[0]?.click?.command, "forkpoint.openSessionDiff");
});
