// What does a tree view show? Its rows read from the page, and written as a picture.
//
// VS Code keeps only the visible rows of a list in the page, so a long view is scrolled through.

/**
 * One row of a tree view.
 * @typedef {object} Row
 * @property {number} index position in the view, from 0
 * @property {number} level depth, from 1
 * @property {string} label
 * @property {string} description the dimmed text after the label
 * @property {string} aria what a screen reader says
 * @property {string} icon name of the codicon; '' for none or an own image
 * @property {boolean | null} expanded null for a row without children
 * @property {boolean} selected
 */

/**
 * All rows of a view, from the top.
 * @param {import('playwright-core').Locator} pane
 * @returns {Promise<Row[]>}
 */
export async function readRows(pane) {
  const list = pane.locator(".monaco-list");
  if ((await list.count()) === 0) return [];
  const rows = new Map();
  for await (const screen of screens(list)) {
    for (const row of screen.rows) rows.set(row.index, row);
  }
  return [...rows.values()].sort((a, b) => a.index - b.index);
}

/**
 * Scrolls a view until a row is in the page.
 * @param {import('playwright-core').Locator} pane
 * @param {import('playwright-core').Locator} row
 */
export async function revealRow(pane, row) {
  const list = pane.locator(".monaco-list");
  if (await isWhole(list, row)) return;
  for await (const _ of screens(list)) if (await isWhole(list, row)) return;
  if ((await row.count()) === 0) throw new Error(`no such row: ${row}`);
}

/** Whether a row is there, and nothing of it lies below the header or the next view. */
async function isWhole(list, row) {
  if ((await row.count()) === 0) return false;
  const [frame, box] = await Promise.all([list.boundingBox(), row.boundingBox()]);
  if (frame === null || box === null) return false;
  return box.y >= frame.y - 1 && box.y + box.height <= frame.y + frame.height + 1;
}

/**
 * Rows as lines: two spaces a level, `v` open, `>` closed, label, and the description after ` | `.
 * @param {Row[]} rows
 */
export function picture(rows) {
  return rows.map((row) => {
    const twistie = row.expanded === null ? " " : row.expanded ? "v" : ">";
    const description = row.description === "" ? "" : ` | ${row.description}`;
    return `${"  ".repeat(row.level - 1)}${twistie} ${row.label}${description}`;
  });
}

// What a list shows at each position, from its top to its end.
async function* screens(list) {
  let screen = await list.evaluate(look);
  while (!screen.atTop) screen = await scroll(list, -screen.height);
  yield screen;
  while (!screen.atEnd) {
    screen = await scroll(list, screen.height / 2);
    yield screen;
  }
}

async function scroll(list, pixels) {
  await list.hover({ position: { x: 5, y: 5 } });
  await list.page().mouse.wheel(0, pixels);
  await list.page().waitForTimeout(100);
  return list.evaluate(look);
}

// Runs in the page. Where the list stands is read from its scroll bar: VS Code draws its own.
function look(list) {
  const text = (row, selector) => row.querySelector(selector)?.textContent ?? "";
  const icon = (row) => row.querySelector(".custom-view-tree-node-item-icon")?.className ?? "";
  const expanded = { true: true, false: false };
  const rows = [...list.querySelectorAll(".monaco-list-rows > .monaco-list-row")].map((row) => ({
    index: Number(row.dataset.index),
    level: Number(row.getAttribute("aria-level")),
    label: text(row, ".label-name"),
    description: text(row, ".label-description"),
    aria: row.getAttribute("aria-label") ?? "",
    icon: icon(row).match(/\bcodicon-([\w-]+)/)?.[1] ?? "",
    expanded: expanded[row.getAttribute("aria-expanded")] ?? null,
    selected: row.classList.contains("selected"),
  }));
  const bar = list.querySelector(".scrollbar.vertical");
  const slider = bar.querySelector(".slider");
  const top = new DOMMatrix(slider.style.transform).m42 + Number.parseFloat(slider.style.top);
  const height = Number.parseFloat(bar.style.height);
  const end = top + Number.parseFloat(slider.style.height);
  return { rows, height, atTop: top < 1, atEnd: end > height - 1.5 };
}
