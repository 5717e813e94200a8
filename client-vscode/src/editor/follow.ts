// Which file does the view File Checkpoints show, while a person goes from editor to editor?

const DEBOUNCE_MS = 250;
const GRACE_MS = 1500;

/**
 * What has the focus. other = nothing that has checkpoints, such as a version of a file, a
 * transcript or a web view; none = no editor is open.
 */
export type Focus = { kind: "file"; file: string } | { kind: "other" } | { kind: "none" };

/**
 * Follows the focus after a while: who goes through editors passes by most of them, and one that
 * closes may make room for the next. Our own documents are about the file that is shown: it stays.
 */
export class Following {
  private focus: Focus = { kind: "none" };
  private pinned = false;
  private timer: NodeJS.Timeout | undefined;
  private shown: string | undefined;

  /** @param show told the file's URI; undefined = no editor is open */
  constructor(private readonly show: (file: string | undefined) => void) {}

  get isPinned(): boolean {
    return this.pinned;
  }

  /** Turns to what has the focus at the beginning. */
  start(focus: Focus): void {
    this.focus = focus;
    if (focus.kind !== "other") this.turn(fileOf(focus));
  }

  see(focus: Focus): void {
    this.focus = focus;
    clearTimeout(this.timer);
    const file = fileOf(focus);
    if (this.pinned || focus.kind === "other" || file === this.shown) return;
    const wait = file === undefined ? GRACE_MS : DEBOUNCE_MS;
    this.timer = setTimeout(() => this.turn(file), wait);
  }

  /** Keeps a file, the one that is shown when none is named, wherever the focus goes. */
  pin(file = this.shown): void {
    clearTimeout(this.timer);
    this.pinned = true;
    if (file !== this.shown) this.turn(file);
  }

  /** Turns to what has the focus now. */
  unpin(): void {
    this.pinned = false;
    this.start(this.focus);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private turn(file: string | undefined): void {
    this.shown = file;
    this.show(file);
  }
}

function fileOf(focus: Focus): string | undefined {
  return focus.kind === "file" ? focus.file : undefined;
}
