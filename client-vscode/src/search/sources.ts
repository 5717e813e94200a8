// What can the view of results show? Answers to a search, or what was left behind, page by page.

import { t } from "@vscode/l10n";
import type { Backend } from "../backend";
import type { AbandonedResult, Indexing, SearchResult } from "../protocol";
import type { Results } from "../views/resultNodes";
import { counted } from "../words";
import {
  type Found,
  hitsInWords,
  type Page,
  progressInWords,
  type Question,
  searchParams,
  whereInWords,
} from "./question";

export interface Source {
  kind: "search" | "abandoned";
  /** The view's title. */
  title: string;
  /** What was asked, behind the title; '' = the title says it. */
  asked: string;
  page(page: Page, signal: AbortSignal): Promise<Answer>;
}

/** A page, or several that follow on each other. */
export interface Answer extends Results {
  /** Null = everything was looked at. */
  indexing: Indexing | null;
  /** How many there are, in words; '' = none was looked for. */
  count: string;
  /** What else there is to say: why there is nothing, what was left out. */
  sentences: readonly string[];
}

/** Larger pages keep the server from other questions. */
export const LARGEST_PAGE = 200;

/** The first answers of a source, asked for in as many pages as it takes. */
export async function collect(
  source: Pick<Source, "page">,
  wanted: number,
  signal: AbortSignal,
): Promise<Answer> {
  const found: Found[] = [];
  for (let offset = 0; ; offset += LARGEST_PAGE) {
    const limit = Math.min(wanted - offset, LARGEST_PAGE);
    const answer = await source.page({ offset, limit }, signal);
    found.push(...answer.found);
    if (answer.covered >= Math.min(wanted, answer.total)) return { ...answer, found };
  }
}

/** How many of all were asked for with a page and those before it. */
function coveredBy({ offset, limit }: Page, total: number): number {
  return Math.min(offset + limit, total);
}

export interface SearchSource extends Source {
  kind: "search";
  question: Question;
}

export function searchSource(backend: Pick<Backend, "ask">, question: Question): SearchSource {
  return {
    kind: "search",
    question,
    title: t("Search"),
    asked: question.query.trim(),
    page: async (page, signal) => {
      const params = searchParams(question, page);
      return searchAnswer(question, page, await backend.ask("forkpoint/search", params, signal));
    },
  };
}

export function searchAnswer(question: Question, page: Page, result: SearchResult): Answer {
  const { hits, total, totalIsLowerBound, indexing, problem, notes } = result;
  const none = t("No hits for “{0}” {1}.", question.query.trim(), whereInWords(question));
  const isNone = hits.length === 0 && total === 0 && !problem;
  return {
    found: hits,
    total,
    covered: coveredBy(page, total),
    isLowerBound: totalIsLowerBound,
    indexing,
    count: problem ? "" : hitsInWords(total, totalIsLowerBound),
    sentences: [
      ...(problem ? [problem.sentence] : []),
      ...(isNone ? [none] : []),
      ...notes.map(({ sentence }) => sentence),
    ],
  };
}

/** @param session undefined = all sessions */
export function abandonedSource(
  backend: Pick<Backend, "ask">,
  session: { sessionId: string; title: string } | undefined,
): Source {
  const only = session ? { sessionId: session.sessionId } : {};
  return {
    kind: "abandoned",
    title: t("Lost and Found"),
    asked: session?.title ?? "",
    page: async (page, signal) =>
      abandonedAnswer(page, await backend.ask("forkpoint/abandoned", { ...only, ...page }, signal)),
  };
}

function abandonedAnswer(page: Page, { prompts, total, indexing }: AbandonedResult): Answer {
  const none = t("Nothing was left behind: no rewind and no resend abandoned a prompt.");
  return {
    found: prompts,
    total,
    covered: coveredBy(page, total),
    isLowerBound: false,
    indexing,
    count: counted(total, t("{0} abandoned prompt"), t("{0} abandoned prompts")),
    sentences: total === 0 && !progressInWords(indexing) ? [none] : [],
  };
}
