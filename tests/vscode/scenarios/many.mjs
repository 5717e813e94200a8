// Where there are more sessions and branches than are loaded at once, does the keyboard go on?

import { randomUUID } from "node:crypto";
import { appendFile } from "node:fs/promises";

import { transcriptPath, writeSession } from "../transcripts.mjs";

export const title = "of very many sessions and branches more are loaded by the keyboard alone";
export const home = "many";
export const settings = { "forkpoint.scope": "all" };

const SESSIONS = "Sessions - everything";
const BROAD = "A broad tree";
const BRANCHES = `Branches - ${BROAD}`;
const DAY = 24 * 60;
const tokens = "3/0/0/1000/10";
const id = (number) => `5e551010-0000-4000-8000-${String(number).padStart(12, "0")}`;

export async function run(workbench, assert) {
  await writeMany(workbench, 230);
  await writeBroad(workbench, 2100);
  await workbench.openContainer("Forkpoint");
  for (const name of ["File Checkpoints", "Resume & Cache"])
    await workbench.view(name).locator("> .pane-header").click();
  await loadsMoreSessions(workbench, assert);
  await loadsMoreBranches(workbench, assert);
}

/** All of them three weeks old. */
async function writeMany(folders, count) {
  for (let number = 1; number <= count; number++) {
    const minutesAgo = 21 * DAY + number;
    const turns = [{ prompt: `Question ${number}`, minutesAgo, tokens }];
    await writeSession(folders, { id: id(number), turns });
  }
}

/** A session in which one answer was gone back to again and again. */
async function writeBroad(folders, count) {
  const session = { id: id(0), turns: [{ prompt: BROAD, minutesAgo: 1, tokens }] };
  const parentUuid = await writeSession(folders, session);
  const { workspace: cwd } = folders;
  const rows = Array.from({ length: count }, (_, number) => ({
    ...{ type: "user", uuid: randomUUID(), parentUuid, isSidechain: false },
    ...{ sessionId: id(0), cwd, version: "2.1.332", timestamp: new Date().toISOString() },
    message: { role: "user", content: `Try ${number + 1}` },
  }));
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await appendFile(transcriptPath(folders, id(0)), text);
}

async function loadsMoreSessions(workbench, assert) {
  await workbench.row(SESSIONS, BROAD);
  await workbench.eventually(async () =>
    assert.deepEqual(await workbench.outline(SESSIONS).then(withoutSessions), [
      "v Today | 1",
      "> Older | 199+",
      "  Load more… | 200 of 231 shown",
    ]),
  );
  await workbench.screenshot("many-sessions");
  await workbench.command("Forkpoint: Focus on Sessions View");
  await workbench.eventually(async () => {
    await workbench.press("End");
    assert.equal(await workbench.focusedAria(), "Load more… 200 of 231 shown");
  });
  await workbench.press("Enter");
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^Question 200, complete, 21 days ago/),
  );
  await workbench.screenshot("many-sessions-more");
  await workbench.press("End");
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^Question 230, /),
  );
}

function withoutSessions(lines) {
  return lines.filter((line) => !line.startsWith(" ") || line.includes("Load more"));
}

async function loadsMoreBranches(workbench, assert) {
  await workbench.press("Home", "ArrowDown", "Enter");
  await workbench.view(BRANCHES).locator(".monaco-list-row").nth(2).waitFor();
  await workbench.command("Forkpoint: Focus on Branches View");
  await workbench.eventually(async () => {
    await workbench.press("End");
    assert.equal(await workbench.focusedAria(), "Load more… 2,000 of 2,101 shown");
  });
  await workbench.screenshot("many-branches");
  await workbench.press("Enter");
  await workbench.eventually(async () =>
    assert.match(await workbench.focusedAria(), /^abandoned branch, Try 1999, 1 prompt, /),
  );
  await workbench.screenshot("many-branches-more");
}
