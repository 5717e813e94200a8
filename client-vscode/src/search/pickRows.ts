// Which rows does the search's quick pick have? Values only; searchPick.ts makes items of them.

import { t } from "@vscode/l10n";
import type { Scope, SearchHit, SearchResult } from "../protocol";
import { hitItem } from "../views/describe/hit";
import { dotted, type RowIcon } from "../views/describe/row";
import { type Operator, operators, withPrefix } from "./operators";
import { hitsInWords, idsOf, progressInWords, type Question, whereInWords } from "./question";

/** Characters that a quick pick shows of a row. */
const LONGEST_LINE = 80;

/** What choosing a row does. */
export type Deed =
  | { kind: "open"; hit: SearchHit }
  | { kind: "insert"; operator: Operator }
  | { kind: "type"; query: string }
  | { kind: "look"; scope: Scope }
  | { kind: "list" }
  | { kind: "run"; command: string }
  | { kind: "nothing" };

export interface PickRow {
  /** The same for the same row when rows are made anew. */
  id: string;
  label: string;
  description?: string;
  detail?: string;
  icon: RowIcon;
  deed: Deed;
}

/** The box is empty: what could be typed. */
export function operatorRows(): PickRow[] {
  return operators().map((operator) => ({
    id: `operator:${operator.inserts}`,
    label: operator.example,
    description: operator.explanation,
    icon: { id: "filter" },
    deed: { kind: "insert", operator },
  }));
}

/**
 * What the server answered. Where there is no hit the first row says why.
 *
 * @param now milliseconds since 1970
 */
export function answerRows(question: Question, result: SearchResult, now: number): PickRow[] {
  const { hits, problem, notes } = result;
  if (problem) return [problemRow(question, problem)];
  const ids = idsOf(hits);
  const found =
    hits.length > 0
      ? [...hits.map((hit) => hitRow(hit, ids.get(hit) ?? "", now)), listRow(result)]
      : noneRows(question, result);
  return [
    ...found,
    ...notes.map(({ code, sentence }) => sayingRow(`note:${code}`, sentence, { id: "info" })),
  ];
}

/** @param remedies commands that may help */
export function failedRows(
  sentence: string,
  remedies: readonly { command: string; label: string; icon: RowIcon }[],
): PickRow[] {
  const failed = sayingRow("failed", sentence, { id: "error", color: "list.errorForeground" });
  return [
    failed,
    ...remedies.map(({ command, label, icon }): PickRow => {
      return { id: `run:${command}`, label, icon, deed: { kind: "run", command } };
    }),
  ];
}

/** What stands above the box, in one line: where is looked, and what or how much there is. */
export function pickTitle(question: Question, result: SearchResult | undefined): string {
  const where = t("Search Transcripts {0}", whereInWords(question));
  if (!result || result.problem) return where;
  const { total, totalIsLowerBound, indexing } = result;
  return dotted(
    where,
    progressInWords(indexing) || (total > 0 && hitsInWords(total, totalIsLowerBound)),
  );
}

function hitRow(hit: SearchHit, id: string, now: number): PickRow {
  return { id, ...hitItem(hit, now), deed: { kind: "open", hit } };
}

/** Why there is nothing, and what may help. */
function noneRows(question: Question, result: SearchResult): PickRow[] {
  const query = withPrefix(question.query);
  return [
    noneRow(question, result),
    ...(query === undefined ? [] : [prefixRow(query)]),
    ...(question.scope === "all" ? [] : [everywhereRow()]),
  ];
}

/** Once more what the title says: a screen reader says a row by itself, a title not. */
function noneRow(question: Question, { indexing }: SearchResult): PickRow {
  const progress = progressInWords(indexing);
  const none = t("No hits for “{0}” {1}", question.query.trim(), whereInWords(question));
  if (!progress) return sayingRow("none", none, { id: "info" });
  const detail = t("{0}: more may come", progress);
  return { ...sayingRow("none", none, { id: "info" }), detail };
}

function listRow({ hits, total, totalIsLowerBound, indexing }: SearchResult): PickRow {
  const isAll = total <= hits.length && !totalIsLowerBound;
  const label = isAll ? t("Show these in a view") : t("Show all in a view");
  const description = hitsInWords(total, totalIsLowerBound);
  const detail = progressInWords(indexing);
  return {
    ...{ id: "list", label, description, icon: { id: "list-tree" }, deed: { kind: "list" } },
    ...(detail ? { detail } : {}),
  };
}

function prefixRow(query: string): PickRow {
  const label = t("Search for words that begin so");
  const deed: Deed = { kind: "type", query };
  return { id: "prefix", label, description: query, icon: { id: "regex" }, deed };
}

function everywhereRow(): PickRow {
  const deed: Deed = { kind: "look", scope: "all" };
  return { id: "everywhere", label: t("Search everywhere"), icon: { id: "globe" }, deed };
}

function problemRow({ query }: Question, problem: NonNullable<SearchResult["problem"]>): PickRow {
  const { code, sentence, start, end } = problem;
  const row = sayingRow(`problem:${code}`, sentence, {
    id: "warning",
    color: "list.warningForeground",
  });
  const part = query.slice(start, end).trim();
  return part ? { ...row, description: part } : row;
}

/** A sentence that would be cut off goes on in a second line. */
function sayingRow(id: string, sentence: string, icon: RowIcon): PickRow {
  const end = sentence.slice(0, LONGEST_LINE).search(/[:.] (?!.*[:.] )/) + 1;
  const isLong = sentence.length > LONGEST_LINE && end > 0;
  const lines = isLong
    ? { label: sentence.slice(0, end), detail: sentence.slice(end + 1) }
    : { label: sentence };
  return { id, ...lines, icon, deed: { kind: "nothing" } };
}
