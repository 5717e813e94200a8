// Which rows does the view Usage have?

import { t } from "@vscode/l10n";
import type { UsageDimension, UsageParams, UsageResult, UsageRow } from "../protocol";
import {
  describeNote,
  describeSubagents,
  describeUsage,
  describeUsageGroup,
  nameOf,
  type UsageWords,
  usageTooltip,
  weight,
} from "./describe/usage";
import type { TreeNode } from "./tree";

const WEEK = 7;
const MONTH = 30;
/** Rows of a kind; the rest is a row that opens the table. */
const MOST = 30;

export type Ask = (params: UsageParams) => Promise<UsageResult>;

/** What the view asks when it is shown; the rest is asked when a row is opened. */
export interface UsageAnswer {
  today: UsageResult;
  week: UsageResult;
  /** The last 30 days. */
  month: UsageResult;
  all: UsageResult;
}

/** @param now milliseconds since 1970 */
export async function askUsage(ask: Ask, now: number): Promise<UsageAnswer> {
  const until = dayBefore(now, 0); // what a clock set back puts into the future is no part of them
  const [today, week, month, all] = await Promise.all([
    ask({ since: dayBefore(now, 0), until }),
    ask({ by: ["day"], since: dayBefore(now, WEEK - 1), until }),
    ask({ since: dayBefore(now, MONTH - 1), until }),
    ask({ by: ["month"] }),
  ]);
  return { today, week, month, all };
}

/** The day that was so many days ago, where the user is: `2026-11-30`. */
export function dayBefore(now: number, days: number): string {
  const then = new Date(now);
  then.setDate(then.getDate() - days);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

export class UsageNodes {
  /** @param basis what is asked for when a row is opened stays true as long as this is the same */
  constructor(
    private readonly ask: Ask,
    private readonly now: number,
    private readonly basis: string,
  ) {}

  roots({ today, week, month, all }: UsageAnswer): TreeNode[] {
    const since = dayBefore(this.now, MONTH - 1);
    return [
      this.period("today", t("Today"), today, (node) =>
        this.asked(node, "session", dayBefore(this.now, 0)),
      ),
      this.period("week", t("Last 7 days"), week, async (node) =>
        this.rows(node, "day", [...week.rows].reverse()),
      ),
      this.period("month", t("Last 30 days"), month, async (node) => [
        this.group(node, "project", t("By project"), "folder", since),
        this.group(node, "model", t("By model"), "hubot", since),
        this.group(node, "session", t("By session"), "list-unordered", since),
        ...(month.total.subagents.responses > 0
          ? [leaf(`${node.id}:subagents`, node, describeSubagents(month.total))]
          : []),
      ]),
      this.period("all", t("All time"), all, async (node) =>
        this.rows(node, "month", [...all.rows].reverse()),
      ),
      ...all.notes.map((note) => ({
        ...leaf(`usage:note:${note.code}`, undefined, describeNote(note)),
        tooltip: () => [{ name: "", text: note.sentence }],
      })),
    ];
  }

  private period(
    id: string,
    label: string,
    { total }: UsageResult,
    children: (node: TreeNode) => Promise<TreeNode[]>,
  ): TreeNode {
    const words = { label, icon: "calendar", context: "usagePeriod" };
    const node: TreeNode = {
      id: `usage:${id}`,
      row: describeUsage(total, words),
      basis: this.basis,
      tooltip: () => usageTooltip(label, total),
      hover: this.basis,
    };
    if (total.both.responses > 0) {
      node.opens = id === "month" ? "open" : "closed";
      node.children = () => children(node);
    }
    return node;
  }

  private group(
    parent: TreeNode,
    dimension: UsageDimension,
    label: string,
    icon: string,
    since: string,
  ): TreeNode {
    const node: TreeNode = {
      id: `${parent.id}:${dimension}`,
      parent,
      row: describeUsageGroup(label, icon),
      opens: "closed",
      basis: this.basis,
    };
    node.children = () => this.asked(node, dimension, since);
    return node;
  }

  private async asked(node: TreeNode, by: UsageDimension, since: string): Promise<TreeNode[]> {
    const until = dayBefore(this.now, 0);
    return this.rows(node, by, (await this.ask({ by: [by], since, until })).rows);
  }

  private rows(parent: TreeNode, by: UsageDimension, rows: readonly UsageRow[]): TreeNode[] {
    const most = Math.max(...rows.map(weight));
    const shown = rows.slice(0, MOST).map((row, place) => this.row(parent, by, row, place, most));
    const rest = rows.length - shown.length;
    return rest > 0 ? [...shown, this.more(parent, by, rest)] : shown;
  }

  private row(
    parent: TreeNode,
    by: UsageDimension,
    row: UsageRow,
    place: number,
    most: number,
  ): TreeNode {
    const label = nameOf(row);
    const words: UsageWords = { label, icon: ICONS[by], context: `usage+${by}`, most };
    const name = row.sessionId ?? row.day ?? row.month ?? row.project?.path ?? row.model;
    return {
      ...leaf(`${parent.id}:${name ?? place}`, parent, describeUsage(row, words)),
      tooltip: () => usageTooltip(label, row),
      hover: this.basis,
      click: row.sessionId === null ? undefined : opening(row.sessionId, label),
    };
  }

  private more(parent: TreeNode, by: UsageDimension, count: number): TreeNode {
    const label = t("{0} more", count.toLocaleString("en-US"));
    const row = { label, description: "", icon: { id: "ellipsis" }, aria: label, context: "more" };
    const click = { command: "forkpoint.showUsageTable", title: label, arguments: [[by]] };
    return { ...leaf(`${parent.id}:more`, parent, row), click };
  }
}

const ICONS: Readonly<Record<UsageDimension, string>> = {
  session: "comment-discussion",
  day: "calendar",
  month: "calendar",
  project: "folder",
  model: "hubot",
  agent: "robot",
  subagent: "organization",
};

/** The session that a row of it leads to. */
export interface Spender {
  sessionId: string;
  title: { text: string; source: "custom" };
}

function opening(sessionId: string, text: string): NonNullable<TreeNode["click"]> {
  const session: Spender = { sessionId, title: { text, source: "custom" } };
  return { command: "forkpoint.openSpender", title: t("Open Transcript"), arguments: [session] };
}

function leaf(id: string, parent: TreeNode | undefined, row: TreeNode["row"]): TreeNode {
  return { id, parent, row };
}
