// Does the manifest name only what is there: texts, commands, views?

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const manifest = JSON.parse(readFileSync("package.json", "utf-8"));
const texts = JSON.parse(readFileSync("package.nls.json", "utf-8"));
const { commands, keybindings, menus, views, viewsWelcome, walkthroughs } = manifest.contributes;

interface Entry {
  command: string;
  when?: string;
  args?: string;
}

const entries: Entry[] = [...Object.values<Entry[]>(menus).flat(), ...keybindings];
const declared = commands.map(({ command }: Entry) => command);
const viewIds = views.forkpoint.map(({ id }: { id: string }) => id);
/** VS Code makes one of each view. */
const focusing = viewIds.map((id: string) => `${id}.focus`);

test("each text has a place, and each place a text", () => {
  const used = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(texts).sort());
});

test("menus, keys and buttons run commands that are declared, each once", () => {
  const buttons = Object.values<string>(texts).flatMap((text) =>
    [...text.matchAll(/\(command:([\w.]+)\)/g)].map(([, command]) => command),
  );
  const unknown = [...entries.map(({ command }) => command), ...buttons].filter(
    (command) => !declared.includes(command) && !focusing.includes(command),
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

test("the walkthrough has four steps, with a picture, a button and what completes them", () => {
  const [walkthrough, ...others] = walkthroughs;
  assert.deepEqual(others, []);
  assert.equal(walkthrough.steps.length, 4);
  for (const { id, description, media, completionEvents } of walkthrough.steps) {
    assert.match(texts[description.slice(1, -1)], /\(command:[\w.]+\)/, id);
    assert.ok(existsSync(media.image), media.image);
    const events = completionEvents.map((event: string) => event.replace("onCommand:", ""));
    assert.deepEqual(
      events.filter((command: string) => !declared.includes(command)),
      [],
    );
    assert.notDeepEqual(events, [], id);
  }
});

test("what a gallery shows is there", () => {
  const png = readFileSync(manifest.icon);
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [128, 128]);
  assert.ok(existsSync(walkthroughs[0].icon));
  assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 30);
});

interface Setting {
  description?: string;
  markdownDescription?: string;
  default: unknown;
  enum?: string[];
  enumDescriptions?: string[];
  scope: string;
  type: unknown;
}

const settings = Object.entries<Setting>(manifest.contributes.configuration.properties);

test("each setting says in place what it does and how it comes", () => {
  for (const [name, setting] of settings) {
    const text = texts[(setting.markdownDescription ?? setting.description ?? "").slice(1, -1)];
    assert.match(text, /default/i, name);
    if (setting.enum) assert.equal(setting.enumDescriptions?.length, setting.enum.length, name);
    if (typeof setting.default === "number") assert.ok(text.includes(`${setting.default}`), name);
  }
});

test("a button on a row stands in the row's menu, too, which a keyboard opens", () => {
  const rows: (Entry & { group: string })[] = menus["view/item/context"];
  const isButton = ({ group }: { group: string }) => group.startsWith("inline");
  const viewOf = ({ when = "" }: Entry) => /\bview == ([\w.]+)/.exec(when)?.[1] ?? "any";
  const inMenus = rows
    .filter((row) => !isButton(row))
    .map((row) => `${viewOf(row)}: ${row.command}`);
  const missing = rows
    .filter(isButton)
    .map((row) => `${viewOf(row)}: ${row.command}`)
    .filter((button) => !inMenus.includes(button));
  assert.deepEqual(missing, []);
});
