// Which Python of this machine runs the server? Reads the setting, asks the Python extension, runs probes.

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { type Choice, candidatesFrom, chooseInterpreter, type Probed } from "./interpreter";

const PYTHON_EXTENSION = "ms-python.python";
const SLOWEST_ANSWER_MS = 20_000;

/** What the server cannot do without; `forkpoint` itself may be neither bundled nor installed. */
const PACKAGES = ["forkpoint", "pygls", "lsprotocol", "attrs", "cattrs"];

// Python 2 has to get as far as the answer, so nothing newer stands before the test of the version.
const QUESTION = `
import json, sys
missing = []
if sys.version_info >= (3, 11):
    from importlib.util import find_spec
    missing = [name for name in sys.argv[1:] if find_spec(name) is None]
print(json.dumps({"executable": sys.executable, "version": sys.version_info[:3], "missing": missing}))
`;

/** The part of the Python extension's interface that is used here. */
interface PythonEnvironments {
  getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
  resolveEnvironment(
    environment: string | { path: string },
  ): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
  onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
}

/**
 * @param env environment of the server's process, in which the probes run too
 * @param cwd a folder that no workspace controls
 */
export async function findPython(env: NodeJS.ProcessEnv, cwd: string): Promise<Choice> {
  const setting = vscode.workspace
    .getConfiguration("forkpoint")
    .get<string | string[]>("python", "");
  const candidates = candidatesFrom(setting, await chosenInPythonExtension(), process.platform);
  return chooseInterpreter(candidates, (command) => ask(command, env, cwd));
}

/** Calls back when the Python extension's choice changes, if it is installed and running. */
export function onDidChangePythonExtensionChoice(changed: () => void): vscode.Disposable {
  const environments = runningPythonExtension();
  return environments?.onDidChangeActiveEnvironmentPath(changed) ?? new vscode.Disposable(() => {});
}

async function chosenInPythonExtension(): Promise<string | undefined> {
  // A workspace can bring an interpreter of its own along and have it chosen.
  if (!vscode.workspace.isTrusted) return undefined;
  try {
    const environments = runningPythonExtension();
    if (!environments) return undefined;
    const active = environments.getActiveEnvironmentPath(
      vscode.workspace.workspaceFolders?.[0]?.uri,
    );
    return (await environments.resolveEnvironment(active))?.executable.uri?.fsPath;
  } catch {
    return undefined; // another extension's failure is no reason to have no server
  }
}

function runningPythonExtension(): PythonEnvironments | undefined {
  const extension = vscode.extensions.getExtension<{ environments?: PythonEnvironments }>(
    PYTHON_EXTENSION,
  );
  return extension?.isActive ? extension.exports.environments : undefined;
}

function ask(
  [program = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Probed | undefined> {
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: SLOWEST_ANSWER_MS };
    execFile(program, [...args, "-c", QUESTION, ...PACKAGES], options, (error, answer) => {
      resolve(error ? undefined : readAnswer(answer));
    });
  });
}

function readAnswer(answer: string): Probed | undefined {
  try {
    return JSON.parse(answer) as Probed;
  } catch {
    return undefined;
  }
}
