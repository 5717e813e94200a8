// What the scenarios of packaged extensions have in common.

const HERE = "Sessions - this repository";

/** Waits for the first list of sessions. */
export async function showsTheList(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    const labels = (await workbench.rows(HERE)).map(({ label }) => label);
    assert.ok(labels.includes("Round the total"), labels.join(", "));
  });
}

export async function statusTexts(workbench) {
  return await workbench.page.locator(".part.statusbar .statusbar-item").allInnerTexts();
}
