// What would VS Code read in a text that is only to be shown?

/** A space of no width between a dollar sign and its bracket: nobody sees or hears it. */
const APART = "$\u200b(";

/**
 * Keeps VS Code from drawing `$(name)` as an icon, as it does in quick picks and in the status bar.
 *
 * Its own way to quote them does not last: a match that begins behind the backslash cuts that off.
 */
export function withoutIcons(text: string): string {
  return text.replaceAll("$(", APART);
}

/** The texts of a quick pick's item, to be shown as they are. */
export interface ItemTexts {
  label: string;
  description?: string;
  detail?: string;
}

export function plainItem({ label, description, detail }: ItemTexts): ItemTexts {
  return {
    label: withoutIcons(label),
    ...(description ? { description: withoutIcons(description) } : {}),
    ...(detail ? { detail: withoutIcons(detail) } : {}),
  };
}
