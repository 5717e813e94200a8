// How does a session become a file? Three questions, then a file where its user says, and it opens.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type Commands,
  type Parts,
  pickTarget,
  register,
  selectedTarget,
  targetIn,
} from "./commands";
import {
  type ExportedText,
  exportedText,
  FORMATS,
  liesBelowAgent,
  redactionSentence,
  SUFFIXES,
} from "./exportText";
import { complain, inform } from "./notices";
import type { ExportFormat, ExportParams, Redaction } from "./protocol";
import type { Target } from "./views/tree";
import { sentences } from "./words";

export function registerExportCommands(parts: Parts): vscode.Disposable[] {
  const commands: Commands = {
    exportSession: async (argument) => {
      const target = targetIn(argument) ?? selectedTarget(parts) ?? (await pickTarget(parts));
      if (target) await exportSession(target, parts);
    },
  };
  return register(commands);
}

async function exportSession(target: Target, parts: Parts): Promise<void> {
  const format = await pickFormat(target);
  const choices = format && (await pickChoices());
  if (!format || !choices) return;
  const params: ExportParams = {
    sessionId: target.session.sessionId,
    agentId: target.agentId ?? null,
    leaf: target.leaf ?? null,
    format,
    redact: choices.redact,
    subagents: choices.subagents,
  };
  const text = await withProgress(params, parts);
  const file = text && (await pickFile(text.fileName, format, target));
  if (!file) return;
  await vscode.workspace.fs.writeFile(file, text.bytes);
  await vscode.commands.executeCommand("vscode.open", file);
  await tell(file, format, redactionSentence(text.redactions, choices.redact.length > 0));
}

async function pickFormat({ session }: Target): Promise<ExportFormat | undefined> {
  const words: Readonly<Record<ExportFormat, [string, string]>> = {
    markdown: [t("Markdown"), t("reads well on a forge and in an editor")],
    html: [t("HTML"), t("one file for any browser; folds and prints")],
    json: [t("JSON"), t("for programs, in a shape that has a version")],
  };
  const items = FORMATS.map((format) => {
    const [label, description] = words[format];
    return { label, description, format };
  });
  const title = t("Export “{0}” as what?", session.title.text || session.sessionId);
  return (await vscode.window.showQuickPick(items, { title }))?.format;
}

interface Choices {
  redact: Redaction[];
  subagents: boolean;
}

async function pickChoices(): Promise<Choices | undefined> {
  const item = (label: string, description: string, redact?: Redaction) => {
    return { label, description, redact, picked: redact !== undefined };
  };
  const items = [
    item(t("Take out secrets"), t("keys, tokens and passwords, as rules find them"), "secrets"),
    item(t("Take out home folders"), t("whose they are"), "paths"),
    item(t("Take out names"), t("users, machines, mail addresses, authors"), "names"),
    item(t("Include subagents"), t("their transcripts follow the session's own")),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("What must not go along, and what should?"),
    placeHolder: t("Pictures are left out as soon as anything is taken out"),
    canPickMany: true,
  });
  return (
    picked && {
      redact: picked.flatMap(({ redact }) => redact ?? []),
      subagents: picked.some(({ redact }) => redact === undefined),
    }
  );
}

function withProgress(
  params: ExportParams,
  { backend }: Parts,
): Thenable<ExportedText | undefined> {
  const location = vscode.ProgressLocation.Notification;
  const title = t("Exporting the session");
  return vscode.window.withProgress(
    { location, title, cancellable: true },
    (progress, cancellation) => {
      let told = 0;
      return exportedText((asked) => backend.ask("forkpoint/export", asked), params, {
        isCancelled: () => cancellation.isCancellationRequested,
        advanced: (share) => {
          progress.report({ increment: Math.max(share * 100 - told, 0) });
          told = Math.max(share * 100, told);
        },
      });
    },
  );
}

/** The save dialog asks itself before it replaces a file. */
async function pickFile(
  name: string,
  format: ExportFormat,
  { session }: Target,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: t("Export Session"),
    filters: { [format]: [SUFFIXES[format]] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (!file || !liesBelowAgent(file.toString(), session.transcript)) return file;
  void complain(t("Nothing is written below the agent's folder."));
  return undefined;
}

async function tell(file: vscode.Uri, format: ExportFormat, redaction = ""): Promise<void> {
  const path = vscode.workspace.asRelativePath(file);
  const sentence = sentences(t("Exported to {0}.", path), redaction);
  const browser = t("Open in Browser");
  const buttons = format === "html" ? [browser] : [];
  const chosen = await inform(sentence, ...buttons);
  if (chosen === browser) await vscode.env.openExternal(file);
}
