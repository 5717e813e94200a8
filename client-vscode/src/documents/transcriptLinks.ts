// Where do places in a readable transcript lead? As the server says; nothing that a text holds is a link.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { LinkKind, TranscriptLink } from "../protocol";

export function documentLink({
  line,
  start,
  end,
  kind,
  target,
}: TranscriptLink): vscode.DocumentLink {
  const range = new vscode.Range(line, start, line, end);
  const link = new vscode.DocumentLink(range, vscode.Uri.parse(target, true));
  link.tooltip = tooltip(kind);
  return link;
}

function tooltip(kind: LinkKind): string {
  switch (kind) {
    case "file":
      return t("Open the file as it is now");
    case "spilled":
      return t("Open the whole output");
    case "image":
      return t("Show the picture");
    case "subagent":
      return t("Open the subagent's transcript");
    case "branch":
      return t("Open this branch");
    case "transcript":
      return t("Open the whole transcript");
    case "session":
      return t("Open the other session's transcript");
    case "part":
      return t("Open the records before these or after them");
  }
}
