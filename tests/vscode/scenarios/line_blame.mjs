// Is what a transcript says of a line's author shown as text, whatever it is?

import { writeFile } from "node:fs/promises";
import path from "node:path";

export const title = "a title and a prompt that look like links and icons are words in a hover";
export const home = "demo";
export const settings = { "forkpoint.lineBlame": "hover" };

const SESSION = "0badf00d-0000-4000-8000-000000000000";
const EVIL = "[click](command:workbench.action.closeAllEditors) $(zap) <b>x</b> **y**";
const HOVER = ".monaco-hover-content:visible";

export async function run(workbench, assert) {
  await plant(workbench);
  await workbench.openContainer("Forkpoint");
  await workbench.row("Sessions", { aria: /click/ });
  await workbench.openFile("planted.py");
  await workbench.eventually(async () => {
    await workbench.press("Control+Home", "ArrowDown");
    assert.equal(await workbench.statusText("Ln "), "Ln 2, Col 1");
  });
  await workbench.command("Show or Focus Hover");
  const hover = workbench.page.locator(HOVER).first();
  await workbench.eventually(async () => {
    const text = (await hover.innerText()).replace(/\s+/g, " ");
    assert.ok(text.includes(`prompt 1 of “${EVIL}”`), text);
    assert.ok(text.includes(`Edit · ${EVIL}`), text);
  });
  await workbench.screenshot("line-blame-planted");
  const links = await hover.locator("a").allInnerTexts();
  assert.deepEqual(links, ["Go to the Prompt", "Show What It Changed"]);
  assert.equal(await hover.locator(".codicon-zap, b").count(), 0);
  await hover.getByText("click", { exact: false }).first().click();
  assert.ok((await workbench.tabs()).length > 0);
}

async function plant({ configDir, workspace }) {
  const file = path.join(workspace, "planted.py");
  await writeFile(file, "a\nPLANTED\n");
  const row = (uuid, parentUuid, fields) => ({
    uuid: `00000000-0000-4000-8000-00000000000${uuid}`,
    parentUuid: parentUuid && `00000000-0000-4000-8000-00000000000${parentUuid}`,
    sessionId: SESSION,
    timestamp: new Date(Date.now() - 60_000).toISOString(),
    cwd: workspace,
    version: "2.1.332",
    isSidechain: false,
    ...fields,
  });
  const edit = { file_path: file, old_string: "b", new_string: "PLANTED" };
  const call = { type: "tool_use", id: "call_1", name: "Edit", input: edit };
  const result = { type: "tool_result", tool_use_id: "call_1", content: "ok" };
  const told = { filePath: file, oldString: "b", newString: "PLANTED", originalFile: "a\nb\n" };
  const rows = [
    row(1, null, { type: "user", message: { role: "user", content: EVIL } }),
    row(2, 1, { type: "assistant", message: { id: "m", role: "assistant", content: [call] } }),
    row(3, 2, {
      type: "user",
      message: { role: "user", content: [result] },
      toolUseResult: told,
    }),
    { type: "custom-title", customTitle: EVIL, sessionId: SESSION },
  ];
  const lines = rows.map((each) => `${JSON.stringify(each)}\n`).join("");
  const key = workspace.replace(/[^A-Za-z0-9]/g, "-");
  await writeFile(path.join(configDir, "projects", key, `${SESSION}.jsonl`), lines);
}
