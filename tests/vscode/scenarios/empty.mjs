// What does one see who has no sessions yet?

export const title =
  "an empty home shows its sentence, a button for each agent and the first steps";
export const home = "empty";

const SESSIONS = "Sessions";

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(SESSIONS), [
      "No sessions found: Forkpoint looked in the folders of the settings " +
        "forkpoint.claudeConfigDirs and forkpoint.codexHomes, or in ~/.claude and ~/.codex when " +
        "they are empty.",
      "Choose Folders of Claude Code",
      "Choose Folders of Codex",
      "Get Started",
    ]);
  });
  assert.deepEqual(await workbench.rows(SESSIONS), []);
  assert.deepEqual(await workbench.viewText("Branches"), [
    "Select a session to see its branches.",
    "Select Session",
  ]);
  assert.deepEqual(await workbench.notificationTexts(), []);
  await workbench.screenshot("empty");
}
