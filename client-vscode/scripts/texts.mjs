// Which texts do people see? l10n.mjs writes them down.
//
// The sources say `t(...)`; @vscode/l10n-dev finds `l10n.t(...)` only, and is given that.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { getL10nJson } from "@vscode/l10n-dev";

export const BUNDLE = "l10n/bundle.l10n.json";

/** The bundle as the sources would have it, sorted. */
export async function collected() {
  const names = await readdir("src", { recursive: true });
  const sources = names.filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(sources.map((name) => readFile(join("src", name), "utf-8")));
  const found = await getL10nJson(texts.map(spelledOut));
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function spelledOut(text) {
  const contents = text
    .replace('import { t } from "@vscode/l10n"', 'import * as l10n from "@vscode/l10n"')
    .replace(/(?<![.\w])t\(/g, "l10n.t(");
  return { extension: ".ts", contents };
}
