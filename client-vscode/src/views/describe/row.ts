// What can a row of a tree say? Values only; views/tree.ts makes tree items of them.

import { enumerated } from "../../words";

/** What a row shows and what a screen reader says of it. */
export interface Row {
  label: string;
  /** Stretches of the label that stand out, as [start, end). */
  highlights?: [number, number][];
  /** Dimmed text behind the label; may be empty. */
  description: string;
  icon?: RowIcon;
  /** In words all that label, description, icon and colour say. */
  aria: string;
  /** Kind, then flags, joined by `+`: `session+pinned+live`. Menus look at it. */
  context: string;
  /** Drawn in a quieter colour; `aria` says why in words. */
  isDimmed?: boolean;
}

/** A codicon's name, and a theme colour's when the default will not do. */
export interface RowIcon {
  id: string;
  color?: string;
}

/** A line of a tooltip: text of a transcript is shown as text, never read as Markdown. */
export interface TooltipLine {
  /** Set in bold before the text; '' = the text stands alone. */
  name: string;
  text: string;
}

/** The parts that are there, with a dot between them. */
export function dotted(...parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** The parts that are there, as a sentence for the ear. */
export function spoken(...parts: readonly (string | null | undefined | false)[]): string {
  return enumerated(...parts);
}

/** A row's kind and the flags that hold. */
export function flags(kind: string, set: Readonly<Record<string, boolean>>): string {
  return [kind, ...Object.keys(set).filter((name) => set[name])].join("+");
}
