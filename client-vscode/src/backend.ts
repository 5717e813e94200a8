// What does the server answer? Typed requests; each waits for the server and fails with a sentence.

import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type LanguageClient, ResponseError } from "vscode-languageclient/node";
import { lastErrors } from "./lastErrors";
import { log } from "./log";
import type {
  DidChangeCatalogParams,
  DidChangeSessionParams,
  Notifications,
  Requests,
} from "./protocol";
import { type Server, ServerUnavailable } from "./server";

export type Method = keyof Requests;

/** A request that the server could not answer, in words for people. */
export class RequestFailed extends Error {}

/** All that the views and commands know of the server. */
export class Backend implements vscode.Disposable {
  private readonly catalogChanged = new vscode.EventEmitter<DidChangeCatalogParams>();
  private readonly sessionChanged = new vscode.EventEmitter<DidChangeSessionParams>();
  private readonly subscription: vscode.Disposable;

  readonly onDidChangeCatalog = this.catalogChanged.event;
  /** Only of sessions that are followed. */
  readonly onDidChangeSession = this.sessionChanged.event;

  constructor(private readonly server: Server) {
    this.subscription = server.onDidStart((client) => this.listen(client));
  }

  /**
   * @param signal tells that nobody waits for the answer any more: the server is told so, too
   * @throws ServerUnavailable when there is no server to ask
   * @throws RequestFailed when it answers with an error, or was told that nobody waits
   */
  async ask<M extends Method>(
    method: M,
    params: Requests[M]["params"],
    signal?: AbortSignal,
  ): Promise<Requests[M]["result"]> {
    return this.send(method, params, signal);
  }

  /**
   * The text of a document that the server gives, by its URI.
   *
   * @throws ServerUnavailable, RequestFailed as `ask` does
   */
  async textOf(uri: string): Promise<string> {
    return (await this.send<{ text: string }>("workspace/textDocumentContent", { uri })).text;
  }

  dispose(): void {
    this.subscription.dispose();
    this.catalogChanged.dispose();
    this.sessionChanged.dispose();
  }

  private async send<R>(method: string, params: object, signal?: AbortSignal): Promise<R> {
    const client = await this.server.ready();
    const cancelling = new vscode.CancellationTokenSource();
    const cancel = () => cancelling.cancel();
    if (signal?.aborted) cancel();
    signal?.addEventListener("abort", cancel);
    try {
      return await client.sendRequest<R>(method, params, cancelling.token);
    } catch (error) {
      if (!signal?.aborted) {
        log.warn(`${method}: ${sentenceOf(error)}`);
        lastErrors.add(method, error);
      }
      if (error instanceof ResponseError) throw new RequestFailed(error.message);
      throw new RequestFailed(t("The Forkpoint server ended before it answered."));
    } finally {
      signal?.removeEventListener("abort", cancel);
      cancelling.dispose();
    }
  }

  private listen(client: LanguageClient): void {
    const pass = <M extends keyof Notifications>(
      method: M,
      emitter: vscode.EventEmitter<Notifications[M]>,
    ) => client.onNotification(method, (told: Notifications[M]) => emitter.fire(told));
    pass("forkpoint/didChangeCatalog", this.catalogChanged);
    pass("forkpoint/didChangeSession", this.sessionChanged);
  }
}

/** What to tell people about anything thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ServerUnavailable || error instanceof RequestFailed) return error.message;
  return error instanceof Error ? error.message : String(error);
}
