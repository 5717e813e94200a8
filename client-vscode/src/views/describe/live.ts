// What does the client that has a session open do: work, rest, or wait for its user?

import type { LiveProcess } from "../../protocol";

/** What a client says that it waits for while a menu is open which its user called up. */
const MENU = "dialog open";

/** Whether its user looks at a menu of it, such as the one of `/rewind`: that is no question. */
export function hasMenuOpen({ status, waitingFor }: LiveProcess): boolean {
  return status === "waiting" && waitingFor === MENU;
}

/** Whether it cannot go on without its user; null = no client has the session open. */
export function waitsForUser(live: LiveProcess | null): boolean {
  return live?.status === "waiting" && !hasMenuOpen(live);
}

/**
 * What it does: `busy`, `idle`, `waiting`, or a word of another release.
 *
 * @param isCalling whether a call has no result yet: behind a menu nothing else tells
 */
export function workOf(live: LiveProcess, isCalling: boolean): string {
  if (!hasMenuOpen(live)) return live.status;
  return isCalling ? "busy" : "idle";
}
