// Which sessions lie in the config folder? Transcripts whose answers came minutes ago.

import { randomUUID } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";

/**
 * A prompt and its answer.
 * @typedef {object} Turn
 * @property {string} prompt
 * @property {number} minutesAgo when it was answered; the request was sent a second before
 * @property {string} tokens of the answer: input/read/written for 5 min/written for an hour/generated
 * @property {string} [model]
 * @property {boolean} [compacted] whether the conversation before it was summed up
 */

/**
 * Writes a session of the workspace, or goes on with one that was written before.
 * @param {{ configDir: string, workspace: string }} folders
 * @param {{ id: string, turns: Turn[], version?: string, lines?: object[], last?: string }} session
 *   `lines` stand at the end; `last` = uuid of the record that it goes on from
 * @returns {Promise<string>} uuid of the last answer
 */
export async function writeSession(folders, session) {
  const { id, turns, version = "2.1.332", lines = [], last } = session;
  const record = {
    sessionId: id,
    cwd: folders.workspace,
    version,
    entrypoint: "cli",
    gitBranch: "main",
  };
  const rows = [];
  let parentUuid = last ?? null;
  const add = (time, fields) => {
    const uuid = randomUUID();
    rows.push({ parentUuid, isSidechain: false, uuid, timestamp: time, ...record, ...fields });
    parentUuid = uuid;
  };
  for (const turn of turns) {
    const answered = Date.now() - turn.minutesAgo * 60_000;
    const sent = new Date(answered - 1000).toISOString();
    if (turn.compacted) {
      const before = parentUuid;
      parentUuid = null;
      add(sent, { ...boundary(), logicalParentUuid: before });
    }
    add(sent, { type: "user", message: { role: "user", content: turn.prompt } });
    if (turn.compacted || (rows.length === 1 && !last)) add(sent, recordedPrompt());
    add(new Date(answered).toISOString(), answer(turn));
  }
  const file = transcriptPath(folders, id);
  await mkdir(path.dirname(file), { recursive: true });
  const ends = lines.map((line) => ({ ...line, sessionId: id }));
  const text = [...rows, ...ends].map((row) => `${JSON.stringify(row)}\n`).join("");
  await appendFile(file, text);
  return parentUuid;
}

/** Where the transcript of a session of the workspace lies. */
export function transcriptPath({ configDir, workspace }, id) {
  const project = workspace.replaceAll(/[^0-9A-Za-z]/g, "-");
  return path.join(configDir, "projects", project, `${id}.jsonl`);
}

function answer({ tokens, model = "claude-opus-5-5" }) {
  const [input, read, short, hour, output] = tokens.split("/").map(Number);
  const usage = {
    input_tokens: input,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: short + hour,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: hour },
    output_tokens: output,
  };
  const content = [{ type: "text", text: "Done." }];
  const message = { id: `msg_${randomUUID()}`, role: "assistant", model, content, usage };
  return { type: "assistant", message, promptCacheRequested: hour > 0 ? "1h" : "5m" };
}

/** What newer clients record, so that a resume sends it again. */
function recordedPrompt() {
  const tools = ["Bash", "Edit", "Read", "Write"].map((name) => ({ name, schema: {} }));
  const attachment = { type: "prompt_snapshot", systemPrompt: ["Be careful."], tools };
  return { type: "attachment", attachment };
}

function boundary() {
  const compactMetadata = { trigger: "manual", preTokens: 90_000, postTokens: 12_000 };
  return { type: "system", subtype: "compact_boundary", content: "Compacted", compactMetadata };
}
