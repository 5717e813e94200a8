// What would the prompt cache do for the next request? Asked with limited patience: no answer is no obstacle.

import type { Backend } from "./backend";
import type { CacheAction, CacheImpactParams, CacheNote, SessionSummary } from "./protocol";

/** How long a person would wait for it. */
export const PATIENCE_MS = 3000;

/** The question about a session's next request, which a person would send from here. */
export function cacheQuestion(
  { sessionId, entrypoint }: Pick<SessionSummary, "sessionId" | "entrypoint">,
  action: CacheAction = "resume",
  prompt?: string,
): CacheImpactParams {
  const to = prompt === undefined ? {} : { prompt };
  // What a program began goes on in a terminal, which has tools that the program had not.
  const isProgram = entrypoint?.startsWith("sdk-") ?? false;
  const from = isProgram ? { environment: { entrypoint: "cli" } } : {};
  return { sessionId, action, ...to, ...from };
}

/** The note on going on with a session; undefined = the server failed, or took too long. */
export async function foretell(
  backend: Pick<Backend, "ask">,
  session: SessionSummary,
  patienceMs = PATIENCE_MS,
): Promise<CacheNote | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const asked = backend.ask("forkpoint/cacheImpact", cacheQuestion(session));
  try {
    return await Promise.race([asked, late]);
  } catch {
    return undefined; // the backend has written why into the log
  } finally {
    clearTimeout(timer);
  }
}
