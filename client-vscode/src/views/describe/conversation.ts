// What do the rows inside a conversation say: prompts, tool calls, subagents?

import { t } from "@vscode/l10n";
import type { PathEntry, Subagent, SubagentState, ToolCall, ToolCallState } from "../../protocol";
import { age, ageInWords } from "../../words";
import { dotted, flags, type Row, type RowIcon, spoken } from "./row";

export function describePrompt(entry: PathEntry, now: number): Row {
  const label = entry.preview || t("(no text)");
  const kind = PROMPT_KINDS[entry.role];
  const isSummarized = entry.fate === "summarized";
  return {
    label,
    description: dotted(
      entry.timestamp && age(entry.timestamp, now),
      isSummarized && t("summarized"),
    ),
    icon: { id: kind?.icon ?? "comment" },
    aria: spoken(
      kind?.words() ?? t("prompt"),
      label,
      entry.timestamp && ageInWords(entry.timestamp, now),
      isSummarized && t("summarized, no longer sent"),
    ),
    context: "prompt",
  };
}

const PROMPT_KINDS: Readonly<Record<string, { icon: string; words: () => string }>> = {
  command: { icon: "zap", words: () => t("command") },
  shell: { icon: "terminal", words: () => t("shell command") },
};

export function describeToolCall(call: ToolCall): Row {
  const what = toolSubject(call);
  const state = CALL_STATES[call.state]();
  return {
    label: call.name,
    description: dotted(what, state.mark),
    icon: state.icon ?? { id: toolIcon(call.name) },
    aria: spoken(t("tool call {0}", call.name), what, state.mark),
    context: flags("toolCall", { file: call.files.length > 0 }),
  };
}

/** The names of the files it works on, else its summary. */
function toolSubject({ files, summary }: ToolCall): string {
  return files.length > 0 ? files.map(fileName).join(", ") : summary;
}

/** The last part of a file URI, readable. */
export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Of a tool by its name, which a transcript may choose as it likes. */
export function toolIcon(tool: string): string {
  return (Object.hasOwn(TOOL_ICONS, tool) && TOOL_ICONS[tool]) || "tools";
}

const TOOL_ICONS: Readonly<Record<string, string>> = {
  Agent: "organization",
  Bash: "terminal",
  Edit: "edit",
  Glob: "search",
  Grep: "search",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Read: "file",
  Task: "organization",
  WebFetch: "globe",
  WebSearch: "globe",
  Write: "new-file",
};

const CALL_STATES: Readonly<Record<ToolCallState, () => { mark: string; icon?: RowIcon }>> = {
  ok: () => ({ mark: "" }),
  error: () => ({ mark: t("failed"), icon: { id: "error", color: "list.errorForeground" } }),
  denied: () => ({ mark: t("denied"), icon: { id: "circle-slash" } }),
  pending: () => ({ mark: t("no result"), icon: { id: "question" } }),
  interrupted: () => ({ mark: t("interrupted"), icon: { id: "circle-slash" } }),
};

export function describeSubagent(agent: Subagent): Row {
  const label = agent.description || agent.type || agent.agentId;
  const state = SUBAGENT_STATES[agent.state]();
  const type = agent.type === label ? null : agent.type;
  return {
    label,
    description: dotted(type, agent.state === "completed" ? null : state.words),
    icon: { id: state.icon },
    aria: spoken(t("subagent"), label, type, state.words),
    context: agent.transcript === null ? "subagent+inline" : "subagent",
  };
}

const SUBAGENT_STATES: Readonly<Record<SubagentState, () => { words: string; icon: string }>> = {
  completed: () => ({ words: t("completed"), icon: "check" }),
  failed: () => ({ words: t("failed"), icon: "error" }),
  stopped: () => ({ words: t("stopped"), icon: "circle-slash" }),
  runningOrLost: () => ({ words: t("running or lost"), icon: "debug-pause" }),
  unknown: () => ({ words: t("end unknown"), icon: "question" }),
};
