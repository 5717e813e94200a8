// How many versions does a file have? Badges in the Explorer, when the setting asks for them.

import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { CheckpointFile } from "../protocol";
import type { Server } from "../server";
import { badgeOf } from "../views/describe/badge";

const SETTING = "forkpoint.explorerBadges";
const COALESCE_MS = 500;

type FilesByUri = ReadonlyMap<string, CheckpointFile>;

/** One question a workspace folder, asked again when the catalog has changed; off = none at all. */
export class VersionBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly answers = new Map<string, Promise<FilesByUri>>();
  private readonly subscriptions: vscode.Disposable[];
  private registration: vscode.Disposable | undefined;
  private waiting: NodeJS.Timeout | undefined;

  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(
    private readonly backend: Backend,
    server: Server,
  ) {
    this.subscriptions = [
      this.changed,
      backend.onDidChangeCatalog(() => this.askAgainSoon()),
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
    clearTimeout(this.waiting);
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

  /** The catalog changes in bursts while an agent works. */
  private askAgainSoon(): void {
    if (!this.registration) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.answers.clear();
      this.changed.fire(undefined);
    }, COALESCE_MS);
  }
}
