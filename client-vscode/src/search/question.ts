// What is looked for, and where?

import { t } from "@vscode/l10n";
import type { AbandonedPrompt, Agent, Indexing, Scope, SearchHit, SearchParams } from "../protocol";
import { agentName } from "../views/describe/agent";
import { counted } from "../words";

export interface Question {
  /** As somebody typed it. */
  query: string;
  /** How far around the folder to look. */
  scope: Scope;
  /** URI of the opened folder; undefined = none is open. */
  folder: string | undefined;
  /** Whose sessions; undefined = everybody's. */
  agent?: Agent | undefined;
}

/** A row of an answer. */
export type Found = SearchHit | AbandonedPrompt;

export function isHit(found: Found): found is SearchHit {
  return "snippet" in found;
}

/**
 * An id for each, which is the same when the same is found again: VS Code refuses two rows with one.
 *
 * A record may be found more than once, by what it says and by what it calls.
 */
export function idsOf(found: readonly Found[]): Map<Found, string> {
  const counts = new Map<string, number>();
  return new Map(
    found.map((each) => {
      const place = placeId(each);
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      return [each, count === 1 ? place : `${place}:${count}`];
    }),
  );
}

// VS Code remembers of an id that its row could not be opened, also when that is of another kind.
function placeId(found: Found): string {
  const { sessionId, ordinal } = found;
  if (!isHit(found)) return `abandoned:${sessionId}:${ordinal}`;
  return `hit:${sessionId}:${found.agentId ?? ""}:${ordinal}`;
}

/** A page of the answer. */
export interface Page {
  offset: number;
  limit: number;
}

export function searchParams({ query, scope, folder, agent }: Question, page: Page): SearchParams {
  const around = folder && scope !== "all" ? { folder } : {};
  return { query, scope, ...around, ...(agent ? { agent } : {}), ...page };
}

export function isSameQuestion(a: Question | undefined, b: Question | undefined): boolean {
  const isSamePlace = a?.scope === b?.scope && a?.folder === b?.folder && a?.agent === b?.agent;
  return a?.query === b?.query && isSamePlace;
}

/** The next way to look around, as the button of the view Sessions goes through them. */
export function nextScope({ scope, folder }: Question): Scope {
  if (!folder) return "all";
  if (scope === "folder") return "repository";
  return scope === "repository" ? "all" : "folder";
}

/** Where is looked, in the middle of a sentence. */
export function placeInWords(scope: Scope): string {
  if (scope === "folder") return t("in this folder");
  return scope === "repository" ? t("in this repository") : t("everywhere");
}

/** Where is looked, and in whose sessions, in the middle of a sentence. */
export function whereInWords({ scope, agent }: Question): string {
  const place = placeInWords(scope);
  return agent ? t("{0}, in sessions of {1} only", place, agentName(agent)) : place;
}

/** The next choice of whose sessions: everybody's, then one agent's after the other. */
export function nextAgent({ agent }: Question): Agent | undefined {
  if (agent === undefined) return "claude-code";
  return agent === "claude-code" ? "codex" : undefined;
}

/** How much of it can be searched so far; '' = all. */
export function progressInWords(indexing: Indexing | null): string {
  if (!indexing || indexing.done >= indexing.total) return "";
  const { done, total } = indexing;
  return t(
    "{0} of {1} transcripts are searchable yet",
    done.toLocaleString("en-US"),
    total.toLocaleString("en-US"),
  );
}

/** `1 hit`, `1,204 hits`, `50+ hits`. */
export function hitsInWords(total: number, isLowerBound: boolean): string {
  if (isLowerBound && total > 0) return t("{0}+ hits", total.toLocaleString("en-US"));
  return counted(total, t("{0} hit"), t("{0} hits"));
}
