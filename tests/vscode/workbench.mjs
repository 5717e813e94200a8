// A person at a real VS Code: sees views, rows, messages; clicks, types, runs commands.
//
// Every action waits for what it acts on. What is *read* is read as it is at that moment, so a
// scenario reads inside `eventually`, which repeats until the assertions hold.

import path from "node:path";

import { picture, readRows, revealRow } from "./tree.mjs";

const PATIENCE_MS = 60_000;

export class Workbench {
  /**
   * @param {import('playwright-core').Page} page an empty page
   * @param {{ out: string, configDir: string, workspace: string }} folders where screenshots go;
   *   the agent's config folder and the workspace, for scenarios that change files
   */
  constructor(page, folders) {
    this.page = page;
    this.out = folders.out;
    this.configDir = folders.configDir;
    this.workspace = folders.workspace;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  /** Opens the workspace and waits until commands can be run. */
  async open(url) {
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
    await this.page.locator(".monaco-workbench .part.statusbar .statusbar-item").first().waitFor();
    await this.page.locator(".monaco-workbench .part.sidebar .pane").first().waitFor();
  }

  /** Repeats an async function until it throws no more; then its last error is the result. */
  async eventually(check, patienceMs = PATIENCE_MS) {
    const end = Date.now() + patienceMs;
    for (;;) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > end) throw error;
        await this.page.waitForTimeout(150);
      }
    }
  }

  /** Shows a view container by its icon in the activity bar. */
  async openContainer(title) {
    const tab = this.#activity(title);
    const shown = this.page.locator(".part.sidebar .composite.title", { hasText: title });
    await tab.waitFor();
    if (!(await shown.isVisible())) await tab.click();
    await shown.waitFor();
    await this.page.mouse.move(700, 400); // the icon's tooltip would stay
  }

  /** The pane of a view, with its header; a description beside the name may be left out. */
  view(name) {
    const header = `> .pane-header:is([aria-label="${name} Section"], [aria-label^="${name} - "])`;
    return this.page.locator(`.pane:has(${header})`);
  }

  /** Opens a view's pane when it is collapsed. */
  async expandView(name) {
    const header = this.view(name).locator("> .pane-header");
    if ((await header.getAttribute("aria-expanded")) === "false") await header.click();
  }

  /** All rows of a view (see Row in tree.mjs). */
  rows(view) {
    return readRows(this.view(view));
  }

  /** A view's rows as a picture of lines. */
  async outline(view) {
    return picture(await this.rows(view));
  }

  /**
   * A row of a view; scrolls to it and waits for it.
   * @param {string} view
   * @param {string | { aria: string | RegExp }} label the whole label; where labels repeat, a part of
   *   what a screen reader says of the row
   */
  async row(view, label) {
    const rows =
      typeof label === "string"
        ? this.view(view)
            .locator(".monaco-list-rows > .monaco-list-row")
            .filter({ has: this.#labelled(label) })
        : this.view(view).getByRole("treeitem", { name: label.aria });
    const row = rows.first();
    await this.eventually(() => revealRow(this.view(view), row));
    return row;
  }

  async click(view, label) {
    await (await this.row(view, label)).locator(".label-name").click();
  }

  /** Opens a row's children by its twistie, when they are hidden. */
  async expand(view, label) {
    const row = await this.row(view, label);
    const isOpen = async () => (await row.getAttribute("aria-expanded")) === "true";
    if (!(await isOpen())) await row.locator(".monaco-tl-twistie").click();
    await this.eventually(async () => {
      if (!(await isOpen())) throw new Error(`${label} stays closed`);
    });
  }

  /** Clicks a button that a row shows while the pointer is on it. */
  async clickRowAction(view, label, title) {
    const row = await this.row(view, label);
    await row.hover();
    await row.locator(`.actions .action-label[aria-label^="${title}"]`).click();
  }

  /** Clicks a button in a view's header. */
  async clickViewAction(view, title) {
    const header = this.view(view).locator("> .pane-header");
    await header.hover();
    await header.locator(`.action-label[aria-label^="${title}"]`).click();
  }

  /**
   * The tooltip of a row. A row drawn anew under a resting pointer shows none, and an old tooltip
   * goes only when the pointer moves: hence the repeats and the way in steps.
   */
  async tooltip(view, label) {
    const hover = this.page.locator(".workbench-hover .hover-contents");
    return this.eventually(async () => {
      await this.page.mouse.move(700, 400);
      await this.page.mouse.move(900, 400, { steps: 5 });
      await hover.waitFor({ state: "hidden", timeout: 3000 });
      await (await this.row(view, label)).locator(".label-name").hover();
      await hover.waitFor({ timeout: 3000 });
      return (await hover.innerText()).trim();
    });
  }

  /** What a view says in words instead of, or above, its rows: its message or welcome text. */
  async viewText(view) {
    const texts = this.view(view).locator(".message, .welcome-view-content > *");
    return (await texts.allInnerTexts()).map((text) => text.trim()).filter((text) => text !== "");
  }

  /** Runs a command by its whole title ("Category: Title") through the palette, by keyboard. */
  async command(title) {
    const input = this.page.locator(".quick-input-widget .quick-input-box input");
    await this.eventually(async () => {
      await this.page.keyboard.press("F1");
      await input.waitFor({ state: "visible", timeout: 3000 });
    });
    await input.fill(`>${title}`);
    const chosen = this.page.locator(".quick-input-list .monaco-list-row.focused .label-name");
    await this.eventually(async () => {
      if ((await chosen.first().textContent()) === title) return;
      await this.press("ArrowDown");
      throw new Error(`the palette has no command "${title}"`);
    });
    await this.press("Enter");
    await this.eventually(async () => {
      const isOpen = (await input.isVisible()) && (await input.inputValue()).startsWith(">");
      if (isOpen) throw new Error(`the palette stays open over "${title}"`); // another box may be
    });
  }

  /** Opens a file of the workspace in an editor, by keyboard. */
  async openFile(name) {
    const input = this.page.locator(".quick-input-widget .quick-input-box input");
    const found = this.page.locator(".quick-input-list .monaco-list-row .label-name:visible");
    const base = path.basename(name);
    await this.eventually(async () => {
      await this.press("Control+P");
      await input.waitFor({ state: "visible", timeout: 3000 });
    });
    await input.fill(path.join(this.workspace, name)); // a whole path finds this file only
    await this.eventually(async () => {
      const names = await found.allTextContents();
      if (names.length !== 1 || names[0] !== base) throw new Error(`not ${name} alone: ${names}`);
    });
    await this.press("Enter");
    const tab = `.tab.active[data-resource-name="${base}"]`;
    await this.page.locator(`.editor-group-container.active ${tab}`).waitFor();
  }

  /** Presses keys one after the other, such as 'ArrowDown' or 'Control+C'. */
  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async clipboardText() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Labels of the rows that have the keyboard's focus, in whatever list has it. */
  async focusedLabels() {
    const focused = ".monaco-list:focus-within .monaco-list-row.focused .label-name";
    return this.page.locator(focused).allTextContents();
  }

  /** What a screen reader says of the row that has the keyboard's focus; '' when none has. */
  async focusedAria() {
    const row = this.page.locator(".monaco-list:focus-within .monaco-list-row.focused");
    return (await row.count()) === 0 ? "" : row.first().getAttribute("aria-label");
  }

  async notificationTexts() {
    return this.page.locator(".notification-list-item-message").allInnerTexts();
  }

  /** Text of the status bar's first item that contains `part`; waits for it. */
  async statusText(part) {
    const item = this.page.locator(".part.statusbar .statusbar-item", { hasText: part }).first();
    return (await item.innerText()).trim();
  }

  /** Title of the active editor's tab; '' when no editor is open. */
  async activeTab() {
    const tab = this.page.locator(".editor-group-container.active .tab.active .label-name");
    return (await tab.count()) === 0 ? "" : tab.first().innerText();
  }

  /** Titles of all tabs of the active group, from the left. */
  async tabs() {
    return this.page
      .locator(".editor-group-container.active .tab .tab-label")
      .evaluateAll((labels) => labels.map((label) => label.getAttribute("aria-label") ?? ""));
  }

  /** Clicks a button in the active editor's title bar. */
  async clickEditorAction(title) {
    const group = this.page.locator(".editor-group-container.active .editor-actions");
    await group.locator(`.action-label[aria-label^="${title}"]`).click();
  }

  /** Names of the files in the active multi-diff editor, from the top. */
  async changedFiles() {
    return this.page
      .locator(".editor-group-container.active .multiDiffEntry .title.modified .label-name")
      .allTextContents();
  }

  /** The visible lines of both sides of the active diff editor. */
  async diffLines() {
    const sides = { before: ".editor.original", after: ".editor.modified" };
    const entries = Object.entries(sides).map(async ([side, selector]) => [
      side,
      await this.#linesOf(`.monaco-diff-editor ${selector}`),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  }

  /** The visible lines of the active text editor, from the top. */
  async editorLines() {
    return this.#linesOf(".editor-instance");
  }

  async badge(container) {
    const item = this.#activity(container);
    return (await item.locator(".badge-content").allInnerTexts()).join("");
  }

  /** Stores what the window looks like as `<name>.png` in the output folder. */
  async screenshot(name) {
    await this.page.screenshot({ path: path.join(this.out, `${name}.png`) });
  }

  #activity(container) {
    return this.page.locator(`.activitybar .action-item:has(> a[aria-label^="${container}"])`);
  }

  async #linesOf(selector) {
    const shown = this.page.locator(`.editor-group-container.active ${selector}`).first();
    return shown.evaluate((editor) => {
      const lines = [...editor.querySelectorAll(".view-lines .view-line")];
      lines.sort((a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top));
      return lines.map((line) => (line.textContent ?? "").replaceAll("\u00a0", " "));
    });
  }

  #labelled(text) {
    const whole = new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
    return this.page.locator(".label-name", { hasText: whole });
  }
}
