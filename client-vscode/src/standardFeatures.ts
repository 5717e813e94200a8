// What does VS Code itself ask about transcripts? Outline, hover, ways, folding, links, marks, problems.

import * as vscode from "vscode";
import {
  CodeLensRequest,
  DocumentDiagnosticRequest,
  type LanguageClientOptions,
} from "vscode-languageclient/node";
import { RAW_SCHEME } from "./documents/rawTexts";
import { Refresher } from "./refresher";
import type { Server } from "./server";
import { TRANSCRIPT_SCHEME } from "./uri";

/** Shows where a conversation went on otherwise; the server's marks run it. */
export const SHOW_BRANCH = "forkpoint.showBranch";

/** Of raw files the server knows which are transcripts. */
const SELECTOR = [
  { scheme: TRANSCRIPT_SCHEME },
  { scheme: RAW_SCHEME },
  { scheme: "file", pattern: "**/*.jsonl" },
];
const PROBLEMS_GAP_MS = 1000;

/** What the client asks of which documents. */
export function standardOptions(): Pick<LanguageClientOptions, "documentSelector" | "middleware"> {
  return {
    documentSelector: SELECTOR,
    middleware: {
      // The client registers a provider for each scheme that the server declares. Ours answer
      // in its place: they also wait for a server that starts, and are there from the beginning.
      provideTextDocumentContent: () => null,
      didOpen: (document, next) => next(withoutText(document)),
      provideCodeLenses: (document, token, next) => (showsMarks() ? next(document, token) : []),
      provideDocumentSymbols: (document, token, next) =>
        isReadable(document) ? [] : next(document, token),
      provideFoldingRanges: (document, context, token, next) =>
        isReadable(document) ? [] : next(document, context, token),
      provideDocumentLinks: (document, token, next) =>
        isReadable(document) ? [] : next(document, token),
    },
  };
}

/** Its outline, folds and links came with its text: asked for anew they could be of a newer one. */
function isReadable({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === TRANSCRIPT_SCHEME;
}

/** What the server is told of this client. */
export const SAID_TO_SERVER = { commands: [SHOW_BRANCH], transcripts: "readable" };

/** Has VS Code ask again where it does not by itself. */
export function refreshStandardFeatures(server: Server): vscode.Disposable {
  const refresher = new Refresher(
    () => askForProblems(server),
    () => true,
    () => PROBLEMS_GAP_MS,
  );
  return vscode.Disposable.from(
    refresher,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (vscode.languages.match(SELECTOR, document) > 0) refresher.soon();
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("forkpoint.branchMarks")) askForMarks(server);
    }),
  );
}

/** The server reads what is on disk: a text of tens of megabytes need not be sent. */
function withoutText(document: vscode.TextDocument): vscode.TextDocument {
  return Object.create(document, { getText: { value: () => "" } }) as vscode.TextDocument;
}

function showsMarks(): boolean {
  return vscode.workspace.getConfiguration("forkpoint").get("branchMarks", true);
}

async function askForProblems(server: Server): Promise<void> {
  const feature = server.running?.getFeature(DocumentDiagnosticRequest.method);
  for (const document of openDocuments())
    feature?.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
}

function askForMarks(server: Server): void {
  const feature = server.running?.getFeature(CodeLensRequest.method);
  for (const document of openDocuments())
    feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
}

/** One of each kind is enough: a provider asks about all its documents. */
function openDocuments(): vscode.TextDocument[] {
  const documents = vscode.workspace.textDocuments;
  const ours = documents.filter((document) => vscode.languages.match(SELECTOR, document) > 0);
  return ours.slice(0, 1);
}
