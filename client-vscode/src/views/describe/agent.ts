// What is an agent called? Names are not translated.

import type { Agent } from "../../protocol";

export function agentName(agent: Agent): string {
  return agent === "codex" ? "Codex" : "Claude Code";
}
