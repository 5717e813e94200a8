// What does one see on a machine without Python?

import { SearchPick } from "../search_pick.mjs";

export const title = "without Python the view says so in one sentence and offers what helps";
export const home = "no-python";

const SESSIONS = "Sessions";
const SENTENCE =
  "Forkpoint needs Python 3.11 or newer: none found (tried python3, python). Install one, or set forkpoint.python.";

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(SESSIONS), [SENTENCE]);
    assert.deepEqual(await workbench.outline(SESSIONS), [
      "  Choose Python…",
      "  Restart Server",
      "  Show Log",
    ]);
    assert.deepEqual(await workbench.notificationTexts(), [SENTENCE]);
    assert.deepEqual(await workbench.viewText("Branches"), [
      "No branches can be shown: the view Sessions says why.",
      "Restart Server",
    ]);
  });
  await workbench.screenshot("missing-python");

  const pick = new SearchPick(workbench);
  await pick.open();
  await pick.look("tax");
  await workbench.eventually(async () =>
    assert.deepEqual(await pick.picture(), [
      SENTENCE.replace("python). ", "python). | "), // in two lines
      "Choose Python…",
      "Restart Server",
      "Show Log",
    ]),
  );
  await workbench.screenshot("missing-python-search");
  await workbench.press("Escape");
  await pick.isClosed();

  await workbench.command("Forkpoint: Copy Session ID");
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.notificationTexts(), [SENTENCE, SENTENCE]),
  );
  await workbench.command("Notifications: Clear All Notifications");

  await workbench.click(SESSIONS, "Choose Python…");
  const setting = workbench.page.locator(".settings-editor .setting-item-contents", {
    hasText: "Python 3.11",
  });
  await setting.waitFor(); // on the page of the machine, where it has an effect
  await workbench.screenshot("missing-python-settings");
}
