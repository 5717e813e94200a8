// What is said of what a resume brings back.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { AtResume, WorkItem } from "../../src/protocol";
import {
  describeWork,
  describeWorkItem,
  inOrder,
  isAllRestored,
  workItemTooltip,
} from "../../src/views/describe/cacheWorkItem";

function item(what: WorkItem["what"], value: string, atResume: AtResume): WorkItem {
  return { what, value, atResume, sentence: `${value} is ${atResume}.`, at: null };
}

const MODEL = item("model", "claude-opus-5-5", "restored");
const PLAN = item("permissionMode", "plan", "notRestored");
const CART = item("fileReads", "/home/dev/shop/cart.py", "notRestored");
const CWD = item("cwd", "/home/dev/shop/", "fallback");
const AGENT = item("agent", "reviewer", "unknown");

const SAID: [of: WorkItem, label: string, description: string, icon: string, aria: string][] = [
  [MODEL, "Model", "claude-opus-5-5", "check", "Model, claude-opus-5-5, restored"],
  [
    PLAN,
    "Permission mode",
    "plan · not restored",
    "warning",
    "Permission mode, plan, not restored",
  ],
  [CWD, "Folder", "shop · replaced", "replace", "Folder, shop, replaced"],
  [AGENT, "Agent", "reviewer · not known", "question", "Agent, reviewer, not known"],
  [
    CART,
    "File Claude knows",
    "cart.py · not restored",
    "warning",
    "File Claude knows, cart.py, not restored",
  ],
  [
    item("fileReads", "2", "restored"),
    "Files Claude knows",
    "2 files",
    "check",
    "Files Claude knows, 2 files, restored",
  ],
  [
    item("fileHistory", "1", "notRestored"),
    "Checkpoints",
    "1 file · not restored",
    "warning",
    "Checkpoints, 1 file, not restored",
  ],
  [
    item("addedDirectories", "C:\\work\\lib", "notRestored"),
    "Added folder",
    "lib · not restored",
    "warning",
    "Added folder, lib, not restored",
  ],
  [
    item("backgroundTasks", "npm run dev", "notRestored"),
    "Background task",
    "npm run dev · not restored",
    "warning",
    "Background task, npm run dev, not restored",
  ],
];

for (const [of, label, description, icon, aria] of SAID)
  test(`"${aria}"`, () => {
    const row = describeWorkItem(of);
    assert.deepEqual(
      [row.label, row.description, row.icon?.id, row.aria],
      [label, description, icon, aria],
    );
    assert.equal(row.context, `cacheWork+${of.atResume}`);
  });

test("what is not restored comes first, else the order stays", () => {
  const items = [MODEL, AGENT, PLAN, CWD, CART];
  assert.deepEqual(inOrder(items), [PLAN, CART, CWD, AGENT, MODEL]);
});

const WORK: [items: WorkItem[], said: string, all: boolean][] = [
  [[], "nothing recorded", true],
  [[MODEL], "everything", true],
  [[MODEL, PLAN, CART, CWD, AGENT], "2 not restored · 1 replaced · 1 not known", false],
  [[MODEL, AGENT], "1 not known", false],
];

for (const [items, said, all] of WORK)
  test(`a resume brings back: ${said}`, () => {
    assert.equal(describeWork(items).description, said);
    assert.equal(isAllRestored(items), all);
  });

test("a tooltip has the sentence and the whole path", () => {
  assert.deepEqual(workItemTooltip(CART), [
    { name: "", text: "/home/dev/shop/cart.py is notRestored." },
    { name: "File Claude knows", text: "/home/dev/shop/cart.py" },
  ]);
});
