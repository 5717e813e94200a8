// The quick pick that searches transcripts: what is typed into it, and what it shows.

const WIDGET = ".quick-input-widget";

/**
 * One row of the quick pick.
 * @typedef {object} PickRow
 * @property {string} label
 * @property {string} description behind the label
 * @property {string} detail below it
 * @property {string} icon name of the codicon
 * @property {boolean} focused
 */

export class SearchPick {
  constructor(workbench) {
    this.workbench = workbench;
    this.page = workbench.page;
    this.input = this.page.locator(`${WIDGET} .quick-input-box input`);
  }

  /** Opens it from the palette, by keyboard. */
  async open() {
    await this.workbench.command("Forkpoint: Search Transcripts...");
    await this.isOpen();
  }

  async isOpen() {
    await this.page
      .locator(`${WIDGET} .quick-input-title`, { hasText: "Search Transcripts" })
      .waitFor();
  }

  async isClosed() {
    await this.page.locator(WIDGET).waitFor({ state: "hidden" });
  }

  /** What is in the box, in place of what was. */
  async look(query) {
    await this.input.fill(query);
  }

  async query() {
    return this.input.inputValue();
  }

  async title() {
    return this.page.locator(`${WIDGET} .quick-input-title`).innerText();
  }

  /** @returns {Promise<PickRow[]>} those that are in the page, which are the first ones */
  async rows() {
    return this.page.locator(`${WIDGET} .quick-input-list .monaco-list-row`).evaluateAll((rows) =>
      rows
        .sort((a, b) => Number(a.dataset.index) - Number(b.dataset.index))
        .map((row) => {
          const text = (selector) => row.querySelector(selector)?.textContent ?? "";
          // Rows are used again: below one without a detail that of another one is left, out of sight.
          const detail = text(".quick-input-list-label-meta");
          const hasDetail = row.getAttribute("aria-label").endsWith(detail);
          const icon = row.querySelector(".quick-input-list-icon")?.className ?? "";
          return {
            label: text(".label-name"),
            description: text(".label-description"),
            detail: hasDetail ? detail : "",
            icon: icon.match(/\bcodicon-([\w-]+)/)?.[1] ?? "",
            focused: row.classList.contains("focused"),
          };
        }),
    );
  }

  /** Rows as lines: label, description and detail, with ` | ` between those that are there. */
  async picture() {
    const rows = await this.rows();
    return rows.map(({ label, description, detail }) =>
      [label, description, detail].filter((text) => text !== "").join(" | "),
    );
  }

  async choose(label) {
    const row = this.page.locator(`${WIDGET} .quick-input-list .monaco-list-row`, {
      hasText: label,
    });
    await row.first().locator(".label-name").first().click(); // its detail is one, too
  }

  async press(button) {
    await this.page.locator(`${WIDGET} .action-label[aria-label^="${button}"]`).click();
  }
}
