// What does a session's row say?

import { t } from "@vscode/l10n";
import type { SessionSummary, Tip } from "../../protocol";
import { age, ageInWords, counted, DAY, size } from "../../words";
import { agentName } from "./agent";
import { fileName } from "./conversation";
import { originInWords } from "./family";
import { hasMenuOpen, workOf } from "./live";
import { dotted, flags, type Row, type RowIcon, spoken } from "./row";
import { type CacheMarkSetting, cacheMark } from "./sessionCache";

/** What the row depends on beside the session itself. */
export interface SessionSetting extends CacheMarkSetting {
  /** Days before its deletion in which a session says so; 0 = never. */
  retentionWarningDays: number;
  isPinned: boolean;
  /** Hidden by the agent or by us. */
  isArchived: boolean;
  /** Title of the session above it, which it came from; undefined = it stands by itself. */
  origin?: string | undefined;
}

export function describeSession(session: SessionSummary, setting: SessionSetting): Row {
  const time = lastTime(session);
  const wrong = urgentMark(session, setting);
  const cache = wrong ? undefined : cacheMark(session, time, setting);
  return {
    label: sessionTitle(session),
    description: dotted(
      session.agent === "codex" && agentName(session.agent),
      age(time, setting.now),
      session.gitBranch,
      size(session.sizeBytes),
      wrong || cache?.text,
      setting.isArchived && t("archived"),
    ),
    icon: sessionIcon(session),
    aria: spoken(
      sessionTitle(session),
      originInWords(session, setting.origin),
      stateInWords(session),
      ageInWords(time, setting.now),
      session.gitBranch && t("branch {0}", session.gitBranch),
      size(session.sizeBytes),
      wrong || cache?.aria,
      setting.isPinned && t("pinned"),
      setting.isArchived && t("archived"),
    ),
    context: flags("session", {
      pinned: setting.isPinned,
      archived: setting.isArchived,
      live: session.live !== null,
      gone: !session.project.exists,
      codex: session.agent === "codex",
      checkpoints: session.checkpointFileCount !== 0,
      shared: session.sharedFiles.length > 0,
      forked: session.forkedFrom !== null,
    }),
  };
}

export function sessionTitle({ title }: Pick<SessionSummary, "title">): string {
  return title.text || t("Untitled session");
}

/** Time of the last record; of the file when no record has one. */
export function lastTime(session: SessionSummary): string {
  return session.updatedAt ?? session.modifiedAt;
}

/** How the session stands, in words. */
export function stateInWords({ live, tip, agent }: SessionSummary): string {
  if (live)
    return hasMenuOpen(live)
      ? t("live, a menu is open")
      : t("live, {0}", WORK[live.status]?.() ?? live.status);
  const state = tip === null ? t("not read yet") : TIPS[tip]().words;
  return agent === "codex" ? t("Codex, {0}", state) : state;
}

function sessionIcon(session: SessionSummary): RowIcon {
  const { live, tip, agent, subagentCount, sharedFiles } = session;
  if (sharedFiles.length > 0) return { id: "warning", color: "list.warningForeground" };
  if (live) return LIVE_ICONS[workOf(live, tip === "toolRunningOrLost")] ?? AT_REST;
  if (tip === null) return { id: "circle-outline" };
  if (tip !== "complete") return TIPS[tip]().icon;
  if (agent === "codex") return { id: "code" };
  return { id: subagentCount ? "organization" : TIPS.complete().icon.id };
}

/** A client of another release may say other words. */
const WORK: Readonly<Record<string, () => string>> = {
  busy: () => t("busy"),
  idle: () => t("idle"),
  waiting: () => t("waiting"),
};

const AT_REST: RowIcon = { id: "circle-filled", color: "charts.green" };
const LIVE_ICONS: Readonly<Record<string, RowIcon>> = {
  busy: { id: "loading~spin" },
  waiting: { id: "bell-dot", color: "list.warningForeground" },
};

// Functions, since texts are looked up when the language is known.
const TIPS: Readonly<Record<Tip, () => { words: string; icon: RowIcon }>> = {
  complete: () => ({ words: t("complete"), icon: { id: "check" } }),
  awaitingAnswer: () => ({ words: t("ended before an answer"), icon: { id: "debug-pause" } }),
  toolRunningOrLost: () => ({ words: t("ended while a tool ran"), icon: { id: "debug-pause" } }),
  stoppedAfterTool: () => ({ words: t("stopped after a tool"), icon: { id: "debug-pause" } }),
  interrupted: () => ({ words: t("interrupted"), icon: { id: "circle-slash" } }),
  apiError: () => ({
    words: t("ended with an API error"),
    icon: { id: "error", color: "list.errorForeground" },
  }),
  empty: () => ({ words: t("empty"), icon: { id: "circle-outline" } }),
};

/** The one thing that is wrong or urgent, the most urgent first; '' = nothing is. */
function urgentMark(session: SessionSummary, setting: SessionSetting): string {
  const shared = sharedMark(session);
  if (shared) return shared;
  const deletion = deletionMark(session.expiresAt, setting);
  if (deletion) return deletion;
  if (!session.project.exists) return t("cwd gone");
  const problems = session.problems.length;
  return problems > 0 ? counted(problems, t("{0} problem"), t("{0} problems")) : "";
}

/** Files that another live session may overwrite. */
function sharedMark({ sharedFiles: [first, ...others] }: SessionSummary): string {
  if (!first) return "";
  return others.length === 0
    ? t("shares {0} with another live session", fileName(first.file))
    : t("shares {0} files with other live sessions", others.length + 1);
}

function deletionMark(
  expiresAt: string | null,
  { now, retentionWarningDays }: SessionSetting,
): string {
  if (expiresAt === null || retentionWarningDays === 0) return "";
  const left = Date.parse(expiresAt) - now;
  if (left > retentionWarningDays * DAY || Number.isNaN(left)) return "";
  if (left <= DAY) return t("deleted today");
  return counted(Math.ceil(left / DAY), t("deleted in {0} day"), t("deleted in {0} days"));
}
