// When is what is shown asked for again? Soon after a change, not too often, never twice at once.

export const GAP_MS = 150;

/** Runs a question after changes: changes while it runs, or that follow fast, lead to one more run. */
export class Refresher {
  private timer: NodeJS.Timeout | undefined;
  private isStale = false;
  private isRunning = false;
  private isDisposed = false;
  private notBefore = 0;

  /**
   * @param run must not throw
   * @param isSeen what nobody sees is asked for when it is seen again
   * @param gapMs from the beginning of a run to that of the next; asked when the run is over
   */
  constructor(
    private readonly run: () => Promise<void>,
    private readonly isSeen: () => boolean = () => true,
    private readonly gapMs: () => number = () => GAP_MS,
  ) {}

  /** Something changed. */
  soon(): void {
    this.isStale = true;
    this.look();
  }

  /** It may be seen now: what changed meanwhile is asked for. */
  look(): void {
    const isUnderWay = this.isRunning || this.timer !== undefined;
    if (!this.isStale || isUnderWay || this.isDisposed || !this.isSeen()) return;
    this.timer = setTimeout(() => void this.go(), Math.max(0, this.notBefore - performance.now()));
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.isDisposed = true;
  }

  private async go(): Promise<void> {
    this.timer = undefined;
    if (!this.isSeen()) return;
    this.isStale = false;
    this.isRunning = true;
    const began = performance.now(); // a clock that nobody sets
    await this.run();
    this.notBefore = began + this.gapMs();
    this.isRunning = false;
    this.look();
  }
}

/** Of runs that overlap the last one counts: who waits for an earlier one waits for that. */
export class Latest {
  private last: Promise<void> = Promise.resolve();

  /** @param work knows by itself whether a later one has begun */
  async run(work: () => Promise<void>): Promise<void> {
    this.last = work();
    let waited: Promise<void>;
    do {
      waited = this.last;
      await waited;
    } while (waited !== this.last);
  }
}
