// When does the server have to be started anew? When what it was started with is no longer so.

import * as vscode from "vscode";
import { onDidChangePythonExtensionChoice } from "./python";
import type { Server } from "./server";

const SERVER_SETTINGS = ["python", "claudeConfigDirs", "codexHomes"];

export function restartWhenNeeded(server: Server): vscode.Disposable[] {
  const restart = () => void server.restart();
  return [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SERVER_SETTINGS.some((name) => event.affectsConfiguration(`forkpoint.${name}`)))
        restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    onDidChangePythonExtensionChoice(restart),
  ];
}
