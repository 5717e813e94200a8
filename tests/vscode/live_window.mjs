// What does one look at in a window that moves by itself, and how?

import assert from "node:assert/strict";

/** Waits in the page, frame by frame, for a row with this label. */
export function rowAppears({ page }, view, label, patienceMs) {
  const find = ({ name, text }) => {
    const panes = [...document.querySelectorAll(".part.sidebar .pane")];
    const pane = panes.find((each) =>
      each.querySelector(":scope > .pane-header")?.getAttribute("aria-label")?.startsWith(name),
    );
    const labels = [...(pane?.querySelectorAll(".monaco-list-row .label-name") ?? [])];
    return labels.some((each) => each.textContent === text);
  };
  return page.waitForFunction(find, { name: view, text: label }, { timeout: patienceMs });
}

export async function showsText(workbench, text) {
  const lines = await workbench.editorLines();
  assert.ok(
    lines.some((line) => line.includes(text)),
    lines.join("\n"),
  );
}

export async function selectedLabels(workbench, view) {
  const rows = await workbench.rows(view);
  return rows.filter(({ selected }) => selected).map(({ label }) => label);
}

export async function rowOf(workbench, view, label) {
  const row = (await workbench.rows(view)).find((each) => each.label === label);
  if (!row) throw new Error(`no row ${label} in ${(await workbench.outline(view)).join("\n")}`);
  return row;
}

/** Rows without what grows with time and size. */
export async function labels(workbench, view) {
  return (await workbench.outline(view)).map((row) => row.split(" | ")[0]);
}

/** A test may take more than a minute. */
export function withoutMinutes(row) {
  return row.replace(/\b\d+ min\b/, "now");
}

export async function place({ page }) {
  return (await page.locator("#status\\.editor\\.selection").innerText()).trim();
}

export async function goToLine(workbench, line) {
  await workbench.page.keyboard.press("Control+G");
  const input = workbench.page.locator(".quick-input-widget .quick-input-box input");
  await input.waitFor({ state: "visible" });
  await input.fill(`:${line}`);
  await workbench.press("Enter");
  await input.waitFor({ state: "hidden" });
}

export async function dragEdge(page, from, to) {
  await page.mouse.move(from, 500);
  await page.mouse.down();
  await page.mouse.move(to, 500, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 400);
}
