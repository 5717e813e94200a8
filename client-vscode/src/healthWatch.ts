// How healthy is what agents left on disk? Asked for when something changed; an item in the status bar says what is odd.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "./backend";
import type { HealthResult } from "./protocol";
import { Refresher } from "./refresher";
import { healthFace, soFar } from "./views/describe/health";

const PRIORITY = 50;
/** Nothing here is urgent: an answer goes through all sessions. */
const GAP_MS = 20_000;
/** While transcripts are read for the first time, an answer is soon outdated. */
const READING_GAP_MS = 3000;
/** Days go by without a change. */
const OFTEN_ENOUGH_MS = 3_600_000;
export const SOON_DAYS = 7;

export class HealthWatch implements vscode.Disposable {
  private readonly answered = new vscode.EventEmitter<void>();
  private readonly item = vscode.window.createStatusBarItem(
    "forkpoint.health",
    vscode.StatusBarAlignment.Right,
    PRIORITY,
  );
  private readonly refresher = new Refresher(
    () => this.ask(),
    () => true,
    () => (this.isWhole ? GAP_MS : READING_GAP_MS),
  );
  private readonly subscriptions: vscode.Disposable[];
  private questions = 0;
  private isWhole = false;

  /** The last answer; undefined = there is none yet. */
  answer: HealthResult | undefined;
  /** Why there is no answer to the last question; undefined = there is one. */
  failure: unknown;

  readonly onDidAnswer = this.answered.event;

  constructor(private readonly backend: Backend) {
    this.item.name = t("Forkpoint: Format Health");
    this.item.command = "forkpoint.showHealth";
    const nowAndThen = setInterval(() => this.refresher.soon(), OFTEN_ENOUGH_MS);
    this.subscriptions = [
      this.item,
      this.answered,
      this.refresher,
      backend.onDidChangeCatalog(() => this.refresher.soon()),
      new vscode.Disposable(() => clearInterval(nowAndThen)),
    ];
  }

  /** Something may be other by now. */
  soon(): void {
    this.refresher.soon();
  }

  /** Asks now; never throws. Of questions that overlap only the last one's answer is shown. */
  async ask(): Promise<void> {
    this.questions += 1;
    const question = this.questions;
    try {
      const answer = await this.backend.ask("forkpoint/health", { withinDays: SOON_DAYS });
      if (question !== this.questions) return;
      this.answer = answer;
      this.failure = undefined;
      this.isWhole = soFar(answer) === "";
      if (!this.isWhole) this.refresher.soon();
    } catch (error) {
      if (question !== this.questions) return;
      this.answer = undefined;
      this.failure = error;
    }
    this.draw();
    this.answered.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private draw(): void {
    const face = this.answer && healthFace(this.answer);
    if (!face) {
      this.item.hide();
      return;
    }
    this.item.text = face.text;
    this.item.tooltip = face.tooltip;
    this.item.accessibilityInformation = { label: face.aria };
    this.item.show();
  }
}
