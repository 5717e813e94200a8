// From a tool call to the place in the file, and from a line back to the prompt.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Command, isNode, type Parts, register, withPatience } from "./commands";
import { type Span, showChanges } from "./editor/changes";
import type { CallReference, Jumps } from "./editor/jump";
import type { LineAuthors } from "./editor/lineAuthors";
import { placeOf, type TranscriptPlace } from "./editor/lineBlame";
import { inform } from "./notices";
import type { LineChange } from "./protocol";
import { noAuthor } from "./views/describe/lineAuthor";

export function registerJumpCommands(
  jumps: Jumps,
  authors: LineAuthors,
  parts: Parts,
): vscode.Disposable[] {
  const { backend, branches } = parts;
  const onLine = (run: (change: LineChange) => Promise<void>): Command => {
    return async () => {
      const change = await changeOfLine(authors);
      if (change) await withPatience(run(change));
    };
  };
  return register({
    jumpToEdit: async (argument) => {
      const selected = branches.view.selection[0]?.call;
      const call = isNode(argument) ? argument.call : isCall(argument) ? argument : selected;
      if (call) await withPatience(jumps.open(call, isCall(argument)));
      else tell(t("Select a tool call on a file in the view Branches first."));
    },
    goToPromptOfLine: onLine((change) => openAt(placeOf(change), parts)),
    showChangesOfLine: onLine(async (change) => {
      if (change.prompt)
        await showChanges(backend, spanOf({ ...change, prompt: change.prompt.uuid }));
      else tell(t("The prompt of this line is not known."));
    }),
    openTranscriptAt: async (argument) => {
      if (isPlace(argument)) await withPatience(openAt(argument, parts));
    },
    showChangesAt: async (argument) => {
      if (isTurn(argument)) await withPatience(showChanges(backend, spanOf(argument)));
    },
  });
}

/** Of the line at the cursor; where no call wrote it a sentence says so. */
async function changeOfLine(authors: LineAuthors): Promise<LineChange | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    tell(t("Open a file to see which prompt changed a line."));
    return undefined;
  }
  const author = await authors.of(editor.document, editor.selection.active.line);
  if (author?.change) return author.change;
  if (author) tell(noAuthor(author.run, Date.now()));
  else if (editor.document.isDirty) tell(t("Nothing is known of lines that are not saved."));
  else tell(t("No session edited this file with Claude's tools."));
  return undefined;
}

async function openAt(place: TranscriptPlace, { backend, transcripts }: Parts): Promise<void> {
  const { sessionId, ...rest } = place;
  const { sessions } = await backend.ask("forkpoint/sessions", {
    query: sessionId,
    includeProgrammatic: true,
    includeArchived: true,
  });
  const session = sessions.find((each) => each.sessionId === sessionId);
  if (session) await transcripts.open({ session, ...rest }, false);
  else tell(t("This session is no longer there."));
}

interface Turn {
  sessionId: string;
  prompt: string;
  promptNumber: number | null;
}

function spanOf({ sessionId, prompt, promptNumber }: Turn): Span {
  const title = promptNumber === null ? t("Changes") : t("Changes of prompt {0}", promptNumber);
  return { sessionId, prompt, title };
}

function isCall(argument: unknown): argument is CallReference {
  return has(argument, "sessionId") && has(argument, "toolUseId");
}

function isPlace(argument: unknown): argument is TranscriptPlace {
  return has(argument, "sessionId");
}

function isTurn(argument: unknown): argument is Turn {
  return has(argument, "sessionId") && has(argument, "prompt");
}

function has(argument: unknown, name: string): boolean {
  if (typeof argument !== "object" || argument === null) return false;
  return typeof (argument as Record<string, unknown>)[name] === "string";
}

function tell(sentence: string): void {
  void inform(sentence);
}
