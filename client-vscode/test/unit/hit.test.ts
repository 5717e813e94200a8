// What rows say of a record that was found: to the eye, and to the ear.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchHit } from "../../src/protocol";
import { describeHit, hitItem, hitTooltip } from "../../src/views/describe/hit";
import { FOUND_TIME, hit } from "./hits";

const FILE = "file:///home/dev/shop/src/tax%20rates.py";

test("a whole row", () => {
  assert.deepEqual(describeHit(hit(), true, FOUND_TIME), {
    label: "The discount is applied once.",
    highlights: [[4, 12]],
    description: "Add a discount · 4 min",
    icon: { id: "sparkle" },
    aria: "answer, The discount is applied once., in Add a discount, 4 minutes ago",
    context: "hit",
    isDimmed: false,
  });
});

test("a whole item of the quick pick", () => {
  assert.deepEqual(hitItem(hit(), FOUND_TIME), {
    label: "The discount is applied once.",
    description: "Add a discount",
    detail: "answer · shop · 4 min",
    icon: { id: "sparkle" },
  });
});

type Case = [changes: Partial<SearchHit>, icon: string, words: string, after: string];

/** What it is, and what stands behind session and time. */
const CASES: Case[] = [
  [{ role: "prompt", part: "prompt" }, "comment", "prompt", ""],
  [{ role: "command", part: "prompt" }, "zap", "command", ""],
  [{ role: "shell", part: "prompt" }, "terminal", "shell command", ""],
  [{ part: "thinking" }, "lightbulb", "thinking", ""],
  [{ part: "context", role: "injected" }, "info", "added by the client", ""],
  [{ part: "context", role: null }, "info", "added by the client", ""],
  [{ part: "toolInput", tool: "Bash" }, "terminal", "call of Bash", ""],
  [{ part: "toolInput", tool: "mcp__x" }, "tools", "call of mcp__x", ""],
  [{ part: "toolInput", tool: "constructor" }, "tools", "call of constructor", ""],
  [{ part: "toolInput", tool: "Edit", file: FILE }, "edit", "call of Edit, tax rates.py", ""],
  [{ part: "toolOutput", tool: "Bash" }, "output", "output of Bash", ""],
  [{ part: "toolOutput", tool: null }, "output", "output of a tool", ""],
  [{ part: "toolOutput", tool: "Bash", isError: true }, "error", "output of Bash, failed", ""],
  [{ role: "apiError", isError: true }, "error", "error of the API", ""],
  [{ fate: "notSent" }, "sparkle", "answer", ""],
  [{ fate: "summarized" }, "sparkle", "answer", "summarized away"],
  [{ fate: "abandoned" }, "sparkle", "answer", "abandoned"],
];

for (const [changes, icon, words, after] of CASES)
  test(JSON.stringify(changes), () => {
    const found = hit(changes);
    const row = describeHit(found, false, FOUND_TIME);
    const item = hitItem(found, FOUND_TIME);
    const behind = (separator: string) => (after ? `${separator}${after}` : "");
    assert.equal(row.icon?.id, icon);
    assert.deepEqual(item.icon, row.icon);
    assert.equal(row.description, `4 min${behind(" · ")}`);
    assert.equal(row.aria, `${words}, ${found.snippet}, 4 minutes ago${behind(", ")}`);
    assert.equal(item.detail, `${words} · shop · 4 min${behind(" · ")}`);
    assert.equal(row.isDimmed, after !== "");
  });

test("a subagent is named", () => {
  const found = hit({ agentId: "a1", fate: "abandoned" });
  const row = describeHit(found, false, FOUND_TIME);
  assert.equal(row.description, "4 min · subagent · abandoned");
  assert.match(row.aria, /, 4 minutes ago, by a subagent, abandoned$/);
  assert.equal(row.context, "hit+abandoned+subagent");
  assert.equal(
    hitItem(found, FOUND_TIME).detail,
    "answer · by a subagent · shop · 4 min · abandoned",
  );
});

test("what is not known is not said", () => {
  const found = hit({ at: null, snippet: "", ranges: [] });
  const row = describeHit(found, false, FOUND_TIME);
  assert.deepEqual([row.label, row.description], ["(no text)", ""]);
  assert.equal(row.aria, "answer, (no text)");
  assert.equal(hitItem(found, FOUND_TIME).detail, "answer · shop");
});

test("a match far behind is seen, and a screen reader reads all of it", () => {
  const snippet = "A long sentence before it, and then the tax rate.";
  const start = snippet.indexOf("tax");
  const found = hit({ snippet, ranges: [{ start, end: start + 3 }] });
  const row = describeHit(found, false, FOUND_TIME);
  assert.equal(row.label, "…then the tax rate.");
  assert.deepEqual(row.highlights, [[10, 13]]);
  assert.match(row.aria, /^answer, A long sentence before it, and then the tax rate\.,/);
  assert.equal(hitItem(found, FOUND_TIME).label, snippet);
});

test("a tooltip tells all", () => {
  const found = hit({
    part: "toolInput",
    tool: "Edit",
    file: FILE,
    agentId: "a1",
    fate: "abandoned",
  });
  const lines = hitTooltip(found).map(({ name, text }) => [name, text]);
  assert.deepEqual(
    lines.filter(([name]) => name !== "Time"),
    [
      ["", "The discount is applied once."],
      ["What it is", "call of Edit, tax rates.py"],
      ["File", "/home/dev/shop/src/tax rates.py"],
      ["Session", "Add a discount"],
      ["Project", "/home/dev/shop"],
      ["Subagent", "a1"],
      ["Next request", "does not carry it: the conversation went another way"],
    ],
  );
});

for (const file of ["file:///a%ZZ.py", "no address"])
  test(`a file's name that cannot be read: ${file}`, () => {
    const path = hitTooltip(hit({ file })).find(({ name }) => name === "File");
    assert.equal(path?.text, file);
  });

test("a hit says in how many forks it has copies", () => {
  const copies = (...alsoIn: string[]) =>
    hitTooltip(hit({ alsoIn })).find(({ name }) => name === "Copies")?.text;
  assert.equal(copies(), undefined);
  assert.equal(copies("f1"), "1 fork has a copy of it, which is no hit of its own");
  assert.equal(copies("f1", "f2"), "2 forks have copies of it, which are no hits of their own");
});
