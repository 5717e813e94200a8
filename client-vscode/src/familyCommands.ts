// Where did a session part from the one that it came from?

import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import {
  type Commands,
  type Parts,
  pickTarget,
  register,
  selectedTarget,
  targetIn,
  withPatience,
} from "./commands";
import { inform } from "./notices";
import { type Partings, partingsOf } from "./partings";
import type { Place } from "./views/tree";

export function registerFamilyCommands(parts: Parts): vscode.Disposable[] {
  const commands: Commands = {
    showParting: async (argument) => {
      const target = targetIn(argument) ?? selectedTarget(parts) ?? (await pickTarget(parts));
      if (target) await showParting(target.session.sessionId, parts);
    },
  };
  return register(commands);
}

/** Opens the text at the last record that both have; a button leads to the same one in the other. */
async function showParting(sessionId: string, { backend, transcripts }: Parts): Promise<void> {
  const asked = backend.ask("forkpoint/family", { sessionId });
  const { members } = await withPatience(asked);
  const partings = partingsOf(members, sessionId);
  if (partings.here) await withPatience(transcripts.open(partings.here, false));
  const there = await tell(partings);
  if (there) await withPatience(transcripts.open(there, false));
}

async function tell({ sentence, there }: Partings): Promise<Place | undefined> {
  if (!there) {
    void inform(sentence);
    return undefined;
  }
  const button = t("Show in the Other Session");
  const chosen = await inform(sentence, button);
  return chosen === button ? there : undefined;
}
