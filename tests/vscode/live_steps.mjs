// What does an agent do that a window must not make more of, or less, than it is?

import { goToLine, labels, place, rowAppears, rowOf, showsText } from "./live_window.mjs";

/** What a client says between two turns lasts no longer. */
const PAUSE_MS = 65;
const PAUSE_SEEN_MS = 1500;
/** Of what changes soon after another change VS Code may draw the last state only. */
const QUIET_MS = 1000;

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A menu that the user called up asks nobody: behind it a command runs. */
export async function isNoQuestion(workbench, assert, login, { view, label }) {
  await login.say("waiting", "dialog open");
  await workbench.eventually(async () => {
    const { icon, aria } = await rowOf(workbench, view, label);
    assert.equal(icon, "loading");
    assert.match(aria, /, live, a menu is open, /);
    assert.equal(await workbench.badge("Forkpoint"), "");
  });
  await workbench.screenshot("live-4-menu");
}

/** Between two turns of which the second is waiting already nothing says that the agent rests. */
export async function staysBusy(workbench, assert, login, view) {
  await workbench.eventually(() => rowOf(workbench, view, "Thinking"));
  await pass(QUIET_MS);
  const rested = rowAppears(workbench, view, "Active leaf", PAUSE_SEEN_MS).then(
    () => true,
    () => false,
  );
  await login.say("idle");
  await pass(PAUSE_MS);
  await login.say("busy");
  assert.equal(await rested, false);
  assert.ok(await rowOf(workbench, view, "Thinking"));
}

/** What is read goes with a rewind: the reader sees what came instead, and is not dragged along. */
export async function keepsTheReader(workbench, assert, login) {
  const fork = login.last;
  await login.prompt("In full, please");
  const answer = Array.from({ length: 300 }, (_, line) => `Line ${line} of what is forgotten.`);
  await login.answer(answer.join("\n\n"));
  // It saw the end before the last rewind, and still does.
  await workbench.eventually(() => showsText(workbench, "Line 299 of what is forgotten."));
  await workbench.command("View: Focus Active Editor Group");
  await goToLine(workbench, 1); // the cursor may have gone along to the end
  await workbench.eventually(async () => assert.match(await place(workbench), /^Ln 1, /));
  await workbench.press("Control+End");
  await workbench.eventually(async () => assert.doesNotMatch(await place(workbench), /^Ln 1, /));
  const end = Number((await place(workbench)).match(/^Ln (\d+)/)[1]);
  await goToLine(workbench, end - 200);
  await workbench.eventually(() => showsText(workbench, "Line 200 of what is forgotten."));
  await workbench.screenshot("live-9-reader");
  const gone = await place(workbench);
  login.last = fork;
  await login.prompt("In short, please");
  const seesTheNew = async () => {
    const lines = await workbench.editorLines();
    const at = lines.findIndex((line) => /^## .*In short, please/.test(line));
    assert.ok(at >= 0 && at <= 8, lines.join("\n"));
  };
  await workbench.eventually(async () => {
    await seesTheNew();
    assert.notEqual(await place(workbench), gone);
  });
  const there = await place(workbench);
  await workbench.screenshot("live-9-reader-rewound");
  const short = Array.from({ length: 150 }, (_, line) => `Line ${line} of the short one.`);
  await login.answer(short.join("\n\n"));
  await workbench.eventually(() => showsText(workbench, "Line 3 of the short one."));
  await seesTheNew();
  assert.equal(await place(workbench), there);
  await workbench.screenshot("live-9-reader-left");
}

/** The conversation is over for now, but not what it started. */
export async function showsTheBackground(workbench, assert, login, view) {
  const agent = await login.launch("Look for tests");
  await login.answer("I told somebody to look.");
  await login.say("idle");
  await workbench.eventually(async () => {
    const { icon, description, aria } = await rowOf(workbench, view, "Agent Look for tests");
    assert.equal(icon, "loading");
    assert.equal(description, "in the background · active leaf");
    assert.equal(aria, "active leaf, running now: Agent Look for tests in the background");
  });
  await workbench.screenshot("live-9-background");
  await login.land(agent);
  await workbench.eventually(() => rowOf(workbench, view, "Active leaf"));
  await login.say("busy");
  await login.answer("There are none.");
}

/** A thousand records in a moment, and then what it does. */
export async function outlivesABurst(workbench, assert, agent, view) {
  const lines = Array.from({ length: 1000 }, (_, number) =>
    agent.record({
      type: "assistant",
      message: {
        id: `msg_burst_${number}`,
        role: "assistant",
        model: "claude-opus-5-5",
        content: [{ type: "text", text: `Step ${number}` }],
      },
    }),
  );
  while (lines.length > 0) await agent.write(...lines.splice(0, 25));
  const call = await agent.call("Bash", { command: "make clean" });
  await workbench.eventually(async () =>
    assert.ok(await rowOf(workbench, view, "Bash make clean")),
  );
  await agent.result(call);
}

/** A row that somebody opened is open below another heading, too. */
export async function keepsAMovedRowOpen(workbench, assert, login, { view, label }) {
  await workbench.expand(view, label);
  await workbench.eventually(() => rowOf(workbench, view, "Prompts"));
  await login.start("idle");
  const opened = [`  v ${label}`, "    > Prompts"];
  await workbench.eventually(async () => {
    const rows = await labels(workbench, view);
    assert.deepEqual(rows.slice(0, 3), ["v Live now", ...opened]);
  });
  await workbench.screenshot("live-16-open-above");
  await login.end();
  await workbench.eventually(async () => {
    const rows = await labels(workbench, view);
    assert.equal(rows[0], "v Today");
    const at = rows.indexOf(opened[0]);
    assert.deepEqual(rows.slice(at, at + 2), opened);
  });
  await workbench.screenshot("live-17-open-below");
}
