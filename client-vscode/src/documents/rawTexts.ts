// What are the lines of a transcript that the agent compressed? The server unpacks them.

import * as vscode from "vscode";
import type { Backend } from "../backend";

/** Scheme of the URIs that the server gives for the lines of compressed transcripts. */
export const RAW_SCHEME = "forkpoint-raw";

const PACKED = ".zst";

/** VS Code shows in the editor why the lines cannot be given. */
export function registerRawTexts(backend: Backend): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(RAW_SCHEME, {
    provideTextDocumentContent: (uri) => backend.textOf(uri.toString()),
  });
}

/** The document in which an editor can show a transcript's file. */
export function rawDocument(file: string): vscode.Uri {
  const uri = vscode.Uri.parse(file, true);
  if (!uri.path.endsWith(PACKED)) return uri;
  return uri.with({ scheme: RAW_SCHEME, path: uri.path.slice(0, -PACKED.length) });
}
