// The view File Checkpoints: the versions of the file that is being edited, or was pinned.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { focusOfActiveTab, onDidChangeActiveTab } from "../editor/activeTab";
import { type Focus, Following } from "../editor/follow";
import type { ShownDiff, VersionDiffs } from "../editor/versionDiff";
import { Lasting } from "../lasting";
import { setContext } from "../preferences";
import type { CheckpointsResult as Answer, FileHistory } from "../protocol";
import { Refresher } from "../refresher";
import { historyNodes, nodeOf } from "./checkpointNodes";
import { fileName } from "./describe/conversation";
import { dotted } from "./describe/row";
import { remedies } from "./remedies";
import { NodeTree, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.checkpoints";
const AGES_GROW_MS = 60_000;
/** A word above the rows moves them all: a file that is read in a moment is not worth it. */
const LONG_READING_MS = 1000;

export class CheckpointsView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly refresher = new Refresher(
    () => this.load(),
    () => this.view.visible,
  );
  private readonly following = new Following((file) => this.turnTo(file));
  private readonly reading = new Lasting(LONG_READING_MS, () => this.tellAbove());
  private readonly subscriptions: vscode.Disposable[];
  private file: string | undefined;
  private shown: FileHistory | undefined;
  private questions = 0;
  private watcher: vscode.Disposable | undefined;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly backend: Backend,
    private readonly diffs: VersionDiffs,
  ) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.tree });
    const ages = setInterval(() => this.drawAgain(), AGES_GROW_MS);
    this.subscriptions = [
      this.view,
      this.tree,
      this.refresher,
      this.following,
      this.reading,
      onDidChangeActiveTab(() => this.following.see(this.focus())),
      diffs.onDidStep((diff) => this.select(diff)),
      backend.onDidChangeCatalog(() => this.refreshSoon()),
      backend.onDidChangeSession(({ checkpointFiles }) => {
        if (checkpointFiles.some((file) => isSame(file, this.file))) this.refreshSoon();
      }),
      vscode.workspace.onDidSaveTextDocument(
        ({ uri }) => uri.toString() === this.file && this.refreshSoon(),
      ),
      // Files and sessions change while one looks elsewhere, and nothing tells.
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.refreshSoon()),
      this.view.onDidChangeVisibility(({ visible }) => visible && void this.refresh()),
      new vscode.Disposable(() => clearInterval(ages)),
    ];
    this.following.start(this.focus());
  }

  /** Asks again, with a progress bar in the view. */
  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.load());
  }

  /** Changes come in bursts: one question for all of them, without a progress bar. */
  refreshSoon(): void {
    this.refresher.soon();
  }

  /** @param file URI; undefined = the file that is shown */
  pin(file?: string): void {
    this.following.pin(file);
    this.tellFile();
  }

  unpin(): void {
    this.following.unpin();
    this.tellFile();
  }

  dispose(): void {
    this.watcher?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** A diff of versions is about its file; all that else is ours is about none. */
  private focus(): Focus {
    const diff = this.diffs.active;
    if (!diff) return focusOfActiveTab();
    return { kind: "file", file: vscode.Uri.parse(diff.file, true).toString() };
  }

  private turnTo(file: string | undefined): void {
    this.file = file;
    this.watcher?.dispose();
    this.watcher = file === undefined ? undefined : this.watch(vscode.Uri.parse(file, true));
    if (this.view.visible) void this.refresh();
  }

  /** The agent, or anybody else, may write to the file or take it away. */
  private watch(file: vscode.Uri): vscode.Disposable {
    const folder = vscode.Uri.joinPath(file, "..");
    // A name may hold what a pattern gives a meaning, as `[id].ts`: one more question does no harm.
    const name = fileName(file.toString()).replace(/[[\]{}*!,]/g, "?");
    const pattern = new vscode.RelativePattern(folder, name);
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const refresh = () => this.refreshSoon();
    const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
    return vscode.Disposable.from(watcher, ...events.map((event) => event(refresh)));
  }

  /** Only the answer to the last question is shown, and none about a file that was left since. */
  private async load(): Promise<void> {
    this.questions += 1;
    const question = this.questions;
    const { file } = this;
    const isWanted = () => question === this.questions && file === this.file;
    try {
      const answer =
        file === undefined ? undefined : await this.backend.ask("forkpoint/checkpoints", { file });
      if (isWanted()) await this.show(answer);
    } catch (error) {
      if (isWanted()) await this.showFailure(error);
    }
  }

  private async show(answer: Answer | undefined): Promise<void> {
    this.shown = answer?.files[0];
    this.reading.see(this.shown !== undefined && answer !== undefined && isReading(answer));
    this.tellAbove();
    setContext("checkpoints", stateOf(answer));
    this.tellFile();
    await this.tree.replace(this.shown ? historyNodes(this.shown, Date.now()) : []);
  }

  /** What the rows do not say: that more may come, and what could not be read. */
  private tellAbove(): void {
    const reading = this.reading.isLong && t("Sessions are still being read.");
    const problems = this.shown?.problems.map(({ sentence }) => sentence) ?? [];
    say(this.view, [reading, ...problems].filter(Boolean).join("\n"));
  }

  private async showFailure(error: unknown): Promise<void> {
    this.shown = undefined;
    this.reading.see(false);
    say(this.view, sentenceOf(error));
    setContext("checkpoints", "failed");
    this.tellFile();
    await this.tree.replace(remedies(error));
  }

  private drawAgain(): void {
    if (this.shown && this.view.visible)
      void this.tree.replace(historyNodes(this.shown, Date.now()));
  }

  private select({ file, place }: ShownDiff): void {
    if (file !== this.shown?.file || !this.view.visible) return;
    const node = nodeOf(this.tree.roots, place.version);
    if (node) void this.view.reveal(node, { select: true, focus: false });
  }

  private tellFile(): void {
    const { isPinned } = this.following;
    setContext("checkpointsPinned", isPinned);
    const name = this.file === undefined ? "" : fileName(this.file);
    this.view.description = dotted(name, isPinned && t("pinned"));
  }
}

function stateOf(answer: Answer | undefined): string {
  if (!answer) return "noFile";
  if (answer.files.length > 0) return "shown";
  return isReading(answer) ? "indexing" : "none";
}

function isReading({ indexing }: Answer): boolean {
  return indexing.done < indexing.total;
}

/** Whether two URIs name one file, however they are written. */
function isSame(told: string, file: string | undefined): boolean {
  return file !== undefined && vscode.Uri.parse(told, true).toString() === file;
}
