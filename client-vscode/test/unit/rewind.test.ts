// What the rows of a rewind's preview say.

import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  CacheCause,
  RewindAction,
  RewindConversation,
  RewindFile,
  ShellCall,
  SkipReason,
} from "../../src/protocol";
import {
  describeShellCall,
  describeSubagentEdits,
  notCoveredTooltip,
} from "../../src/views/describe/notCovered";
import {
  cacheTooltip,
  describeCache,
  describeCode,
  describeContext,
  describeConversation,
  describeFileGroup,
  describeNoFiles,
  describeNotCovered,
} from "../../src/views/describe/rewind";
import { describeRewindFile, rewindFileTooltip } from "../../src/views/describe/rewindFile";
import { coldNote, NOTE_TIME } from "./notes";
import { code, conversation, pathOf, rewindFile, rewindNote } from "./rewinds";

const CONVERSATIONS: [changes: Partial<RewindConversation>, row: string, aria: string][] = [
  [
    {},
    "drops 3 prompts and 4 responses · keeps 2",
    "conversation, drops 3 prompts and 4 responses, keeps 2 prompts and 5 responses",
  ],
  [
    { prompts: 1, responses: 1, promptsKept: 1, responsesKept: 1 },
    "drops 1 prompt and 1 response · keeps 1",
    "conversation, drops 1 prompt and 1 response, keeps 1 prompt and 1 response",
  ],
  [
    { prompts: 1, responses: 0, promptsKept: 0, responsesKept: 0 },
    "drops 1 prompt · keeps none",
    "conversation, drops 1 prompt, keeps nothing",
  ],
  [
    { prompts: 0, responses: 0, promptsKept: 1_200 },
    "drops nothing · keeps 1,200",
    "conversation, drops nothing, keeps 1,200 prompts and 5 responses",
  ],
];

for (const [changes, expected, aria] of CONVERSATIONS)
  test(`conversation: ${expected}`, () => {
    const row = describeConversation(conversation(changes));
    assert.equal(row.label, "Conversation");
    assert.equal(row.description, expected);
    assert.equal(row.aria, aria);
  });

test("the cache says what is read of it, and for how long", () => {
  assert.deepEqual(describeCache(rewindNote(), NOTE_TIME), {
    label: "Cache",
    description: "Warm for about 54 min: $0.02 · 60k tokens read · likely",
    icon: { id: "flame", color: "charts.green" },
    aria: "prompt cache, Warm for about 54 minutes: 60k tokens read, $0.02, likely",
    context: "rewindCache",
  });
  const gone = describeCache(coldNote(), NOTE_TIME);
  assert.equal(gone.description, "Cold: $0.98–$1.15 · 144k tokens will be written again");
  assert.equal(gone.icon?.id, "circle-slash");
});

test("its tooltip says why, and how sure that is", () => {
  const across: CacheCause = {
    code: "accountUnknown",
    certainty: "unknowable",
    sentence: "Another login has another cache.",
    evidence: "",
  };
  const note = rewindNote({ causes: [...rewindNote().causes, across] });
  assert.deepEqual(cacheTooltip(note), [
    { name: "", text: "Keeps about 59.5k cached tokens and drops about 83k ($0.02)." },
    {
      name: "Likely",
      text: "Requests that went on from here have used the cache. Seen: last 6 min ago.",
    },
    { name: "Cannot be known", text: "Another login has another cache." },
  ]);
});

const CONTEXTS: [now: number | null, after: number | null, row: string, aria: string][] = [
  [143_000, 59_000, "143k → 59k tokens", "context, 143k tokens now, 59k tokens afterwards"],
  [
    143_000,
    null,
    "143k tokens now, afterwards not known",
    "context, 143k tokens now, afterwards not known",
  ],
  [
    null,
    59_000,
    "size now not known, 59k tokens afterwards",
    "context, size now not known, 59k tokens afterwards",
  ],
  [null, null, "size not known", "context, size not known"],
  [950, 0, "950 → 0 tokens", "context, 950 tokens now, 0 tokens afterwards"],
];

for (const [tokensNow, tokensAfter, expected, aria] of CONTEXTS)
  test(`context: ${expected}`, () => {
    const row = describeContext(conversation({ tokensNow, tokensAfter }));
    assert.equal(`${row.label} | ${row.description}`, `Context | ${expected}`);
    assert.equal(row.aria, aria);
  });

test("code says the server's sentence, and its icon whether there is a restore", () => {
  const available = describeCode(code());
  assert.equal(`${available.label} | ${available.description}`, "Code | 2 files would change.");
  assert.equal(available.icon?.id, "code");
  assert.equal(available.aria, "code, 2 files would change.");
  const not = describeCode(
    code({ available: false, reason: "tooOld", sentence: "Only the newest 100 can be gone to." }),
  );
  assert.equal(not.description, "Only the newest 100 can be gone to.");
  assert.equal(not.icon?.id, "circle-slash");
  assert.equal(not.aria, "code, Only the newest 100 can be gone to.");
});

test("no files", () => {
  const row = describeNoFiles();
  assert.equal(`${row.label} | ${row.description}`, "No files | the agent's tools edited none");
  assert.equal(row.aria, "No files, the agent's tools edited none");
});

const GROUPS: [action: RewindAction, count: number, row: string, icon: string][] = [
  ["delete", 1, "Would be deleted | 1 file", "trash"],
  ["overwrite", 2, "Would be overwritten | 2 files", "edit"],
  ["create", 1_000, "Would be created | 1,000 files", "new-file"],
  ["skip", 1, "Skipped | 1 file", "circle-slash"],
  ["unchanged", 3, "Unchanged | 3 files", "check"],
];

for (const [action, count, expected, icon] of GROUPS)
  test(`group: ${expected}`, () => {
    const row = describeFileGroup(action, count);
    assert.equal(`${row.label} | ${row.description}`, expected);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, expected.replace(" | ", ", "));
  });

const ACTIONS: [changes: Partial<RewindFile>, row: string, icon: string, aria: string][] = [
  [
    {},
    "+2 −1 · src",
    "diff-modified",
    "would be overwritten, 2 lines added, 1 line removed, in src",
  ],
  [
    { action: "delete", added: 0, removed: 7 },
    "−7 · src",
    "diff-removed",
    "would be deleted, 7 lines removed, in src",
  ],
  [
    { action: "create", added: 1, removed: 0 },
    "+1 · src",
    "diff-added",
    "would be created, 1 line added, in src",
  ],
  [
    { action: "unchanged", added: 0, removed: 0 },
    "src",
    "file",
    "content would stay as it is, in src",
  ],
  [{ added: null, removed: null }, "src", "diff-modified", "would be overwritten, in src"],
  [
    { handEdited: true },
    "+2 −1 · edited by you since · src",
    "warning",
    "would be overwritten, 2 lines added, 1 line removed, edited by you since, in src",
  ],
  [
    { outsideWorkspace: true },
    "+2 −1 · outside the workspace · src",
    "link-external",
    "would be overwritten, 2 lines added, 1 line removed, outside the workspace, in src",
  ],
  [
    { modeChanges: true },
    "+2 −1 · permissions change · src",
    "lock",
    "would be overwritten, 2 lines added, 1 line removed, permissions change, in src",
  ],
  [
    { action: "delete", handEdited: true, outsideWorkspace: true, modeChanges: true },
    "+2 −1 · edited by you since · outside the workspace · permissions change · src",
    "warning",
    "would be deleted, 2 lines added, 1 line removed, edited by you since, outside the workspace, permissions change, in src",
  ],
];

for (const [changes, expected, icon, aria] of ACTIONS)
  test(`file: ${changes.action ?? "overwrite"}: ${expected}`, () => {
    const file = rewindFile(changes);
    const row = describeRewindFile(file, pathOf(file.file));
    assert.equal(`${row.label} | ${row.description}`, `tax rate.py | ${expected}`);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, `tax rate.py, ${aria}`);
  });

const REASONS: [reason: SkipReason, row: string, sentence: string][] = [
  ["symlink", "symbolic link", "it, or what lies in place of the agent's copy, is a symbolic link"],
  ["hardLink", "hard link", "it, or the agent's copy, has another name, a hard link"],
  ["pruned", "copy gone", "the agent's copy is gone"],
  ["parentMoved", "folder moved", "its folder is no longer where it was"],
  [
    "notRegular",
    "not a regular file",
    "it, or what lies in place of the agent's copy, is no regular file",
  ],
  ["unreadable", "unreadable", "it, or the agent's copy, cannot be read"],
  ["notWritable", "not writable", "it cannot be written"],
  ["keptBack", "kept back", "nothing is deleted when another file could not be restored"],
];

for (const [reason, expected, sentence] of REASONS)
  test(`skipped: ${expected}`, () => {
    const file = rewindFile({ action: "skip", reason, file: "file:///home/dev/shop/a.py" });
    const row = describeRewindFile(file, "a.py");
    assert.equal(`${row.label} | ${row.description}`, `a.py | ${expected}`);
    assert.equal(row.icon?.id, "circle-slash");
    assert.equal(row.aria, `a.py, would be skipped, ${sentence}`);
    assert.equal(row.isDimmed, true);
    assert.deepEqual(rewindFileTooltip(file, "a.py").slice(1, 3), [
      { name: "Rewind", text: "would be skipped" },
      { name: "Why", text: sentence },
    ]);
  });

const CONTEXT_VALUES: [changes: Partial<RewindFile>, context: string][] = [
  [{}, "rewindFile+overwrite+diff"],
  [{ action: "delete", handEdited: true }, "rewindFile+delete+edited+diff"],
  [{ outsideWorkspace: true, modeChanges: true }, "rewindFile+overwrite+outside+mode+diff"],
  [{ action: "skip", reason: "pruned", document: null }, "rewindFile+skip"],
  [{ action: "skip", reason: "notRegular" }, "rewindFile+skip"],
  [{ action: "skip", reason: "unreadable" }, "rewindFile+skip"],
  [{ action: "skip", reason: "symlink" }, "rewindFile+skip+diff"],
];

for (const [changes, context] of CONTEXT_VALUES)
  test(`what a menu sees of a file: ${context}`, () => {
    assert.equal(describeRewindFile(rewindFile(changes), "a.py").context, context);
  });

const FOLDERS: [path: string, folder: string][] = [
  ["tax.py", ""],
  ["src/deep/tax.py", "src/deep"],
  ["/etc/tax.py", "/etc"],
  ["C:\\temp\\tax.py", "C:\\temp"],
];

for (const [path, folder] of FOLDERS)
  test(`folder of ${path}`, () => {
    const file = rewindFile({ added: null, removed: null });
    assert.equal(describeRewindFile(file, path).description, folder);
  });

test("the tooltip of a file", () => {
  const all = rewindFile({ handEdited: true, outsideWorkspace: true, modeChanges: true });
  const lines = (file: RewindFile) =>
    rewindFileTooltip(file, "src/tax rate.py").map(({ name, text }) => `${name}: ${text}`);
  assert.deepEqual(lines(all), [
    ": src/tax rate.py",
    "Rewind: would be overwritten",
    "Restored from: version 2",
    "Lines: 2 lines added, 1 line removed",
    "Note: edited by you since: it differs from all that the agent knows of it",
    "Note: outside the workspace: it is not in the folder that the session was started in",
    "Note: permissions change: they would become those of the agent's copy",
  ]);
  assert.deepEqual(lines(rewindFile({ version: null, added: null })), [
    ": src/tax rate.py",
    "Rewind: would be overwritten",
    "Lines: not known",
  ]);
});

const CALL: ShellCall = {
  toolUseId: "toolu_1",
  uuid: "r1",
  ordinal: 7,
  agentId: null,
  command: "sed -i s/a/b/ tax.py",
  files: [],
  certainty: "likely",
};

const CALLS: [changes: Partial<ShellCall>, row: string][] = [
  [{}, "sed -i s/a/b/ tax.py | writes files"],
  [
    { files: ["file:///home/dev/shop/tax.py", "file:///tmp/o%20k"] },
    "sed -i s/a/b/ tax.py | writes tax.py, o k",
  ],
  [{ certainty: "unknown" }, "sed -i s/a/b/ tax.py | may write files"],
  [{ certainty: "unknown", files: ["file:///tmp/out"] }, "sed -i s/a/b/ tax.py | may write out"],
  [{ agentId: "a1" }, "sed -i s/a/b/ tax.py | writes files · run by a subagent"],
  [{ command: "" }, "(no text) | writes files"],
];

for (const [changes, expected] of CALLS)
  test(`not covered: ${expected}`, () => {
    const row = describeShellCall({ ...CALL, ...changes });
    assert.equal(`${row.label} | ${row.description}`, expected);
    assert.equal(row.aria, `shell command, ${expected.replace(/ [|·] /g, ", ")}`);
    assert.equal(row.icon?.id, "terminal");
  });

test("not covered: a subagent", () => {
  const edits = { agentId: "a1", toolUseId: null, files: ["file:///a/x.py", "file:///a/y.py"] };
  const row = describeSubagentEdits(edits, "Look for tests");
  assert.equal(`${row.label} | ${row.description}`, "Look for tests | edits x.py, y.py");
  assert.equal(row.aria, "subagent, Look for tests, edits x.py, y.py");
  assert.deepEqual(notCoveredTooltip(row, ["x.py", "/a/y.py"]), [
    { name: "", text: "Look for tests" },
    { name: "", text: "edits x.py, y.py" },
    { name: "Files", text: "x.py, /a/y.py" },
    { name: "Rewind", text: "would not undo it" },
  ]);
  assert.deepEqual(
    notCoveredTooltip(row, []).map(({ name }) => name),
    ["", "", "Rewind"],
  );
});

const NOT_COVERED: [shell: number, subagents: number, row: string][] = [
  [1, 0, "1 shell command"],
  [2, 1, "2 shell commands · 1 subagent"],
  [0, 2, "2 subagents"],
];

for (const [shell, subagents, expected] of NOT_COVERED)
  test(`group of what is not covered: ${expected}`, () => {
    const row = describeNotCovered({
      shell: Array(shell).fill(CALL),
      subagents: Array(subagents).fill({ agentId: "a1", toolUseId: null, files: [] }),
    });
    assert.equal(`${row.label} | ${row.description}`, `Not covered | ${expected}`);
    assert.equal(
      row.aria,
      `not covered, a restore would not undo it, ${expected.replace(" · ", ", ")}`,
    );
  });
