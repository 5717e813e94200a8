// What a transcript says is shown as it stands there, also what VS Code would read as an icon.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inPlace, plainItem, withoutIcons, withoutLinks } from "../../src/plainText";

const HIDDEN = "\u200b";
/** As VS Code reads labels: names of icons, and of those that move. */
const ICON = /\$\([A-Za-z][A-Za-z0-9-]*(~[A-Za-z]+)?\)/;

const TEXTS: [text: string, shown: string][] = [
  ["", ""],
  ["costs $5 (or more)", "costs $5 (or more)"],
  ["$(flame)", `$${HIDDEN}(flame)`],
  ["a $(sync~spin) b", `a $${HIDDEN}(sync~spin) b`],
  ["\\$(flame)", `\\$${HIDDEN}(flame)`],
  ["$$(x)$(y", `$$${HIDDEN}(x)$${HIDDEN}(y`],
];

for (const [text, shown] of TEXTS)
  test(JSON.stringify(text), () => {
    assert.equal(withoutIcons(text), shown);
    // Whatever part of it stands out: VS Code reads each of the parts by itself.
    for (let cut = 0; cut <= shown.length; cut += 1) {
      assert.doesNotMatch(shown.slice(0, cut), ICON);
      assert.doesNotMatch(shown.slice(cut), ICON);
    }
    assert.equal(shown.replaceAll(HIDDEN, ""), text);
  });

test("an item has the texts that are there", () => {
  assert.deepEqual(plainItem({ label: "$(a)", description: "$(b)", detail: "$(c)" }), {
    label: withoutIcons("$(a)"),
    description: withoutIcons("$(b)"),
    detail: withoutIcons("$(c)"),
  });
  assert.deepEqual(plainItem({ label: "a", description: "" }), { label: "a" });
});

const DIRECTIONS: [text: string, shown: string][] = [
  ["", ""],
  ["Round the total", "Round the total"],
  ["\u202etxt.exe\u202c end", `${HIDDEN}txt.exe${HIDDEN} end`],
  ["\u2067a\u2066b\u2068c\u2069", `${HIDDEN}a${HIDDEN}b${HIDDEN}c${HIDDEN}`],
  ["\u05d4\u05d5\u05e1\u05e3", "\u05d4\u05d5\u05e1\u05e3\u200e"],
  ["cart.py \u0633\u0644\u0629", "cart.py \u0633\u0644\u0629\u200e"],
  ["\u4f60\u597d", "\u4f60\u597d"],
];

for (const [text, shown] of DIRECTIONS)
  test(`${JSON.stringify(text)} leaves what follows where it is`, () => {
    assert.equal(inPlace(text), shown);
    assert.equal(inPlace(shown).startsWith(shown), true);
    assert.equal(inPlace(text).length - text.length <= 1, true);
  });

test("an item turns nothing", () => {
  const turned = "\u202ea";
  assert.deepEqual(plainItem({ label: turned, description: turned, detail: turned }), {
    label: `${HIDDEN}a`,
    description: `${HIDDEN}a`,
    detail: `${HIDDEN}a`,
  });
});

/** As VS Code reads sentences of notifications. */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;

const LINKS = [
  "[Restore](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22ls%5Cn%22%7D)",
  '[a](https://example.org "b") and [c](FILE:///etc/passwd)',
  "[[x](command:a)](command:b)",
  "![picture](https://example.org/x.png)",
];

for (const text of LINKS)
  test(`no link: ${text}`, () => {
    assert.match(text, LINK);
    assert.doesNotMatch(withoutLinks(text), LINK);
    assert.equal(withoutLinks(text).replaceAll(HIDDEN, ""), text);
  });

test("what is no link stays as it is", () => {
  for (const text of ["", "f[0] (x)", "a (b) [c]", "[src/[id].tsx]"])
    assert.equal(withoutLinks(text), text);
});
