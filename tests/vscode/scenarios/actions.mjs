// Do the actions on a session do what they say, and nothing that costs money without a question?

export const title = "pin, archive, copy and resume act on the session they are called on";
export const home = "demo";

const SESSIONS = "Sessions";
const SESSION = "Checkout totals";
const ID = "a394b60b-be10-4356-9f3e-97048baf1628";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1700 }); // all rows at once
  await workbench.openContainer("Forkpoint");
  await workbench.row(SESSIONS, SESSION);
  await pins(workbench, assert);
  await copies(workbench, assert);
  await asksBeforeItResumes(workbench, assert);
  await archives(workbench, assert);
  await opensRawRecords(workbench, assert);
}

async function pins(workbench, assert) {
  await workbench.clickRowAction(SESSIONS, SESSION, "Pin Session");
  await workbench.eventually(async () => {
    const [group, row] = await workbench.rows(SESSIONS);
    assert.deepEqual([group.label, group.description, row.label], ["Pinned", "1", SESSION]);
    assert.match(row.aria, /, pinned$/);
  });
  await workbench.clickRowAction(SESSIONS, SESSION, "Unpin Session");
  await workbench.eventually(async () => {
    const groups = (await workbench.rows(SESSIONS)).filter(({ level }) => level === 1);
    assert.ok(!groups.some(({ label }) => label === "Pinned"));
  });
}

async function copies(workbench, assert) {
  await workbench.click(SESSIONS, SESSION);
  const copied = (text) =>
    workbench.eventually(async () => {
      const clipboard = await workbench.page.evaluate(() => navigator.clipboard.readText());
      assert.equal(clipboard, text);
    });
  await workbench.command("Forkpoint: Copy Session ID");
  await copied(ID);
  await workbench.command("Forkpoint: Copy Resume Command");
  await copied(`claude --resume ${ID}`);
  await workbench.command("Forkpoint: Copy First Prompt");
  await copied("Round the total");
}

async function asksBeforeItResumes(workbench, assert) {
  await workbench.clickRowAction(SESSIONS, SESSION, "Resume Session");
  const dialog = workbench.page.locator(".monaco-dialog-box");
  await dialog.waitFor();
  const texts = dialog.locator(".dialog-message-text, .dialog-message-detail");
  const [question, detail] = await texts.allInnerTexts();
  assert.equal(question, `Resume “${SESSION}” in a terminal?`);
  const [cache, runs] = detail.split("\n\n");
  assert.match(cache, /^Idle 5 days, /); // of the prompt cache
  assert.equal(runs, `Runs claude --resume ${ID} in ${workbench.workspace}.`);
  await workbench.screenshot("actions-resume");
  await workbench.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await workbench.page.locator(".terminal-outer-container .xterm").count(), 0);
}

async function archives(workbench, assert) {
  const labels = async () => (await workbench.rows(SESSIONS)).map(({ label }) => label);
  await workbench.click(SESSIONS, SESSION);
  await workbench.command("Forkpoint: Archive Session (Hide in Forkpoint)");
  await workbench.eventually(async () => assert.ok(!(await labels()).includes(SESSION)));
  await workbench.command("Forkpoint: Show Archived Sessions");
  await workbench.eventually(async () => {
    const row = (await workbench.rows(SESSIONS)).find(({ label }) => label === SESSION);
    assert.match(row?.description ?? "", / · archived$/);
  });
  await workbench.click(SESSIONS, SESSION);
  await workbench.command("Forkpoint: Unarchive Session");
  await workbench.command("Forkpoint: Hide Archived Sessions");
  await workbench.eventually(async () => assert.ok((await labels()).includes(SESSION)));
}

async function opensRawRecords(workbench, assert) {
  await workbench.click(SESSIONS, SESSION);
  await workbench.command("Forkpoint: Open Raw Records");
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), ID);
    assert.match((await workbench.editorLines())[0], /^\{"/);
  });
}
