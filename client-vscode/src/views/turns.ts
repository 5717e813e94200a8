// Which records belong to which prompt? A path cut into turns.

import type { PathEntry, ToolCall } from "../protocol";

/** What a person gave, and what the agent did until the next prompt. */
export interface Turn {
  /** Null = what stands before the first prompt, as after a compaction within a turn. */
  prompt: PathEntry | null;
  /** uuids of the records that call tools. */
  calling: Set<string>;
}

/** @param entries in the order of the conversation */
export function turnsOf(entries: readonly PathEntry[]): Turn[] {
  const before: Turn = { prompt: null, calling: new Set() };
  const turns = [before];
  let current = before;
  for (const entry of entries) {
    if (entry.fromPerson) {
      current = { prompt: entry, calling: new Set() };
      turns.push(current);
    }
    if (entry.blocks.some(({ kind }) => kind === "toolUse")) current.calling.add(entry.uuid);
  }
  return turns.filter(({ prompt, calling }) => prompt !== null || calling.size > 0);
}

export function callsOf(turn: Turn, calls: readonly ToolCall[]): ToolCall[] {
  return calls.filter(({ uuid }) => turn.calling.has(uuid));
}
