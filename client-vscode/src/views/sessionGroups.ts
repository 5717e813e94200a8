// Under which heading does a session stand?

import { t } from "@vscode/l10n";
import type { SessionSummary } from "../protocol";
import { DAY } from "../words";
import { lastTime } from "./describe/session";

/** A heading with its sessions, newest first. */
export interface SessionGroup {
  /** The same word for the same group, whatever the language. */
  id: string;
  label: string;
  description: string;
  sessions: SessionSummary[];
}

export interface GroupSetting {
  grouping: "date" | "project";
  /** Milliseconds since 1970. */
  now: number;
  /** IANA name of the user's time zone: days begin at its midnight. */
  timeZone: string;
  isPinned: (sessionId: string) => boolean;
}

/** @param sessions newest first; groups without sessions are left out */
export function groupSessions(
  sessions: readonly SessionSummary[],
  setting: GroupSetting,
): SessionGroup[] {
  const pinned = sessions.filter(({ sessionId }) => setting.isPinned(sessionId));
  const others = sessions.filter(({ sessionId }) => !setting.isPinned(sessionId));
  const groups = setting.grouping === "project" ? byProject(others) : byDate(others, setting);
  const all = [group("pinned", t("Pinned"), pinned), ...groups];
  return all.filter((each) => each.sessions.length > 0);
}

/** One group, those that go first before others. */
export function groupExpiring(sessions: readonly SessionSummary[]): SessionGroup[] {
  const end = ({ expiresAt }: SessionSummary) => (expiresAt === null ? 0 : Date.parse(expiresAt));
  const sorted = [...sessions].sort((a, b) => end(a) - end(b));
  return sorted.length > 0 ? [group("expiring", t("Deleted soon"), sorted)] : [];
}

function byDate(sessions: readonly SessionSummary[], setting: GroupSetting): SessionGroup[] {
  const dayNumber = dayCounter(setting.timeZone);
  const today = dayNumber(setting.now);
  const headings: Readonly<Record<DateGroup, string>> = {
    live: t("Live now"),
    today: t("Today"),
    yesterday: t("Yesterday"),
    week: t("Last 7 days"),
    older: t("Older"),
  };
  const sorted = collect(sessions, (session) =>
    session.live ? "live" : dateGroup(today - dayNumber(Date.parse(lastTime(session)))),
  );
  return (Object.keys(headings) as DateGroup[]).map((id) =>
    group(id, headings[id], sorted.get(id) ?? []),
  );
}

type DateGroup = "live" | "today" | "yesterday" | "week" | "older";

function dateGroup(daysAgo: number): DateGroup {
  if (daysAgo <= 0) return "today"; // a clock of another machine may be ahead
  if (daysAgo === 1) return "yesterday";
  return daysAgo <= 7 ? "week" : "older";
}

function byProject(sessions: readonly SessionSummary[]): SessionGroup[] {
  return [...collect(sessions, projectId)].map(([id, members]) => {
    const project = members[0]?.project;
    return group(
      `project:${id}`,
      project?.name || t("Folder not known"),
      members,
      project?.cwd ?? "",
    );
  });
}

function collect<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const byKey = new Map<K, V[]>();
  for (const value of values) {
    const key = keyOf(value);
    const members = byKey.get(key);
    if (members) members.push(value);
    else byKey.set(key, [value]);
  }
  return byKey;
}

function projectId({ project }: SessionSummary): string {
  return project.cwd ?? project.key;
}

function group(
  id: string,
  label: string,
  sessions: readonly SessionSummary[],
  description = "",
): SessionGroup {
  return { id, label, description, sessions: [...sessions] };
}

/** Numbers the days of a time zone: of two that follow each other the numbers differ by 1. */
export function dayCounter(timeZone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  });
  return (time) => {
    if (Number.isNaN(time)) return Number.NEGATIVE_INFINITY;
    const parts = format.formatToParts(time);
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
    return Date.UTC(part("year"), part("month") - 1, part("day")) / DAY;
  };
}
