// Where does Forkpoint write what it does? One output channel, also for the server's own lines.

import * as vscode from "vscode";

export const log = vscode.window.createOutputChannel("Forkpoint", { log: true });
