// Where could what stands in a transcript act? Each way of VS Code to act has one place, which guards it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const files = readdirSync("src", { recursive: true, encoding: "utf-8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name: name.replaceAll("\\", "/"), text: code(join("src", name)) }));

/** Without comments. */
function code(path: string): string {
  return readFileSync(path, "utf-8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
}

function users(sink: RegExp): string[] {
  return files.filter(({ text }) => sink.test(text)).map(({ name }) => name);
}

const PLACES: [what: string, sink: RegExp, where: string[]][] = [
  ["notifications, which make links", /\.show(Information|Warning|Error)Message/, ["notices.ts"]],
  ["messages in the status bar, which draw icons", /setStatusBarMessage/, ["notices.ts"]],
  ["terminals", /createTerminal|sendText/, ["resume.ts"]],
  ["programs outside of VS Code", /openExternal/, ["exportCommands.ts", "resume.ts"]],
  ["Markdown", /new vscode\.MarkdownString/, ["editor/lineBlame.ts", "views/tree.ts"]],
  ["processes", /node:child_process/, ["python.ts"]],
  ["pages of HTML", /createWebview|registerWebview|registerCustomEditor/, []],
  ["HTML or icons in Markdown", /supportHtml|supportThemeIcons/, []],
  ["code that is made of text", /\beval\(|new Function\(/, []],
];

for (const [what, sink, where] of PLACES)
  test(`where ${what} are`, () => assert.deepEqual(users(sink).sort(), where));

test("no Markdown is trusted but for two commands of our own", () => {
  const trusted = files.flatMap(({ text }) => text.match(/\.isTrusted = .*/g) ?? []);
  assert.deepEqual(trusted.sort(), [
    ".isTrusted = false;",
    ".isTrusted = { enabledCommands: [OPEN, SHOW] };",
  ]);
});

test("an address is taken as it is written, or refused", () => {
  const loose = files.flatMap(({ name, text }) =>
    [...text.matchAll(/Uri\.parse\((?:[^()]|\([^()]*\))*\)/g)]
      .map(([call]) => call)
      .filter((call) => !call.endsWith(", true)"))
      .map((call) => `${name}: ${call}`),
  );
  assert.deepEqual(loose, []);
});
