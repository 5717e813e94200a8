// What would the prompt cache do for the next request? Asked with limited patience: no answer is no obstacle.

import type { Backend } from "./backend";
import type { CacheNote, SessionSummary } from "./protocol";

/** How long a person would wait for it. */
export const PATIENCE_MS = 3000;

/** The note on going on with a session; undefined = the server failed, or took too long. */
export async function foretell(
  backend: Pick<Backend, "ask">,
  { sessionId }: SessionSummary,
  patienceMs = PATIENCE_MS,
): Promise<CacheNote | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  const asked = backend.ask("forkpoint/cacheImpact", { sessionId, action: "resume" });
  try {
    return await Promise.race([asked, late]);
  } catch {
    return undefined; // the backend has written why into the log
  } finally {
    clearTimeout(timer);
  }
}
