// How is a fault reported? As a text that shows all that would be given away; nothing is sent by itself.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Backend } from "./backend";
import { register, withPatience } from "./commands";
import { SOON_DAYS } from "./healthWatch";
import { type IssueFacts, issueReport } from "./issueReport";
import { lastErrors } from "./lastErrors";
import { inform } from "./notices";
import type { Server } from "./server";

const OTHERS = ["anthropic.claude-code", "openai.chatgpt", "ms-python.python"];
const WALKTHROUGH = "start";

export function registerIssueCommands(
  context: vscode.ExtensionContext,
  { server, backend }: { server: Server; backend: Backend },
): vscode.Disposable[] {
  const id = context.extension.id;
  return register({
    reportIssue: async () => {
      const report = issueReport(await facts(context, server, backend));
      const document = await vscode.workspace.openTextDocument({
        content: report,
        language: "markdown",
      });
      await vscode.window.showTextDocument(document);
      void offer(document, id);
    },
    getStarted: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${id}#${WALKTHROUGH}`),
  });
}

/** What the text says by then: a person may have changed it. */
async function offer(document: vscode.TextDocument, extensionId: string): Promise<void> {
  const copy = t("Copy");
  const open = t("Open Issue Reporter");
  const chosen = await inform(
    t("Nothing was sent. Read the report, add what happened, and copy it into an issue."),
    copy,
    open,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(document.getText());
  if (chosen === open)
    await vscode.commands.executeCommand("workbench.action.openIssueReporter", {
      extensionId,
      issueBody: document.getText(),
    });
}

async function facts(
  context: vscode.ExtensionContext,
  server: Server,
  backend: Backend,
): Promise<IssueFacts> {
  const health = server.facts.state === "failed" ? undefined : await healthReport(backend);
  return {
    now: Date.now(),
    extension: String(context.extension.packageJSON.version),
    others: versionsOf(OTHERS),
    vscode: vscode.version,
    host: vscode.env.appHost,
    remote: vscode.env.remoteName,
    language: vscode.env.language,
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    isTrusted: vscode.workspace.isTrusted,
    isBundled: existsSync(join(context.extensionPath, "bundled", "libs")),
    server: server.facts,
    settings: changedSettings(context),
    errors: lastErrors.all,
    health,
  };
}

async function healthReport(backend: Backend): Promise<string | undefined> {
  const asked = backend.ask("forkpoint/health", { withinDays: SOON_DAYS });
  return withPatience(asked).then(
    ({ report }) => report,
    () => undefined,
  );
}

function versionsOf(ids: readonly string[]): Record<string, string> {
  const found = ids.flatMap((id) => {
    const version = vscode.extensions.getExtension(id)?.packageJSON.version;
    return typeof version === "string" ? [[id, version] as const] : [];
  });
  return Object.fromEntries(found);
}

function changedSettings({ extension }: vscode.ExtensionContext): Record<string, unknown> {
  const names = Object.keys(extension.packageJSON.contributes.configuration.properties);
  const all = vscode.workspace.getConfiguration();
  const changed = names.flatMap((name) => {
    const found = all.inspect(name);
    const isSet = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].some(
      (value) => value !== undefined,
    );
    return isSet ? [[name, all.get(name)] as const] : [];
  });
  return Object.fromEntries(changed);
}
