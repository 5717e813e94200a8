// A file's history to change one fact of.

import type { FileHistory, FileVersion } from "../../src/protocol";

export const FILE = "file:///home/dev/shop/cart.py";

/** URI of a version's content. */
export function contentOf(session: string, number: number): string {
  return `forkpoint-version:///home/dev/shop/cart.py?session=${session}&backup=v${number}`;
}

export function version(number: number, changes: Partial<FileVersion> = {}): FileVersion {
  const sessionId = changes.sessionId ?? "s1";
  return {
    sessionId,
    version: number,
    backup: `5507de530952552d@v${number}`,
    state: "present",
    kind: "edited",
    time: "2026-03-10T11:56:00Z",
    prompt: { uuid: `${sessionId}-p${number}`, preview: `Prompt ${number}` },
    first: number === 1,
    onActivePath: true,
    sizeBytes: 95,
    binary: false,
    added: 12,
    removed: 3,
    source: "backup",
    obtained: "backup",
    after: false,
    note: null,
    document: contentOf(sessionId, number),
    previous: number > 1 ? contentOf(sessionId, number - 1) : null,
    ...changes,
  };
}

export function pruned(number: number, changes: Partial<FileVersion> = {}): FileVersion {
  const gone = { added: null, removed: null, sizeBytes: null, document: null } as const;
  return version(number, { state: "pruned", kind: "pruned", ...gone, ...changes });
}

export function history(
  versions: FileVersion[],
  working: Partial<FileHistory["working"]> = {},
): FileHistory {
  const ids = [...new Set(versions.map(({ sessionId }) => sessionId))];
  return {
    file: FILE,
    versions,
    working: { exists: true, added: 0, removed: 0, editedSince: false, ...working },
    sessions: ids.map((sessionId) => ({ sessionId, title: `Title ${sessionId}`, live: false })),
    problems: [],
  };
}
