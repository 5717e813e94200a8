// Is a report about the program alone?

import assert from "node:assert/strict";
import { test } from "node:test";
import { type IssueFacts, issueReport, pathKind } from "../../src/issueReport";
import { LastErrors } from "../../src/lastErrors";

const SECRET = "alice-hunter2";

const FACTS: IssueFacts = {
  now: 100_000,
  extension: "0.1.0",
  others: { "anthropic.claude-code": "2.1.332" },
  vscode: "1.139.1",
  host: "server",
  remote: "ssh-remote",
  language: "de",
  platform: "linux x64",
  node: "24.21.0",
  isTrusted: true,
  isBundled: true,
  server: {
    state: "running",
    python: "3.12.1",
    executable: `/home/${SECRET}/.venv/bin/python`,
    crashes: 2,
  },
  settings: {
    "forkpoint.claudeConfigDirs": [`/home/${SECRET}/.claude`],
    "forkpoint.resumeWarning": 5,
    "forkpoint.showPrices": false,
    "forkpoint.python": `/home/${SECRET}/.venv/bin/python`,
  },
  errors: [{ at: 40_000, what: "forkpoint/search", kind: "error -32001", place: "" }],
  health: "# Format health\n\n- Forkpoint 0.1.0 on linux\n",
};

test("a whole report", () => {
  const [title, , ...rest] = issueReport(FACTS).split("\n");
  assert.equal(title, "# Issue with Forkpoint");
  assert.deepEqual(rest.slice(3), [
    "## Versions",
    "",
    "- Forkpoint 0.1.0",
    "- VS Code 1.139.1 (server, remote: ssh-remote), in de",
    "- linux x64, Node.js 24.21.0",
    "- anthropic.claude-code 2.1.332",
    "",
    "## Server",
    "",
    "- running, ended by itself 2×",
    "- Python 3.12.1: in a virtual environment",
    "- libraries bundled",
    "- workspace trusted",
    "",
    "## Settings that were changed",
    "",
    "- forkpoint.claudeConfigDirs: set",
    "- forkpoint.resumeWarning: 5",
    "- forkpoint.showPrices: false",
    "- forkpoint.python: set",
    "",
    "## Last errors",
    "",
    "- 60 s ago, forkpoint/search: error -32001",
    "",
    "## Format health",
    "",
    "- Forkpoint 0.1.0 on linux",
    "",
  ]);
  assert.ok(!issueReport(FACTS).includes(SECRET));
});

test("a remote machine is not named", () => {
  const report = issueReport({ ...FACTS, remote: `${SECRET}.example:8080` });
  assert.match(report, /\(server, remote: of another kind\)/);
  assert.ok(!report.includes(SECRET));
  assert.match(issueReport({ ...FACTS, remote: undefined }), /1\.139\.1 \(server\), in de/);
});

test("a server that found no Python is told, and that nobody could be asked", () => {
  const server = { state: "failed", failure: "noPython", crashes: 0 } as const;
  const lines = issueReport({ ...FACTS, server, errors: [], health: undefined }).split("\n");
  assert.ok(lines.includes("- failed (no Python that fits), ended by itself 0×"));
  assert.ok(lines.includes("- Python: not found yet"));
  assert.ok(lines.includes("none"));
  assert.ok(lines.includes("The server could not be asked for the health of transcripts."));
});

test("of an error its kind and its place in our code are kept, and no word of what it says", () => {
  const errors = new LastErrors();
  const refused = Object.assign(new Error(`no session ${SECRET}`), { code: -32001 });
  const missing = Object.assign(new Error(`ENOENT, open '/home/${SECRET}'`), { code: "ENOENT" });
  const ours = new TypeError(`${SECRET} is not iterable`);
  ours.stack = `TypeError: ${SECRET}\n    at f (/home/${SECRET}/dist/extension.js:1:234)\n    at g`;
  const named = Object.assign(new Error(), { name: `${SECRET} x`, code: `/${SECRET}` });
  for (const error of [refused, missing, ours, named, `a text ${SECRET}`])
    errors.add("openRaw", error);
  assert.deepEqual(
    errors.all.map(({ what, kind }) => [what, kind]),
    [
      ["openRaw", "error -32001"],
      ["openRaw", "Error ENOENT"],
      ["openRaw", "TypeError"],
      ["openRaw", "Error"],
      ["openRaw", "string"],
    ],
  );
  assert.equal(errors.all[2]?.place, "extension.js:1:234");
  assert.ok(!JSON.stringify(errors.all).includes(SECRET));
});

test("the newest twenty errors are kept", () => {
  const errors = new LastErrors();
  for (let number = 1; number <= 25; number++) errors.add(`command${number}`, new Error());
  assert.equal(errors.all.length, 20);
  assert.equal(errors.all[0]?.what, "command6");
});

const PATHS: [path: string, kind: string][] = [
  ["/home/u/shop/.venv/bin/python", "in a virtual environment"],
  ["C:\\work\\venv\\Scripts\\python.exe", "in a virtual environment"],
  ["/home/u/.virtualenvs/shop/bin/python", "in a virtual environment"],
  ["/home/u/miniconda3/bin/python", "of Conda"],
  ["/opt/conda/bin/python", "of Conda"],
  ["/home/u/.pyenv/versions/3.12.1/bin/python3", "of pyenv"],
  ["/home/u/.local/share/uv/python/cpython-3.13/bin/python3", "of a version manager"],
  ["/opt/homebrew/bin/python3", "of Homebrew"],
  ["C:\\Users\\u\\AppData\\Local\\Microsoft\\WindowsApps\\python.exe", "of the Microsoft Store"],
  ["/usr/bin/python3", "of the system"],
  ["C:\\Program Files\\Python313\\python.exe", "of the system"],
  ["/usr/local/bin/python3.12", "installed for all users"],
  ["/home/u/bin/python", "somewhere else"],
  ["", "somewhere else"],
];

for (const [path, kind] of PATHS)
  test(`a Python at ${path || "no path"} is ${kind}`, () => assert.equal(pathKind(path), kind));
