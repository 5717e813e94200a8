// A transcript's URI says which session it is, whatever its title holds.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isTranscriptImage,
  type TranscriptName,
  transcriptName,
  transcriptUri,
} from "../../src/uri";

const NAMES: TranscriptName[] = [
  { sessionId: "02e48e86-6e97-49f1-8d4f-5e5492968187" },
  { sessionId: "02e48e86-6e97-49f1-8d4f-5e5492968187", agentId: "a1179cc1ea4db2add" },
  { sessionId: "02e48e86", leaf: "5e551010-0000-4000-8000-000000000000" },
  { sessionId: "02e48e86", before: 41231 },
  { sessionId: "a&session=b", agentId: "c#d?e=ü %20" },
];

for (const name of NAMES)
  test(`${JSON.stringify(name)} comes back`, () => {
    assert.deepEqual(transcriptName(transcriptUri(name, "Title")), name);
  });

test("a query without a session names nothing", () => {
  assert.equal(transcriptName({ query: "agent=a" }), undefined);
  assert.equal(transcriptName({ query: "" }), undefined);
});

const TEXTS: [name: TranscriptName, path: string][] = [
  [{ sessionId: "s", before: 5 }, "/Fix login (before 5).md"],
  [{ sessionId: "s", agentId: "a1179cc1ea4db2add" }, "/Fix login (subagent a1179cc1).md"],
  [
    { sessionId: "s", agentId: "a/b", leaf: "5e551010-0000-4000-8000-000000000000", before: 0 },
    "/Fix login (subagent a b, branch 5e551010, before 0).md",
  ],
];

for (const [name, path] of TEXTS)
  test(`the tab of ${path} tells it apart`, () => {
    assert.equal(transcriptUri(name, "Fix login").path, path);
  });

test("a picture is told apart from a text", () => {
  assert.equal(isTranscriptImage({ query: "session=s&image=3.0" }), true);
  assert.equal(isTranscriptImage({ query: "session=s&leaf=image" }), false);
});

const PATHS: [title: string, path: string][] = [
  ["Fix login", "/Fix login.md"],
  ["a/b\\c", "/a b c.md"],
  ["  two\n\tlines  ", "/two lines.md"],
  ["\u202Egnp.exe", "/gnp.exe.md"],
  ["", "/transcript.md"],
  ["///", "/transcript.md"],
  ["..", "/...md"],
  ["🙂".repeat(70), `/${"🙂".repeat(60)}.md`],
];

for (const [title, path] of PATHS)
  test(`the title ${JSON.stringify(title)} makes one file name`, () => {
    assert.equal(transcriptUri({ sessionId: "s" }, title).path, path);
  });
