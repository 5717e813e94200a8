// How long does the prompt cache of the session at hand live? An item in the status bar counts down.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "./backend";
import { cacheQuestion } from "./foretell";
import type { Preferences } from "./preferences";
import type { CacheNote, SessionSummary } from "./protocol";
import { Refresher } from "./refresher";
import type { BranchesView } from "./views/branchesView";
import type { Conversations } from "./views/conversation";
import { clockFace, clockSession, isDue } from "./views/describe/clock";
import { sessionTitle } from "./views/describe/session";
import type { SessionsView } from "./views/sessionsView";
import type { Target } from "./views/tree";
import type { Watches } from "./watching";

const PRIORITY = 51;
const TICK_MS = 15_000;
/** Of a clock that shows minutes once a second is often. */
const GAP_MS = 1000;
const HOLDER = "clock";

/** The server's word, and when it was asked for. */
interface Answer {
  note: CacheNote;
  askedAt: number;
}

/** Asks when something happened, or when the clock alone changes the verdict; between that it counts. */
export class CacheClock implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "forkpoint.cache",
    vscode.StatusBarAlignment.Right,
    PRIORITY,
  );
  private readonly subscriptions: vscode.Disposable[];
  private readonly refresher = new Refresher(
    () => this.ask(),
    () => true,
    () => GAP_MS,
  );
  private session: SessionSummary | undefined;
  private answer: Answer | undefined;
  /** State of the session that was asked about last; '' = ask when the sessions are loaded again. */
  private asked = "";
  private questions = 0;

  constructor(
    private readonly backend: Backend,
    private readonly sessions: SessionsView,
    private readonly branches: BranchesView,
    private readonly conversations: Conversations,
    private readonly watches: Watches,
    preferences: Preferences,
  ) {
    this.item.name = t("Forkpoint: Prompt Cache");
    const ticks = setInterval(() => this.tick(), TICK_MS);
    this.subscriptions = [
      this.item,
      this.refresher,
      sessions.onDidLoad(() => this.follow()),
      branches.onDidShow(() => this.follow()),
      watches.onDidChange(({ sessionId }) => {
        if (sessionId === this.session?.sessionId) this.askIfOther();
      }),
      preferences.onDidChange(() => this.draw()),
      new vscode.Disposable(() => clearInterval(ticks)),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private follow(): void {
    const session = clockSession(this.sessions.sessions, this.branches.shown, isHere);
    const isOther = session?.sessionId !== this.session?.sessionId;
    if (isOther) {
      this.answer = undefined;
      this.questions += 1; // an answer about another session is not shown
    }
    this.session = session;
    this.watches.need(HOLDER, session ? [session.sessionId] : []);
    this.draw();
    if (isOther) void this.ask();
    else this.askIfOther();
  }

  private askIfOther(): void {
    if (this.session && this.stateOf(this.session) !== this.asked) this.refresher.soon();
  }

  /** Of questions that overlap only the last one's answer is shown. */
  private async ask(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.asked = this.stateOf(session);
    this.questions += 1;
    const question = this.questions;
    const askedAt = Date.now();
    if (this.answer) this.answer = { ...this.answer, askedAt }; // no tick asks the same meanwhile
    const note = await this.noteOn(session);
    if (question !== this.questions) return;
    this.answer = note && { note, askedAt };
    if (!note) this.asked = "";
    this.draw();
  }

  private async noteOn(session: SessionSummary): Promise<CacheNote | undefined> {
    try {
      return await this.backend.ask("forkpoint/cacheImpact", cacheQuestion(session));
    } catch {
      return undefined; // the backend has written why into the log
    }
  }

  private tick(): void {
    const { answer } = this;
    if (answer && isDue(answer.note, answer.askedAt, Date.now())) this.refresher.soon();
    else this.draw();
  }

  /** Changes when the server may say something else of the session. */
  private stateOf(session: SessionSummary): string {
    const { sessionId, cache } = session;
    const { live } = this.watches.standing(sessionId) ?? session;
    const stamp = this.conversations.stampOf(session);
    return JSON.stringify([sessionId, stamp, cache, live !== null]);
  }

  private draw(): void {
    const { session, answer, item } = this;
    const face = session && answer && clockFace(answer.note, sessionTitle(session), Date.now());
    if (!face) {
      item.hide();
      return;
    }
    item.text = face.text;
    item.tooltip = face.tooltip;
    item.accessibilityInformation = { label: face.aria };
    item.backgroundColor = face.isUrgent
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    item.command = showCache({ session });
    item.show();
  }
}

function showCache(target: Target): vscode.Command {
  return { command: "forkpoint.showCache", title: t("Show Resume & Cache"), arguments: [target] };
}

function isHere({ project: { cwd } }: SessionSummary): boolean {
  return cwd !== null && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(cwd)) !== undefined;
}
