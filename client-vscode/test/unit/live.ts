// What the server tells of a followed session, to change one fact of.

import type { DidChangeSessionParams, RunningCall } from "../../src/protocol";

export function running(changes: Partial<RunningCall> = {}): RunningCall {
  return {
    toolUseId: "toolu_1",
    name: "Edit",
    file: "file:///home/dev/shop/src/auth.py",
    summary: "/home/dev/shop/src/auth.py",
    ...changes,
  };
}

/** One new record. */
export function changed(changes: Partial<DidChangeSessionParams> = {}): DidChangeSessionParams {
  return {
    sessionId: "11111111-2222-4333-8444-555555555555",
    agentId: null,
    firstNew: 7,
    lastNew: 7,
    reread: false,
    gone: false,
    leafMoved: false,
    leaf: "r7",
    tip: "complete",
    running: [],
    newBranch: false,
    checkpointFiles: [],
    live: null,
    ...changes,
  };
}
