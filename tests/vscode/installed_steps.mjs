// What the scenarios of packaged extensions have in common.

/** Waits for the first list of sessions. VS Code 1.93 names a view without its description. */
export async function showsTheList(workbench) {
  await workbench.openContainer("Forkpoint");
  await workbench.row("Sessions", "Read all three");
}

export async function statusTexts(workbench) {
  return await workbench.page.locator(".part.statusbar .statusbar-item").allInnerTexts();
}
