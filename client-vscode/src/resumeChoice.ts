// How can a session be resumed here? The choice alone; resume.ts carries it out.

import type { Agent, SessionSummary } from "./protocol";

export interface ResumeSetting {
  hasOfficialExtension: boolean;
  /** False in a browser, where links to a program of the machine lead nowhere. */
  isDesktop: boolean;
  isTrusted: boolean;
}

export type ResumeChoice =
  | { kind: "extension"; sessionId: string }
  | { kind: "terminal"; cwd: string; command: string; env: Record<string, string> }
  | { kind: "copy"; command: string; because: "untrusted" | "folderIsGone" }
  | { kind: "impossible" };

// An id becomes part of a command line, and comes from a file name.
const HARMLESS_ID = /^[0-9A-Za-z][0-9A-Za-z_-]*$/;

/** The official extension, else a terminal, else the clipboard. */
export function chooseResume(session: SessionSummary, setting: ResumeSetting): ResumeChoice {
  const command = resumeCommand(session);
  if (command === undefined) return { kind: "impossible" };
  const { agent, sessionId, project, configDir } = session;
  // The extension looks into the usual folder only.
  const isInReach = agent === "claude-code" && configDir === null;
  if (isInReach && setting.hasOfficialExtension && setting.isDesktop)
    return { kind: "extension", sessionId };
  if (!setting.isTrusted) return { kind: "copy", command, because: "untrusted" };
  if (!project.exists || project.cwd === null)
    return { kind: "copy", command, because: "folderIsGone" };
  const env = configDir === null ? {} : { [folderVariable(agent)]: configDir };
  return { kind: "terminal", cwd: project.cwd, command, env };
}

/** What tells an agent where its files are. */
export function folderVariable(agent: Agent): string {
  return agent === "codex" ? "CODEX_HOME" : "CLAUDE_CONFIG_DIR";
}

/** What to type in a shell; undefined when no client can have given the session its id. */
export function resumeCommand({ agent, resumeId }: SessionSummary): string | undefined {
  if (!HARMLESS_ID.test(resumeId)) return undefined;
  return agent === "codex" ? `codex resume ${resumeId}` : `claude --resume ${resumeId}`;
}
