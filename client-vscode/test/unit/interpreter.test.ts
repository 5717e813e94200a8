// Which Python is taken, and the one sentence when none fits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { candidatesFrom, chooseInterpreter, type Probed } from "../../src/interpreter";

const commands = (...names: string[][]) => names;

test("a setting stands alone", () => {
  for (const setting of ["/opt/python", ["/opt/python"], " /opt/python "])
    assert.deepEqual(candidatesFrom(setting, "/venv/python", "linux"), [
      { source: "setting", command: ["/opt/python"] },
    ]);
  assert.deepEqual(candidatesFrom(["py", "-3.12"], undefined, "win32"), [
    { source: "setting", command: ["py", "-3.12"] },
  ]);
});

const ORDERS: [extension: string | undefined, platform: NodeJS.Platform, order: string[][]][] = [
  [undefined, "linux", commands(["python3"], ["python"])],
  ["/venv/python", "darwin", commands(["/venv/python"], ["python3"], ["python"])],
  [undefined, "win32", commands(["python3"], ["python"], ["py", "-3"])],
];

for (const [extension, platform, order] of ORDERS)
  test(`without a setting: ${order.join(", ")}`, () => {
    for (const setting of ["", []]) {
      const found = candidatesFrom(setting, extension, platform);
      assert.deepEqual(
        found.map(({ command }) => command),
        order,
      );
    }
  });

/** A machine: what each program answers. */
type Machine = Record<string, Partial<Probed>>;

const good = { version: [3, 12, 1] };
const old = { version: [3, 9, 2] };
const bare = { version: [3, 11, 0], missing: ["pygls", "lsprotocol"] };

const CHOICES: [what: string, setting: string, machine: Machine, outcome: string][] = [
  ["the first that fits", "", { python3: good, python: good }, "python3"],
  ["one that is too old is passed over", "", { python3: old, python: good }, "python"],
  ["one without the packages is passed over", "", { python3: bare, python: good }, "python"],
  [
    "nothing at all",
    "",
    {},
    "Forkpoint needs Python 3.11 or newer: none found (tried python3, python). Install one, or set forkpoint.python.",
  ],
  [
    "nothing new enough",
    "",
    { python3: old, python: { version: [2, 7, 18] } },
    "Forkpoint needs Python 3.11 or newer: none found (tried python3 is 3.9.2, python is 2.7.18). Install one, or set forkpoint.python.",
  ],
  [
    "only one without the packages",
    "",
    { python3: old, python: bare },
    'Forkpoint needs the Python packages pygls, lsprotocol: run "/bin/python" -m pip install pygls lsprotocol',
  ],
  [
    "one package is missing",
    "",
    { python3: { version: [3, 13, 0], missing: ["orjson"] } },
    'Forkpoint needs the Python package orjson: run "/bin/python3" -m pip install orjson',
  ],
  [
    "a setting that does not start",
    "/nowhere/python",
    { python3: good },
    "Forkpoint needs Python 3.11 or newer: the setting forkpoint.python names /nowhere/python, which does not start. Correct it.",
  ],
  [
    "a setting that is too old",
    "/old/python",
    { "/old/python": old },
    "Forkpoint needs Python 3.11 or newer: the setting forkpoint.python names /old/python, which is 3.9.2. Correct it.",
  ],
];

for (const [what, setting, machine, outcome] of CHOICES)
  test(what, async () => {
    const choice = await chooseInterpreter(
      candidatesFrom(setting, undefined, "linux"),
      async ([program = ""]) => {
        const answer = machine[program];
        return answer && { executable: `/bin/${program}`, version: [], missing: [], ...answer };
      },
    );
    const got = choice.kind === "found" ? choice.command.join(" ") : choice.sentence;
    assert.equal(got, outcome);
  });
