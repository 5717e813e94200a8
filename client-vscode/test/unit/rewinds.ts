// A preview of a rewind to change one fact of.

import type {
  RewindCode,
  RewindConversation,
  RewindFile,
  RewindPreviewResult,
} from "../../src/protocol";

export function conversation(changes: Partial<RewindConversation> = {}): RewindConversation {
  return {
    prompts: 3,
    responses: 4,
    promptsKept: 2,
    responsesKept: 5,
    tokensNow: 143_000,
    tokensAfter: 59_000,
    ...changes,
  };
}

export function rewindFile(changes: Partial<RewindFile> = {}): RewindFile {
  return {
    file: "file:///home/dev/shop/src/tax%20rate.py",
    action: "overwrite",
    reason: null,
    version: 2,
    document: "forkpoint-version:///home/dev/shop/src/tax%20rate.py?backup=a",
    handEdited: false,
    outsideWorkspace: false,
    modeChanges: false,
    added: 2,
    removed: 1,
    ...changes,
  };
}

export function code(changes: Partial<RewindCode> = {}): RewindCode {
  return {
    available: true,
    reason: null,
    sentence: "2 files would change.",
    files: [],
    ...changes,
  };
}

export function preview(changes: Partial<RewindPreviewResult> = {}): RewindPreviewResult {
  return {
    conversation: conversation(),
    code: code(),
    notCovered: { shell: [], subagents: [] },
    ...changes,
  };
}

/** How a workspace /home/dev/shop calls a file. */
export function pathOf(uri: string): string {
  const path = decodeURIComponent(uri.replace("file://", ""));
  return path.startsWith("/home/dev/shop/") ? path.slice("/home/dev/shop/".length) : path;
}
