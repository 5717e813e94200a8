// Which diff comes next in a file's history, what stands on its sides, and what is it called?

import { t } from "@vscode/l10n";
import type { FileHistory, FileVersion } from "../protocol";
import { fileName } from "../views/describe/conversation";
import { nameOfSession, promptOf, versionName } from "../views/describe/version";
import { versionKey } from "../views/versionTarget";

const LONGEST_TEXT = 40;

/**
 * A diff of a file's history: a version against the one before it, or against the working file.
 * Without a version it is the working file against the newest version.
 */
export interface Place {
  version?: FileVersion | undefined;
  against: "before" | "workingFile";
}

export type Direction = "older" | "newer";

/** URIs of a diff's contents; undefined = there is none, and an empty text stands for it. */
export interface Sides {
  before: string | undefined;
  after: string | undefined;
  title: string;
}

/** Undefined when the place's version has no content, or no version has. */
export function sidesOf(history: FileHistory, { version, against }: Place): Sides | undefined {
  const shown = version ?? newestWithContent(history);
  if (!shown?.document) return undefined;
  if (version && against === "before") return stepSides(history, version, shown.document);
  return {
    before: shown.document,
    after: history.working.exists ? history.file : undefined,
    title: titled(history, versionName(shown), workingName(history)),
  };
}

/** What a session did to a file: its first version that has content against the working file. */
export function sessionPlace({ versions }: FileHistory): Place {
  const version = versions.find(({ document }) => document !== null);
  return { version, against: "workingFile" };
}

/**
 * The next diff in a direction, past versions without content; undefined = there is none.
 *
 * @param place may be one of an earlier answer
 */
export function nextPlace(
  history: FileHistory,
  place: Place,
  direction: Direction,
): Place | undefined {
  const { against } = place;
  const places = placesOf(history, against);
  const key = keyOf(place);
  const at = places.findIndex((each) => keyOf(each) === key);
  if (at < 0) return undefined;
  return places[direction === "older" ? at + 1 : at - 1];
}

function keyOf({ version }: Place): string | undefined {
  return version && versionKey(version);
}

/** Newest first. */
function placesOf({ versions }: FileHistory, against: Place["against"]): Place[] {
  const shown = versions.filter(({ document }) => document !== null).reverse();
  const places: Place[] = shown.map((version) => ({ version, against }));
  return against === "before" ? [{ against }, ...places] : places;
}

function stepSides(history: FileHistory, version: FileVersion, document: string): Sides {
  const title = titled(history, olderName(history, version), versionName(version));
  return {
    before: version.previous ?? undefined,
    after: document,
    title: `${title} (${shortened(promptOf(version))})`,
  };
}

/** Numbers begin anew in each session, so a version of another one is called by its session too. */
function olderName({ versions, sessions }: FileHistory, version: FileVersion): string {
  if (version.previous === null) return t("nothing older");
  const older = versions.slice(0, versions.indexOf(version)).reverse();
  const before = older.find(({ document }) => document === version.previous);
  if (!before) return t("earlier session"); // not in a history of one session
  const name = versionName(before);
  if (before.sessionId === version.sessionId) return name;
  const session = sessions.find(({ sessionId }) => sessionId === before.sessionId);
  return t("{0} of “{1}”", name, shortened(nameOfSession(session)));
}

function newestWithContent({ versions }: FileHistory): FileVersion | undefined {
  return [...versions].reverse().find(({ document }) => document !== null);
}

function workingName({ working }: FileHistory): string {
  return working.exists ? t("working file") : t("working file that is not there");
}

function titled({ file }: FileHistory, ...names: string[]): string {
  return `${fileName(file)}: ${names.join(" ↔ ")}`;
}

/** Whole characters, not halves of surrogates. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST_TEXT) return text;
  return `${characters
    .slice(0, LONGEST_TEXT - 1)
    .join("")
    .trimEnd()}…`;
}
