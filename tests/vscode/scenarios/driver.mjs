// Do the tests see what VS Code shows? The driver, tried on an extension whose rows are known.
//
// When this fails, the fault is in the test layer or in the installed VS Code, not in Forkpoint.

export const title = "the driver sees and does in VS Code what a person would";
export const home = "none";
export const settings = { "probe.greeting": "good day" };

const manifest = {
  name: "probe",
  publisher: "test",
  version: "0.0.1",
  engines: { vscode: "^1.91.0" },
  main: "./extension.js",
  activationEvents: ["onStartupFinished"],
  contributes: {
    viewsContainers: { activitybar: [{ id: "probe", title: "Probe", icon: "icon.svg" }] },
    views: {
      probe: [
        { id: "probe.plants", name: "Plants" },
        { id: "probe.stones", name: "Stones" },
      ],
    },
    viewsWelcome: [
      { view: "probe.stones", contents: "No stones yet.\n[Greet](command:probe.greet)" },
    ],
    commands: [
      { command: "probe.greet", title: "Greet", category: "Probe" },
      { command: "probe.water", title: "Water", icon: "$(beaker)" },
    ],
    menus: {
      "view/item/context": [{ command: "probe.water", when: "viewItem == tree", group: "inline" }],
      "view/title": [{ command: "probe.greet", when: "view == probe.plants", group: "navigation" }],
    },
    configuration: { properties: { "probe.greeting": { type: "string", default: "unset" } } },
  },
};

const code = `
const vscode = require('vscode');
const trees = ['oak', 'ash'];
const grasses = Array.from({ length: 60 }, (_, n) => 'grass ' + n);

function item(name) {
  const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const state = { Trees: Expanded, Grasses: Collapsed }[name] ?? None;
  const row = new vscode.TreeItem(name, state);
  row.id = name;
  if (!trees.includes(name)) return row;
  row.description = name.length + ' letters';
  row.iconPath = new vscode.ThemeIcon('star-empty');
  row.tooltip = 'A tree called ' + name;
  row.contextValue = 'tree';
  row.accessibilityInformation = { label: 'tree ' + name };
  row.command = { command: 'probe.open', title: 'Open', arguments: [name] };
  return row;
}

function say(text) {
  vscode.window.showInformationMessage(text);
  return vscode.env.clipboard.writeText(text);
}

async function open(name) {
  const content = 'The ' + name + '\\n  grows.';
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
}

function provider(children) {
  const getChildren = (name = '') => children[name] ?? [];
  return { treeDataProvider: { getChildren, getTreeItem: item } };
}

exports.activate = () => {
  const plants = { '': ['Trees', 'Grasses'], Trees: trees, Grasses: grasses };
  const view = vscode.window.createTreeView('probe.plants', provider(plants));
  view.message = 'Two kinds of plants.';
  view.description = 'in the garden';
  view.badge = { value: 2, tooltip: 'two kinds' };
  vscode.window.createTreeView('probe.stones', provider({}));
  const greeting = vscode.workspace.getConfiguration('probe').get('greeting');
  vscode.commands.registerCommand('probe.greet', () => say('Probe says ' + greeting));
  vscode.commands.registerCommand('probe.water', (name) => say('Watered ' + name));
  vscode.commands.registerCommand('probe.open', open);
  const status = vscode.window.createStatusBarItem();
  status.text = 'Probe: ready';
  status.show();
};
`;

const icon = `
<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><circle cx="12" cy="12" r="8"/></svg>
`;

export const extension = {
  "package.json": JSON.stringify(manifest),
  "extension.js": code,
  "icon.svg": icon,
};

export async function run(workbench, assert) {
  await workbench.openContainer("Probe");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.outline("Plants"), [
      "v Trees",
      "    oak | 3 letters",
      "    ash | 3 letters",
      "> Grasses",
    ]);
  });
  await seesDetails(workbench, assert);
  await workbench.screenshot("driver-tree");
  await doesThings(workbench, assert);
  await worksByKeyboard(workbench, assert);
  await workbench.screenshot("driver-end");
}

async function seesDetails(workbench, assert) {
  const [, oak] = await workbench.rows("Plants");
  assert.deepEqual(oak, {
    index: 1,
    level: 2,
    label: "oak",
    description: "3 letters",
    aria: "tree oak",
    icon: "star-empty",
    expanded: null,
    selected: false,
  });
  assert.deepEqual(await workbench.viewText("Plants"), ["Two kinds of plants."]);
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText("Stones"), ["No stones yet.", "Greet"]);
  });
  assert.deepEqual(await workbench.rows("Stones"), []);
  assert.equal(await workbench.badge("Probe"), "2");
  assert.equal(await workbench.statusText("Probe:"), "Probe: ready");
  assert.equal(await workbench.tooltip("Plants", "ash"), "A tree called ash");
}

async function doesThings(workbench, assert) {
  const lastNotification = (text) =>
    workbench.eventually(async () => assert.equal((await workbench.notificationTexts())[0], text));
  await workbench.command("Probe: Greet");
  await lastNotification("Probe says good day");
  await workbench.clickRowAction("Plants", "ash", "Water");
  await lastNotification("Watered ash");
  assert.equal(await workbench.clipboardText(), "Watered ash");
  await workbench.command("Notifications: Clear All Notifications");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.notificationTexts(), []);
  });
  await workbench.clickViewAction("Plants", "Greet");
  await lastNotification("Probe says good day");
  await workbench.expand("Plants", "Grasses");
  await workbench.eventually(async () => {
    const labels = (await workbench.rows("Plants")).map((row) => row.label);
    const grasses = Array.from({ length: 60 }, (_, n) => `grass ${n}`);
    assert.deepEqual(labels, ["Trees", "oak", "ash", "Grasses", ...grasses]);
  });
}

async function worksByKeyboard(workbench, assert) {
  await workbench.command("Probe: Focus on Plants View");
  await workbench.click("Plants", "Trees");
  await workbench.press("ArrowRight", "ArrowDown", "ArrowDown");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.focusedLabels(), ["ash"]),
  );
  await workbench.press("Enter");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.editorLines(), ["The ash", "  grows."]);
    assert.match(await workbench.activeTab(), /^The ash/);
  });
}
