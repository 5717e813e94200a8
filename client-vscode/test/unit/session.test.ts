// What a session's row and tooltip say.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionSummary, Tip } from "../../src/protocol";
import { describeSession, type SessionSetting } from "../../src/views/describe/session";
import { sessionTooltip } from "../../src/views/describe/sessionTooltip";
import { client } from "./live";
import { warmNote } from "./notes";
import { session } from "./sessions";

const SETTING: SessionSetting = {
  now: Date.parse("2026-03-10T12:00:00Z"),
  retentionWarningDays: 5,
  resumeWarning: 1,
  isPinned: false,
  isArchived: false,
};
const GONE = { ...session().project, exists: false };
const LIVE = client("busy");
const CART = { file: "file:///home/dev/shop/my%20cart.py", sessionIds: ["other"] };
const TAX = { file: "file:///home/dev/shop/tax.py", sessionIds: ["other", "third"] };
const PROBLEM = { code: "tornTail", sentence: "The last line was cut off." };

test("a whole row", () => {
  assert.deepEqual(describeSession(session(), SETTING), {
    label: "Add a discount",
    description: "4 min · main · 340 kB",
    icon: { id: "check" },
    aria: "Add a discount, complete, 4 minutes ago, branch main, 340 kB",
    context: "session",
  });
});

const DESCRIPTIONS: [what: string, changes: Partial<SessionSummary>, description: string][] = [
  ["no branch", { gitBranch: null }, "4 min · 340 kB"],
  [
    "no time in any record",
    { updatedAt: null, modifiedAt: "2026-03-10T10:00:00Z" },
    "2 h · main · 340 kB",
  ],
  ["its folder is gone", { project: GONE }, "4 min · main · 340 kB · cwd gone"],
  [
    "deleted soon",
    { expiresAt: "2026-03-13T11:00:00Z" },
    "4 min · main · 340 kB · deleted in 3 days",
  ],
  [
    "deleted within a day",
    { expiresAt: "2026-03-11T11:00:00Z" },
    "4 min · main · 340 kB · deleted today",
  ],
  [
    "should be deleted already",
    { expiresAt: "2026-03-01T11:00:00Z" },
    "4 min · main · 340 kB · deleted today",
  ],
  [
    "deleted in the last day of warning",
    { expiresAt: "2026-03-15T12:00:00Z" },
    "4 min · main · 340 kB · deleted in 5 days",
  ],
  ["deleted later", { expiresAt: "2026-03-15T12:00:01Z" }, "4 min · main · 340 kB"],
  ["a problem", { problems: [PROBLEM] }, "4 min · main · 340 kB · 1 problem"],
  ["problems", { problems: [PROBLEM, PROBLEM] }, "4 min · main · 340 kB · 2 problems"],
  [
    "of several marks the most urgent",
    { expiresAt: "2026-03-13T11:00:00Z", project: GONE, problems: [PROBLEM] },
    "4 min · main · 340 kB · deleted in 3 days",
  ],
  [
    "a file that another live session edits too",
    { live: LIVE, sharedFiles: [CART], expiresAt: "2026-03-13T11:00:00Z" },
    "4 min · main · 340 kB · shares my cart.py with another live session",
  ],
  [
    "several such files",
    { live: LIVE, sharedFiles: [CART, TAX] },
    "4 min · main · 340 kB · shares 2 files with other live sessions",
  ],
];

/** Of the cache, by the clock; the row is looked at at 12:00, the last record is of 11:56. */
function cache(
  expires: string,
  costUsdCold: number | null = 1.15,
  ttlSeconds = 3600,
): Partial<SessionSummary> {
  const expiresAt = `2026-03-10T${expires}:00Z`;
  return { cache: { ttlSeconds, expiresAt, expiresBy: `2026-03-10T${expires}:20Z`, costUsdCold } };
}

const CACHES: [what: string, changes: Partial<SessionSummary>, mark: string, aria: string][] = [
  ["more than five minutes are left", cache("12:06"), "", ""],
  ["five are left", cache("12:05"), "cache 5 min", "prompt cache expires in 5 minutes"],
  ["one is left", cache("12:01"), "cache 1 min", "prompt cache expires in 1 minute"],
  ["two of five are left", cache("12:02", 1.15, 300), "", ""],
  [
    "one of five is left",
    cache("12:01", 1.15, 300),
    "cache 1 min",
    "prompt cache expires in 1 minute",
  ],
  ["it expires now", cache("12:00"), "", ""],
  ["it has expired and is dear", cache("11:59"), "cold · $1.15", "prompt cache cold · $1.15"],
  [
    "it is as dear as is asked about",
    cache("11:59", 1),
    "cold · $1.00",
    "prompt cache cold · $1.00",
  ],
  ["it has expired and is cheap", cache("11:59", 0.99), "", ""],
  ["no price is known", cache("11:59", null), "", ""],
  ["an open client may keep it", { ...cache("11:59"), live: LIVE }, "", ""],
  ["it was not used for a day", { ...cache("11:59"), updatedAt: "2026-03-09T12:00:00Z" }, "", ""],
  [
    "no time is known",
    { cache: { ttlSeconds: null, expiresAt: null, expiresBy: null, costUsdCold: 9 } },
    "",
    "",
  ],
  ["something is wrong too", { ...cache("12:01"), project: GONE }, "cwd gone", "cwd gone"],
];

for (const [what, changes, mark, aria] of CACHES)
  test(`the cache: ${what}`, () => {
    const row = describeSession(session(changes), SETTING);
    assert.equal(row.description.split(" · 340 kB")[1]?.replace(" · ", ""), mark);
    assert.equal(row.aria.split(", 340 kB")[1]?.replace(", ", ""), aria);
  });

test("0 dollars of warning never mark what is gone", () => {
  const row = describeSession(session(cache("11:59")), { ...SETTING, resumeWarning: 0 });
  assert.equal(row.description, "4 min · main · 340 kB");
});

for (const [what, changes, description] of DESCRIPTIONS)
  test(what, () => {
    assert.equal(describeSession(session(changes), SETTING).description, description);
  });

test("0 days of warning never warn", () => {
  const soon = session({ expiresAt: "2026-03-10T13:00:00Z" });
  const row = describeSession(soon, { ...SETTING, retentionWarningDays: 0 });
  assert.equal(row.description, "4 min · main · 340 kB");
});

test("without a title", () => {
  const untitled = session({ title: { text: "", source: "none" } });
  assert.equal(describeSession(untitled, SETTING).label, "Untitled session");
});

const TIPS: [tip: Tip | null, icon: string, words: string][] = [
  ["complete", "check", "complete"],
  ["awaitingAnswer", "debug-pause", "ended before an answer"],
  ["toolRunningOrLost", "debug-pause", "ended while a tool ran"],
  ["stoppedAfterTool", "debug-pause", "stopped after a tool"],
  ["interrupted", "circle-slash", "interrupted"],
  ["apiError", "error", "ended with an API error"],
  ["empty", "circle-outline", "empty"],
  [null, "circle-outline", "not read yet"],
];

for (const [tip, icon, words] of TIPS)
  test(`the tip ${tip} is seen and heard`, () => {
    const row = describeSession(session({ tip }), SETTING);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, `Add a discount, ${words}, 4 minutes ago, branch main, 340 kB`);
  });

const ICONS: [what: string, changes: Partial<SessionSummary>, icon: string, words: string][] = [
  ["busy", { live: client("busy") }, "loading~spin", "live, busy"],
  ["waiting", { live: client("waiting") }, "bell-dot", "live, waiting"],
  ["idle", { live: client("idle") }, "circle-filled", "live, idle"],
  [
    "waiting for a permission",
    { live: client("waiting: permission prompt") },
    "bell-dot",
    "live, waiting",
  ],
  [
    "at rest behind a menu",
    { live: client("waiting: dialog open") },
    "circle-filled",
    "live, a menu is open",
  ],
  [
    "at work behind a menu",
    { live: client("waiting: dialog open"), tip: "toolRunningOrLost" },
    "loading~spin",
    "live, a menu is open",
  ],
  ["with subagents", { subagentCount: 2 }, "organization", "complete"],
  [
    "interrupted with subagents",
    { subagentCount: 2, tip: "interrupted" },
    "circle-slash",
    "interrupted",
  ],
  ["Codex", { agent: "codex" }, "code", "Codex, complete"],
];

for (const [what, changes, icon, words] of ICONS)
  test(`a session that is ${what}`, () => {
    const row = describeSession(session(changes), SETTING);
    assert.equal(row.icon?.id, icon);
    assert.equal(row.aria, `Add a discount, ${words}, 4 minutes ago, branch main, 340 kB`);
  });

test("flags for menus, in words too", () => {
  const live = session({ live: client("idle"), project: GONE, agent: "codex" });
  const row = describeSession(live, { ...SETTING, isPinned: true, isArchived: true });
  assert.equal(row.context, "session+pinned+archived+live+gone+codex");
  assert.match(row.aria, /cwd gone, pinned, archived$/);
  assert.equal(row.description, "Codex · 4 min · main · 340 kB · cwd gone · archived");
});

test("a shared file is seen, heard and named", () => {
  const shared = session({ live: LIVE, sharedFiles: [CART, TAX], checkpointFileCount: 3 });
  const row = describeSession(shared, SETTING);
  assert.equal(row.icon?.id, "warning");
  assert.match(row.aria, /, live, busy, .*, shares 2 files with other live sessions$/);
  assert.equal(row.context, "session+live+checkpoints+shared");
  assert.ok(
    tooltip({ sharedFiles: [CART, TAX] }).includes(
      "Also edited by another live session: my cart.py, tax.py",
    ),
  );
});

const tooltip = (changes: Partial<SessionSummary>) =>
  sessionTooltip(session(changes))
    .filter(({ name }) => !["Last change", "Deleted by the agent"].includes(name))
    .map(({ name, text }) => (name ? `${name}: ${text}` : text));

test("a whole tooltip", () => {
  const spent = { input: 5, output: 900, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 4_000 };
  const changes: Partial<SessionSummary> = {
    branchCount: 2,
    compactionCount: 1,
    subagentCount: 1,
    subagentTokens: spent,
    forkedFrom: { sessionId: "99999999", evidence: "forkedFrom" },
    problems: [PROBLEM],
  };
  assert.deepEqual(tooltip(changes), [
    "Add a discount",
    "State: complete",
    "Project: /home/dev/shop",
    "Version: 2.1.300",
    "Models: claude-sonnet-4-5",
    "Prompts: 3, 2 abandoned branches, 1 compaction",
    "Tokens: 14 in, 2.1k out, 143k from the cache, 12k into the cache",
    "Subagents: 1: 5 in, 900 out, 0 from the cache, 4.0k into the cache",
    "Context: 51k tokens",
    "Size: 340 kB",
    "First prompt: Please add a discount",
    "Forked from: 99999999",
    "What shows it: its records say so",
    "Problem: The last line was cut off.",
  ]);
});

test("the cache's sentence has a line when it is known", () => {
  const lines = sessionTooltip(session(), warmNote());
  const [line] = lines.filter(({ name }) => name === "Prompt cache");
  assert.equal(line?.text, warmNote().sentence);
});

test("what is not indexed yet has no line", () => {
  const counts = {
    promptCount: null,
    branchCount: null,
    compactionCount: null,
    subagentCount: null,
    tokens: null,
    contextTokens: null,
    tip: null,
    models: [],
    version: null,
    firstPrompt: null,
  };
  assert.deepEqual(tooltip(counts), [
    "Add a discount",
    "State: not read yet",
    "Project: /home/dev/shop",
    "Size: 340 kB",
  ]);
});

test("what Codex wrote into the cache is not told, and so not said to be nothing", () => {
  const counts = { input: 14, output: 2_100, cacheRead: 143_000, cacheWrite5m: 0, cacheWrite1h: 0 };
  assert.ok(
    tooltip({ agent: "codex", tokens: counts }).includes(
      "Tokens: 14 in, 2.1k out, 143k from the cache",
    ),
  );
});

const FORK = { forkedFrom: { sessionId: "origin", evidence: "sameFirstUuid" as const } };
const GOES_ON = { forkedFrom: { sessionId: "origin", evidence: "parentInOtherFile" as const } };

const ORIGINS: [changes: Partial<SessionSummary>, origin: string | undefined, words: string][] = [
  [FORK, "Fix the login", "fork of Fix the login"],
  [FORK, undefined, "fork of a session that is not listed here"],
  [GOES_ON, "Fix the login", "goes on from Fix the login"],
  [GOES_ON, undefined, "goes on from a session that is not listed here"],
];

for (const [changes, origin, words] of ORIGINS)
  test(`a screen reader hears: ${words}`, () => {
    const { aria, context } = describeSession(session(changes), { ...SETTING, origin });
    assert.equal(aria, `Add a discount, ${words}, complete, 4 minutes ago, branch main, 340 kB`);
    assert.equal(context, "session+forked");
  });

test("a tooltip says where a session came from, what shows it, and what was copied", () => {
  const copied = { ...FORK, inheritedPromptCount: 2 };
  const origin = session({ title: { text: "Fix the login", source: "custom" } });
  const named = (name: string, given?: SessionSummary) =>
    sessionTooltip(session(copied), undefined, given).find((each) => each.name === name)?.text;
  assert.equal(named("Forked from", origin), "Fix the login");
  assert.equal(named("Forked from"), "origin");
  assert.equal(named("What shows it"), "the first record has the same id in both files");
  assert.equal(named("Copied from there"), "2 prompts");
});
