// What failed lately? Kinds and places only: what an error says may hold a path or a piece of a transcript.

const KEPT = 20;

/** One failure, without a word of what it was about. */
export interface KeptError {
  /** Milliseconds since 1970. */
  at: number;
  /** A request or a command of ours. */
  what: string;
  /** The error's class, or the code that the server answered with. */
  kind: string;
  /** Where in the extension's code; '' = not known. */
  place: string;
}

/** The newest failures, the oldest first. */
export class LastErrors {
  private readonly errors: KeptError[] = [];

  get all(): readonly KeptError[] {
    return this.errors;
  }

  /** @param what a name of ours: never one that a user or a transcript gave */
  add(what: string, error: unknown): void {
    this.errors.push({ at: Date.now(), what, kind: kindOf(error), place: placeOf(error) });
    if (this.errors.length > KEPT) this.errors.shift();
  }
}

export const lastErrors = new LastErrors();

/** Names and codes are those of programs, and what does not look like one is not told. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  if (typeof code === "number") return `error ${code}`;
  const name = /^\w{1,40}$/.test(error.name) ? error.name : "Error";
  return typeof code === "string" && /^[A-Z_]{2,40}$/.test(code) ? `${name} ${code}` : name;
}

function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return /[\\/](extension\.js:\d+:\d+)\)?$/m.exec(stack)?.[1] ?? "";
}
