// What can be done with what was spent? Shown, asked again, opened as a text.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type Commands,
  isNode,
  type Parts,
  pickTarget,
  register,
  selectedTarget,
  targetIn,
  withPatience,
} from "./commands";
import { type Named, UsageTexts } from "./documents/usageTexts";
import type { UsageDimension } from "./protocol";
import type { UsageView } from "./views/usageView";

export function registerUsageCommands(usage: UsageView, parts: Parts): vscode.Disposable[] {
  const texts = new UsageTexts(parts.backend);
  const commands: Commands = {
    showUsage: () => vscode.commands.executeCommand("forkpoint.usage.focus"),
    refreshUsage: () => usage.refresh(),
    showUsageTable: async (argument) => {
      const chosen = dimensionsIn(argument) ?? (await pickDimensions());
      if (chosen) await withPatience(texts.openTable(chosen.by, chosen.name));
    },
    showContextCurve: async (argument) => {
      const target = spenderIn(argument) ?? namedIn(argument, parts) ?? (await picked(parts));
      if (target) await withPatience(texts.openCurve(target));
    },
    openSpender: async (argument) => {
      const session = spenderIn(argument);
      if (session)
        await withPatience(
          parts.transcripts.open(
            { session: { ...session, title: { ...session.title, source: "custom" } } },
            true,
          ),
        );
    },
  };
  return [texts, ...register(commands)];
}

interface Table {
  by: UsageDimension[];
  name: string;
}

function tables(): Table[] {
  return [
    { by: ["day"], name: t("Usage by day") },
    { by: ["month"], name: t("Usage by month") },
    { by: ["project"], name: t("Usage by project") },
    { by: ["model"], name: t("Usage by model") },
    { by: ["session"], name: t("Usage by session") },
    { by: ["month", "model"], name: t("Usage by month and model") },
    { by: ["project", "model"], name: t("Usage by project and model") },
    { by: ["day", "project"], name: t("Usage by day and project") },
  ];
}

/** Of a row that stands for all that a view does not show. */
function dimensionsIn(argument: unknown): Table | undefined {
  if (!Array.isArray(argument)) return undefined;
  return tables().find(({ by }) => by.join() === argument.join());
}

async function pickDimensions(): Promise<Table | undefined> {
  const items = tables().map((table) => ({ label: table.name, table }));
  const title = t("Open which table?");
  return (await vscode.window.showQuickPick(items, { title }))?.table;
}

/** The session of a row of Usage, or what its click hands over. */
function spenderIn(argument: unknown): Named | undefined {
  const given: unknown = isNode(argument) ? argument.click?.arguments?.[0] : argument;
  const isNamed = typeof given === "object" && given !== null && "sessionId" in given;
  return isNamed && "title" in given ? (given as Named) : undefined;
}

/** Of a row of another view, else of the one that is selected. */
function namedIn(argument: unknown, parts: Parts): Named | undefined {
  const target = targetIn(argument) ?? selectedTarget(parts);
  return target && { ...target.session, agentId: target.agentId };
}

async function picked(parts: Parts): Promise<Named | undefined> {
  return (await pickTarget(parts))?.session;
}
