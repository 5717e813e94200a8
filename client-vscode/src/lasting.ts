// Does something go on for long enough to be worth a word? What is over in a moment is not mentioned.

export class Lasting {
  private timer: NodeJS.Timeout | undefined;
  private hasLasted = false;

  /**
   * @param ms how long it has to go on
   * @param onDidLast told when it has, unless it is over before
   */
  constructor(
    private readonly ms: number,
    private readonly onDidLast: () => void,
  ) {}

  get isLong(): boolean {
    return this.hasLasted;
  }

  /** Whether it goes on, as far as is known now. */
  see(goesOn: boolean): void {
    if (!goesOn) {
      clearTimeout(this.timer);
      this.timer = undefined;
      this.hasLasted = false;
    } else if (!this.hasLasted)
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        this.hasLasted = true;
        this.onDidLast();
      }, this.ms);
  }

  dispose(): void {
    this.see(false);
  }
}
