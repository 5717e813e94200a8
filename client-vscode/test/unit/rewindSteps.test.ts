// How to rewind in the agent, as text to copy.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { CodeReason, RewindCode, RewindFile, SessionSummary } from "../../src/protocol";
import { filesEditedByHand, isOffered, rewindSteps } from "../../src/rewindSteps";
import { code, pathOf, rewindFile } from "./rewinds";
import { session } from "./sessions";

const ID = "11111111-2222-4333-8444-555555555555";

function steps(changes: Partial<SessionSummary> = {}, files: Partial<RewindCode> = {}): string {
  return rewindSteps(session(changes), "Add a discount", code(files), pathOf);
}

test("the steps, with a warning of edits made by hand", () => {
  const edited = code({
    files: [rewindFile({ handEdited: true }), rewindFile({ file: "file:///home/dev/shop/b.py" })],
  });
  assert.equal(
    rewindSteps(session(), "Add a discount", edited, pathOf),
    `Rewind to “Add a discount”
1. In /home/dev/shop: claude --resume ${ID}
2. Press Esc twice while the input is empty, or type /rewind.
3. Choose the prompt “Add a discount”.
4. Choose “Restore code and conversation”, “Restore conversation” or “Restore code”.
Warning: restoring code undoes what you edited: src/tax rate.py
`,
  );
});

test("Codex goes back in the conversation alone, and that is said", () => {
  const nothing = code({ available: false, sentence: "Codex keeps no file backups." });
  const ofCodex = session({ agent: "codex", configDir: "/mnt/codex" });
  assert.equal(
    rewindSteps(ofCodex, "Add a discount", nothing, pathOf),
    `Rewind to “Add a discount”
1. In /home/dev/shop: codex resume ${ID} (with CODEX_HOME set to /mnt/codex)
2. Press Esc twice while the input is empty.
3. Go up to the prompt “Add a discount” with Esc, and press Enter.
4. Files stay as they are. Codex keeps no file backups.
`,
  );
});

const FIRST_STEPS: [what: string, changes: Partial<SessionSummary>, line: string][] = [
  [
    "it runs",
    { live: { pid: 7, status: "idle" } as never },
    "1. Go to the agent that has this session open.",
  ],
  [
    "another config folder",
    { configDir: "/mnt/claude" },
    `1. In /home/dev/shop: claude --resume ${ID} (with CLAUDE_CONFIG_DIR set to /mnt/claude)`,
  ],
  [
    "no folder was written",
    { project: { ...session().project, cwd: null } },
    `1. claude --resume ${ID}`,
  ],
  ["an id that is no id", { sessionId: "$(id)" }, "1. Open the session in the agent."],
];

for (const [what, changes, line] of FIRST_STEPS)
  test(`the first step: ${what}`, () => {
    assert.equal(steps(changes).split("\n")[1], line);
  });

test("without code there is one choice, and the reason for it", () => {
  const lines = steps({}, { available: false, sentence: "No checkpoint is there." }).split("\n");
  assert.equal(lines[4], "4. Choose “Restore conversation”. No checkpoint is there.");
});

const OFFERED: [reason: CodeReason | null, isIt: boolean][] = [
  [null, true],
  ["noCheckpoint", true],
  ["tooOld", true],
  ["nothingToRestore", true],
  ["abandoned", false],
  ["compacted", false],
];

for (const [reason, isIt] of OFFERED)
  test(`the agent offers the prompt: ${reason}`, () => {
    assert.equal(isOffered(code({ available: reason === null, reason })), isIt);
  });

const EDITED: [what: string, changes: Partial<RewindFile>, isLost: boolean][] = [
  ["overwritten", { handEdited: true }, true],
  ["deleted", { handEdited: true, action: "delete" }, true],
  ["created again", { handEdited: true, action: "create" }, true],
  ["skipped", { handEdited: true, action: "skip" }, false],
  ["unchanged", { handEdited: true, action: "unchanged" }, false],
  ["not edited", {}, false],
];

for (const [what, changes, isLost] of EDITED)
  test(`an edit by hand is lost: ${what}`, () => {
    assert.equal(filesEditedByHand(code({ files: [rewindFile(changes)] })).length, isLost ? 1 : 0);
  });

test("no edit is lost where code is not restored", () => {
  const files = [rewindFile({ handEdited: true })];
  assert.deepEqual(filesEditedByHand(code({ available: false, files })), []);
});
