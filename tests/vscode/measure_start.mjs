// How soon does somebody see the sessions, and how much memory does that take? Linux only.
//
// Argument: JSON { url, out, chromium, configDir, workspace, rounds }. Prints a JSON list: for each
// window, milliseconds from the click on the icon to the first row, VS Code's own figures of the
// extension's activation, and bytes of the extension host before and after, and of the server.

import { readdir, readFile } from "node:fs/promises";

import { chromium } from "playwright-core";

import { Workbench } from "./workbench.mjs";

const QUIET_MS = 4000;
const READ_MS = 8000;
const EXTENSION = "forkpoint.forkpoint";
const KIB = 1024;
/** The machine may be busy: that is part of what is measured. */
const PATIENCE_MS = 180_000;

const job = JSON.parse(process.argv[2]);
const isRoot = process.getuid?.() === 0;
const browser = await chromium.launch({
  executablePath: job.chromium,
  args: isRoot ? ["--disable-gpu", "--no-sandbox"] : ["--disable-gpu"],
});
const measured = [];
try {
  for (let round = 0; round < job.rounds; round++) measured.push(await measure());
} finally {
  await browser.close();
}
console.log(JSON.stringify(measured));

async function measure() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const workbench = new Workbench(page, job);
  page.setDefaultTimeout(PATIENCE_MS);
  await workbench.open(job.url);
  await page.waitForTimeout(QUIET_MS);
  const host = await newestHost();
  const before = await resident(host.pid);
  const began = performance.now();
  await page.locator('.activitybar .action-item:has(> a[aria-label^="Forkpoint"])').click();
  const rows = page.locator(".part.sidebar .pane .monaco-list-row");
  await rows.filter({ hasText: "Round the total" }).first().waitFor();
  const painted = performance.now() - began;
  await page.waitForTimeout(READ_MS);
  const all = await processes();
  const server = all.find(({ ppid, command }) => ppid === host.pid && /forkpoint/.test(command));
  const found = {
    paintedMs: Math.round(painted),
    activation: await activation(workbench),
    hostBefore: before,
    hostAfter: await resident(host.pid),
    server: server ? await resident(server.pid) : null,
  };
  await context.close();
  return found;
}

/** The row of VS Code's own table: milliseconds to load the code, to call `activate`, to end it. */
async function activation(workbench) {
  await workbench.command("Developer: Startup Performance");
  return workbench.eventually(async () => {
    await workbench.page.locator(".editor-group-container.active .view-line").first().click();
    await workbench.press("Control+A", "Control+C");
    const text = await workbench.clipboardText();
    const row = text.split("\n").find((line) => line.includes(EXTENSION));
    if (!row) throw new Error("no row of the extension");
    return row.trim();
  });
}

async function newestHost() {
  const hosts = (await processes()).filter(({ command }) => /--type=extensionHost/.test(command));
  return hosts.sort((a, b) => b.started - a.started)[0];
}

async function processes() {
  const found = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = (await readFile(`/proc/${name}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ");
      const command = (await readFile(`/proc/${name}/cmdline`, "utf8")).replaceAll("\0", " ");
      // Fields 4 and 22 of proc(5), of which the first two are cut off.
      found.push({ pid: Number(name), ppid: Number(stat[1]), started: Number(stat[19]), command });
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

async function resident(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) * KIB;
}
