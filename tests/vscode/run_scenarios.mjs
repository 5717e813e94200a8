// Runs scenarios against one running VS Code, each in a fresh browser context: a window that
// nobody has used. Prints `ok NAME: TITLE` or `not ok NAME: TITLE`, the error indented below it.
//
// Argument: JSON { url, out, chromium, configDir, workspace, scenarios: [name, ...] }.

import assert from "node:assert/strict";

import { chromium } from "playwright-core";

import { Workbench } from "./workbench.mjs";

const LONGEST_MS = 300_000;

const job = JSON.parse(process.argv[2]);
const isRoot = process.getuid?.() === 0;
const quiet = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-gpu",
  "--disable-sync",
];
const browser = await chromium.launch({
  executablePath: job.chromium,
  args: isRoot ? [...quiet, "--no-sandbox"] : quiet, // Chromium refuses to sandbox for root
});
for (const name of job.scenarios) await runOne(name);
await browser.close();

async function runOne(name) {
  const { title, run, language } = await import(`./scenarios/${name}.mjs`);
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport, locale: "en-US" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  if (language) await context.addInitScript(speak, language);
  const page = await context.newPage();
  const pageErrors = [];
  page.on("pageerror", (error) => pageErrors.push(`in the page: ${error.message}`));
  const workbench = new Workbench(page, job);
  const began = Date.now();
  const seconds = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
  try {
    await inTime(workbench.open(job.url).then(() => run(workbench, assert)));
    console.log(`ok ${name}: ${title} (${seconds()})`);
  } catch (error) {
    await workbench.screenshot(`${name}-failed`).catch(() => {});
    console.log(`not ok ${name}: ${title} (${seconds()})`);
    console.log([error.stack ?? String(error), ...pageErrors].join("\n").replace(/^/gm, "    "));
  } finally {
    await context.close();
  }
}

/** Stands in for a language pack, which sets this: extensions go by it, VS Code itself stays English. */
function speak(language) {
  Object.defineProperty(globalThis, "_VSCODE_NLS_LANGUAGE", { get: () => language, set() {} });
}

async function inTime(work) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`not finished after ${LONGEST_MS / 1000} s`);
    timer = setTimeout(() => reject(error), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
