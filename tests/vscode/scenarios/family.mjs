// Do sessions that were copied from each other stand below each other, and is the place shown where
// each parted?

export const title = "a family is a tree, a command shows where a fork parted, texts lead on";
export const home = "family";
export const settings = { "forkpoint.scope": "all" };

const SESSIONS = "Sessions";
const FORK = "Fix the login (Branch)";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 900 });
  await workbench.openContainer("Forkpoint");
  await showsTheTree(workbench, assert);
  await showsWhereAForkParted(workbench, assert);
  await leadsFromFileToFile(workbench, assert);
  await saysWhatCameFromNowhere(workbench, assert);
}

async function showsTheTree(workbench, assert) {
  await workbench.eventually(async () => {
    const outline = await workbench.outline(SESSIONS);
    assert.deepEqual(
      outline.map((line) => line.replace(/ \| \d+ months.*/, "")),
      [
        "v Older | 6",
        "  > Change the menu",
        "  v Fix the login",
        "    > Continue after lunch",
        "    v Fix the login (Branch)",
        "      > Fix the login",
        "      > In This Session",
        "    > Fix the login (fork)",
        "    > In This Session",
      ],
    );
  });
  const heard = (await workbench.rows(SESSIONS)).map(({ aria }) => aria.split(", complete")[0]);
  assert.deepEqual(heard.slice(1, 8), [
    "Change the menu, fork of a session that is not listed here",
    "Fix the login",
    "Continue after lunch, goes on from Fix the login",
    "Fix the login (Branch), fork of Fix the login",
    "Fix the login, fork of Fix the login (Branch)",
    "In This Session",
    "Fix the login (fork), fork of Fix the login",
  ]);
  await workbench.screenshot("family-tree");
}

async function showsWhereAForkParted(workbench, assert) {
  await workbench.click(SESSIONS, FORK);
  await workbench.eventually(async () => assert.equal(await workbench.activeTab(), FORK));
  await workbench.eventually(async () => {
    const said = await workbench.tooltip(SESSIONS, FORK);
    assert.match(said, /Forked from: Fix the login\s/);
    assert.match(said, /What shows it: its records say so/);
    assert.match(said, /Copied from there: 2 prompts/);
  });
  await workbench.screenshot("family-tooltip");
  await workbench.command("Forkpoint: Show Where It Parted");
  const said =
    "4 records were copied from “Fix the login”. Then it goes on with “Use a cookie”. " +
    "The other one goes on with “Tidy up”.";
  await workbench.eventually(async () =>
    assert.ok((await workbench.notificationTexts()).includes(said)),
  );
  await workbench.eventually(async () => {
    const lines = await workbench.editorLines(); // the last answer of both, and what follows here
    assert.ok(lines.includes("## 3. Use a cookie"), lines.join("\n"));
  });
  await workbench.screenshot("family-parted");
  await workbench.page.getByRole("button", { name: "Show in the Other Session" }).click();
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Fix the login");
    const lines = await workbench.editorLines();
    assert.ok(lines.includes("## 3. Tidy up"), lines.join("\n"));
  });
  await workbench.screenshot("family-other");
}

async function leadsFromFileToFile(workbench, assert) {
  await workbench.click(SESSIONS, "Continue after lunch");
  const line = "… goes on from “Fix the login”: show what stands there";
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Continue after lunch");
    assert.ok((await workbench.editorLines()).includes(line));
  });
  await workbench.screenshot("family-goes-on");
  const link = workbench.page.locator(".detected-link", { hasText: "show what stands there" });
  await link.click({ modifiers: ["Control"] });
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), "Fix the login");
    const lines = await workbench.editorLines();
    assert.ok(lines.includes("… goes on in “Continue after lunch”: show later ones"));
  });
}

async function saysWhatCameFromNowhere(workbench, assert) {
  await workbench.click(SESSIONS, { aria: /^Fix the login, complete/ });
  await workbench.command("Forkpoint: Show Where It Parted");
  await workbench.eventually(async () =>
    assert.ok(
      (await workbench.notificationTexts()).includes(
        "This session came from no other one that is here.",
      ),
    ),
  );
}
