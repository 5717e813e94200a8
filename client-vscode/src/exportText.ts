// What does an export hold, and what is to be said of it? Asked part by part; nothing is written here.

import { t } from "@vscode/l10n";
import type { ExportCount, ExportFormat, ExportParams, ExportResult } from "./protocol";
import { counted, enumerated } from "./words";

/** A whole text, ready to be written. */
export interface ExportedText {
  bytes: Uint8Array;
  fileName: string;
  redactions: readonly ExportCount[];
}

export interface Waiting {
  isCancelled(): boolean;
  /** @param share of the work that is done, 0 to 1 */
  advanced(share: number): void;
}

/** Asks until the last part is there; undefined if somebody broke off. */
export async function exportedText(
  ask: (params: ExportParams) => Promise<ExportResult>,
  params: ExportParams,
  waiting: Waiting,
): Promise<ExportedText | undefined> {
  // Bytes, since a text of this length may not be had in one piece.
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  let cursor: string | null = null;
  for (;;) {
    if (waiting.isCancelled()) return undefined;
    const part: ExportResult = await ask({ ...params, cursor });
    parts.push(encoder.encode(part.text));
    waiting.advanced(part.total > 0 ? part.done / part.total : 1);
    cursor = part.cursor;
    if (cursor !== null) continue;
    if (waiting.isCancelled()) return undefined;
    return { bytes: joined(parts), fileName: part.fileName, redactions: part.redactions };
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const FORMATS: readonly ExportFormat[] = ["markdown", "html", "json"];
export const SUFFIXES: Readonly<Record<ExportFormat, string>> = {
  markdown: "md",
  html: "html",
  json: "json",
};

/** What was taken out, in a sentence; undefined if nothing was to be. */
export function redactionSentence(
  counts: readonly ExportCount[],
  asked: boolean,
): string | undefined {
  if (!asked) return undefined;
  const secrets = sum(counts.filter(({ kind }) => kind.startsWith("secret:")));
  const homes = sum(counts.filter(({ kind }) => kind === "homePath"));
  const names = sum(counts) - secrets - homes;
  const said = [
    secrets && counted(secrets, t("{0} secret"), t("{0} secrets")),
    homes && counted(homes, t("{0} home folder"), t("{0} home folders")),
    names && counted(names, t("{0} name"), t("{0} names")),
  ];
  const found = enumerated(...said) || t("nothing");
  return t("Taken out by rules: {0}. Read the file before you share it.", found);
}

function sum(counts: readonly ExportCount[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

/**
 * Whether a file would lie below the folder of the agent that wrote a transcript.
 *
 * @param target URI of the file
 * @param transcript URI of the transcript, in `projects/<project>` of that folder
 */
export function liesBelowAgent(target: string, transcript: string): boolean {
  const end = transcript.lastIndexOf("/projects/");
  const folder = end < 0 ? "" : decoded(transcript.slice(0, end + 1));
  return folder !== "" && decoded(target).startsWith(folder);
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
