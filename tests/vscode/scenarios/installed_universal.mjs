// Does the .vsix for any platform show sessions, and say that it is slower?

import { showsTheList } from "../installed_steps.mjs";

export const title = "the .vsix for any platform lists sessions, without native parts, and says so";
export const home = "installed-universal";

export async function run(workbench, assert) {
  await showsTheList(workbench);
  assert.match(await workbench.statusText("slower"), /slower/);
  await workbench.command("Forkpoint: Show Health");
  await workbench.eventually(async () => {
    const rows = (await workbench.rows("Health")).map(({ label }) => label);
    assert.equal(rows[0], "Without Native Parts");
  });
  await workbench.screenshot("installed-universal");
}
