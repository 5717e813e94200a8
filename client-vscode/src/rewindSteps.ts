// How does one go back in the agent itself? The steps as text to copy.

import { t } from "@vscode/l10n";
import type { CodeReason, RewindCode, RewindFile, SessionSummary } from "./protocol";
import { folderVariable, resumeCommand } from "./resumeChoice";
import { wouldChange } from "./views/describe/rewindFile";

/**
 * Numbered lines, and a warning when restoring code would overwrite edits made by hand.
 *
 * @param prompt what the agent's menu shows of it
 * @param pathOf how to call a file, by its URI
 */
export function rewindSteps(
  session: SessionSummary,
  prompt: string,
  code: RewindCode,
  pathOf: (uri: string) => string,
): string {
  const steps = [
    openStep(session),
    ...(session.agent === "codex" ? codexSteps(prompt, code) : claudeSteps(prompt, code)),
  ];
  const lines = steps.map((step, index) => `${index + 1}. ${step}`);
  const edited = filesEditedByHand(code);
  if (edited.length > 0)
    lines.push(
      t("Warning: restoring code undoes what you edited: {0}", edited.map(pathOf).join(", ")),
    );
  return `${[t("Rewind to “{0}”", prompt), ...lines].join("\n")}\n`;
}

function claudeSteps(prompt: string, code: RewindCode): string[] {
  return [
    t("Press Esc twice while the input is empty, or type /rewind."),
    t("Choose the prompt “{0}”.", prompt),
    choiceStep(code),
  ];
}

/** Codex goes back in the conversation alone. */
function codexSteps(prompt: string, { sentence }: RewindCode): string[] {
  return [
    t("Press Esc twice while the input is empty."),
    t("Go up to the prompt “{0}” with Esc, and press Enter.", prompt),
    t("Files stay as they are. {0}", sentence),
  ];
}

const NOT_OFFERED: ReadonlySet<CodeReason> = new Set(["abandoned", "compacted"]);

/** Whether the agent's own menu has the prompt. */
export function isOffered({ reason }: RewindCode): boolean {
  return reason === null || !NOT_OFFERED.has(reason);
}

/** URIs of the files that a restore of the code would take edits made by hand from. */
export function filesEditedByHand({ available, files }: RewindCode): string[] {
  if (!available) return [];
  const isLost = (file: RewindFile) => file.handEdited && wouldChange(file);
  return files.filter(isLost).map(({ file }) => file);
}

function openStep(session: SessionSummary): string {
  const { live, project, configDir, agent } = session;
  if (live) return t("Go to the agent that has this session open.");
  const command = resumeCommand(session);
  if (command === undefined) return t("Open the session in the agent.");
  const step =
    configDir === null
      ? command
      : t("{0} (with {1} set to {2})", command, folderVariable(agent), configDir);
  return project.cwd === null ? step : t("In {0}: {1}", project.cwd, step);
}

function choiceStep({ available, sentence }: RewindCode): string {
  return available
    ? t("Choose “Restore code and conversation”, “Restore conversation” or “Restore code”.")
    : t("Choose “Restore conversation”. {0}", sentence);
}
