// Which diff with a version of a file is in the active tab, and what stands on its sides?

import * as vscode from "vscode";
import { fileOfEmptyDocument, VERSION_SCHEME } from "../documents/versions";
import { setContext } from "../preferences";
import { activeTab, onDidChangeActiveTab } from "./activeTab";

/** A diff that has versions of a file on one side or both. */
export interface VersionSides {
  /** At least one. */
  versions: vscode.Uri[];
  /** The working file's document; undefined = it is on no side. */
  working: vscode.Uri | undefined;
  /** The working file, or where it would be; undefined = no side tells. */
  file: vscode.Uri | undefined;
}

/** Undefined when the tab shows something else. */
export function versionSides(tab: vscode.Tab | undefined): VersionSides | undefined {
  const input = tab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const sides = [input.modified, input.original];
  const ours = sides.filter(({ scheme }) => scheme === VERSION_SCHEME);
  const versions = ours.filter((uri) => !fileOfEmptyDocument(uri));
  if (versions.length === 0) return undefined;
  const working = sides.find(({ scheme }) => scheme === "file");
  return { versions, working, file: working ?? ours.map(fileOfEmptyDocument).find(Boolean) };
}

/** Keeps the context key by which menus know a diff between a version and the working file. */
export function tellWorkingDiffs(): vscode.Disposable {
  const tell = () => {
    const { working, file } = versionSides(activeTab()) ?? {};
    setContext("workingDiff", working ? "there" : file && "gone");
  };
  tell();
  return onDidChangeActiveTab(tell);
}
