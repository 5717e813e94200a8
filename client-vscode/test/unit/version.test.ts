// What the rows of a file's history say.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileVersion, HistorySession } from "../../src/protocol";
import {
  describeGap,
  describeSessionMark,
  describeVersion,
  describeWorkingFile,
  versionInWords,
  versionTooltip,
} from "../../src/views/describe/version";
import { history, pruned, version } from "./versions";

const NOW = Date.parse("2026-03-10T12:00:00Z");

test("a whole row", () => {
  assert.deepEqual(describeVersion(version(7), NOW), {
    label: "Prompt 7",
    description: "v7 · +12 −3 · 4 min",
    icon: { id: "diff-modified" },
    aria: "version 7, edited, 12 lines added, 3 lines removed, before the prompt Prompt 7, 4 minutes ago",
    context: "version+present+prompted",
    isDimmed: false,
  });
});

const none = { added: null, removed: null };

const DESCRIPTIONS: [what: string, FileVersion, description: string, icon: string][] = [
  ["first", version(1, { kind: "first", ...none }), "v1 · first · 4 min", "milestone"],
  [
    "first, after versions of another session",
    version(1, { kind: "first", added: 0, removed: 2 }),
    "v1 · first · −2 · 4 min",
    "milestone",
  ],
  [
    "created",
    version(2, { kind: "created", added: 4, removed: 0 }),
    "v2 · created · +4 · 4 min",
    "diff-added",
  ],
  [
    "deleted",
    version(2, { kind: "deleted", state: "absent", added: 0, removed: 4 }),
    "v2 · deleted · −4 · 4 min",
    "diff-removed",
  ],
  [
    "unchanged",
    version(2, { kind: "unchanged", added: 0, removed: 0 }),
    "v2 · unchanged · 4 min",
    "circle-outline",
  ],
  [
    "binary",
    version(2, { binary: true, ...none }),
    "v2 · edited · binary · 4 min",
    "diff-modified",
  ],
  ["too large to count", version(2, none), "v2 · edited · 4 min", "diff-modified"],
  ["no time", version(2, { time: null }), "v2 · +12 −3", "diff-modified"],
  [
    "off the active path",
    version(2, { onActivePath: false }),
    "v2 · +12 −3 · 4 min · off the active path",
    "diff-modified",
  ],
  ["pruned", pruned(2), "v2 · pruned · 4 min", "circle-slash"],
  ["pruned, the first", pruned(1, { first: true }), "v1 · pruned · 4 min", "circle-slash"],
  [
    "first, before the file existed",
    version(1, { kind: "first", state: "absent", ...none }),
    "v1 · first · not there · 4 min",
    "milestone",
  ],
  ["after a pruned one", version(3, none), "v3 · edited · 4 min", "diff-modified"],
];

for (const [what, given, description, icon] of DESCRIPTIONS)
  test(what, () => {
    const row = describeVersion(given, NOW);
    assert.equal(row.description, description);
    assert.equal(row.icon?.id, icon);
  });

const LABELS: [prompt: FileVersion["prompt"], label: string][] = [
  [{ uuid: "p", preview: "Round the total" }, "Round the total"],
  [{ uuid: "p", preview: "" }, "(no text)"],
  [{ uuid: "p", preview: null }, "Prompt that is gone"],
  [null, "Copy that no record names"],
];

for (const [prompt, label] of LABELS)
  test(`the prompt ${JSON.stringify(prompt)} makes the label ${label}`, () => {
    assert.equal(describeVersion(version(1, { prompt }), NOW).label, label);
  });

const CONTEXTS: [FileVersion, context: string, isDimmed: boolean][] = [
  [version(1), "version+first+present+prompted", false],
  [version(2, { state: "absent", prompt: null }), "version+absent", false],
  [version(2, { onActivePath: false }), "version+present+prompted", true],
  [pruned(2), "version+pruned+prompted", true],
  [pruned(1), "version+first+pruned+prompted", true],
];

for (const [given, context, isDimmed] of CONTEXTS)
  test(`menus see ${context}`, () => {
    const row = describeVersion(given, NOW);
    assert.deepEqual([row.context, row.isDimmed], [context, isDimmed]);
  });

test("for the ear: kind, lines, branch", () => {
  const rows = [
    version(2, { kind: "created", added: 1, removed: 0 }),
    pruned(2),
    version(1, { kind: "first", ...none, onActivePath: false }),
  ].map((each) => describeVersion(each, NOW).aria);
  assert.deepEqual(rows, [
    "version 2, created, 1 line added, before the prompt Prompt 2, 4 minutes ago",
    "version 2, pruned, the copy is gone, before the prompt Prompt 2, 4 minutes ago",
    "version 1, before the first edit of its session, before the prompt Prompt 1, " +
      "4 minutes ago, off the active path",
  ]);
});

const two = [version(1), version(2)];
const WORKING: [ReturnType<typeof history>, description: string, aria: string][] = [
  [history(two), "same as v2", "Working file, same as v2"],
  [
    history(two, { editedSince: true, added: 2, removed: 1 }),
    "edited since v2 · +2 −1",
    "Working file, edited since v2, 2 lines added, 1 line removed",
  ],
  [
    history(two, { editedSince: true, ...none }),
    "edited since v2",
    "Working file, edited since v2",
  ],
  [
    history(two, { exists: false, removed: 4 }),
    "not there · −4",
    "Working file, not there, 4 lines removed",
  ],
  [history([version(1), pruned(2)], none), "v2 is pruned", "Working file, v2 is pruned"],
];

for (const [given, description, aria] of WORKING)
  test(`the working file: ${description}`, () => {
    const row = describeWorkingFile(given);
    assert.deepEqual([row.label, row.description, row.aria], ["Working file", description, aria]);
  });

test("a session's mark says whether it is live", () => {
  const session: HistorySession = { sessionId: "s1", title: "Checkout totals", live: true };
  assert.deepEqual(describeSessionMark(session, version(2), NOW), {
    label: "Checkout totals",
    description: "live · 4 min",
    icon: { id: "circle-filled", color: "charts.green" },
    aria: "session Checkout totals, live, 4 minutes ago",
    context: "sessionMark+live",
  });
  const ended = describeSessionMark({ ...session, title: "", live: false }, version(2), NOW);
  assert.deepEqual([ended.label, ended.description], ["Untitled session", "4 min"]);
});

test("a gap names its ends", () => {
  const row = describeGap([pruned(9), pruned(8), pruned(4)]);
  assert.deepEqual([row.label, row.description], ["v4–v9 pruned", "3 versions"]);
  assert.match(row.aria, /^v4–v9 pruned, 3 versions, cannot be told, since the copy is gone/);
  assert.equal(row.isDimmed, true);
});

test("a tooltip says which state it is and where it comes from", () => {
  const [session] = history([version(2)]).sessions;
  const lines = versionTooltip(version(2, { source: "toolResult", onActivePath: false }), session);
  const facts = lines.map(({ name, text }) => `${name}: ${text}`);
  assert.deepEqual(
    facts.filter((fact) => !fact.startsWith("Time: ")),
    [
      ": v2: the file as it was before this prompt ran.",
      "Prompt: Prompt 2",
      "Session: Title s1",
      "Change: edited since the version before · 12 lines added, 3 lines removed",
      "Size: 95 B",
      "Branch: the prompt is off the active path",
      "Content: the result of the agent's first edit, since its copy was made after that edit",
    ],
  );
  const gone = versionTooltip(pruned(2), undefined).map(({ name }) => name);
  assert.deepEqual(gone, ["", "Prompt", "Session", "Time", "Change", "Content"]);
  const [first] = versionTooltip(version(3, { prompt: null }), session);
  assert.equal(first?.text, "v3: the agent made this copy and ended before it wrote why.");
});

// --- versions that were rebuilt ---

const rebuilt = (number: number, changes: Partial<FileVersion> = {}): FileVersion =>
  version(number, {
    backup: null,
    source: "patches",
    obtained: "forward",
    after: true,
    note: "From what was recorded, by 1 patch, if nothing else changed it.",
    ...changes,
  });

const REBUILT: [what: string, FileVersion, description: string, icon: string][] = [
  [
    "written whole",
    rebuilt(1, { kind: "created", obtained: "recorded", removed: 0 }),
    "v1 · created · +12 · recorded · 4 min",
    "diff-added",
  ],
  ["forward", rebuilt(2), "v2 · +12 −3 · rebuilt forward · 4 min", "diff-modified"],
  [
    "backward",
    rebuilt(2, { obtained: "backward" }),
    "v2 · +12 −3 · rebuilt backward · 4 min",
    "diff-modified",
  ],
  [
    "not known",
    rebuilt(2, { obtained: "unknown", state: "pruned", kind: "pruned", document: null, ...none }),
    "v2 · not known · 4 min",
    "question",
  ],
];

for (const [what, shown, description, icon] of REBUILT)
  test(`a version of patches: ${what}`, () => {
    const row = describeVersion(shown, NOW);
    assert.equal(row.description, description);
    assert.deepEqual(row.icon, { id: icon });
  });

test("a version of patches, for the ear and in the tooltip", () => {
  assert.equal(
    describeVersion(rebuilt(2), NOW).aria,
    "version 2, edited, 12 lines added, 3 lines removed, left by the prompt Prompt 2, " +
      "rebuilt forward, 4 minutes ago",
  );
  const lines = versionTooltip(rebuilt(2), undefined);
  const text = (wanted: string) => lines.find(({ name }) => name === wanted)?.text;
  assert.equal(text(""), "v2: the file as a patch left it.");
  assert.equal(text("Content"), "rebuilt: patches applied to what the transcript has");
  assert.equal(
    text("How it is known"),
    "From what was recorded, by 1 patch, if nothing else changed it.",
  );
});

test("what a patch found is told as before its prompt, or as found", () => {
  const first = (prompt: FileVersion["prompt"]) =>
    versionTooltip(rebuilt(1, { after: false, prompt }), undefined)[0]?.text;
  assert.equal(
    first({ uuid: "p", preview: "Go" }),
    "v1: the file as it was before this prompt ran.",
  );
  assert.equal(first(null), "v1: the file as a patch found it.");
});

test("a patch of which no record tells the prompt, as that of a subagent", () => {
  assert.equal(
    describeVersion(rebuilt(2, { prompt: null }), NOW).label,
    "Prompt that no record names",
  );
});

test("versions that are not known are no pruned ones", () => {
  const gone = [
    pruned(3, { obtained: "unknown", after: true }),
    pruned(2, { obtained: "unknown", after: true }),
  ];
  assert.equal(describeGap(gone).label, "v2–v3 not known");
  assert.equal(describeGap([pruned(3), pruned(2)]).label, "v2–v3 pruned");
});

test("the working file beside a version that is not known", () => {
  const shown = history([pruned(2, { obtained: "unknown", after: true })]);
  assert.equal(describeWorkingFile(shown).description, "v2 is not known");
});

test("a version in words: before a prompt, or after it", () => {
  assert.equal(versionInWords(version(7)), "v7 (before “Prompt 7”)");
  assert.equal(versionInWords(rebuilt(7)), "v7 (after “Prompt 7”)");
});
