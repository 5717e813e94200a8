// Does the line of the cursor say above itself who changed it, where the setting asks for that?

export const title = "a lens above the line of the cursor names the prompt and leads to it";
export const home = "demo";
export const settings = { "forkpoint.lineBlame": "codeLens" };

const LENS = ".codelens-decoration a";

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.openFile("cart.py");
  await workbench.eventually(async () => {
    await workbench.press("Control+Home", "ArrowDown");
    assert.equal(await workbench.statusText("Ln "), "Ln 2, Col 1");
  });
  const lens = workbench.page.locator(LENS);
  await workbench.eventually(async () => {
    const [words, ...more] = await lens.allInnerTexts();
    assert.match(words, /^last changed by Claude: prompt 1 of “Round the total”, \d+ minutes ago$/);
    assert.deepEqual(more, []);
  });
  await workbench.screenshot("line-lens");
  await workbench.press("ArrowUp");
  await workbench.eventually(async () => assert.equal(await lens.count(), 0));
  await workbench.press("ArrowDown");
  await workbench.eventually(() => lens.first().click({ timeout: 2000 }));
  await workbench.eventually(async () =>
    assert.equal(await workbench.activeTab(), "Round the total"),
  );
}
