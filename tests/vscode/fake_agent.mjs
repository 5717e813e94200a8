// Who works on a session? An agent that writes its transcript record by record, and a process that lives.

import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFile, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { transcriptPath } from "./transcripts.mjs";

const VERSION = "2.1.332";
const MODEL = "claude-opus-5-5";

/** One session of the workspace and the client that has it open. */
export class FakeAgent {
  /** uuid of the record that the next one hangs on; null = the conversation begins. */
  last = null;
  #client;
  #read = 20_000;

  /** @param {{ configDir: string, workspace: string }} folders */
  constructor(folders, id = randomUUID()) {
    this.folders = folders;
    this.id = id;
  }

  /** Opens the session in a client that says how it stands: busy, idle or waiting. */
  async start(status) {
    const wait = "setInterval(() => {}, 1 << 30)";
    this.#client = spawn(process.execPath, ["-e", wait], { stdio: "ignore" });
    await once(this.#client, "spawn");
    this.#client.unref(); // it does not keep a driver from ending
    await this.say(status);
  }

  /** @param {string} [waitingFor] what it waits for, if it says that it waits */
  async say(status, waitingFor) {
    const { pid } = this.#client;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const procStart = stat.slice(stat.lastIndexOf(")")).split(" ")[20];
    const { id: sessionId, folders } = this;
    const where = { pid, procStart, sessionId, cwd: folders.workspace, version: VERSION };
    const facts = { ...where, status, ...(waitingFor ? { waitingFor } : {}) };
    await mkdir(path.dirname(this.#registration), { recursive: true });
    await writeFile(
      this.#registration,
      JSON.stringify({ ...facts, kind: "interactive", entrypoint: "cli", updatedAt: Date.now() }),
    );
  }

  /** Closes the client as a person would, or kills it: then its file stays behind. */
  async end({ isKilled = false } = {}) {
    if (!this.#client) return;
    const { pid } = this.#client;
    const file = this.#registration;
    const ended = once(this.#client, "exit");
    process.kill(pid, "SIGKILL");
    await ended;
    this.#client = undefined;
    if (!isKilled) await rm(file);
  }

  prompt(text) {
    return this.#add({ type: "user", message: { role: "user", content: text } });
  }

  /** @returns {Promise<string>} the call's id */
  async call(name, input) {
    const id = `toolu_${randomUUID()}`;
    await this.#answer([{ type: "tool_use", id, name, input }], "tool_use");
    return id;
  }

  result(toolUseId, text = "Done.") {
    const content = [{ type: "tool_result", tool_use_id: toolUseId, content: text }];
    return this.#add({ type: "user", message: { role: "user", content } });
  }

  /** Starts a subagent that works while the conversation goes on. */
  async launch(description) {
    const agentId = randomUUID().slice(0, 8);
    const call = await this.call("Agent", { description, prompt: description });
    const content = [{ type: "tool_result", tool_use_id: call, content: "Async agent launched." }];
    const toolUseResult = { isAsync: true, status: "async_launched", agentId, description };
    await this.#add({ type: "user", message: { role: "user", content }, toolUseResult });
    return agentId;
  }

  /** The client tells the conversation that a subagent is done. */
  land(agentId) {
    const content = `<task-notification>\n<task-id>${agentId}</task-id>\n<status>completed</status>\n</task-notification>`;
    const origin = { kind: "task-notification" };
    return this.#add({ type: "user", message: { role: "user", content }, origin });
  }

  answer(text) {
    return this.#answer([{ type: "text", text }], "end_turn");
  }

  /** Keeps a copy of a file of the workspace, as the client does before a prompt runs. */
  async keepCopy(prompt, file) {
    const { id, folders } = this;
    const hash = createHash("sha256").update(file).digest("hex").slice(0, 16);
    const backupFileName = `${hash}@v1`;
    const folder = path.join(folders.configDir, "file-history", id);
    await mkdir(folder, { recursive: true });
    await copyFile(file, path.join(folder, backupFileName));
    const timestamp = new Date().toISOString();
    const backup = { backupFileName, version: 1, backupTime: timestamp };
    const trackedFileBackups = { [path.basename(file)]: backup };
    const snapshot = { messageId: prompt, trackedFileBackups, timestamp };
    const kind = { type: "file-history-snapshot", isSnapshotUpdate: false };
    await this.write({ ...kind, messageId: prompt, snapshot });
  }

  /** Lines as they are: what has no place in the conversation, or many records at once. */
  async write(...lines) {
    const file = transcriptPath(this.folders, this.id);
    await mkdir(path.dirname(file), { recursive: true });
    await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }

  /** A record that hangs on the last one, not yet written. */
  record(fields) {
    const uuid = randomUUID();
    const record = {
      parentUuid: this.last,
      isSidechain: false,
      uuid,
      timestamp: new Date().toISOString(),
      sessionId: this.id,
      cwd: this.folders.workspace,
      version: VERSION,
      entrypoint: "cli",
      gitBranch: "main",
      ...fields,
    };
    this.last = uuid;
    return record;
  }

  async #add(fields) {
    const record = this.record(fields);
    await this.write(record);
    return record.uuid;
  }

  #answer(content, stopReason) {
    const written = 400;
    const usage = {
      input_tokens: 3,
      cache_read_input_tokens: this.#read,
      cache_creation_input_tokens: written,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      output_tokens: 120,
    };
    this.#read += written;
    const id = `msg_${randomUUID()}`;
    const message = { id, role: "assistant", model: MODEL, content, usage };
    return this.#add({
      type: "assistant",
      message: { ...message, stop_reason: stopReason },
      promptCacheRequested: "5m",
    });
  }

  get #registration() {
    return path.join(this.folders.configDir, "sessions", `${this.#client.pid}.json`);
  }
}
