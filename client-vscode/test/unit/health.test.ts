// What the status bar says of the health of transcripts, and which rows the view Health has.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HealthResult, Retention } from "../../src/protocol";
import { healthFace, soFar } from "../../src/views/describe/health";
import { healthNodes } from "../../src/views/healthNodes";
import type { TreeNode } from "../../src/views/tree";
import { health, TOTALS, TRANSCRIPT, transcript } from "./healths";

const SOON: Retention = {
  withinDays: 7,
  soon: 23,
  sessions: [
    {
      sessionId: "22222222-2222-4333-8444-555555555555",
      agent: "claude-code",
      expiresAt: "2026-03-12T11:00:00Z",
    },
  ],
  settings: [
    {
      configDir: "file:///home/dev/.claude",
      agent: "claude-code",
      days: 30,
      source: "user",
      file: "file:///home/dev/.claude/settings.json",
      sessionId: null,
      sentence: "By the user's settings: 30 days.",
    },
  ],
  sentence: "23 sessions will be deleted within 7 days.",
};
const NATIVES = { code: "withoutNatives", sentence: "Forkpoint runs without native parts." };
const ODD = { findings: 2, sentence: "2 findings in 5 transcripts: 2 malformed lines." };

test("nothing is shown where nothing is odd and nothing goes", () => {
  assert.equal(healthFace(health()), undefined);
  assert.equal(healthFace(health({ totals: { ...TOTALS, remains: 3 } })), undefined);
});

test("a whole face", () => {
  const face = healthFace(health({ ...ODD, retention: SOON, totals: { ...TOTALS, remains: 1 } }));
  const lines = [
    "2 findings in 5 transcripts: 2 malformed lines.",
    "23 sessions will be deleted within 7 days.",
    "1 remain of a session that is gone.",
    "Click to see what and where.",
  ];
  assert.deepEqual(face, {
    text: "$(pulse) 2 findings · 23 expire",
    tooltip: lines.join("\n"),
    aria: ["Format health: 2 findings · 23 expire.", ...lines].join(" "),
  });
});

const TEXTS: [what: string, changes: Partial<HealthResult>, text: string][] = [
  ["one finding", { ...ODD, findings: 1 }, "$(pulse) 1 finding"],
  ["one session goes", { retention: { ...SOON, soon: 1 } }, "$(history) 1 expires"],
  ["no native parts", { problems: [NATIVES] }, "$(watch) slower"],
  ["very many", { ...ODD, findings: 12_345 }, "$(pulse) 12,345 findings"],
];

for (const [what, changes, text] of TEXTS)
  test(`the status bar: ${what}`, () => {
    assert.equal(healthFace(health(changes))?.text, text);
  });

test("what runs without native parts is told in a row", () => {
  const [group] = healthNodes(health({ problems: [NATIVES] }), () => undefined);
  assert.equal(group?.row.label, "Without Native Parts");
  const children = Array.isArray(group?.children) ? group.children : [];
  assert.deepEqual(
    children.map(({ row }) => row.label),
    [NATIVES.sentence],
  );
});

test("how far the reading has come", () => {
  assert.equal(soFar(health()), "");
  assert.equal(
    soFar(health({ indexing: { done: 2, total: 5 } })),
    "So far: 2 of 5 transcripts are read.",
  );
  assert.equal(
    soFar(health({ copies: { done: 2, total: 3 } })),
    "So far: copies of 2 of 3 sessions are looked at.",
  );
});

// --- rows --------------------------------------------------------------------------------------

/** As in the end-to-end tests: `v` open, `>` closed, two spaces a level. */
function picture(of: readonly TreeNode[], level = 0): string[] {
  return of.flatMap(({ row, opens, children }) => {
    const sign = opens === undefined ? " " : opens === "open" ? "v" : ">";
    const line = `${"  ".repeat(level)}${sign} ${row.label} | ${row.description}`;
    return [line, ...picture(Array.isArray(children) ? children : [], level + 1)];
  });
}

function rows(changes: Partial<HealthResult>, title?: string): string[] {
  return picture(healthNodes(health(changes), () => title));
}

function below(node: TreeNode | undefined): readonly TreeNode[] {
  return Array.isArray(node?.children) ? node.children : [];
}

const PLACE = { ordinal: 2, offset: 10, length: 5 };
const LINK = { uuid: "u2", ordinal: 2, line: 2, other: 0 };
const ODD_TRANSCRIPT = transcript({
  malformed: [{ ...PLACE, line: 2, reason: "not JSON", sentence: "This is no record." }],
  tornTail: { offset: 10, length: 5, line: null, sentence: "The last line is not finished." },
  brokenChains: [
    {
      ...LINK,
      missingParent: "gone",
      bridgedTo: null,
      goesOnFrom: null,
      sentence: "The parent is missing.",
    },
    {
      ...LINK,
      missingParent: "there",
      bridgedTo: null,
      goesOnFrom: "another",
      sentence: "It goes on from another session.",
    },
  ],
  loops: [{ ...LINK, sentence: "The parents lead back." }],
  repeatedUuids: [{ ...LINK, sentence: "The uuid stands twice." }],
  missingBackups: ["0123456789abcdef@v1"],
  problems: [{ code: "gluedRecords", sentence: "1 whole record stands behind something." }],
});

test("nothing odd, no row", () => {
  assert.deepEqual(rows({}), []);
});

test("what is odd in transcripts stands below its kind, with its line", () => {
  assert.deepEqual(rows({ sessions: [ODD_TRANSCRIPT] }, "Add a discount"), [
    "> Malformed Lines | 1",
    "    Add a discount | line 3 · This is no record.",
    "> Unfinished Last Lines | 1",
    "    Add a discount | The last line is not finished.",
    "> Broken Chains | 1",
    "    Add a discount | line 3 · The parent is missing.",
    "> Loops | 1",
    "    Add a discount | line 3 · The parents lead back.",
    "> Repeated Ids | 1",
    "    Add a discount | line 3 · The uuid stands twice.",
    "> Records Behind Others on a Line | 1",
    "    Add a discount | 1 whole record stands behind something.",
    "> Missing Backups | 1",
    "    0123456789abcdef@v1 | Add a discount",
  ]);
});

test("a click goes to the raw line", () => {
  const [malformed] = healthNodes(health({ sessions: [ODD_TRANSCRIPT] }), () => undefined);
  const [leaf] = below(malformed);
  assert.deepEqual(leaf?.click?.arguments, [{ uri: TRANSCRIPT, line: 2 }]);
  assert.equal(leaf?.row.label, "11111111");
  assert.equal(leaf?.row.aria, "11111111, line 3 · This is no record.");
});

test("two records on one line are two rows", () => {
  const malformed = [2, 3].map((ordinal) => ({
    ...{ ...PLACE, ordinal, line: 2 },
    ...{ reason: "not JSON", sentence: "This is no record: not JSON." },
  }));
  const [group] = healthNodes(health({ sessions: [transcript({ malformed })] }), () => undefined);
  assert.equal(new Set(below(group).map(({ id }) => id)).size, 2);
});

test("types, fields and what is beside transcripts", () => {
  const unknownType = { type: "aura", count: 3, versions: ["2.2.0", "2.2.1"], sentence: "Odd." };
  const found = rows({
    totals: { ...TOTALS, unknownTypes: [unknownType, { ...unknownType, type: "" }] },
    unknownFields: {
      fields: [{ type: "user", field: "zeal", count: 1, versions: [], sentence: "Odd." }],
      records: 9,
      total: 90,
      sentence: "9 of 90 were looked at.",
    },
    sessions: [transcript({ missingBackups: ["0123456789abcdef@v1"] })],
    transcriptsWithoutBackups: [
      {
        sessionId: transcript().sessionId,
        agent: "claude-code",
        transcript: TRANSCRIPT,
        count: 1,
        sentence: "None is there.",
      },
    ],
    duplicateIds: [
      {
        sessionId: transcript().sessionId,
        agent: "claude-code",
        transcript: TRANSCRIPT,
        others: ["file:///home/dev/.claude/projects/-home-dev-old/11111111.jsonl"],
        sentence: "There is an older one.",
      },
    ],
    unreadable: [
      {
        path: "file:///home/dev/.claude/projects/-home-dev-shop/33333333.jsonl",
        sessionId: null,
        agentId: null,
        reason: "dangling",
        sentence: "A link that leads nowhere.",
      },
    ],
  });
  assert.deepEqual(found, [
    "> Unknown Record Types | 2",
    "    aura | 3× · 2.2.0, 2.2.1",
    "    (no type) | 3× · 2.2.0, 2.2.1",
    "> Unknown Fields | 1",
    "    user.zeal | 1×",
    "> Sessions Without Their Backups | 1",
    "    11111111 | 1×",
    "> Same Id in Several Places | 1",
    "    11111111 | -home-dev-old/11111111.jsonl",
    "> Unreadable | 1",
    "    -home-dev-shop/33333333.jsonl | A link that leads nowhere.",
  ]);
});

test("what goes soon leads to the list of sessions and to the setting", () => {
  const [group] = healthNodes(health({ retention: SOON }), () => undefined);
  assert.equal(group?.row.description, "23");
  const [show, setting, session] = below(group);
  assert.equal(show?.click?.command, "forkpoint.showExpiring");
  assert.equal(setting?.row.label, "Kept for 30 days");
  assert.equal(setting?.row.description, "your settings");
  assert.match(setting?.row.aria ?? "", /By the user's settings: 30 days\.$/);
  assert.deepEqual(setting?.click?.arguments, [
    { uri: "file:///home/dev/.claude/settings.json", line: null },
  ]);
  assert.equal(session?.row.label, "22222222");
});

test("remains say what they are and how much", () => {
  const remain = {
    kind: "folderWithoutTranscript",
    agent: "claude-code",
    path: "file:///home/dev/.claude/projects/-home-dev-shop/4444a%20b",
    sessionId: "44444444-2222-4333-8444-555555555555",
    agentId: null,
    files: 2,
    sizeBytes: 3200,
    isLowerBound: false,
    subagents: 1,
    sentence: "The folder of a session.",
  } as const;
  const found = rows({
    totals: { ...TOTALS, remains: 700 },
    remains: [
      remain,
      {
        ...remain,
        kind: "orphanedSubagent",
        path: "file:///p/agent-a1.jsonl",
        sessionId: null,
        agentId: "a1",
        isLowerBound: true,
      },
      {
        ...remain,
        kind: "backupsWithoutTranscript",
        path: "file:///h/4444",
        files: null,
        sizeBytes: null,
      },
    ],
  });
  assert.deepEqual(found, [
    "> Remains | 700",
    "    Folder of 44444444 | 2 files · 3.2 kB · -home-dev-shop/4444a b",
    "    Subagent a1 | ≥ 2 files · 3.2 kB · p/agent-a1.jsonl",
    "    Copies of 44444444 | h/4444",
  ]);
});

test("ids of rows are different from each other", () => {
  const all = healthNodes(health({ sessions: [ODD_TRANSCRIPT], retention: SOON }), () => "x");
  const ids = all.flatMap((node) => [node.id, ...below(node).map(({ id }) => id)]);
  assert.deepEqual(ids, [...new Set(ids)]);
});
