// What does the Explorer say of a file's checkpoints?

import { t } from "@vscode/l10n";
import type { CheckpointFile } from "../../protocol";
import { counted } from "../../words";

export interface Badge {
  /** At most two characters: VS Code takes no more. */
  text: string;
  tooltip: string;
}

export function badgeOf({ versions, sessions }: CheckpointFile): Badge {
  const count = counted(versions, t("{0} checkpoint version"), t("{0} checkpoint versions"));
  return {
    text: versions > 9 ? "9+" : String(versions),
    tooltip:
      sessions === 1
        ? t("{0} in one session", count)
        : t("{0} in the newest of {1} sessions", count, sessions),
  };
}
