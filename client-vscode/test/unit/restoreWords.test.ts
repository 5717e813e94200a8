// What a person agrees to who restores a version.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Restoring, restoreDetail } from "../../src/editor/restoreWords";

const RESTORING: Restoring = {
  name: "cart.py",
  version: { version: 3, prompt: { uuid: "p", preview: "Lower the tax rate" } },
  eol: "lf",
  hasCrlf: false,
  isNew: false,
  isSavedByItself: false,
};

const BECOMES = "cart.py becomes v3 (before “Lower the tax rate”).";
const UNSAVED = "The editor changes, nothing is saved; undo brings it back.";
const SAVED = "The editor changes, and your setting files.autoSave saves it; undo brings it back.";
const NEW = "There is no such file now: its text comes in a new editor, and nothing is saved.";

const CASES: [what: string, changes: Partial<Restoring>, detail: string][] = [
  ["as usual", {}, `${BECOMES} ${UNSAVED}`],
  [
    "no record names the copy",
    { version: { version: 3, prompt: null } },
    `cart.py becomes v3. ${UNSAVED}`,
  ],
  ["saved by VS Code", { isSavedByItself: true }, `${BECOMES} ${SAVED}`],
  ["a file that is gone", { isNew: true, eol: "crlf" }, `${BECOMES} ${NEW}`],
  ["a version of one line without end", { eol: "none", hasCrlf: true }, `${BECOMES} ${UNSAVED}`],
  [
    "other line ends",
    { eol: "crlf" },
    `${BECOMES} ${UNSAVED} Lines of the version end with CRLF; in the editor they end with LF as before.`,
  ],
  [
    "several line ends",
    { eol: "mixed", hasCrlf: true },
    `${BECOMES} ${UNSAVED} Lines of the version end with LF and CRLF in turns; in the editor they end with CRLF as before.`,
  ],
];

for (const [what, changes, detail] of CASES)
  test(what, () => {
    assert.equal(restoreDetail({ ...RESTORING, ...changes }), detail);
  });
