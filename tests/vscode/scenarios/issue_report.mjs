// Is a report of versions and numbers alone, to be read before it is given away?

import os from "node:os";

export const title = "an issue report is a text with versions and numbers, and nothing is sent";
export const home = "odd";
export const settings = { "forkpoint.scope": "all" };

export async function run(workbench, assert) {
  const { page, configDir, workspace } = workbench;
  await workbench.openContainer("Forkpoint");
  await workbench.row("Sessions - everything", "Read all three");
  // All transcripts are read, so that the report is of all of them.
  await page.locator(".part.statusbar .statusbar-item", { hasText: "12 findings" }).waitFor();
  await workbench.command("Forkpoint: Report Issue…");
  await workbench.eventually(async () => {
    assert.match(await workbench.activeTab(), /^(# Issue with Forkpoint|Untitled-1)$/);
    const lines = await workbench.editorLines();
    assert.equal(lines[0], "# Issue with Forkpoint");
    assert.deepEqual(await workbench.notificationTexts(), [
      "Nothing was sent. Read the report, add what happened, and copy it into an issue.",
    ]);
  });
  await workbench.screenshot("issue-report");
  await page.locator(".notification-list-item .monaco-button", { hasText: "Copy" }).click();
  const report = await workbench.eventually(async () => {
    const text = await workbench.clipboardText();
    assert.match(text, /^# Issue with Forkpoint\n/);
    return text;
  });
  for (const line of [
    /^- Forkpoint \d+\.\d+\.\d+$/m,
    /^- VS Code \d+\.\d+\.\d+ \(server-distro, remote: of another kind\), in en$/m,
    /^- running, ended by itself 0×$/m,
    /^- Python 3\.\d+\.\d+: in a virtual environment$/m,
    /^- forkpoint.claudeConfigDirs: set$/m,
    /^- sessions: \d+ of claude-code$/m,
    /^\| hologram-7 \| 1 \| 2\.1\.332 \|$/m,
  ])
    assert.match(report, line);
  const told = [
    configDir,
    workspace,
    os.hostname(),
    "127.0.0.1",
    "shop",
    "Round the total",
    ".jsonl",
    os.userInfo().homedir,
  ];
  assert.deepEqual(
    told.filter((word) => report.includes(word)),
    [],
  );
  await page.locator(".issue-reporter").waitFor({ state: "detached" });
}
