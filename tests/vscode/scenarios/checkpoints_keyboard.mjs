// Does one get from a file to all its versions without a mouse?

export const title = "the keyboard alone goes through the versions of a file";
export const home = "demo";

const CART = "File Checkpoints - cart.py";

export async function run(workbench, assert) {
  const { page } = workbench;
  const focused = (aria) =>
    workbench.eventually(async () => assert.match(await workbench.focusedAria(), aria));
  const shows = (tab) =>
    workbench.eventually(async () => assert.equal(await workbench.activeTab(), tab));

  await page.locator('.activitybar a[aria-label^="Forkpoint"]').waitFor();
  await workbench.command("Forkpoint: Open File with Checkpoints...");
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.keyboard.type("cart");
  await workbench.press("Enter");
  await workbench.eventually(async () => {
    assert.ok((await workbench.rows(CART)).length > 20);
    assert.equal(await workbench.activeTab(), "cart"); // tabs set the ending apart
  });

  await workbench.command("Forkpoint: Focus on File Checkpoints View");
  await workbench.eventually(async () => {
    await workbench.press("Home"); // a view that is just filled anew hears no key
    assert.match(await workbench.focusedAria(), /^Working file, same as v2$/);
    await workbench.press("ArrowDown");
    assert.match(await workbench.focusedAria(), /^session Round the total, \d+ minutes ago$/);
  });
  await workbench.press("ArrowDown", "Enter");
  await focused(/^version 2, edited, 1 line added, 1 line removed, before the prompt Lower /);
  await shows("cart.py: v1 ↔ v2 (Lower the tax rate)");
  await workbench.press("ArrowDown", "Enter");
  await shows("cart.py: v1 of “Read all three” ↔ v1 (Round the total)");

  await workbench.press("Alt+]"); // the view still has the focus
  await shows("cart.py: v1 ↔ v2 (Lower the tax rate)");
  await workbench.command("View: Focus Active Editor Group");
  await workbench.press("Alt+[");
  await shows("cart.py: v1 of “Read all three” ↔ v1 (Round the total)");
  await workbench.press("Alt+[");
  await shows("cart.py: v4 of “What does cart.py do?” ↔ v1 (Edit both files)");
  await workbench.eventually(async () => {
    const [selected] = (await workbench.rows(CART)).filter((row) => row.selected);
    assert.equal(selected.label, "Edit both files"); // the view goes along
    const { before, after } = await workbench.diffLines();
    assert.deepEqual([before.length, after.length], [7, 3]);
  });
  await workbench.screenshot("checkpoints-keyboard");

  await workbench.command("Forkpoint: Focus on File Checkpoints View");
  await workbench.press("Home", "ArrowDown", "ArrowDown", "Space", "Control+C");
  await workbench.eventually(async () =>
    assert.match(
      await workbench.clipboardText(),
      /^Lower the tax rate · v2 · \+1 −1 · \d+ min · off the active path$/,
    ),
  );
  await workbench.command("Forkpoint: Compare with Working File");
  await shows("cart.py: v2 ↔ working file");
  await workbench.command("Forkpoint: Pin File Checkpoints to This File");
  await workbench.view(`${CART} · pinned`).waitFor();
  await workbench.command("Forkpoint: Unpin File Checkpoints and Follow the Editor");
  await workbench.view(CART).waitFor();
}
