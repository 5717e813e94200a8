// How many versions does a file have? Badges in the Explorer, when the setting asks for them.

import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { CheckpointFile } from "../protocol";
import { Refresher } from "../refresher";
import type { Server } from "../server";
import { badgeOf } from "../views/describe/badge";

const SETTING = "forkpoint.explorerBadges";
const GAP_MS = 500;

type FilesByUri = ReadonlyMap<string, CheckpointFile>;

/** One question a workspace folder, asked again when the catalog has changed; off = none at all. */
export class VersionBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  private readonly refresher = new Refresher(
    () => this.askAgain(),
    () => this.registration !== undefined,
    () => GAP_MS,
  );
  private readonly answers = new Map<string, Promise<FilesByUri>>();
  private readonly subscriptions: vscode.Disposable[];
  private registration: vscode.Disposable | undefined;

  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(
    private readonly backend: Backend,
    server: Server,
  ) {
    this.subscriptions = [
      this.changed,
      this.refresher,
      backend.onDidChangeCatalog(() => this.askAgainSoon()),
      backend.onDidChangeSession(({ checkpointFiles }) => {
        if (checkpointFiles.length > 0) this.askAgainSoon();
      }),
      server.onDidStart(() => this.askAgainSoon()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTING)) this.followSetting();
      }),
    ];
    this.followSetting();
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const folder = uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri);
    if (!folder) return undefined;
    const file = (await this.filesIn(folder.uri.toString())).get(uri.toString());
    if (!file) return undefined;
    const { text, tooltip } = badgeOf(file);
    return new vscode.FileDecoration(text, tooltip);
  }

  dispose(): void {
    this.registration?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private followSetting(): void {
    this.registration?.dispose();
    this.registration = undefined;
    this.answers.clear();
    if (vscode.workspace.getConfiguration().get(SETTING, false))
      this.registration = vscode.window.registerFileDecorationProvider(this);
  }

  private filesIn(folder: string): Promise<FilesByUri> {
    let answer = this.answers.get(folder);
    if (!answer) {
      answer = this.ask(folder);
      this.answers.set(folder, answer);
    }
    return answer;
  }

  /** Without an answer there are no badges: the views say what is wrong. */
  private async ask(folder: string): Promise<FilesByUri> {
    try {
      const { files } = await this.backend.ask("forkpoint/checkpointFiles", { folder });
      return new Map(files.map((each) => [vscode.Uri.parse(each.file, true).toString(), each]));
    } catch {
      return new Map();
    }
  }

  private askAgainSoon(): void {
    if (this.registration) this.refresher.soon();
  }

  /** Only badges that say something else are drawn again: the others do not go for a moment. */
  private async askAgain(): Promise<void> {
    for (const [folder, before] of [...this.answers]) {
      const after = this.ask(folder);
      const changed = differing(await before, await after);
      if (!this.answers.has(folder)) return; // they were switched off meanwhile
      this.answers.set(folder, after);
      if (changed.length > 0) this.changed.fire(changed.map((uri) => vscode.Uri.parse(uri, true)));
    }
  }
}

/** Files whose badge is another one, or is there no more. */
function differing(before: FilesByUri, after: FilesByUri): string[] {
  const faceOf = (files: FilesByUri, uri: string) => {
    const file = files.get(uri);
    return file && JSON.stringify(badgeOf(file));
  };
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((uri) => faceOf(before, uri) !== faceOf(after, uri));
}
