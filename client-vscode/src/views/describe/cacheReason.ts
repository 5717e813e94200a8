// Why is the verdict on the prompt cache what it is? Rows of causes, layers and facts.

import { t } from "@vscode/l10n";
import type {
  CacheCause,
  CacheFact,
  CacheLayer,
  CacheLayerName,
  ImpactCertainty,
  Survival,
} from "../../protocol";
import { counted } from "../../words";
import { dotted, type Row, type RowIcon, spoken, type TooltipLine } from "./row";

/** The row above the causes. */
export function describeWhy(causes: readonly CacheCause[]): Row {
  const count = counted(causes.length, t("{0} reason"), t("{0} reasons"));
  return {
    label: t("Why"),
    description: causes.length === 1 ? "" : count,
    icon: { id: "lightbulb" },
    aria: spoken(t("why"), count),
    context: "cacheGroup",
  };
}

export function describeCause({ sentence, certainty }: CacheCause): Row {
  const { icon, words } = CERTAINTIES[certainty];
  return {
    label: sentence,
    description: words(),
    icon,
    aria: spoken(sentence, words()),
    context: "cacheCause",
  };
}

export function causeTooltip({ sentence, certainty, evidence }: CacheCause): TooltipLine[] {
  const lines: TooltipLine[] = [
    { name: "", text: sentence },
    { name: t("How sure"), text: CERTAINTIES[certainty].words() },
  ];
  return evidence ? [...lines, { name: t("Seen"), text: evidence }] : lines;
}

const CERTAINTIES: Readonly<Record<ImpactCertainty, { icon: RowIcon; words: () => string }>> = {
  certain: { icon: { id: "circle-filled" }, words: () => t("certain") },
  likely: { icon: { id: "circle-outline" }, words: () => t("likely") },
  unknowable: { icon: { id: "question" }, words: () => t("cannot be known") },
};

/** The row above the layers: what is lost begins somewhere, and goes on to the end. */
export function describeLayers(layers: readonly CacheLayer[]): Row {
  const summary = layersInWords(layers);
  return {
    label: t("Layers"),
    description: summary,
    icon: { id: "layers" },
    aria: spoken(t("layers"), summary),
    context: "cacheGroup",
  };
}

/** Whether there is more to see than the row above them says. */
export function differ(layers: readonly CacheLayer[]): boolean {
  return new Set(layers.map(({ survives }) => survives)).size > 1;
}

function layersInWords(layers: readonly CacheLayer[]): string {
  const [first] = layers;
  if (!first) return "";
  if (!differ(layers)) return ALL[first.survives]();
  const lost = layers.find(({ survives }) => survives === "no");
  if (lost) return t("lost from {0} on", LAYERS[lost.layer]().name.toLowerCase());
  const unsure = layers.find(({ survives }) => survives === "unknown");
  return unsure ? t("not known from {0} on", LAYERS[unsure.layer]().name.toLowerCase()) : "";
}

const ALL: Readonly<Record<Survival, () => string>> = {
  yes: () => t("all kept"),
  no: () => t("all lost"),
  unknown: () => t("not known"),
};

export function describeLayer({ layer, survives }: CacheLayer): Row {
  const { name } = LAYERS[layer]();
  const { icon, words } = SURVIVALS[survives];
  return {
    label: name,
    description: words(),
    icon,
    aria: spoken(name, words()),
    context: "cacheLayer",
  };
}

export function layerTooltip({ layer, survives }: CacheLayer): TooltipLine[] {
  const { name, holds } = LAYERS[layer]();
  return [
    { name, text: SURVIVALS[survives].meaning() },
    { name: t("Holds"), text: holds },
  ];
}

const LAYERS: Readonly<Record<CacheLayerName, () => { name: string; holds: string }>> = {
  tools: () => ({ name: t("Tools"), holds: t("the definitions of all tools that are sent") }),
  system: () => ({ name: t("System prompt"), holds: t("the client's own instructions") }),
  project: () => ({
    name: t("Project context"),
    holds: t("CLAUDE.md, the state of git, the surroundings"),
  }),
  conversation: () => ({ name: t("Conversation"), holds: t("prompts, answers, results of tools") }),
};

const SURVIVALS: Readonly<
  Record<Survival, { icon: RowIcon; words: () => string; meaning: () => string }>
> = {
  yes: { icon: { id: "check" }, words: () => t("kept"), meaning: () => t("read from the cache") },
  no: { icon: { id: "close" }, words: () => t("lost"), meaning: () => t("written again") },
  unknown: {
    icon: { id: "question" },
    words: () => t("not known"),
    meaning: () => t("read from the cache or written again, nothing tells which"),
  },
};

/** The row above the facts. */
export function describeBasis(facts: readonly CacheFact[]): Row {
  const count = counted(facts.length, t("{0} fact"), t("{0} facts"));
  return {
    label: t("Based on"),
    description: count,
    icon: { id: "list-unordered" },
    aria: spoken(t("based on"), count),
    context: "cacheGroup",
  };
}

export function describeFact(fact: CacheFact): Row {
  const { value, from } = fact;
  const label = factName(fact);
  return {
    label,
    description: dotted(value, from),
    icon: { id: "symbol-constant" },
    aria: spoken(label, value, t("from {0}", from)),
    context: "cacheFact",
  };
}

export function factTooltip(fact: CacheFact): TooltipLine[] {
  return [
    { name: factName(fact), text: fact.value },
    { name: t("From"), text: fact.from },
  ];
}

/** In words; a server that is newer may know more. */
export function factName({ what }: CacheFact): string {
  return FACTS[what]?.() ?? what;
}

const FACTS: Readonly<Record<string, () => string>> = {
  account: () => t("Account"),
  caching: () => t("Caching"),
  cwd: () => t("Folder"),
  effort: () => t("Effort"),
  extensionVersion: () => t("Version of the extension"),
  fastMode: () => t("Fast mode"),
  git: () => t("Git"),
  lastRequest: () => t("Time of the last request"),
  lastVersion: () => t("Version of the last answer"),
  mcp: () => t("MCP servers"),
  model: () => t("Model"),
  price: () => t("Price"),
  projectFiles: () => t("CLAUDE.md files"),
  provider: () => t("Provider"),
  recordedPrompt: () => t("Recorded prompt"),
  sharedStart: () => t("Shared start"),
  snapshot: () => t("Use of recorded prompts"),
  ttl: () => t("Recorded lifetime"),
  ttlOfNextWrite: () => t("Lifetime of what is written next"),
  version: () => t("Version that goes on"),
};
