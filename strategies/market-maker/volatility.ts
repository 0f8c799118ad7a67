const microsPerSecond = 1_000_000;

/**
 * Running estimate of how far the mid price wanders, from its changes over whole sampling intervals: shorter
 * changes are mostly the touch flickering. Exponentially weighted; in ticks, as a double, for signals only.
 */
export class Volatility {
  readonly #sampleMicros: number;
  readonly #memorySeconds: number;
  #mid = Number.NaN;
  #time = 0;
  #variance = 0;

  constructor(setting: { sampleSeconds: number; memorySeconds: number }) {
    this.#sampleMicros = setting.sampleSeconds * microsPerSecond;
    this.#memorySeconds = setting.memorySeconds;
  }

  /** Shows the mid price in ticks at a time in microseconds. */
  observe(mid: number, time: number): void {
    if (Number.isNaN(this.#mid)) {
      this.#mid = mid;
      this.#time = time;
      return;
    }
    const elapsed = time - this.#time;
    if (elapsed < this.#sampleMicros) return;
    const elapsedSeconds = elapsed / microsPerSecond;
    const change = mid - this.#mid;
    const weight = 1 - Math.exp(-elapsedSeconds / this.#memorySeconds);
    this.#variance += weight * ((change * change) / elapsedSeconds - this.#variance);
    this.#mid = mid;
    this.#time = time;
  }

  /** Forgets the last mid price, so that a jump over an outage is not taken for volatility. */
  interrupt(): void {
    this.#mid = Number.NaN;
  }

  /** Standard deviation of the mid price over `horizonSeconds`, in ticks. */
  over(horizonSeconds: number): number {
    return Math.sqrt(this.#variance * horizonSeconds);
  }
}
