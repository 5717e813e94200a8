export const title = 'tmp';
export const home = 'demo';
export const settings = { 'workbench.colorTheme': 'Default Dark Modern', 'outline.collapseItems': 'alwaysExpand' };
import { execSync } from 'node:child_process';
export async function run(workbench, assert) {
  await workbench.openContainer('Forkpoint');
  await workbench.click('Sessions', 'Checkout totals');
  await workbench.page.waitForTimeout(1500);
  console.log(await workbench.tooltip('Sessions', 'Checkout totals'));
  await workbench.screenshot('tmp-tooltip');
  await workbench.command('Explorer: Focus on Outline View');
  await workbench.page.waitForTimeout(2500);
  console.log((await workbench.outline('Outline')).slice(0, 40).join('\n'));
  await workbench.screenshot('tmp-outline');
  await workbench.openContainer('Forkpoint');
  const pids = () => execSync('pgrep -f "forkpoint serve" || true').toString().trim().split('\n');
  const before = pids();
  console.log('before', before);
  await workbench.command('Forkpoint: Restart Server');
  await workbench.page.waitForTimeout(4000);
  console.log('after restart', pids(), await workbench.notificationTexts());
  console.log((await workbench.outline('Sessions')).slice(0, 3).join('\n'));
  await workbench.screenshot('tmp-restarted');
}
