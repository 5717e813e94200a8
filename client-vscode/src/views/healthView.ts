// The view Health: what is odd, what goes soon, what remains. It is there once somebody asked for it.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { sentenceOf } from "../backend";
import type { HealthWatch } from "../healthWatch";
import { setContext } from "../preferences";
import type { HealthResult } from "../protocol";
import { grouped, sentences } from "../words";
import { soFar } from "./describe/health";
import { sessionTitle } from "./describe/session";
import { healthNodes } from "./healthNodes";
import { remedies, remedy } from "./remedies";
import type { SessionsView } from "./sessionsView";
import { NodeTree, say, type TreeNode } from "./tree";

const VIEW = "forkpoint.health";

export class HealthView implements vscode.Disposable {
  private readonly tree = new NodeTree();
  private readonly subscriptions: vscode.Disposable[];
  private isShown = false;

  readonly view: vscode.TreeView<TreeNode>;

  constructor(
    private readonly watch: HealthWatch,
    private readonly sessions: SessionsView,
  ) {
    this.view = vscode.window.createTreeView(VIEW, {
      treeDataProvider: this.tree,
      showCollapseAll: true,
    });
    this.subscriptions = [
      this.view,
      this.tree,
      this.tree.follow(this.view),
      watch.onDidAnswer(() => void this.draw()),
      sessions.onDidLoad(() => void this.draw()),
    ];
    setContext("health", false);
  }

  /** Shows the view, asks anew, and takes the focus. */
  async show(): Promise<void> {
    this.isShown = true;
    setContext("health", true);
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.refresh();
    const [first] = this.tree.roots;
    if (first) await this.view.reveal(first, { select: false, focus: true });
  }

  /** Asks again, with a progress bar in the view. */
  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () => this.watch.ask());
    await this.draw();
  }

  close(): void {
    this.isShown = false;
    setContext("health", false);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async draw(): Promise<void> {
    if (!this.isShown) return;
    const { answer, failure } = this.watch;
    if (failure !== undefined) {
      this.view.description = "";
      say(this.view, sentenceOf(failure));
      const again = remedy("refreshHealth", t("Try Again"), "sync");
      await this.tree.replace([again, ...remedies(failure)]);
    } else if (answer) await this.tell(answer);
  }

  private async tell(health: HealthResult): Promise<void> {
    const nodes = healthNodes(health, (sessionId) => this.titleOf(sessionId));
    this.view.description = health.findings > 0 ? grouped(health.findings) : "";
    say(this.view, sentences(...messageOf(health)));
    await this.tree.replace(nodes);
  }

  /** As the view Sessions has it; of others the id says enough. */
  private titleOf(sessionId: string): string | undefined {
    const session = this.sessions.sessions.find((each) => each.sessionId === sessionId);
    return session && sessionTitle(session);
  }
}

/** Where rows say it all, no sentence repeats it. */
function messageOf(health: HealthResult): (string | false)[] {
  const { findings, sentence, retention, totals } = health;
  const progress = soFar(health);
  if (findings > 0) return [progress];
  const isQuiet = retention.soon === 0 && totals.remains === 0;
  const nothing = progress ? t("Nothing odd in them.") : sentence;
  return [progress, nothing, isQuiet && retention.sentence];
}
