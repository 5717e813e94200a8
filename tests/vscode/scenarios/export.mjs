// Does a session become a file where its user says, without what must not go along, and readable?

import { readFile, rm, stat } from "node:fs/promises";
import path from "node:path";

export const title = "a session is exported as a page that reads in light, in dark and on paper";
export const home = "demo";

const SESSIONS = "Sessions";
const SESSION = "Round the total";
const NAME = "round-the-total-3ee8f041.html";

export async function run(workbench, assert) {
  const file = path.join(workbench.workspace, NAME);
  try {
    await workbench.page.setViewportSize({ width: 1280, height: 1100 });
    await workbench.openContainer("Forkpoint");
    await breaksOff(workbench, assert, file);
    await exports(workbench, assert, file);
    await readsAsAPage(workbench, assert, file);
  } finally {
    await rm(file, { force: true }); // other scenarios see the same workspace
  }
}

/** Whoever leaves a question gets no file. */
async function breaksOff(workbench, assert, file) {
  const picks = await begin(workbench);
  await workbench.press("Escape");
  await picks.waitFor({ state: "hidden" });
  await assert.rejects(stat(file));
}

async function exports(workbench, assert, file) {
  await begin(workbench);
  const labels = workbench.page.locator(".quick-input-list .monaco-list-row .label-name");
  await workbench.eventually(async () =>
    assert.deepEqual(await labels.allTextContents(), ["Markdown", "HTML", "JSON"]),
  );
  await workbench.screenshot("export-format");
  await workbench.press("ArrowDown", "Enter");
  await workbench.eventually(async () => assert.equal((await labels.allTextContents()).length, 4));
  const boxes = workbench.page.locator(".quick-input-list .monaco-list-row[aria-checked]");
  const checked = await boxes.evaluateAll((rows) =>
    rows.map((row) => row.getAttribute("aria-checked")),
  );
  assert.deepEqual(checked, ["true", "true", "true", "false"]);
  await workbench.screenshot("export-choices");
  await workbench.press("Enter");
  const input = workbench.page.locator(".quick-input-widget .quick-input-box input");
  await workbench.eventually(async () =>
    assert.ok((await input.inputValue()).endsWith(`/${NAME}`), await input.inputValue()),
  );
  await assert.rejects(stat(file)); // nothing is written before somebody said where
  await workbench.screenshot("export-save");
  await workbench.press("Enter");
  await workbench.page.locator(`.tab.active[data-resource-name="${NAME}"]`).waitFor();
  await workbench.eventually(async () => {
    const [said] = (await workbench.notificationTexts()).filter((text) => text.includes(NAME));
    assert.match(
      said ?? "",
      /^Exported to round-the-total-3ee8f041\.html\. Taken out by rules: nothing\. Read/,
    );
  });
  await workbench.screenshot("export-written");
}

/** The page is looked at as anybody's browser would: it asks for nothing and does nothing. */
async function readsAsAPage(workbench, assert, file) {
  const text = await readFile(file, "utf8");
  assert.ok(text.startsWith("<!doctype html>\n"));
  const page = await workbench.page.context().newPage();
  try {
    const asked = [];
    const errors = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => errors.push(message.text()));
    await page.setViewportSize({ width: 900, height: 1200 });
    await page.goto(`file://${file}`);
    assert.equal(await page.title(), SESSION);
    assert.equal(await page.getByRole("main").getByRole("heading", { level: 2 }).count(), 2);
    await page.getByText("Prompts (2)").click();
    await page.getByRole("link", { name: "Tidy the readme" }).click();
    assert.match(page.url(), /#r-[0-9a-f-]{36}$/);
    await page.getByText("Result of Edit README.md").click();
    await assertThemes(workbench, assert, page);
    assert.deepEqual(errors, []);
    assert.deepEqual([...new Set(asked.map((url) => url.split("#")[0]))], [`file://${file}`]);
  } finally {
    await page.close();
  }
}

async function assertThemes(workbench, assert, page) {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const seen = new Set();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    seen.add(await paper());
    await page.screenshot({ path: path.join(workbench.out, `export-page-${colorScheme}.png`) });
  }
  assert.equal(seen.size, 2);
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await page.screenshot({
    path: path.join(workbench.out, "export-page-print.png"),
    fullPage: true,
  });
}

/** The command in the session's own menu; gives the question that it begins with. */
async function begin(workbench) {
  const row = await workbench.row(SESSIONS, SESSION);
  await row.click({ button: "right" });
  const item = workbench.page.locator(".monaco-menu .action-label", { hasText: "Export Session…" });
  const picks = workbench.page.locator(".quick-input-widget");
  // A menu minds no click right after it opened.
  await workbench.eventually(async () => {
    if (await item.isVisible()) await item.click();
    await picks.waitFor({ timeout: 1000 });
  });
  return picks;
}
