// What does one see who has no sessions yet?

export const title = "an empty home shows its sentence and one button";
export const home = "empty";

const SESSIONS = "Sessions";

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(SESSIONS), [
      "No Claude Code sessions found: Forkpoint looked in the folders of the setting " +
        "forkpoint.claudeConfigDirs, or in ~/.claude when that is empty.",
      "Choose Folders",
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
