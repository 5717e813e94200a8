// What can be done with the forecast of the prompt cache? Shown, asked again, compared: nothing starts.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Commands, isNode, type Parts, pickTarget, register } from "./commands";
import type { SessionSummary } from "./protocol";
import { promptItems } from "./rewindCommands";
import type { CacheView } from "./views/cacheView";
import type { Conversations } from "./views/conversation";
import type { Target } from "./views/tree";

export function registerCacheCommands(
  conversations: Conversations,
  parts: Parts,
): vscode.Disposable[] {
  const { cache, followed } = parts;
  const commands: Commands = {
    showCache: async (argument) => {
      const session = sessionIn(argument) ?? (await pickTarget(parts))?.session;
      if (!session) return;
      followed.chosen(session);
      await cache.open(session);
    },
    refreshCache: () => cache.refresh(),
    compareRewind: () => choosePrompt(conversations, cache),
  };
  return register(commands);
}

/** Of a row, or of a target that a row's click hands over. */
function sessionIn(argument: unknown): SessionSummary | undefined {
  if (isNode(argument)) return argument.target?.session;
  const isTarget = typeof argument === "object" && argument !== null && "session" in argument;
  return isTarget ? (argument as Target).session : undefined;
}

async function choosePrompt(conversations: Conversations, cache: CacheView): Promise<void> {
  const { shown } = cache;
  if (!shown) return;
  const picked = await vscode.window.showQuickPick(promptItems(conversations, shown), {
    title: t("Compare with a rewind to which prompt?"),
    placeHolder: t("The conversation would go on from before this prompt; nothing is changed"),
    matchOnDescription: true,
  });
  if (picked && cache.shown?.sessionId === shown.sessionId)
    await cache.compareRewind(picked.target);
}
