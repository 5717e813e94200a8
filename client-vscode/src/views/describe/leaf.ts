// What does the row of the active leaf say: where a resume goes on, or what the agent does there now?

import { t } from "@vscode/l10n";
import type { RunningCall } from "../../protocol";
import type { Standing } from "../../watching";
import { enumerated } from "../../words";
import { fileName } from "./conversation";
import { workOf } from "./live";
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
  const { work, calls }: Doing = standing ? doingAt(standing, now) : RESTING;
  switch (work) {
    case "running":
      return describeRunning(calls);
    case "waiting":
      return describeWaiting(calls);
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

interface Doing {
  work: "running" | "waiting" | "thinking" | "nothing";
  /** What runs, the calls that the agent waits for first. */
  calls: readonly RunningCall[];
}

const RESTING: Doing = { work: "nothing", calls: [] };

/**
 * A client says whether it works; of one that says nothing only the calls without a result tell.
 *
 * A subagent in the background runs while the client rests, but never without the client.
 */
function doingAt({ live, running, heardAt }: Standing, now: number): Doing {
  const awaited = running.filter(({ inBackground }) => !inBackground);
  if (!live) {
    const wasHeard = heardAt !== undefined && now - heardAt < LONGEST_CALL_MS;
    return awaited.length > 0 && wasHeard ? { work: "running", calls: awaited } : RESTING;
  }
  const inBackground = running.filter((call) => call.inBackground);
  const status = workOf(live, awaited.length > 0);
  const calls = status === "idle" ? inBackground : [...awaited, ...inBackground];
  if (status === "waiting") return { work: "waiting", calls };
  if (calls.length > 0) return { work: "running", calls };
  return status === "busy" ? { work: "thinking", calls } : RESTING;
}

function describeRunning(calls: readonly RunningCall[]): Row {
  const [first] = calls;
  const how = first?.inBackground ? t("in the background") : t("running");
  return {
    label: first ? callInWords(first) : "",
    description: dotted(moreThanOne(calls), how, t("active leaf")),
    icon: SPINNING,
    aria: t("active leaf, running now: {0}", callsInWords(calls)),
    context: "leaf",
  };
}

/** It is the first call that waits for its user, unless that runs in the background. */
function describeWaiting(calls: readonly RunningCall[]): Row {
  const [first] = calls;
  const asks = first !== undefined && !first.inBackground;
  return {
    label: asks ? callInWords(first) : t("Waiting for you"),
    description: dotted(asks && moreThanOne(calls), asks && t("waits for you"), t("active leaf")),
    icon: { id: "bell-dot", color: "list.warningForeground" },
    aria: spoken(t("active leaf: the agent waits for you"), callsInWords(calls)),
    context: "leaf",
  };
}

function moreThanOne({ length }: readonly RunningCall[]): string {
  return length > 1 ? t("and {0} more", length - 1) : "";
}

/** `Edit auth.py`; of a call without a file what it does. */
function callInWords({ name, file, summary }: RunningCall): string {
  return `${name} ${file === null ? summary : fileName(file)}`.trim();
}

function callsInWords(calls: readonly RunningCall[]): string {
  return enumerated(
    ...calls.map((call) =>
      call.inBackground ? t("{0} in the background", callInWords(call)) : callInWords(call),
    ),
  );
}
