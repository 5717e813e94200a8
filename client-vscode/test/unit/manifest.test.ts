// Does the manifest name only what is there: texts, commands, views?

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync("package.json", "utf-8"));
const texts = JSON.parse(readFileSync("package.nls.json", "utf-8"));
const { commands, keybindings, menus, views, viewsWelcome } = manifest.contributes;

interface Entry {
  command: string;
  when?: string;
  args?: string;
}

const entries: Entry[] = [...Object.values<Entry[]>(menus).flat(), ...keybindings];
const declared = commands.map(({ command }: Entry) => command);
const viewIds = views.forkpoint.map(({ id }: { id: string }) => id);

test("each text has a place, and each place a text", () => {
  const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
});

test("menus, keys and buttons run commands that are declared, each once", () => {
  const buttons = Object.values<string>(texts).flatMap((text) =>
    [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command),
  );
  const unknown = [...entries.map(({ command }) => command), ...buttons].filter(
    (command) => !declared.includes(command),
  );
  assert.deepEqual(unknown, []);
  assert.deepEqual(declared, [...new Set(declared)]);
});

test("conditions name views that are there", () => {
  const conditions = entries.map(({ when = "" }) => when);
  const named = conditions.flatMap((when) =>
    [...when.matchAll(/\b(?:view|focusedView) == ([\w.]+)/g)].map(([, id]) => id),
  );
  const welcomed = viewsWelcome.map(({ view }: { view: string }) => view);
  assert.deepEqual(
    [...named, ...welcomed].filter((id) => !viewIds.includes(id)),
    [],
  );
});

test("each view copies its rows by keyboard", () => {
  const copying = keybindings.filter(({ command }: Entry) => command === "forkpoint.copyRow");
  const copied = copying.map(({ args }: Entry) => `forkpoint.${args}`);
  assert.deepEqual(copied.sort(), [...viewIds].sort());
});

test("a workspace that nobody trusts decides nothing about the server", () => {
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.equal(supported, "limited");
  const settings = Object.entries<{ scope: string }>(manifest.contributes.configuration.properties);
  // What a window has for itself only says what is shown, but for when a resume is warned of.
  const shown = settings.filter(([, { scope }]) => scope === "window").map(([name]) => name);
  const others = settings.map(([name]) => name).filter((name) => !shown.includes(name));
  assert.deepEqual(
    [...restrictedConfigurations].sort(),
    [...others, "forkpoint.resumeWarning"].sort(),
  );
  const scopes = new Set(settings.map(([, { scope }]) => scope));
  assert.deepEqual([...scopes].sort(), ["machine", "machine-overridable", "window"]);
});
