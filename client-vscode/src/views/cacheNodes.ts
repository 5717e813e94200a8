// Which rows does the view Resume & Cache have?

import { t } from "@vscode/l10n";
import type { CacheNote, PathEntry, SessionSummary, WorkItem } from "../protocol";
import { breakNodes } from "./cacheBreakNodes";
import { verdictNode } from "./cacheVerdictNode";
import type { Conversations } from "./conversation";
import {
  actionTooltip,
  type ComparedAction,
  describeAction,
  describeActionFailure,
  describeCompare,
} from "./describe/cacheAction";
import { describeHistory } from "./describe/cacheBreak";
import {
  causeTooltip,
  describeBasis,
  describeCause,
  describeFact,
  describeLayer,
  describeLayers,
  describeWhy,
  differ,
  factTooltip,
  layerTooltip,
} from "./describe/cacheReason";
import { isNotForetold, noteFacts } from "./describe/cacheWords";
import {
  describeWork,
  describeWorkItem,
  describeWorkNotKnown,
  inOrder,
  isAllRestored,
  workItemTooltip,
} from "./describe/cacheWorkItem";
import type { Row, TooltipLine } from "./describe/row";
import { promptTarget } from "./sessionNodes";
import type { PromptTarget, TreeNode } from "./tree";

/** What is asked when the view is shown. */
export interface CacheAnswer {
  note: CacheNote;
  /** An error, when the server could not tell. */
  work: WorkItem[] | Error;
}

type Asked = Pick<Conversations, "cacheNote" | "cacheHistory" | "promptsOnPath" | "segments">;

/** All rows of one session; the comparison and the history are asked for when they are opened. */
export class CacheNodes {
  /**
   * @param prompt the prompt that a rewind is compared for; undefined = the one before the newest
   * @param basis what is asked for when a row is opened stays true as long as this is the same
   */
  constructor(
    private readonly conversations: Asked,
    private readonly session: SessionSummary,
    private readonly prompt?: PromptTarget,
    private readonly basis?: string,
  ) {}

  /** @param now milliseconds since 1970 */
  roots({ note, work }: CacheAnswer, now: number): TreeNode[] {
    return [
      verdictNode(this.id("verdict"), note, now),
      ...(isNotForetold(note) ? [] : [this.why(note), this.layers(note)]),
      this.work(work),
      ...(isNotForetold(note) ? [] : [this.compare(note)]),
      this.asked("history", describeHistory(), async (node) => {
        const { conversations, session } = this;
        const history = await conversations.cacheHistory(session);
        const segments = await conversations.segments(session);
        return breakNodes(history, { session, segments, parent: node, now });
      }),
      this.facts(note),
    ];
  }

  private compare(note: CacheNote): TreeNode {
    return this.asked("compare", describeCompare(), (node) => this.compared(note, node));
  }

  private id(name: string): string {
    return `cache:${this.session.sessionId}:${name}`;
  }

  private why({ causes }: CacheNote): TreeNode {
    return this.group("why", describeWhy(causes), "open", causes, (cause) => [
      cause.code,
      describeCause(cause),
      () => causeTooltip(cause),
    ]);
  }

  private layers({ layers }: CacheNote): TreeNode {
    const opens = differ(layers) ? "open" : "closed";
    return this.group("layers", describeLayers(layers), opens, layers, (layer) => [
      layer.layer,
      describeLayer(layer),
      () => layerTooltip(layer),
    ]);
  }

  private work(items: WorkItem[] | Error): TreeNode {
    if (items instanceof Error)
      return this.asked("work", describeWorkNotKnown(), () => Promise.reject(items));
    const opens = isAllRestored(items) ? "closed" : "open";
    return this.group("work", describeWork(items), opens, inOrder(items), (item) => [
      `${item.what}:${item.value}`,
      describeWorkItem(item),
      () => workItemTooltip(item),
    ]);
  }

  private facts(note: CacheNote): TreeNode {
    const facts = noteFacts(note);
    return this.group("basis", describeBasis(facts), "closed", facts, (fact) => [
      fact.what,
      describeFact(fact),
      () => factTooltip(fact),
    ]);
  }

  /** A row with others below it that are known already. */
  private group<T>(
    name: string,
    row: Row,
    opens: "closed" | "open",
    members: readonly T[],
    describe: (member: T) => [name: string, row: Row, tooltip: () => TooltipLine[]],
  ): TreeNode {
    const node: TreeNode = { id: this.id(name), row };
    if (members.length === 0) return node;
    node.opens = opens;
    node.children = members.map((member, index) => {
      const [below, belowRow, tooltip] = describe(member);
      // What repeats is told apart by its place.
      return { id: `${node.id}/${index}:${below}`, parent: node, row: belowRow, tooltip };
    });
    return node;
  }

  /** A row whose others are asked for when it is opened. */
  private asked(name: string, row: Row, ask: (node: TreeNode) => Promise<TreeNode[]>): TreeNode {
    const node: TreeNode = { id: this.id(name), row, opens: "closed", basis: this.basis };
    node.children = () => ask(node);
    return node;
  }

  private async compared(resume: CacheNote, parent: TreeNode): Promise<TreeNode[]> {
    const prompt = this.prompt ?? (await this.promptBeforeNewest());
    const rewind = prompt ? [this.action("rewind", parent, prompt)] : [];
    return Promise.all([
      actionNode("resume", describeAction("resume", resume), parent, resume),
      ...rewind,
      this.action("compact", parent),
      this.action("clear", parent),
    ]);
  }

  /** Going back to the newest would only drop it; undefined = there is no prompt. */
  private async promptBeforeNewest(): Promise<PromptTarget | undefined> {
    const prompts: PathEntry[] = await this.conversations.promptsOnPath(this.session);
    const entry = prompts.at(-2) ?? prompts.at(-1);
    return entry && promptTarget(this.session, entry);
  }

  private async action(
    action: ComparedAction,
    parent: TreeNode,
    target?: PromptTarget,
  ): Promise<TreeNode> {
    const text = target && (target.prompt.preview || t("(no text)"));
    try {
      const note = await this.conversations.cacheNote(this.session, action, target?.prompt.uuid);
      return actionNode(action, describeAction(action, note, text), parent, note, target);
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      return actionNode(action, describeActionFailure(action, sentence, text), parent);
    }
  }
}

/** A click on a rewind shows what else it would do; the others have nothing to show. */
function actionNode(
  action: ComparedAction,
  row: Row,
  parent: TreeNode,
  note?: CacheNote,
  target?: PromptTarget,
): TreeNode {
  const node: TreeNode = { id: `${parent.id}/${action}`, parent, row, target };
  if (note) node.tooltip = () => actionTooltip(action, note, target?.prompt.preview ?? "");
  if (target)
    node.click = {
      command: "forkpoint.previewRewind",
      title: t("Preview Rewind to Here"),
      arguments: [node],
    };
  return node;
}
