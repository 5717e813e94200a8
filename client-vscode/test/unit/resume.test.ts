// How a session is resumed, by what is there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary } from "../../src/protocol";
import { chooseResume, type ResumeChoice, type ResumeSetting } from "../../src/resumeChoice";
import { session } from "./sessions";

const DESKTOP: ResumeSetting = { hasOfficialExtension: true, isDesktop: true, isTrusted: true };
const ID = "11111111-2222-4333-8444-555555555555";
const CLAUDE = `claude --resume ${ID}`;
const GONE = { ...session().project, exists: false };
const NO_CWD = { ...session().project, cwd: null };

type Case = [
  what: string,
  setting: Partial<ResumeSetting>,
  changes: Partial<SessionSummary>,
  choice: ResumeChoice,
];

const terminal = (command: string, env: Record<string, string> = {}): ResumeChoice => ({
  kind: "terminal",
  cwd: "/home/dev/shop",
  command,
  env,
});

const CASES: Case[] = [
  ["the official extension", {}, {}, { kind: "extension", sessionId: ID }],
  ["it needs no folder", {}, { project: GONE }, { kind: "extension", sessionId: ID }],
  ["not installed", { hasOfficialExtension: false }, {}, terminal(CLAUDE)],
  ["in a browser", { isDesktop: false }, {}, terminal(CLAUDE)],
  [
    "another config folder, which the extension would not look into",
    {},
    { configDir: "/mnt/claude" },
    terminal(CLAUDE, { CLAUDE_CONFIG_DIR: "/mnt/claude" }),
  ],
  ["Codex has no such extension", {}, { agent: "codex" }, terminal(`codex resume ${ID}`)],
  [
    "a thread that was taken back",
    {},
    { agent: "codex", resumeId: "99999999" },
    terminal("codex resume 99999999"),
  ],
  [
    "another Codex home",
    {},
    { agent: "codex", configDir: "/mnt/codex" },
    terminal(`codex resume ${ID}`, { CODEX_HOME: "/mnt/codex" }),
  ],
  [
    "not trusted",
    { hasOfficialExtension: false, isTrusted: false },
    {},
    { kind: "copy", command: CLAUDE, because: "untrusted" },
  ],
  [
    "the folder is gone",
    { hasOfficialExtension: false },
    { project: GONE },
    { kind: "copy", command: CLAUDE, because: "folderIsGone" },
  ],
  [
    "no folder was written",
    { hasOfficialExtension: false },
    { project: NO_CWD },
    { kind: "copy", command: CLAUDE, because: "folderIsGone" },
  ],
  ...["a; rm -rf ~", "$(id)", "a\nb", "--help", "", "a b", "'"].map(
    (sessionId): Case => [
      `an id that is no id: ${JSON.stringify(sessionId)}`,
      {},
      { sessionId },
      { kind: "impossible" },
    ],
  ),
];

for (const [what, setting, changes, choice] of CASES)
  test(what, () => {
    assert.deepEqual(chooseResume(session(changes), { ...DESKTOP, ...setting }), choice);
  });
