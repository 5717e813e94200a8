// What do commands on a file's version act on?

import type { FileHistory, FileVersion } from "../protocol";

/** A version, or a file's whole history where the row is the working file. */
export interface VersionTarget {
  history: FileHistory;
  /** Undefined = the working file. */
  version?: FileVersion | undefined;
}

/** The same for the same version in every answer; several may share one content. */
export function versionKey({ sessionId, version, backup, prompt }: FileVersion): string {
  return [sessionId, version, backup ?? "", prompt?.uuid ?? ""].join(":");
}
