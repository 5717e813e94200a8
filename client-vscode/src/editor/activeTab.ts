// What has the focus? Read from the active tab: it stays while a panel or a view is used.

import * as vscode from "vscode";
import type { Focus } from "./follow";

export function focusOfActiveTab(): Focus {
  const tab = activeTab();
  if (!tab) return { kind: "none" };
  const uri = uriOf(tab.input);
  return uri?.scheme === "file" ? { kind: "file", file: uri.toString() } : { kind: "other" };
}

export function activeTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.activeTabGroup.activeTab;
}

/** Another tab, or another group, may have become the active one. */
export function onDidChangeActiveTab(told: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(told),
    vscode.window.tabGroups.onDidChangeTabGroups(told),
  );
}

/** Of a diff the side that can be edited. */
function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isOfOne =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return isOfOne ? input.uri : undefined;
}
