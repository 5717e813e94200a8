// What can be searched, and what can be done with what was found? Shown, opened, copied.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  type Commands,
  isNode,
  type Parts,
  register,
  toldWhenItFails,
  withPatience,
} from "./commands";
import { sayBriefly } from "./notices";
import type { AbandonedPrompt } from "./protocol";
import type { FoundOpener } from "./search/openFound";
import { type Found, isHit, type Question } from "./search/question";
import { PICK_PAGE, SearchPick } from "./search/searchPick";
import { abandonedSource, type SearchSource, searchAnswer, searchSource } from "./search/sources";
import { sessionTitle } from "./views/describe/session";
import type { Target } from "./views/tree";
import { counted } from "./words";

const COPIED_SHOWN_MS = 4000;

export function registerSearchCommands(opener: FoundOpener, parts: Parts): vscode.Disposable[] {
  const { results, preferences } = parts;
  const commands: Commands = {
    search: () => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
      search(opener, parts, {
        query: "",
        scope: preferences.scope,
        folder,
        agent: preferences.agent,
      });
    },
    changeSearch: () => {
      const { shown } = results;
      if (shown && isSearch(shown)) search(opener, parts, shown.question);
    },
    lostAndFound: (argument) => showAbandoned(parts, sessionOf(argument)),
    refreshResults: () => results.refresh(),
    clearResults: () => results.clear(),
    loadMoreResults: () => results.loadMore(),
    groupResults: () => results.setLayout("session"),
    listResults: () => results.setLayout("list"),
    sortResultsByRank: () => results.setOrder("rank"),
    sortResultsByTime: () => results.setOrder("time"),
    openFound: (argument) => {
      const found = foundIn(argument);
      // A click leaves the focus in the view, as in all others; a menu's entry takes it.
      return found && withPatience(opener.open(found, !isNode(argument)));
    },
    openFoundSession: (argument) => {
      const found = foundIn(argument);
      return found && withPatience(opener.openSession(found));
    },
    copyAbandonedPrompt: (argument) => copyText(abandonedIn(argument)?.prompt),
    copyAbandonedAnswer: (argument) => copyText(abandonedIn(argument)?.answer),
  };
  return register(commands);
}

function search(opener: FoundOpener, { backend, results }: Parts, question: Question): void {
  const pick = new SearchPick(
    {
      backend,
      opener,
      list: (asked, result) =>
        results.show(searchSource(backend, asked), searchAnswer(asked, PICK_PAGE, result)),
      attempt: toldWhenItFails,
    },
    question,
  );
  pick.open();
}

function isSearch(source: { kind: string }): source is SearchSource {
  return source.kind === "search";
}

/** Of a session, or of all. */
async function showAbandoned({ backend, results }: Parts, target: Target | undefined) {
  const session = target && {
    sessionId: target.session.sessionId,
    title: sessionTitle(target.session),
  };
  await results.show(abandonedSource(backend, session));
}

/** Of a session's row, or of a row below it. */
function sessionOf(argument: unknown): Target | undefined {
  if (!isNode(argument)) return undefined;
  return argument.target ?? argument.parent?.target;
}

/** A row's click hands over what was found, its menu the row itself. */
function foundIn(argument: unknown): Found | undefined {
  if (isNode(argument)) return argument.found;
  const isFound = typeof argument === "object" && argument !== null && "ordinal" in argument;
  return isFound ? (argument as Found) : undefined;
}

function abandonedIn(argument: unknown): AbandonedPrompt | undefined {
  const found = foundIn(argument);
  return found && !isHit(found) ? found : undefined;
}

async function copyText(text: string | undefined): Promise<void> {
  if (!text) return;
  await vscode.env.clipboard.writeText(text);
  const lines = text.split(/\r\n|\r|\n/).length;
  const copied = counted(lines, t("Copied: {0} line"), t("Copied: {0} lines"));
  sayBriefly(copied, COPIED_SHOWN_MS);
}
