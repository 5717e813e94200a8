// Which rows the view Usage has, what they say, and what is asked when.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageAmount, UsageParams, UsageResult, UsageRow } from "../../src/protocol";
import { showPrices } from "../../src/views/describe/cacheWords";
import { bar, describeUsage, usageTooltip } from "../../src/views/describe/usage";
import type { TreeNode } from "../../src/views/tree";
import { askUsage, dayBefore, UsageNodes } from "../../src/views/usageNodes";

const NOW = new Date(2026, 2, 1, 11, 0).getTime();
const NOTHING = amount(0, 0);

/** An amount of which all tokens are input. */
function amount(costUsd: number | null, responses = 1, unpriced = 0): UsageAmount {
  const tokens = {
    input: responses * 1000,
    output: 0,
    cacheRead: 0,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
  };
  return { responses, tokens, costUsd, unpriced };
}

function sums(both: UsageAmount, subagents = NOTHING) {
  return {
    sessions: 1,
    both,
    own: amount(both.costUsd, both.responses - subagents.responses),
    subagents,
  };
}

function row(changes: Partial<UsageRow>, both = amount(1)): UsageRow {
  const none = {
    sessionId: null,
    title: null,
    day: null,
    month: null,
    project: null,
    model: null,
    agent: null,
    subagentId: null,
  };
  return { ...sums(both), ...none, ...changes };
}

function result(changes: Partial<UsageResult> = {}): UsageResult {
  const indexing = { done: 3, total: 3 };
  return { rows: [], total: sums(amount(5, 4)), notes: [], text: null, indexing, ...changes };
}

const WORDS = { label: "Today", icon: "calendar", context: "usagePeriod" };

/** As in the end-to-end tests; what is only asked when opened is asked. */
async function picture(of: readonly TreeNode[], level = 0): Promise<string[]> {
  const lines = of.map(async ({ row: { label, description }, opens, children }) => {
    const sign = opens === undefined ? " " : opens === "open" ? "v" : ">";
    const below = typeof children === "function" ? await children() : (children ?? []);
    const line = `${"  ".repeat(level)}${sign} ${label} | ${description}`;
    return [line.trimEnd(), ...(await picture(below, level + 1))];
  });
  return (await Promise.all(lines)).flat();
}

test("a sum says dollars and tokens, and what has no known price", () => {
  const said = (both: UsageAmount) => describeUsage(sums(both), WORDS).description;
  assert.equal(said(amount(3.125, 1200)), "$3.13 · 1.2M tokens");
  assert.equal(said(amount(0, 0)), "nothing");
  assert.equal(said(amount(null, 2, 2)), "no known price · 2.0k tokens");
  assert.equal(said(amount(2, 3, 1)), "$2.00+ · 3.0k tokens");
  const { aria } = describeUsage(sums(amount(2, 3, 1)), WORDS);
  assert.equal(aria, "Today, $2.00 and 1 response without a known price, 3.0k tokens");
});

test("a reader hears what the bar shows, and the part of subagents", () => {
  const words = { ...WORDS, most: 4 };
  const { description, aria } = describeUsage(sums(amount(2, 3), amount(0.5, 1)), words);
  assert.equal(description, "━━━━ · $2.00 · 3.0k tokens");
  assert.equal(aria, "Today, $2.00, 3.0k tokens, $0.50 of it by subagents");
});

test("whoever wants no prices sees none", () => {
  showPrices(false);
  try {
    assert.equal(describeUsage(sums(amount(2, 3)), WORDS).description, "3.0k tokens");
  } finally {
    showPrices(true);
  }
});

test("a bar is as long as its share of the greatest, and never longer", () => {
  assert.deepEqual(
    [0, 1, 50, 64, 100].map((value) => bar(value, 100)),
    ["", "━", "━━━━", "━━━━━", "━━━━━━━━"],
  );
  assert.equal(bar(0, 0), "");
});

test("the tooltip tells the kinds of tokens and calls dollars what they are", () => {
  const lines = usageTooltip("Today", sums(amount(2, 3), amount(0.5, 1)));
  assert.deepEqual(
    lines.map(({ name, text }) => `${name}: ${text}`),
    [
      ": Today",
      "API price equivalent: $2.00",
      "Of it by subagents: $0.50",
      "Responses: 3, 1 of them by subagents",
      "Sessions: 1",
      "Read from the cache: 0",
      "Written for 5 minutes: 0",
      "Written for an hour: 0",
      "Sent without the cache: 3.0k",
      "Generated: 0",
    ],
  );
});

test("days are those of the user's calendar", () => {
  assert.equal(dayBefore(NOW, 0), "2026-03-01");
  assert.equal(dayBefore(NOW, 1), "2026-02-28");
  assert.equal(dayBefore(new Date(2026, 0, 1, 0, 0).getTime(), 1), "2025-12-31");
});

test("four sums are asked for at first, and the rest when a row is opened", async () => {
  const asked: UsageParams[] = [];
  const ask = async (params: UsageParams) => {
    asked.push(params);
    return result();
  };
  const answer = await askUsage(ask, NOW);
  assert.deepEqual(asked, [
    { since: "2026-03-01", until: "2026-03-01" },
    { by: ["day"], since: "2026-02-23", until: "2026-03-01" },
    { since: "2026-01-31", until: "2026-03-01" },
    { by: ["month"] },
  ]);
  asked.length = 0;
  const nodes = new UsageNodes(ask, NOW, "").roots(answer);
  assert.deepEqual(asked, []);
  await picture(nodes);
  assert.deepEqual(asked, [
    { by: ["session"], since: "2026-03-01", until: "2026-03-01" },
    { by: ["project"], since: "2026-01-31", until: "2026-03-01" },
    { by: ["model"], since: "2026-01-31", until: "2026-03-01" },
    { by: ["session"], since: "2026-01-31", until: "2026-03-01" },
  ]);
});

test("periods, with days newest first, groups with the dearest first, and notes", async () => {
  const rows: Record<string, UsageRow[]> = {
    project: [row({ project: { path: "/home/dev/shop", name: "shop" } }, amount(4))],
    model: [row({ model: "claude-opus-5-5" }, amount(4)), row({}, amount(null, 1, 1))],
    session: [row({ sessionId: "one", title: { text: "Add a discount", source: "ai" } })],
  };
  const ask = async ({ by }: UsageParams) => result({ rows: rows[by?.[0] ?? ""] ?? [] });
  const days = [row({ day: "2026-02-28" }, amount(1)), row({ day: "2026-03-01" }, amount(4))];
  const nodes = new UsageNodes(ask, NOW, "").roots({
    today: result({ total: sums(amount(4)) }),
    week: result({ rows: days }),
    month: result({ total: sums(amount(5, 4), amount(1, 1)) }),
    all: result({
      rows: [row({ month: "2026-02" }), row({ month: "2026-03" })],
      notes: [{ code: "priceEquivalent", sentence: "Dollars are no bill." }],
    }),
  });
  assert.deepEqual(await picture(nodes), [
    "> Today | $4.00 · 1.0k tokens",
    "    Add a discount | ━━━━━━━━ · $1.00 · 1.0k tokens",
    "> Last 7 days | $5.00 · 4.0k tokens",
    "    2026-03-01 | ━━━━━━━━ · $4.00 · 1.0k tokens",
    "    2026-02-28 | ━━ · $1.00 · 1.0k tokens",
    "v Last 30 days | $5.00 · 4.0k tokens",
    "  > By project |",
    "      shop | ━━━━━━━━ · $4.00 · 1.0k tokens",
    "  > By model |",
    "      claude-opus-5-5 | ━━━━━━━━ · $4.00 · 1.0k tokens",
    "      Not named | no known price · 1.0k tokens",
    "  > By session |",
    "      Add a discount | ━━━━━━━━ · $1.00 · 1.0k tokens",
    "    Of it by subagents | $1.00 · 1.0k tokens · 20 %",
    "> All time | $5.00 · 4.0k tokens",
    "    2026-03 | ━━━━━━━━ · $1.00 · 1.0k tokens",
    "    2026-02 | ━━━━━━━━ · $1.00 · 1.0k tokens",
    "  Dollars are no bill. |",
  ]);
});

test("a period in which nothing was spent cannot be opened", () => {
  const empty = result({ total: sums(NOTHING) });
  const answer = { today: empty, week: empty, month: empty, all: result() };
  const nodes = new UsageNodes(async () => result(), NOW, "").roots(answer);
  assert.deepEqual(
    nodes.map(({ opens }) => opens),
    [undefined, undefined, undefined, "closed"],
  );
});

test("of many rows the dearest are shown, and one leads to all", async () => {
  const many = Array.from({ length: 40 }, (_, place) => row({ sessionId: `${place}` }));
  const ask = async () => result({ rows: many });
  const [today] = new UsageNodes(ask, NOW, "").roots(await askUsage(ask, NOW));
  const children = today?.children;
  const below = typeof children === "function" ? await children() : [];
  assert.equal(below.length, 31);
  assert.equal(below[30]?.row.label, "10 more");
  assert.deepEqual(below[30]?.click?.arguments, [["session"]]);
  assert.equal(new Set(below.map(({ id }) => id)).size, 31);
});
