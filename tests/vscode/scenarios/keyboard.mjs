// Does one get everywhere without a mouse, and does a screen reader hear what there is to see?

export const title = "the keyboard alone reaches a session, its transcript and its branches";
export const home = "demo";

export async function run(workbench, assert) {
  const { page } = workbench;
  const focused = (aria) =>
    workbench.eventually(async () => assert.match(await workbench.focusedAria(), aria));
  const shown = (view, aria) =>
    workbench.view(view).locator(`.monaco-list-row[aria-label^="${aria}"]`).waitFor();

  await page.locator('.activitybar a[aria-label^="Forkpoint"]').waitFor();
  await workbench.command("Forkpoint: Focus on Sessions View");
  await workbench.eventually(async () => assert.ok((await workbench.rows("Sessions")).length > 10));
  await workbench.command("Forkpoint: Focus on Sessions View"); // now there are rows to focus
  await workbench.press("Home");
  await focused(/^(Today|Yesterday), \d+ sessions?$/);
  await workbench.press("ArrowDown");
  await focused(/^Round the total, complete, \d+ minutes ago, branch main, \d+ kB/);

  await workbench.press("Enter");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Round the total");
    assert.equal((await workbench.editorLines())[0], "# Round the total");
  });

  await workbench.press("ArrowRight");
  await shown("Sessions", "Abandoned (1)");
  await workbench.press("ArrowDown", "ArrowDown");
  await focused(/^Abandoned \(1\)$/);
  await workbench.press("ArrowRight");
  await shown("Sessions", "abandoned branch, Lower the tax rate");
  await workbench.press("ArrowDown");
  await focused(/^abandoned branch, Lower the tax rate, 2 prompts, \d+ minutes ago$/);

  await workbench.command("Forkpoint: Focus on Branches View");
  await workbench.press("Home");
  await focused(/^active branch, Round the total, 1 prompt, \d+ minutes ago$/);
  await workbench.press("End");
  await focused(/^abandoned branch, Lower the tax rate, 2 prompts, \d+ minutes ago$/);
  await workbench.press("ArrowRight");
  // Its prompts may lie below what the pane shows, where a list has no rows: the key goes there.
  await workbench.eventually(async () => {
    await workbench.press("End");
    assert.match(await workbench.focusedAria(), /^prompt, Add a discount module, \d+ minutes ago$/);
  });
  await workbench.screenshot("keyboard");

  await workbench.press("Enter", "Control+C");
  await workbench.eventually(async () =>
    assert.match(await clipboard(page), /^Add a discount module · \d+ min$/),
  );
  await workbench.command("Forkpoint: Reveal Active Leaf");
  await focused(/^active leaf: a resume goes on here$/);
}

function clipboard(page) {
  return page.evaluate(() => navigator.clipboard.readText());
}
