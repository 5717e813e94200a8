// Which version is meant? Asks in a list, newest first.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { plainItem, withoutIcons } from "../plainText";
import type { FileHistory, FileVersion } from "../protocol";
import { fileName } from "../views/describe/conversation";
import { describeVersion } from "../views/describe/version";

interface VersionItem extends vscode.QuickPickItem {
  version?: FileVersion;
}

/** A chosen version; "none" = the item that is offered for it; undefined = no choice. */
export async function pickVersion(
  history: FileHistory,
  title: string,
  none?: string,
): Promise<FileVersion | "none" | undefined> {
  const noneItem: VersionItem[] = none === undefined ? [] : [{ label: `$(close) ${none}` }];
  const items = [...noneItem, ...versionItems(history, Date.now())];
  const picked = await vscode.window.showQuickPick(items, {
    title: t("{0}: {1}", fileName(history.file), title),
    placeHolder: t("The prompt before which the file was so"),
    matchOnDescription: true,
  });
  return picked && (picked.version ?? "none");
}

/** Those with content, below the titles of their sessions. */
function versionItems({ versions, sessions }: FileHistory, now: number): VersionItem[] {
  const items: VersionItem[] = [];
  let sessionId = "";
  for (const version of [...versions].reverse()) {
    if (version.state !== "present") continue;
    if (version.sessionId !== sessionId) {
      ({ sessionId } = version);
      const session = sessions.find((each) => each.sessionId === sessionId);
      items.push({
        label: withoutIcons(session?.title || t("Untitled session")),
        kind: vscode.QuickPickItemKind.Separator,
      });
    }
    const { label, description, icon } = describeVersion(version, now);
    const iconPath = icon && new vscode.ThemeIcon(icon.id);
    const texts = plainItem({ label, description });
    items.push({ ...texts, version, ...(iconPath ? { iconPath } : {}) });
  }
  return items;
}
