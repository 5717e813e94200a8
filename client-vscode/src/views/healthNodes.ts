// Which rows does the view Health have? Findings below their kinds, each with its place.

import { t } from "@vscode/l10n";
import type {
  HealthResult,
  Remain,
  RetentionSetting,
  RetentionSource,
  TranscriptHealth,
} from "../protocol";
import { counted, dateAndTime, grouped, size } from "../words";
import { withoutNatives } from "./describe/health";
import { dotted, type Row, spoken } from "./describe/row";
import type { TreeNode } from "./tree";

/** A place in a raw transcript, for the command that goes there. */
export interface RawPlace {
  uri: string;
  /** 0-based; null = the beginning. */
  line: number | null;
}

/** What is known of a session beside its id; undefined = nothing. */
export type TitleOf = (sessionId: string) => string | undefined;

export function healthNodes(health: HealthResult, titleOf: TitleOf): TreeNode[] {
  const rows = new Rows(health, titleOf);
  const groups = [
    rows.natives(),
    rows.types(),
    rows.fields(),
    ...rows.inTranscripts(),
    rows.missingBackups(),
    rows.withoutBackups(),
    rows.duplicates(),
    rows.unreadable(),
    rows.expiring(),
    rows.remains(),
  ];
  return groups.filter((group) => group !== undefined);
}

/** What a row below a kind says and where it leads. */
interface Leaf {
  id: string;
  label: string;
  description?: string;
  sentence: string;
  place?: RawPlace | undefined;
  icon?: string;
}

class Rows {
  constructor(
    private readonly health: HealthResult,
    private readonly titleOf: TitleOf,
  ) {}

  natives(): TreeNode | undefined {
    const leaves = withoutNatives(this.health).map(({ code, sentence }) => ({
      id: code,
      label: sentence,
      sentence,
    }));
    return group("withoutNatives", t("Without Native Parts"), "watch", leaves);
  }

  types(): TreeNode | undefined {
    const leaves = this.health.totals.unknownTypes.map(({ type, count, versions, sentence }) => ({
      id: `type:${type}`,
      label: type || t("(no type)"),
      description: dotted(t("{0}×", count), versions.join(", ")),
      sentence,
    }));
    return group("unknownTypes", t("Unknown Record Types"), "question", leaves);
  }

  fields(): TreeNode | undefined {
    const { fields, sentence: sample } = this.health.unknownFields;
    const leaves = fields.map(({ type, field, count, versions, sentence }) => ({
      id: `field:${type}.${field}`,
      label: `${type}.${field}`,
      description: dotted(t("{0}×", count), versions.join(", ")),
      sentence: `${sentence} ${sample}`,
    }));
    return group("unknownFields", t("Unknown Fields"), "symbol-field", leaves);
  }

  inTranscripts(): (TreeNode | undefined)[] {
    const { sessions } = this.health;
    const of = (pick: OddIn) =>
      sessions.flatMap((found) => pick(found).map((odd) => this.odd(found, odd)));
    const kinds: [id: string, label: string, icon: string, pick: OddIn][] = [
      ["malformed", t("Malformed Lines"), "warning", ({ malformed }) => malformed],
      ["tornTails", t("Unfinished Last Lines"), "ellipsis", tornTails],
      ["brokenChains", t("Broken Chains"), "debug-disconnect", lostChains],
      ["loops", t("Loops"), "sync", ({ loops }) => loops],
      ["repeatedUuids", t("Repeated Ids"), "copy", ({ repeatedUuids }) => repeatedUuids],
      ["gluedRecords", t("Records Behind Others on a Line"), "list-flat", gluedRecords],
    ];
    return kinds.map(([id, label, icon, pick]) => group(id, label, icon, of(pick)));
  }

  missingBackups(): TreeNode | undefined {
    const bare = new Set(this.health.transcriptsWithoutBackups.map(({ sessionId }) => sessionId));
    const leaves = this.health.sessions
      .filter(({ sessionId }) => !bare.has(sessionId))
      .flatMap(({ sessionId, missingBackups }) =>
        missingBackups.map((name) => ({
          id: `backup:${sessionId}:${name}`,
          label: name,
          description: this.name(sessionId),
          sentence: t("The session names this copy of a file, and it is gone."),
        })),
      );
    return group("missingBackups", t("Missing Backups"), "archive", leaves);
  }

  withoutBackups(): TreeNode | undefined {
    const leaves = this.health.transcriptsWithoutBackups.map(
      ({ sessionId, transcript, count, sentence }) => ({
        id: `bare:${sessionId}`,
        label: this.name(sessionId),
        description: t("{0}×", count),
        sentence,
        place: { uri: transcript, line: null },
      }),
    );
    return group("withoutBackups", t("Sessions Without Their Backups"), "archive", leaves);
  }

  duplicates(): TreeNode | undefined {
    const leaves = this.health.duplicateIds.flatMap(({ sessionId, others, sentence }) =>
      others.map((uri) => ({
        id: `duplicate:${uri}`,
        label: this.name(sessionId),
        description: below(uri),
        sentence,
        place: { uri, line: null },
      })),
    );
    return group("duplicateIds", t("Same Id in Several Places"), "files", leaves);
  }

  unreadable(): TreeNode | undefined {
    const leaves = this.health.unreadable.map(({ path, sentence }) => ({
      id: `unreadable:${path}`,
      label: below(path),
      description: sentence,
      sentence,
    }));
    return group("unreadable", t("Unreadable"), "error", leaves);
  }

  /** The list of sessions shows the same with all that can be done about it. */
  expiring(): TreeNode | undefined {
    const { soon, sessions, settings, sentence } = this.health.retention;
    if (soon === 0) return undefined;
    const going = sessions.map(({ sessionId, expiresAt }) => ({
      id: `expiring:${sessionId}`,
      label: this.name(sessionId),
      description: dateAndTime(expiresAt),
      sentence: t("It may be deleted from {0} on.", dateAndTime(expiresAt)),
      icon: "history",
    }));
    const said = settings.map((setting) => ({
      id: `setting:${setting.configDir}:${setting.source}:${setting.sessionId ?? ""}`,
      label: keptFor(setting),
      description: SOURCES[setting.source](),
      sentence: setting.sentence,
      icon: "gear",
      place: setting.file === null ? undefined : { uri: setting.file, line: null },
    }));
    const node = group("expiring", t("Deleted Soon"), "history", [...said, ...going], soon);
    const show: TreeNode = {
      id: "health:expiring/show",
      parent: node,
      row: {
        label: t("Show in Sessions"),
        description: "",
        icon: { id: "filter" },
        aria: spoken(t("show in the view Sessions"), sentence),
        context: "showExpiring",
      },
      click: { command: "forkpoint.showExpiring", title: t("Show in Sessions") },
    };
    if (node && Array.isArray(node.children)) node.children.unshift(show);
    return node;
  }

  remains(): TreeNode | undefined {
    const leaves = this.health.remains.map((remain) => ({
      id: `remain:${remain.path}`,
      label: kindOf(remain),
      description: dotted(weightOf(remain), below(remain.path)),
      sentence: remain.sentence,
    }));
    return group("remains", t("Remains"), "trash", leaves, this.health.totals.remains);
  }

  private odd(found: TranscriptHealth, { ordinal, line, sentence }: Odd): Leaf {
    const where = line === null ? "" : t("line {0}", line + 1);
    const agent = found.agentId === null ? "" : t("subagent {0}", found.agentId);
    return {
      // Two records on one line may have the same sentence.
      id: `${found.transcript}:${ordinal ?? ""}:${sentence}`,
      label: this.name(found.sessionId),
      description: dotted(where, agent, sentence),
      sentence,
      place: { uri: found.transcript, line },
    };
  }

  private name(sessionId: string): string {
    return this.titleOf(sessionId) || sessionId.slice(0, 8);
  }
}

interface Odd {
  ordinal?: number;
  line: number | null;
  sentence: string;
}

type OddIn = (found: TranscriptHealth) => readonly Odd[];

const tornTails: OddIn = ({ tornTail }) => (tornTail ? [tornTail] : []);

const lostChains: OddIn = ({ brokenChains }) =>
  brokenChains.filter(({ goesOnFrom }) => goesOnFrom === null);

const gluedRecords: OddIn = ({ problems }) =>
  problems
    .filter(({ code }) => code === "gluedRecords")
    .map(({ sentence }) => ({ line: null, sentence }));

function group(
  id: string,
  label: string,
  icon: string,
  leaves: readonly Leaf[],
  count = leaves.length,
): TreeNode | undefined {
  if (leaves.length === 0) return undefined;
  const node: TreeNode = {
    id: `health:${id}`,
    row: {
      label,
      description: grouped(count),
      icon: { id: icon },
      aria: spoken(label, grouped(count)),
      context: "healthGroup",
    },
    opens: "closed",
  };
  node.children = leaves.map((leaf) => leafNode(leaf, node));
  return node;
}

function leafNode(leaf: Leaf, parent: TreeNode): TreeNode {
  const { label, description = "", sentence, place, icon } = leaf;
  const row: Row = {
    label,
    description,
    aria: spoken(label, description, description.includes(sentence) ? "" : sentence),
    context: place ? "healthPlace" : "health",
    ...(icon ? { icon: { id: icon } } : {}),
  };
  const click = {
    command: "forkpoint.openRawAt",
    title: t("Go to the Raw Line"),
    arguments: [place],
  };
  return {
    id: `${parent.id}/${leaf.id}`,
    parent,
    row,
    tooltip: () => [{ name: "", text: sentence }],
    hover: sentence,
    ...(place ? { click } : {}),
  };
}

function keptFor({ days }: RetentionSetting): string {
  if (days === null) return t("Never deleted");
  return counted(days, t("Kept for {0} day"), t("Kept for {0} days"));
}

const SOURCES: Readonly<Record<RetentionSource, () => string>> = {
  default: () => t("the agent's default"),
  user: () => t("your settings"),
  project: () => t("a project's settings, once it is started there"),
  managed: () => t("your organisation's settings"),
};

function kindOf({ kind, agentId, sessionId }: Remain): string {
  const whose = sessionId?.slice(0, 8) ?? agentId ?? "";
  switch (kind) {
    case "folderWithoutTranscript":
      return t("Folder of {0}", whose);
    case "orphanedSubagent":
      return t("Subagent {0}", whose);
    case "backupsWithoutTranscript":
      return t("Copies of {0}", whose);
    case "namesWithoutThreads":
      return t("Names of threads that are gone");
  }
}

function weightOf({ files, sizeBytes, isLowerBound }: Remain): string {
  if (files === null || sizeBytes === null) return "";
  const least = isLowerBound ? "≥ " : "";
  return dotted(`${least}${counted(files, t("{0} file"), t("{0} files"))}`, size(sizeBytes));
}

/** The last two parts of a path: enough to tell one from the other. */
function below(uri: string): string {
  const parts = decodeURIComponent(new URL(uri).pathname).split("/").filter(Boolean);
  return parts.slice(-2).join("/");
}
