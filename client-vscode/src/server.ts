// Is the server there? Finds Python, starts the process, restarts it, says in one sentence what is missing.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import type { Probed } from "./interpreter";
import type { ServerFacts } from "./issueReport";
import { lastErrors } from "./lastErrors";
import { log } from "./log";
import { findPython } from "./python";
import { SAID_TO_SERVER, standardOptions } from "./standardFeatures";

const CRASHES_ALLOWED = 3;
const CRASHES_FORGOTTEN_MS = 180_000;

/** Why nothing can be asked, for people. */
export class ServerUnavailable extends Error {
  /** Whether another interpreter would help. */
  readonly pythonIsMissing: boolean;

  constructor(sentence: string, pythonIsMissing: boolean) {
    super(sentence);
    this.pythonIsMissing = pythonIsMissing;
  }
}

/** One server process at a time; whoever asks waits for it. */
export class Server implements vscode.Disposable {
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  private readonly failed = new vscode.EventEmitter<ServerUnavailable>();
  private client: LanguageClient | undefined;
  private failure: ServerUnavailable | undefined;
  private cycle: Promise<void> | undefined;
  private restartsWanted = 0;
  private crashes: number[] = [];
  private crashCount = 0;
  private python: Probed | undefined;

  /** A process runs and answers. */
  readonly onDidStart = this.started.event;
  /** It could not be started, or ended too often. */
  readonly onDidFail = this.failed.event;

  /** @param storagePath a folder of the extension's own that may be written to */
  constructor(
    private readonly extensionPath: string,
    private readonly storagePath: string,
  ) {}

  /** The client, while it runs. */
  get running(): LanguageClient | undefined {
    return this.client;
  }

  /** How it is, for a report. */
  get facts(): ServerFacts {
    const failure = this.failure?.pythonIsMissing ? "noPython" : "other";
    return {
      state: this.client ? "running" : this.failure ? "failed" : "starting",
      ...(this.failure ? { failure } : {}),
      ...(this.python
        ? { python: this.python.version.join("."), executable: this.python.executable }
        : {}),
      crashes: this.crashCount,
    };
  }

  /** Starts the server, or ends and starts it; calls that come meanwhile lead to one more start. */
  restart(): Promise<void> {
    this.restartsWanted += 1;
    this.cycle ??= this.startUntilCurrent().finally(() => {
      this.cycle = undefined;
    });
    return this.cycle;
  }

  /**
   * The running client, once it runs.
   *
   * @throws ServerUnavailable
   */
  async ready(): Promise<LanguageClient> {
    while (this.cycle) await this.cycle;
    if (this.client) return this.client;
    throw this.failure ?? new ServerUnavailable(t("The Forkpoint server was ended."), false);
  }

  async dispose(): Promise<void> {
    this.started.dispose();
    this.failed.dispose();
    await this.stop();
  }

  private async startUntilCurrent(): Promise<void> {
    for (let done = 0; done < this.restartsWanted; ) {
      done = this.restartsWanted;
      await this.stop();
      await this.start();
    }
    this.restartsWanted = 0;
  }

  private async start(): Promise<void> {
    this.failure = undefined;
    const env = this.environment();
    const choice = await findPython(env, this.extensionPath);
    if (choice.kind === "notFound") {
      this.fail(new ServerUnavailable(choice.sentence, true));
      return;
    }
    this.python = choice.probed;
    log.info(`Python ${choice.probed.version.join(".")}: ${choice.probed.executable}`);
    const client = this.newClient(choice.command, env);
    try {
      await client.start();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      lastErrors.add("start", error);
      this.fail(
        new ServerUnavailable(t("The Forkpoint server did not start: its log says why."), false),
      );
      return;
    }
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) this.onCrash();
    });
    this.started.fire(client);
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop().catch((error) => log.error(String(error)));
  }

  private onCrash(): void {
    this.client = undefined;
    this.crashCount += 1;
    const now = performance.now();
    this.crashes = [...this.crashes.filter((time) => now - time < CRASHES_FORGOTTEN_MS), now];
    if (this.crashes.length < CRASHES_ALLOWED) {
      log.warn("The server ended by itself and is started again.");
      void this.restart();
    } else {
      const sentence = t(
        "The Forkpoint server ended {0} times: its log says why.",
        CRASHES_ALLOWED,
      );
      this.fail(new ServerUnavailable(sentence, false));
    }
  }

  private fail(failure: ServerUnavailable): void {
    this.failure = failure;
    log.error(failure.message);
    this.failed.fire(failure);
  }

  private newClient(command: readonly string[], env: NodeJS.ProcessEnv): LanguageClient {
    const [program = "", ...args] = command;
    return new LanguageClient(
      "forkpoint",
      "Forkpoint",
      {
        command: program,
        args: [...args, "-m", "forkpoint", "serve"],
        // Python looks for modules in the working directory: never the workspace.
        options: { env, cwd: this.extensionPath },
      },
      {
        ...standardOptions(),
        outputChannel: log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationOptions: { ...settingsForServer(), ...SAID_TO_SERVER },
        initializationFailedHandler: () => false,
        errorHandler: {
          error: () => ({ action: ErrorAction.Continue, handled: true }),
          closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
        },
      },
    );
  }

  /** The inherited environment, with the bundled packages in front of the interpreter's own. */
  private environment(): NodeJS.ProcessEnv {
    const bundled = ["bundled/server", "bundled/libs"]
      .map((folder) => join(this.extensionPath, folder))
      .filter((folder) => existsSync(folder));
    const inherited = process.env.PYTHONPATH;
    const pythonPath = [...bundled, ...(inherited ? [inherited] : [])].join(delimiter);
    return {
      ...process.env,
      ...(pythonPath ? { PYTHONPATH: pythonPath } : {}),
      PYTHONUTF8: "1",
      PYTHONSAFEPATH: "1",
      // Compiled once, outside of the extension's folder: else each start takes a tenth of a second
      // longer until the first list.
      PYTHONDONTWRITEBYTECODE: "",
      PYTHONPYCACHEPREFIX: join(this.storagePath, "pycache"),
    };
  }
}

/** Settings that the server reads itself; it asks for them again when they change. */
const READ_BY_SERVER = [
  "claudeConfigDirs",
  "codexHomes",
  "account",
  "prices",
  "statusLineCache",
  "watch",
  "search",
];

function settingsForServer(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration("forkpoint");
  return Object.fromEntries(READ_BY_SERVER.map((name) => [name, settings.get(name)]));
}
