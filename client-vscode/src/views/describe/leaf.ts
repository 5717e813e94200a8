// What does the row of the active leaf say: where a resume goes on, or what the agent does there now?

import { t } from "@vscode/l10n";
import type { RunningCall } from "../../protocol";
import type { Standing } from "../../watching";
import { fileName } from "./conversation";
import { dotted, type Row, spoken } from "./row";

/**
 * How long a call is taken to run when no client says that it does. Most clients let no command run
 * longer than this.
 */
const LONGEST_CALL_MS = 10 * 60_000;

/**
 * @param standing undefined = the session is not followed
 * @param now milliseconds since 1970
 */
export function describeLeaf(standing?: Standing, now = 0): Row {
  const doing = standing && doingAt(standing, now);
  switch (doing) {
    case "running":
      return describeRunning(standing?.running ?? []);
    case "waiting":
      return describeWaiting(standing?.running ?? []);
    case "thinking":
      return {
        label: t("Thinking"),
        description: t("active leaf"),
        icon: SPINNING,
        aria: t("active leaf: the agent is thinking"),
        context: "leaf",
      };
    default:
      return {
        label: t("Active leaf"),
        description: t("a resume goes on here"),
        icon: { id: "target", color: "charts.green" },
        aria: t("active leaf: a resume goes on here"),
        context: "leaf",
      };
  }
}

const SPINNING = { id: "loading~spin" };

type Doing = "running" | "waiting" | "thinking" | "nothing";

/** A client says whether it works; of one that says nothing only the calls without a result tell. */
function doingAt({ live, running, heardAt }: Standing, now: number): Doing {
  const isCalling = running.length > 0;
  if (!live) {
    const wasHeard = heardAt !== undefined && now - heardAt < LONGEST_CALL_MS;
    return isCalling && wasHeard ? "running" : "nothing";
  }
  if (live.status === "waiting") return "waiting";
  if (live.status === "idle") return "nothing";
  if (isCalling) return "running";
  return live.status === "busy" ? "thinking" : "nothing";
}

function describeRunning(calls: readonly RunningCall[]): Row {
  return {
    label: callsInWords(calls.slice(0, 1)),
    description: dotted(moreThanOne(calls), t("running"), t("active leaf")),
    icon: SPINNING,
    aria: t("active leaf, running now: {0}", callsInWords(calls)),
    context: "leaf",
  };
}

function describeWaiting(calls: readonly RunningCall[]): Row {
  const isCalling = calls.length > 0;
  return {
    label: isCalling ? callsInWords(calls.slice(0, 1)) : t("Waiting for you"),
    description: dotted(moreThanOne(calls), isCalling && t("waits for you"), t("active leaf")),
    icon: { id: "bell-dot", color: "list.warningForeground" },
    aria: spoken(t("active leaf: the agent waits for you"), callsInWords(calls)),
    context: "leaf",
  };
}

function moreThanOne({ length }: readonly RunningCall[]): string {
  return length > 1 ? t("and {0} more", length - 1) : "";
}

/** `Edit auth.py`; of a call without a file what it does. */
function callsInWords(calls: readonly RunningCall[]): string {
  return calls
    .map(({ name, file, summary }) => `${name} ${file === null ? summary : fileName(file)}`.trim())
    .join(", ");
}
