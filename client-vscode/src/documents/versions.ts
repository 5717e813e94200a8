// What did a file hold then? Versions as read-only documents; the server gives their text.

import * as vscode from "vscode";
import type { Backend } from "../backend";

/** Scheme of the URIs that the server gives for versions of files. */
export const VERSION_SCHEME = "forkpoint-version";

/** VS Code shows in the editor why a version cannot be given. */
export function registerVersionDocuments(backend: Backend): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(VERSION_SCHEME, {
    provideTextDocumentContent: (uri) => backend.textOf(uri.toString()),
  });
}

const EMPTY = "empty";

/** The document that stands for a file that does not exist: an empty text in the same language. */
export function emptyDocument(file: string): vscode.Uri {
  return vscode.Uri.parse(file, true).with({ scheme: VERSION_SCHEME, query: EMPTY });
}

/** The file that an empty document stands for; undefined = it is another document. */
export function fileOfEmptyDocument(uri: vscode.Uri): vscode.Uri | undefined {
  const isEmpty = uri.scheme === VERSION_SCHEME && uri.query === EMPTY;
  return isEmpty ? uri.with({ scheme: "file", query: "" }) : undefined;
}
