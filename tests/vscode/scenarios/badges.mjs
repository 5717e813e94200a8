// Does the Explorer say which files have checkpoints, when it is asked to and only then?

export const title = "with the setting on the Explorer shows how many versions a file has";
export const home = "demo";
export const settings = { "forkpoint.explorerBadges": true };

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.openContainer("Explorer");
  await workbench.eventually(async () =>
    assert.deepEqual(await decorations(workbench), [
      [".claude", ""],
      ["cart.py", "2 checkpoint versions in the newest of 14 sessions"],
      ["discount.py", "2 checkpoint versions in the newest of 7 sessions"],
      ["README.md", "1 checkpoint version in the newest of 11 sessions"],
      ["tax.py", "2 checkpoint versions in the newest of 10 sessions"],
    ]),
  );
  await workbench.screenshot("badges");
  await switchOff(workbench);
  await workbench.eventually(async () =>
    assert.ok((await decorations(workbench)).every(([, words]) => words === "")),
  );
}

/** Each file of the Explorer with what a screen reader says of its badge. */
async function decorations({ page }) {
  const labels = page.locator(".explorer-folders-view .monaco-list-row .explorer-item");
  return labels.evaluateAll((all) =>
    all.map((label) => {
      const [, words = ""] = (label.getAttribute("aria-label") ?? "").split(" • ");
      return [label.textContent, words];
    }),
  );
}

/** As a person does it: in the settings editor. */
async function switchOff(workbench) {
  await workbench.command("Preferences: Open Settings (UI)");
  await workbench.page.locator(".settings-editor .suggest-input-container").waitFor();
  await workbench.page.keyboard.type("forkpoint.explorerBadges");
  const setting = workbench.page.locator(".settings-editor .setting-item-contents", {
    hasText: "Explorer Badges",
  });
  const box = setting.locator(".setting-value-checkbox");
  await workbench.eventually(async () => {
    if ((await box.getAttribute("aria-checked")) === "true") await box.click();
    await setting.locator('[aria-checked="false"]').waitFor({ timeout: 2000 });
  });
}
