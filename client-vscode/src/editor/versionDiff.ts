// Shows diffs of a file's history in one preview tab, and goes from one to the next in place.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import { emptyDocument } from "../documents/versions";
import { sayBriefly } from "../notices";
import { setContext } from "../preferences";
import type { FileHistory } from "../protocol";
import { activeTab, onDidChangeActiveTab } from "./activeTab";
import { type Direction, nextPlace, type Place, sidesOf } from "./stepping";

const SENTENCE_SHOWN_MS = 4000;

/** A diff that is open: where in which file's history it stands. */
export interface ShownDiff {
  file: string;
  place: Place;
}

/** Knows the diffs that it opened by what stands on their sides. */
export class VersionDiffs implements vscode.Disposable {
  private readonly shown = new Map<string, ShownDiff>();
  private readonly stepped = new vscode.EventEmitter<ShownDiff>();
  private readonly subscription: vscode.Disposable;

  /** Another diff took the place of the active one. */
  readonly onDidStep = this.stepped.event;

  constructor(private readonly backend: Backend) {
    this.subscription = onDidChangeActiveTab(() => this.tellContext());
    this.tellContext();
  }

  /** The diff in the active tab; undefined = it is none of these. */
  get active(): Readonly<ShownDiff> | undefined {
    return this.shown.get(keyOf(activeTab()) ?? "");
  }

  /** Keeps the focus where it is, so that arrow keys and Enter go through a view's rows. */
  async open(history: FileHistory, place: Place): Promise<void> {
    const sides = sidesOf(history, place);
    if (!sides) return say(t("This version's content is gone."));
    const [before, after] = [sides.before, sides.after].map((uri) =>
      uri === undefined ? emptyDocument(history.file) : vscode.Uri.parse(uri, true),
    );
    this.shown.set(`${before} ${after}`, { file: history.file, place });
    const options = { preview: true, preserveFocus: true };
    await vscode.commands.executeCommand("vscode.diff", before, after, sides.title, options);
    this.tellContext();
  }

  /** Puts the next diff in a direction in the place of the active one. */
  async step(direction: Direction): Promise<void> {
    const tab = activeTab();
    const current = this.active;
    if (!current) return say(t("Open a version of a file first."));
    const history = await this.historyOf(current.file);
    const next = history && nextPlace(history, current.place, direction);
    if (!next) return say(direction === "older" ? t("No older version.") : t("No newer version."));
    await this.open(history, next);
    if (tab && !tabsArePreviews()) await closeUnlessActive(tab);
    this.stepped.fire({ file: history.file, place: next });
  }

  dispose(): void {
    this.subscription.dispose();
    this.stepped.dispose();
  }

  /** Asked anew, since versions may have come since the diff was opened. */
  private async historyOf(file: string): Promise<FileHistory | undefined> {
    return (await this.backend.ask("forkpoint/checkpoints", { file })).files[0];
  }

  private tellContext(): void {
    setContext("versionDiff", this.active !== undefined);
  }
}

function keyOf(tab: vscode.Tab | undefined): string | undefined {
  const input = tab?.input;
  return input instanceof vscode.TabInputTextDiff
    ? `${input.original} ${input.modified}`
    : undefined;
}

function tabsArePreviews(): boolean {
  return vscode.workspace.getConfiguration("workbench.editor").get("enablePreview", true);
}

/** Where each editor gets a tab of its own, the diff that was left goes. */
async function closeUnlessActive(tab: vscode.Tab): Promise<void> {
  if (!tab.isActive) await vscode.window.tabGroups.close(tab, true);
}

/** In the status bar: a message would take the eye, and the keyboard, from the diff. */
function say(sentence: string): void {
  sayBriefly(sentence, SENTENCE_SHOWN_MS);
}
