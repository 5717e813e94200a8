// What does one see whose setting names a Python that is not there?

export const title = "a wrong setting is named in one sentence, never passed over";
export const home = "broken-python";

const SESSIONS = "Sessions";
const SENTENCE =
  "Forkpoint needs Python 3.11 or newer: the setting forkpoint.python names /nowhere/python, which does not start. Correct it.";

export async function run(workbench, assert) {
  await workbench.openContainer("Forkpoint");
  await workbench.eventually(async () => {
    assert.deepEqual(await workbench.viewText(SESSIONS), [SENTENCE]);
    assert.deepEqual(await workbench.notificationTexts(), [SENTENCE]);
  });
}
