// What may go into an issue? Versions, kinds and numbers: no content, no path, no name of a person.
//
// In English whatever the language of the window: it is read by whoever mends the fault.

import type { KeptError } from "./lastErrors";

/** How the server is. */
export type ServerState = "running" | "starting" | "failed";

/** What is said of it. */
export interface ServerFacts {
  state: ServerState;
  /** Why it failed: a kind; undefined = it did not. */
  failure?: "noPython" | "other";
  /** Version of the Python that runs it, or last ran it. */
  python?: string;
  /** Path of that Python, of which only the kind is told. */
  executable?: string;
  /** How often it ended by itself since the window was opened. */
  crashes: number;
}

export interface IssueFacts {
  now: number;
  extension: string;
  /** Other extensions, by id: those that Forkpoint works with. */
  others: Readonly<Record<string, string>>;
  vscode: string;
  /** `desktop`, or the kind of server that VS Code runs on. */
  host: string;
  /** Kind of the remote machine, or its name; undefined = it is this one. */
  remote: string | undefined;
  language: string;
  platform: string;
  node: string;
  isTrusted: boolean;
  isBundled: boolean;
  server: ServerFacts;
  /** Settings that are not as they come, by name; values only of those that cannot hold a text. */
  settings: Readonly<Record<string, unknown>>;
  errors: readonly KeptError[];
  /** The server's own report without content; undefined = it could not be asked. */
  health: string | undefined;
}

export function issueReport(facts: IssueFacts): string {
  return [
    "# Issue with Forkpoint",
    "",
    "<!-- What did you do, what did you expect, and what happened? Below are versions and numbers only:",
    "no content of transcripts, no paths, no names. Read it, and take out what you do not want to give. -->",
    "",
    ...section("Versions", versions(facts)),
    ...section("Server", server(facts)),
    ...section("Settings that were changed", settings(facts)),
    ...section("Last errors", errors(facts)),
    facts.health === undefined
      ? "The server could not be asked for the health of transcripts."
      : facts.health.replaceAll(/^# /gm, "## ").trimEnd(),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  const items = lines.length > 0 ? lines.map((line) => `- ${line}`) : ["none"];
  return [`## ${title}`, "", ...items, ""];
}

/** VS Code gives others by the name of the machine. */
const REMOTES = [
  "attached-container",
  "codespaces",
  "dev-container",
  "ssh-remote",
  "tunnel",
  "wsl",
] as const;

function versions(facts: IssueFacts): string[] {
  const kind = REMOTES.find((each) => each === facts.remote) ?? "of another kind";
  const remote = facts.remote === undefined ? "" : `, remote: ${kind}`;
  const others = Object.entries(facts.others).map(([id, version]) => `${id} ${version}`);
  return [
    `Forkpoint ${facts.extension}`,
    `VS Code ${facts.vscode} (${facts.host}${remote}), in ${facts.language}`,
    `${facts.platform}, Node.js ${facts.node}`,
    ...others,
  ];
}

function server({ server, isTrusted, isBundled }: IssueFacts): string[] {
  const failure = server.failure === "noPython" ? " (no Python that fits)" : "";
  const { python, executable = "" } = server;
  return [
    `${server.state}${failure}, ended by itself ${server.crashes}×`,
    python === undefined ? "Python: not found yet" : `Python ${python}: ${pathKind(executable)}`,
    `libraries ${isBundled ? "bundled" : "of that Python"}`,
    `workspace ${isTrusted ? "trusted" : "not trusted"}`,
  ];
}

const KINDS: readonly [RegExp, string][] = [
  [/(^|[\\/])[^\\/]*(venv|virtualenvs)[^\\/]*[\\/]/i, "in a virtual environment"],
  [/(ana|mini|micro|mamba)(conda|forge|mamba)?\d*[\\/]|[\\/]conda[\\/]/i, "of Conda"],
  [/[\\/]\.?pyenv[\\/]/i, "of pyenv"],
  [/[\\/](uv|rye|mise|asdf)[\\/]/i, "of a version manager"],
  [/[\\/](homebrew|Cellar|linuxbrew)[\\/]/i, "of Homebrew"],
  [/WindowsApps/i, "of the Microsoft Store"],
  [/^\/(usr\/)?bin\/|^\/Library\/|^[A-Z]:\\(Windows|Program Files|Python)/i, "of the system"],
  [/^\/usr\/local\/|^\/opt\//, "installed for all users"],
];

/** Where a Python comes from, by its path, which itself is not told. */
export function pathKind(executable: string): string {
  return KINDS.find(([pattern]) => pattern.test(executable))?.[1] ?? "somewhere else";
}

function settings({ settings }: IssueFacts): string[] {
  return Object.entries(settings).map(([name, value]) =>
    typeof value === "boolean" || typeof value === "number" ? `${name}: ${value}` : `${name}: set`,
  );
}

function errors({ errors, now }: IssueFacts): string[] {
  return errors.map(({ at, what, kind, place }) => {
    const seconds = Math.round((now - at) / 1000);
    return `${seconds} s ago, ${what}: ${kind}${place && ` at ${place}`}`;
  });
}
