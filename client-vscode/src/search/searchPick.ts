// The quick pick that searches: what is typed is asked, what is chosen is opened.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Backend, sentenceOf } from "../backend";
import { plainItem } from "../plainText";
import type { Scope, SearchHit, SearchResult } from "../protocol";
import { agentName } from "../views/describe/agent";
import { remedies } from "../views/remedies";
import { EditorBefore } from "./editorBefore";
import { LiveSearch, type Seen } from "./liveSearch";
import type { FoundOpener } from "./openFound";
import { withOperator } from "./operators";
import { answerRows, failedRows, operatorRows, type PickRow, pickTitle } from "./pickRows";
import {
  isSameQuestion,
  nextAgent,
  nextScope,
  placeInWords,
  type Question,
  searchParams,
} from "./question";

/** More than somebody reads before typing another word. */
export const PICK_PAGE = { offset: 0, limit: 50 };
/** Who holds an arrow key down goes by more rows than one can open. */
const PREVIEW_MS = 150;

interface Item extends vscode.QuickPickItem {
  row: PickRow;
}

/** What the quick pick works with. */
export interface SearchSetting {
  backend: Backend;
  opener: FoundOpener;
  /** Shows an answer in the view of results. */
  list: (question: Question, result: SearchResult) => Promise<void>;
  /** Tells people what goes wrong in it. */
  attempt: (run: () => Promise<void>) => Promise<void>;
}

/** Lives as long as it is shown. */
export class SearchPick {
  private readonly pick = vscode.window.createQuickPick<Item>();
  private readonly search: LiveSearch;
  private readonly before = new EditorBefore();
  private readonly subscriptions: vscode.Disposable[];
  private result: SearchResult | undefined;
  private previewing: NodeJS.Timeout | undefined;
  /** The row that was the first to be active: nobody moved there. */
  private untouched: string | undefined;

  constructor(
    private readonly setting: SearchSetting,
    private question: Question,
  ) {
    const { pick } = this;
    this.search = new LiveSearch(
      (asked, signal) =>
        setting.backend.ask("forkpoint/search", searchParams(asked, PICK_PAGE), signal),
      (seen) => this.show(seen),
    );
    keepOrder(pick);
    pick.placeholder = t("Words, “a phrase”, prefix*, or an operator such as file: or is:error");
    pick.value = question.query;
    this.subscriptions = [
      pick,
      pick.onDidChangeValue((query) => this.ask({ ...this.question, query })),
      pick.onDidChangeActive(([item]) => this.moved(item?.row)),
      pick.onDidAccept(() => this.chosen(pick.activeItems[0]?.row)),
      pick.onDidTriggerButton((button) => this.pressed(button)),
      pick.onDidHide(() => this.dispose()),
    ];
  }

  open(): void {
    this.ask(this.question);
    this.pick.show();
  }

  private ask(question: Question): void {
    const isOther = !isSameQuestion(question, this.question);
    this.question = question;
    if (isOther) this.result = undefined;
    this.head();
    this.search.look(question);
  }

  private head(): void {
    const { pick, question, result } = this;
    pick.title = pickTitle(question, result);
    const hasHits = result !== undefined && result.hits.length > 0;
    pick.buttons = [
      ...(question.folder ? [scopeButton(question)] : []), // without one there is but one scope
      agentButton(question),
      ...(hasHits ? [LIST] : []),
    ];
  }

  private show(seen: Seen): void {
    this.pick.busy = seen.kind === "asking";
    if (seen.kind === "asking") return; // what was found before stays until then
    const isSame = this.result !== undefined;
    this.result = seen.kind === "answered" ? seen.result : undefined;
    this.head();
    this.fill(rowsOf(seen), isSame);
  }

  /** Who moved to a row stays there when the same is asked once more. */
  private fill(rows: readonly PickRow[], isSame: boolean): void {
    const { pick } = this;
    const before = pick.activeItems[0]?.row.id;
    const items = rows.map(itemOf);
    const same = isSame ? items.find(({ row }) => row.id === before) : undefined;
    if (!same) this.untouched = rows[0]?.id;
    pick.items = items;
    pick.activeItems = [same ?? items[0]].flatMap((item) => item ?? []);
  }

  private moved(row: PickRow | undefined): void {
    clearTimeout(this.previewing);
    if (row?.deed.kind !== "open" || row.id === this.untouched) return;
    this.untouched = undefined; // from now on the first row, too, is one that somebody moved to
    const { hit } = row.deed;
    this.previewing = setTimeout(() => void this.preview(hit), PREVIEW_MS);
  }

  private async preview(hit: SearchHit): Promise<void> {
    this.before.leave();
    await this.setting.opener.open(hit, true).catch(() => undefined); // said when it is chosen
  }

  /** While the next answer is awaited the rows are those of another question. */
  private chosen(row: PickRow | undefined): void {
    if (row && !this.pick.busy) void this.setting.attempt(() => this.perform(row));
  }

  private async perform({ deed }: PickRow): Promise<void> {
    if (deed.kind === "open") {
      this.close();
      await this.setting.opener.open(deed.hit, false);
    } else if (deed.kind === "insert") this.type(withOperator(this.pick.value, deed.operator));
    else if (deed.kind === "type") this.type(deed.query);
    else if (deed.kind === "look") this.lookIn(deed.scope);
    else if (deed.kind === "list") await this.list();
    else if (deed.kind === "run") {
      this.close();
      await vscode.commands.executeCommand(deed.command);
    }
  }

  private pressed(button: vscode.QuickInputButton): void {
    if (button === LIST) void this.setting.attempt(() => this.list());
    else if (button.iconPath === WHOSE)
      this.ask({ ...this.question, agent: nextAgent(this.question) });
    else this.lookIn(nextScope(this.question));
  }

  private type(query: string): void {
    this.pick.value = query;
    this.ask({ ...this.question, query });
  }

  private lookIn(scope: Scope): void {
    this.ask({ ...this.question, scope });
  }

  private async list(): Promise<void> {
    const { question, result } = this;
    if (!result) return;
    this.close();
    await this.setting.list(question, result);
  }

  /** What was previewed stays. */
  private close(): void {
    this.before.forget();
    this.pick.hide();
  }

  private dispose(): void {
    clearTimeout(this.previewing);
    this.search.dispose();
    void this.setting.attempt(() => this.before.restore());
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

function rowsOf(seen: Exclude<Seen, { kind: "asking" }>): PickRow[] {
  if (seen.kind === "empty") return operatorRows();
  if (seen.kind === "answered") return answerRows(seen.question, seen.result, Date.now());
  const commands = remedies(seen.error).flatMap(({ row: { label, icon }, click }) =>
    click && icon ? [{ command: click.command, label, icon }] : [],
  );
  return failedRows(sentenceOf(seen.error), commands);
}

/** Always shown: what fits is for the server to say. */
function itemOf(row: PickRow): Item {
  const { id, color } = row.icon;
  const iconPath = color
    ? new vscode.ThemeIcon(id, new vscode.ThemeColor(color))
    : new vscode.ThemeIcon(id);
  return { ...plainItem(row), iconPath, alwaysShow: true, row };
}

const LIST: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("list-tree"),
  get tooltip() {
    return t("Show Hits in a View");
  },
};

/** The icon shows how it is, the words what a click does, as in the view Sessions. */
function scopeButton(question: Question): vscode.QuickInputButton {
  const place = placeInWords(nextScope(question));
  return {
    iconPath: new vscode.ThemeIcon(SCOPE_ICONS[question.scope]),
    tooltip: t("Search {0}", place),
  };
}

const WHOSE = new vscode.ThemeIcon("person");

function agentButton(question: Question): vscode.QuickInputButton {
  const agent = nextAgent(question);
  const whose = agent && agentName(agent);
  return {
    iconPath: WHOSE,
    tooltip: whose ? t("Search Sessions of {0} Only", whose) : t("Search Sessions of All Agents"),
  };
}

const SCOPE_ICONS: Readonly<Record<Scope, string>> = {
  folder: "folder",
  repository: "repo",
  all: "globe",
};

/**
 * Rows stay in the order of the answer. VS Code would put those first whose label has what is typed;
 * the property is not in its declarations, and has been there for as long as the releases that we run in.
 */
function keepOrder(pick: object): void {
  Object.assign(pick, { sortByLabel: false });
}
