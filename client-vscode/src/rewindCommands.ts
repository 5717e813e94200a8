// What can be done with a preview of a rewind? Opened, compared, copied: nothing here changes a file.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type Commands,
  isNode,
  type Parts,
  pickTarget,
  register,
  selectedTarget,
} from "./commands";
import { emptyDocument } from "./documents/versions";
import { inform, sayBriefly } from "./notices";
import { plainItem } from "./plainText";
import type { RewindAction, RewindFile, SessionSummary } from "./protocol";
import { isOffered, rewindSteps } from "./rewindSteps";
import type { Conversations } from "./views/conversation";
import { describePrompt, fileName } from "./views/describe/conversation";
import { hasDiff, wouldChange } from "./views/describe/rewindFile";
import { isRewindFileNode } from "./views/rewindNodes";
import { pathOf, type RewindView } from "./views/rewindView";
import { promptTarget } from "./views/sessionNodes";
import type { PromptTarget } from "./views/tree";

const COPIED_SHOWN_MS = 4000;

export function registerRewindCommands(
  conversations: Conversations,
  parts: Parts,
): vscode.Disposable[] {
  const { rewind } = parts;
  const commands: Commands = {
    previewRewind: async (argument) => {
      const target = promptIn(argument) ?? (await pickPrompt(conversations, parts));
      if (target) await rewind.open(target);
    },
    refreshRewind: () => rewind.refresh(),
    closeRewind: () => rewind.close(),
    copyRewindSteps: () => copySteps(rewind),
    showRewindDiffs: () => showAllDiffs(rewind),
    openRewindDiff: (argument) =>
      isRewindFileNode(argument) ? openDiff(argument.file) : undefined,
  };
  return register(commands);
}

function promptIn(argument: unknown): PromptTarget | undefined {
  const target = isNode(argument) ? argument.target : undefined;
  return target?.prompt && { ...target, prompt: target.prompt };
}

/** A prompt of the active path, newest first, of the selected session. */
async function pickPrompt(
  conversations: Conversations,
  parts: Parts,
): Promise<PromptTarget | undefined> {
  const target = selectedTarget(parts) ?? (await pickTarget(parts));
  if (!target) return undefined;
  const picked = await vscode.window.showQuickPick(promptItems(conversations, target.session), {
    title: t("Rewind to which prompt?"),
    placeHolder: t("The preview shows the state before the prompt; nothing is changed"),
    matchOnDescription: true,
  });
  return picked?.target;
}

/** Prompts of the active path to choose from, newest first. */
export async function promptItems(conversations: Conversations, session: SessionSummary) {
  const prompts = await conversations.promptsOnPath(session);
  const now = Date.now();
  return [...prompts].reverse().map((entry) => {
    const { label, description, icon } = describePrompt(entry, now);
    return {
      ...plainItem({ label, description }),
      target: promptTarget(session, entry),
      ...(icon ? { iconPath: new vscode.ThemeIcon(icon.id) } : {}),
    };
  });
}

/** The working file beside what it would become; the view keeps the focus. */
async function openDiff(file: RewindFile): Promise<void> {
  const sides = sidesOf(file);
  if (!sides) return;
  const title = `${fileName(file.file)}: ${TITLES[file.action]()}`;
  const options = { preview: true, preserveFocus: true };
  await vscode.commands.executeCommand("vscode.diff", ...sides, title, options);
}

const TITLES: Readonly<Record<RewindAction, () => string>> = {
  overwrite: () => t("now ↔ after the rewind"),
  delete: () => t("now ↔ deleted by the rewind"),
  create: () => t("not there ↔ created by the rewind"),
  skip: () => t("now ↔ agent's copy, skipped by the rewind"),
  unchanged: () => t("now ↔ after the rewind, unchanged"),
};

/** Undefined when there is nothing to compare with. */
function sidesOf(file: RewindFile): [now: vscode.Uri, after: vscode.Uri] | undefined {
  if (file.document === null || !hasDiff(file)) return undefined;
  const now =
    file.action === "create" ? emptyDocument(file.file) : vscode.Uri.parse(file.file, true);
  return [now, vscode.Uri.parse(file.document, true)];
}

/** All files that would change, in one editor. */
async function showAllDiffs({ shown }: RewindView): Promise<void> {
  if (!shown) return;
  const resources = shown.preview.code.files.filter(wouldChange).flatMap((file) => {
    const sides = sidesOf(file);
    return sides ? [[vscode.Uri.parse(file.file, true), ...sides]] : [];
  });
  if (resources.length === 0) {
    void inform(t("The rewind would change no file."));
    return;
  }
  const title = t("Rewind to “{0}”", promptText(shown.target));
  await vscode.commands.executeCommand("vscode.changes", title, resources);
}

/** Of a prompt that the agent does not offer it is said why, and nothing is copied. */
async function copySteps({ shown }: RewindView): Promise<void> {
  if (!shown) return;
  const { target, preview } = shown;
  if (!isOffered(preview.code)) {
    void inform(preview.code.sentence);
    return;
  }
  const steps = rewindSteps(target.session, promptText(target), preview.code, pathOf);
  await vscode.env.clipboard.writeText(steps);
  sayBriefly(t("Copied: how to rewind in the agent"), COPIED_SHOWN_MS);
}

function promptText({ prompt }: PromptTarget): string {
  return prompt.preview || t("(no text)");
}
