// Which version is a working file marked against? VS Code draws the marks and the inline diff.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { FileVersion } from "../protocol";
import { versionName } from "../views/describe/version";

const KEPT = "baselines";

/** A version, by what has to be known of it later. */
export interface Baseline extends Pick<FileVersion, "sessionId" | "version" | "prompt"> {
  document: string;
  /** Missing in those that were kept by older releases. */
  after?: boolean;
}

/** One baseline a file, kept for the workspace until it is cleared or its version is gone. */
export class Baselines implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;
  /** Contents that were there the last time. */
  private readonly found = new Set<string>();
  private sourceControls: vscode.SourceControl[] = [];

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly backend: Backend,
    private readonly workspace: vscode.Memento,
  ) {
    this.subscription = backend.onDidChangeCatalog(({ changed, removed }) => {
      this.forgetGone(new Set([...changed, ...removed])).catch(() => undefined); // is in the log
    });
    this.mark();
  }

  of(file: vscode.Uri): Baseline | undefined {
    return this.all[file.toString()];
  }

  /** Nothing when the version's content is gone. */
  async take(file: vscode.Uri, version: FileVersion): Promise<void> {
    const { sessionId, version: number, prompt, document, after } = version;
    if (document === null) return;
    const baseline: Baseline = { sessionId, version: number, prompt, document, after };
    await this.keep({ ...this.all, [file.toString()]: baseline });
  }

  async clear(file: vscode.Uri): Promise<void> {
    const { [file.toString()]: _, ...others } = this.all;
    await this.keep(others);
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
    for (const control of this.sourceControls) control.dispose();
  }

  private get all(): Readonly<Record<string, Baseline>> {
    return this.workspace.get(KEPT, {});
  }

  private async keep(baselines: Readonly<Record<string, Baseline>>): Promise<void> {
    await this.workspace.update(KEPT, baselines);
    this.mark();
    this.changed.fire();
  }

  /**
   * Quick diff comes with a source control only, and its name, which the inline diff shows, can
   * never change: so there is one for each version number, made anew with every change. It has no
   * root folder, else it would take the place of the repository that the file is in.
   */
  private mark(): void {
    for (const control of this.sourceControls) control.dispose();
    const names = new Set(Object.values(this.all).map(versionName));
    this.sourceControls = [...names].map((name) => this.sourceControlOf(name));
  }

  private sourceControlOf(name: string): vscode.SourceControl {
    const control = vscode.scm.createSourceControl("forkpoint", t("Forkpoint {0}", name));
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const baseline = this.of(uri);
        if (!baseline || versionName(baseline) !== name) return undefined;
        return vscode.Uri.parse(baseline.document, true);
      },
    };
    return control;
  }

  /** What is missing may be in a session that was not read yet. */
  private async forgetGone(touched: ReadonlySet<string>): Promise<void> {
    for (const [file, { sessionId, document }] of Object.entries(this.all)) {
      if (this.found.has(document) && !touched.has(sessionId)) continue;
      const { files, indexing } = await this.backend.ask("forkpoint/checkpoints", { file });
      const isThere = files.some(({ versions }) =>
        versions.some((each) => each.document === document),
      );
      if (isThere) this.found.add(document);
      else if (indexing.done >= indexing.total) await this.clear(vscode.Uri.parse(file, true));
    }
  }
}
