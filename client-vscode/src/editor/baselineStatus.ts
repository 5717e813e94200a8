// Which baseline has the file in the active editor? An item in the status bar says it.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { setContext } from "../preferences";
import { fileName } from "../views/describe/conversation";
import { versionInWords, versionName } from "../views/describe/version";
import type { Baselines } from "./baselines";

const PRIORITY = 50;

export class BaselineStatus implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "forkpoint.baseline",
    vscode.StatusBarAlignment.Right,
    PRIORITY,
  );
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly baselines: Baselines) {
    this.item.name = t("Forkpoint: Inline Baseline");
    this.item.command = "forkpoint.takeBaseline";
    this.subscriptions = [
      this.item,
      baselines.onDidChange(() => this.tell()),
      vscode.window.onDidChangeActiveTextEditor(() => this.tell()),
    ];
    this.tell();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private tell(): void {
    const file = vscode.window.activeTextEditor?.document.uri;
    const baseline = file && this.baselines.of(file);
    setContext("hasBaseline", baseline !== undefined);
    if (!baseline) {
      this.item.hide();
      return;
    }
    const text = t("Baseline {0}", versionName(baseline));
    const tooltip = t(
      "The gutter of {0} shows what changed since {1}. Click to choose another version, or none.",
      fileName(file.toString()),
      versionInWords(baseline),
    );
    this.item.text = `$(git-compare) ${text}`;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `${text}. ${tooltip}` };
    this.item.show();
  }
}
