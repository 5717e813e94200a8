// Under which heading does a session stand?

import { t } from "@vscode/l10n";
import type { SessionSummary } from "../protocol";
import { DAY } from "../words";
import { lastTime } from "./describe/session";
import { type Family, familiesOf, membersOf } from "./sessionFamilies";

/** A heading with its sessions, as families in the order of their newest members. */
export interface SessionGroup {
  /** The same word for the same group, whatever the language. */
  id: string;
  label: string;
  description: string;
  families: Family[];
  /** All of them, each before those that came from it. */
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

/**
 * A family stands where its newest member belongs, a pinned session apart from it.
 *
 * @param sessions newest first; groups without sessions are left out
 */
export function groupSessions(
  sessions: readonly SessionSummary[],
  setting: GroupSetting,
): SessionGroup[] {
  const pinned = sessions.filter(({ sessionId }) => setting.isPinned(sessionId));
  const others = sessions.filter(({ sessionId }) => !setting.isPinned(sessionId));
  const groups = setting.grouping === "project" ? byProject(others) : byDate(others, setting);
  const all = [group("pinned", t("Pinned"), familiesOf(pinned)), ...groups];
  return all.filter((each) => each.sessions.length > 0);
}

/** One group, those that go first before others, each by itself whatever it came from. */
export function groupExpiring(sessions: readonly SessionSummary[]): SessionGroup[] {
  const end = ({ expiresAt }: SessionSummary) => (expiresAt === null ? 0 : Date.parse(expiresAt));
  const sorted = [...sessions].sort((a, b) => end(a) - end(b));
  const alone = sorted.map((session) => ({ session, forks: [] }));
  return alone.length > 0 ? [group("expiring", t("Deleted soon"), alone)] : [];
}

function byDate(sessions: readonly SessionSummary[], setting: GroupSetting): SessionGroup[] {
  const dayNumber = dayCounter(setting.timeZone);
  const today = dayNumber(setting.now);
  const headings: Readonly<Record<DateGroup, string>> = {
    live: t("Live now"),
    future: t("In the future"),
    today: t("Today"),
    yesterday: t("Yesterday"),
    week: t("Last 7 days"),
    older: t("Older"),
  };
  const dateOf = (session: SessionSummary): DateGroup =>
    session.live ? "live" : dateGroup(today - dayNumber(Date.parse(lastTime(session))));
  const newest = newestOf(sessions);
  const sorted = collect(familiesOf(sessions), (family) =>
    membersOf(family).some(({ live }) => live) ? "live" : dateOf(newest(family)),
  );
  return (Object.keys(headings) as DateGroup[]).map((id) =>
    group(id, headings[id], sorted.get(id) ?? []),
  );
}

type DateGroup = "live" | "future" | "today" | "yesterday" | "week" | "older";

function dateGroup(daysAgo: number): DateGroup {
  // A clock was set back, or that of another machine is ahead.
  if (daysAgo < 0) return "future";
  if (daysAgo === 0) return "today";
  if (daysAgo === 1) return "yesterday";
  return daysAgo <= 7 ? "week" : "older";
}

function byProject(sessions: readonly SessionSummary[]): SessionGroup[] {
  const newest = newestOf(sessions);
  const projects = collect(familiesOf(sessions), (family) => projectId(newest(family)));
  return [...projects].map(([id, families]) => {
    const project = families[0] && newest(families[0]).project;
    const name = project?.name || t("Folder not known");
    return group(`project:${id}`, name, families, project?.cwd ?? "");
  });
}

/** @param sessions newest first */
function newestOf(sessions: readonly SessionSummary[]): (family: Family) => SessionSummary {
  const places = new Map(sessions.map((session, place) => [session, place]));
  return (family) =>
    membersOf(family).reduce((one, other) =>
      (places.get(one) ?? 0) <= (places.get(other) ?? 0) ? one : other,
    );
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
  families: readonly Family[],
  description = "",
): SessionGroup {
  const sessions = families.flatMap(membersOf);
  return { id, label, description, families: [...families], sessions };
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
