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

/** Characters that turn the reading direction of all that follows, and do not end with a text. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
/** Letters that are read from the right: Hebrew, Arabic and their neighbours. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const NOTHING = "\u200b";
const LEFT_TO_RIGHT = "\u200e";

/**
 * Keeps a text from turning the words behind it in its line: an age after a Hebrew title stays
 * behind it, and no title makes another of `txt.exe`. Each place stays where it was.
 */
export function inPlace(text: string): string {
  const still = text.replace(TURNS, NOTHING);
  return FROM_RIGHT.test(still) ? still + LEFT_TO_RIGHT : still;
}

/** The same between the brackets of a link. */
const UNLINKED = "]\u200b(";

/**
 * Keeps VS Code from making a link of `[text](target)`, as it does in notifications: one that is
 * followed there may run any command.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", UNLINKED);
}

/** The texts of a quick pick's item, to be shown as they are. */
export interface ItemTexts {
  label: string;
  description?: string;
  detail?: string;
}

export function plainItem({ label, description, detail }: ItemTexts): ItemTexts {
  return {
    label: inPlace(withoutIcons(label)),
    ...(description ? { description: inPlace(withoutIcons(description)) } : {}),
    ...(detail ? { detail: inPlace(withoutIcons(detail)) } : {}),
  };
}
