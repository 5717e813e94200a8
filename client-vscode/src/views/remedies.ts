// What can be done when nothing can be shown? As rows: keyboard and screen reader come with them.

import { t } from "@vscode/l10n";
import { ServerUnavailable } from "../server";
import type { TreeNode } from "./tree";

export function remedies(error: unknown): TreeNode[] {
  const choosePython = remedy("choosePython", t("Choose Python…"), "gear");
  const restart = remedy("restartServer", t("Restart Server"), "refresh");
  const log = remedy("showLog", t("Show Log"), "output");
  const isPython = error instanceof ServerUnavailable && error.pythonIsMissing;
  return isPython ? [choosePython, restart, log] : [restart, log];
}

export function remedy(command: string, label: string, icon: string): TreeNode {
  return {
    id: `remedy:${command}`,
    row: { label, description: "", icon: { id: icon }, aria: label, context: "remedy" },
    click: { command: `forkpoint.${command}`, title: label },
  };
}
