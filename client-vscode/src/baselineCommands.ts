// What can be done with a version in the editor? Marked against, restored: only the editor changes.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "./backend";
import { type Commands, isNode, type Parts, register, withPatience } from "./commands";
import { activeTab, focusOfActiveTab } from "./editor/activeTab";
import type { Baselines } from "./editor/baselines";
import { isInlineChange } from "./editor/inlineChange";
import { restoreVersion } from "./editor/restore";
import { restoreAtCursor, restoreChange } from "./editor/restoreHunk";
import type { VersionDiffs } from "./editor/versionDiff";
import { pickVersion } from "./editor/versionPick";
import { versionSides } from "./editor/versionSides";
import { versionText } from "./editor/versionText";
import { exists } from "./editor/workingFile";
import { inform } from "./notices";
import type { FileHistory, FileVersion } from "./protocol";
import { fileName } from "./views/describe/conversation";

export function registerBaselineCommands(
  baselines: Baselines,
  diffs: VersionDiffs,
  { backend }: Parts,
): vscode.Disposable[] {
  const commands: Commands = {
    takeBaseline: async (argument) => {
      const chosen = versionIn(argument) ?? (await chooseBaseline(baselines, backend));
      if (chosen) await takeBaseline(baselines, backend, chosen);
    },
    clearBaseline: async () => {
      const file = activeFile();
      if (file) await baselines.clear(file);
    },
    restoreVersion: async (argument) => {
      const chosen =
        versionIn(argument) ??
        (await withPatience(versionOfDiff(diffs, backend))) ??
        (await chooseVersion(backend));
      if (chosen) await restore(backend, chosen);
    },
    restoreHunk: (file, changes, index) => {
      const change = Array.isArray(changes) ? changes[Number(index)] : undefined;
      return file instanceof vscode.Uri && isInlineChange(change)
        ? restoreChange(baselines, file, change)
        : restoreAtCursor(baselines);
    },
  };
  return register(commands);
}

/** A version, and the working file that it is a version of. */
interface Chosen {
  file: vscode.Uri;
  version: FileVersion;
}

function versionIn(argument: unknown): Chosen | undefined {
  const { history, version } = (isNode(argument) && argument.version) || {};
  return history && version && { file: vscode.Uri.parse(history.file, true), version };
}

/** The version that the diff in the active tab is about. */
async function versionOfDiff(diffs: VersionDiffs, backend: Backend): Promise<Chosen | undefined> {
  const { file: shown, place } = diffs.active ?? {};
  if (shown && place?.version)
    return { file: vscode.Uri.parse(shown, true), version: place.version };
  const { file, versions = [] } = versionSides(activeTab()) ?? {};
  if (!file) return undefined;
  const history = await historyOf(backend, file.toString());
  const version = history?.versions.find((each) => versions.some((side) => isDocument(each, side)));
  return version && { file, version };
}

function isDocument({ document }: FileVersion, uri: vscode.Uri): boolean {
  return document !== null && vscode.Uri.parse(document, true).toString() === uri.toString();
}

async function takeBaseline(
  baselines: Baselines,
  backend: Backend,
  { file, version }: Chosen,
): Promise<void> {
  await withPatience(versionText(backend, version)); // says why when there is none to compare with
  if (await exists(file)) {
    await vscode.window.showTextDocument(file);
    await baselines.take(file, version);
  } else tell(t("{0} is not there: there is nothing to mark.", fileName(file.toString())));
}

async function restore(backend: Backend, { file, version }: Chosen): Promise<void> {
  if (version.state === "absent") {
    const name = fileName(file.toString());
    tell(t("{0} did not exist then: delete it yourself if you want that.", name));
  } else await restoreVersion(file, version, await withPatience(versionText(backend, version)));
}

async function chooseBaseline(baselines: Baselines, backend: Backend): Promise<Chosen | undefined> {
  const active = await activeHistory(backend);
  if (!active) return undefined;
  const { file, history } = active;
  const none = baselines.of(file) && t("Clear Inline Baseline");
  const version = await pickVersion(history, t("mark changes since which version?"), none);
  if (version === "none") await baselines.clear(file);
  return version && version !== "none" ? { file, version } : undefined;
}

async function chooseVersion(backend: Backend): Promise<Chosen | undefined> {
  const active = await activeHistory(backend);
  const version = active && (await pickVersion(active.history, t("restore which version?")));
  return version && version !== "none" ? { file: active.file, version } : undefined;
}

/** The active file's history; says so when there is none to choose from. */
async function activeHistory(
  backend: Backend,
): Promise<{ file: vscode.Uri; history: FileHistory } | undefined> {
  const file = activeFile();
  if (!file) return tell(t("Open a file first."));
  const history = await withPatience(historyOf(backend, file.toString()));
  if (history?.versions.some(({ state }) => state === "present")) return { file, history };
  return tell(
    t(
      "No checkpoints of {0}: Claude has not edited it with its tools, or the copies were pruned.",
      fileName(file.toString()),
    ),
  );
}

async function historyOf(backend: Backend, file: string): Promise<FileHistory | undefined> {
  return (await backend.ask("forkpoint/checkpoints", { file })).files[0];
}

function activeFile(): vscode.Uri | undefined {
  const compared = versionSides(activeTab())?.file;
  if (compared) return compared;
  const focus = focusOfActiveTab();
  return focus.kind === "file" ? vscode.Uri.parse(focus.file, true) : undefined;
}

function tell(sentence: string): undefined {
  void inform(sentence);
}
