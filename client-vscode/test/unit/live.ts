// What the server tells of a followed session, to change one fact of.

import type { DidChangeSessionParams, LiveProcess, RunningCall } from "../../src/protocol";

/** A client in a state; a word after a colon is what it waits for: `waiting: dialog open`. */
export function client(state: string): LiveProcess {
  const [status = "", waitingFor = null] = state.split(": ");
  return { status, waitingFor, pid: 42 };
}

export function running(changes: Partial<RunningCall> = {}): RunningCall {
  return {
    toolUseId: "toolu_1",
    name: "Edit",
    file: "file:///home/dev/shop/src/auth.py",
    summary: "/home/dev/shop/src/auth.py",
    inBackground: false,
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
