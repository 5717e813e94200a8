export const title = 'both views show the demo';
export const home = 'demo';
const S = 'Sessions - this repository';
export async function run(workbench, assert) {
  await workbench.openContainer('Forkpoint');
  await workbench.page.waitForTimeout(4000);
  const row = (aria) => workbench.view(S).locator(`.monaco-list-row[aria-label^="${aria}"] .label-name`);
  await row('Round the total, complete, 4 minutes').click();
  await workbench.page.waitForTimeout(3000);
  await workbench.screenshot('demo-2');
  const B = 'Branches - Round the total';
  console.log((await workbench.outline(B)).join('\n'));
  await row('Round the total, complete, 4 minutes').hover();
  await workbench.page.waitForTimeout(1500);
  await workbench.screenshot('demo-3');
  console.log(await workbench.notificationTexts());
  await row('Round the total, complete, 4 minutes').click();
  await workbench.press('ArrowRight');
  await workbench.page.waitForTimeout(1000);
  await workbench.expand(S, 'Prompts');
  await workbench.expand(S, 'Abandoned (1)');
  await workbench.page.waitForTimeout(2000);
  await workbench.screenshot('demo-4');
  console.log((await workbench.outline(S)).slice(0, 30).join('\n'));
}
