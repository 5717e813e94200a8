// A preview of a rewind to change one fact of.

import type {
  CacheNote,
  RewindCode,
  RewindConversation,
  RewindFile,
  RewindPreviewResult,
} from "../../src/protocol";
import { warmNote } from "./notes";

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

/** Example 19 of the rules: back to a prompt whose request was sent six minutes ago. */
export function rewindNote(changes: Partial<CacheNote> = {}): CacheNote {
  return warmNote({
    confidence: "medium",
    sentence: "Keeps about 59.5k cached tokens and drops about 83k ($0.02).",
    causes: [
      {
        code: "rewindKept",
        certainty: "likely",
        sentence: "Requests that went on from here have used the cache.",
        evidence: "last 6 min ago",
      },
    ],
    lastRequestAt: "2026-03-10T11:54:00Z",
    lastRequestBy: "2026-03-10T11:54:20Z",
    expiresAt: "2026-03-10T12:54:00Z",
    expiresBy: "2026-03-10T12:54:20Z",
    readTokens: 59_500,
    writeTokens: 904,
    droppedTokens: 83_269,
    costUsd: { warm: 0.0191, coldLow: 0.312, coldHigh: 0.4832, expected: 0.0191 },
    ...changes,
  });
}

export function preview(changes: Partial<RewindPreviewResult> = {}): RewindPreviewResult {
  return {
    conversation: conversation(),
    code: code(),
    notCovered: { shell: [], subagents: [] },
    cache: rewindNote(),
    ...changes,
  };
}

/** How a workspace /home/dev/shop calls a file. */
export function pathOf(uri: string): string {
  const path = decodeURIComponent(uri.replace("file://", ""));
  return path.startsWith("/home/dev/shop/") ? path.slice("/home/dev/shop/".length) : path;
}
