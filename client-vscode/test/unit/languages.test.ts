// Is every text collected, and translated? Does anything bypass the translation?

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BUNDLE, collected } from "../../scripts/texts.mjs";

type Texts = Record<string, string | { message: string; comment: string[] }>;

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf-8"));
const TRANSLATED: [english: string, translated: string][] = [
  [BUNDLE, BUNDLE.replace(".json", ".zh-cn.json")],
  ["package.nls.json", "package.nls.zh-cn.json"],
];

/** `{0}`, and `command:...` in the buttons of empty views, in any order. */
function placeholders(text: string): string[] {
  return (text.match(/\{\d+\}|command:[\w.]+/g) ?? []).sort();
}

function messageOf(text: Texts[string]): string {
  return typeof text === "string" ? text : text.message;
}

test("the bundle has the texts of the sources: `npm run l10n` writes it", async () => {
  assert.deepEqual(readJson(BUNDLE), await collected());
});

for (const [english, translated] of TRANSLATED) {
  const texts: Texts = readJson(english);
  const translations: Record<string, string> = readJson(translated);

  test(`${translated} has the texts of ${english}, and no other`, () => {
    assert.deepEqual(Object.keys(translations).sort(), Object.keys(texts).sort());
  });

  test(`${translated} keeps placeholders and commands`, () => {
    const kept = Object.entries(translations).map(([key, text]) => [key, placeholders(text)]);
    const wanted = Object.entries(texts).map(([key, text]) => [key, placeholders(messageOf(text))]);
    assert.deepEqual(Object.fromEntries(kept), Object.fromEntries(wanted));
  });

  test(`${translated} leaves no sentence in English`, () => {
    const same = Object.entries(texts)
      .filter(([key, text]) => translations[key] === messageOf(text))
      .filter(([, text]) => /\p{L}{2,} \p{L}{2,}/u.test(messageOf(text)));
    assert.deepEqual(same, []);
  });
}

// What is shown that way is read by people; ids, codicons and names of commands have no blank.
const SHOWN =
  /\b(label|description|detail|tooltip|title|placeHolder|prompt|aria|name|text|words|sentence)\b\s*[:=]\s*|\bshow(?:Information|Warning|Error)Message\(\s*|\b(?:say|tell)\(\s*/;
const PROSE = /(["`])(?:(?!\1)[^\\\n])*?\p{Ll}{2,} (?:(?!\1)[^\\\n])*?\1/u;
const BYPASS = new RegExp(`(?:${SHOWN.source})${PROSE.source.replaceAll("\\1", "\\2")}`, "gu");

test("what people read goes through the translation", () => {
  const names = readdirSync("src", { recursive: true, encoding: "utf-8" });
  const bypassing = names
    .filter((name) => name.endsWith(".ts") && name !== "protocol.ts")
    .flatMap((name) => {
      const source = readFileSync(join("src", name), "utf-8").replace(/\$\{[^}]*\}/g, "");
      return [...source.matchAll(BYPASS)].map(([found]) => `${name}: ${found}`);
    });
  assert.deepEqual(bypassing, []);
});

test("a text that bypasses the translation would be found", () => {
  const bypassing = [
    'label: "Not translated yet"',
    "description: `some of them`",
    'item.tooltip = "Click to see"',
    'void vscode.window.showInformationMessage("It is done.")',
    'say("Nothing is here")',
  ];
  const passing = ['label: t("Not translated yet")', 'icon: "debug-pause"', 'title: "Forkpoint"'];
  assert.deepEqual(
    [...bypassing, ...passing].filter((line) => line.match(BYPASS)),
    bypassing,
  );
});
