// Does one get everywhere without a mouse, and does a screen reader hear what there is to see?

export const title = 'the keyboard alone reaches a session, its transcript and its branches';
export const home = 'demo';

export async function run(workbench, assert) {
  const { page } = workbench;
  const focused = (aria) =>
    workbench.eventually(async () => assert.match(await focusedAria(page), aria));

  await runByKeyboard(workbench, 'Forkpoint: Focus on Sessions View');
  await workbench.eventually(async () =>
    assert.ok((await workbench.rows('Sessions - this repository')).length > 10),
  );
  await workbench.press('Home');
  await focused(/^(Today|Yesterday), \d+ sessions?$/);
  await workbench.press('ArrowDown');
  await focused(/^Round the total, complete, \d+ minutes ago, branch main, \d+ kB$/);

  await workbench.press('Enter');
  await workbench.eventually(async () => {
    assert.equal(await workbench.activeTab(), 'Round the total');
    assert.equal((await workbench.editorLines())[0], '# Round the total');
  });

  await workbench.press('ArrowRight');
  await workbench.eventually(async () =>
    assert.deepEqual(
      (await workbench.outline('Sessions - this repository')).slice(2, 4),
      ['    > Prompts', '    > Abandoned (1)'],
    ),
  );
  await workbench.press('ArrowDown', 'ArrowDown');
  await focused(/^Abandoned \(1\)$/);
  await workbench.press('ArrowRight');
  await workbench.eventually(async () => {
    await workbench.press('ArrowDown');
    assert.match(await focusedAria(page), /^abandoned branch, Lower the tax rate, 2 prompts, \d+ minutes ago$/);
  });

  await runByKeyboard(workbench, 'Forkpoint: Focus on Branches View');
  await workbench.press('Home');
  await focused(/^active branch, Round the total, 1 prompt, \d+ minutes ago$/);
  await workbench.press('End');
  await focused(/^abandoned branch, Lower the tax rate, 2 prompts, \d+ minutes ago$/);
  await workbench.press('ArrowRight');
  await workbench.eventually(async () => {
    await workbench.press('End');
    assert.match(await focusedAria(page), /^prompt, Add a discount module, \d+ minutes ago$/);
  });
  await workbench.screenshot('keyboard');

  await workbench.press('Control+C');
  await workbench.eventually(async () => assert.match(await clipboard(page), /^Add a discount module · \d+ min$/));
  await runByKeyboard(workbench, 'Forkpoint: Reveal Active Leaf');
  await focused(/^active leaf: a resume goes on here$/);
}

async function runByKeyboard({ page, eventually }, title) {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await page.keyboard.press('F1');
  await input.waitFor();
  await page.keyboard.type(title);
  const first = page.locator('.quick-input-list .monaco-list-row.focused .label-name');
  await first.filter({ hasText: title }).waitFor();
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'hidden' });
}

/** What a screen reader says of the row that has the keyboard's focus; '' when none has. */
async function focusedAria(page) {
  const row = page.locator('.monaco-list:focus .monaco-list-row.focused');
  return (await row.count()) === 0 ? '' : row.first().getAttribute('aria-label');
}

function clipboard(page) {
  return page.evaluate(() => navigator.clipboard.readText());
}
