// Does somebody without a session find the first steps, and does each lead somewhere?

export const title = "the walkthrough opens from the empty view, and its steps are done one by one";
export const home = "empty";

const STEPS = [
  "Find every session",
  "See where a conversation forked",
  "Compare what became of a file",
  "Know what the next prompt costs",
];

export async function run(workbench, assert) {
  const { page } = workbench;
  await page.setViewportSize({ width: 1700, height: 1000 }); // else no picture is shown
  await workbench.openContainer("Forkpoint");
  const button = workbench.view("Sessions").locator(".monaco-button");
  await button.filter({ hasText: "Get Started" }).click();
  const steps = page.locator(".gettingStartedContainer .getting-started-step");
  await workbench.eventually(async () => {
    assert.deepEqual(await steps.locator(".step-title").allInnerTexts(), STEPS);
    assert.ok((await widthOfPicture(page)) > 1000);
  });
  await workbench.screenshot("first-steps");
  await tries(workbench, assert, 1, "Choose a Session", "There is no session yet.");
  await tries(workbench, assert, 2, "Open a File with Checkpoints", "No file has checkpoints yet.");
  await workbench.screenshot("first-steps-tried");
  await workbench.press("Control+W");
  await workbench.command("Forkpoint: Get Started");
  await workbench.eventually(async () => {
    const boxes = page.locator(".gettingStartedContainer [data-done-step-id]");
    const checked = await boxes.evaluateAll((all) => all.map((box) => box.ariaChecked === "true"));
    assert.deepEqual(checked, [false, true, true, false]);
  });
}

/** A step's button says what is missing; the step counts as done. */
async function tries(workbench, assert, number, button, sentence) {
  const { page } = workbench;
  const step = page.locator(".gettingStartedContainer .getting-started-step").nth(number);
  await workbench.eventually(async () => {
    await step.locator(".step-title").click();
    assert.ok(await step.locator(".monaco-button", { hasText: button }).isVisible());
  });
  await step.locator(".monaco-button", { hasText: button }).click();
  await workbench.eventually(async () =>
    assert.ok((await workbench.notificationTexts()).includes(sentence)),
  );
}

async function widthOfPicture(page) {
  const picture = page.locator(".getting-started-media img").first();
  return picture.evaluate((shown) => shown.naturalWidth);
}
