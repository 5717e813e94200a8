// Does Forkpoint speak Chinese where VS Code does: client, server, and what the manifest names?

export const title = "views, commands and the server's sentences are in Chinese";
export const home = "demo";
export const language = "zh-cn";

const SESSIONS = "会话 - 此仓库";

export async function run(workbench, assert) {
  await workbench.page.setViewportSize({ width: 1280, height: 1400 });
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    const rows = await workbench.rows(SESSIONS);
    assert.ok(rows.length > 10);
    assert.ok(
      rows.some(({ aria }) => /^Round the total，完成，\d+ 分钟前，分支 main，/.test(aria)),
    );
  });
  await workbench.screenshot("chinese-sessions");
  const labels = (await workbench.viewText("分支")).join(" ");
  assert.match(labels, /选择一个会话以查看其分支/);
  const row = await workbench.row(SESSIONS, { aria: /^Round the total，完成/ });
  await row.locator(".label-name").click();
  await workbench.eventually(async () => {
    const arias = (await workbench.rows("分支 - Round the total")).map(({ aria }) => aria);
    assert.ok(arias.some((aria) => aria.includes("活动叶节点")));
  });
  await workbench.screenshot("chinese-branches");
}
