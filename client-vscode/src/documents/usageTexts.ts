// What was spent, and how a context filled up, as texts to read; the server writes them.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "../backend";
import type { UsageDimension } from "../protocol";
import { fileName } from "../uri";
import { usageHere } from "../views/usageView";

const SCHEME = "forkpoint-usage";

/** A session, as far as a text of it needs one. */
export interface Named {
  sessionId: string;
  title: { text: string };
  agentId?: string | undefined;
}

export class UsageTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscription: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly backend: Backend) {
    this.subscription = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  /** Opens a table of sums. */
  openTable(by: readonly UsageDimension[], name: string): Promise<void> {
    return this.open(name, { by: by.join(",") });
  }

  /** Opens the curve of a session's context, or of a subagent's. */
  openCurve({ sessionId, title, agentId }: Named): Promise<void> {
    const name = t("Context window: {0}", title.text || sessionId);
    return this.open(name, { session: sessionId, ...(agentId ? { agent: agentId } : {}) });
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const asked = new URLSearchParams(query);
    const sessionId = asked.get("session");
    const withText = true;
    if (sessionId !== null) {
      const params = { sessionId, agentId: asked.get("agent"), withText };
      return (await this.backend.ask("forkpoint/contextCurve", params)).text ?? "";
    }
    const by = (asked.get("by") ?? "").split(",").filter(Boolean) as UsageDimension[];
    return (await usageHere(this.backend, { by, withText })).text ?? "";
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** A text that is open already is asked for anew. */
  private async open(name: string, asked: Readonly<Record<string, string>>): Promise<void> {
    const query = new URLSearchParams(asked).toString();
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${fileName(name)}.txt`, query });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
