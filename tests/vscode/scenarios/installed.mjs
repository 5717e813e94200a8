// Does the .vsix for this platform show sessions on a machine that has VS Code and Python, and nothing else?

import { showsTheList, statusTexts } from "../installed_steps.mjs";

export const title = "the .vsix for linux-x64 lists sessions, with native parts, without a network";
export const home = "installed";

export async function run(workbench, assert) {
  await showsTheList(workbench);
  await workbench.eventually(async () =>
    assert.ok((await statusTexts(workbench)).some((text) => text.includes("expire"))),
  );
  assert.ok(!(await statusTexts(workbench)).some((text) => text.includes("slower")));
  await workbench.screenshot("installed");
}
