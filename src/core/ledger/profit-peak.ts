/** Falls of profit from its highest value so far. A run starts at a peak of 0. */
export class ProfitPeak {
  #peak = 0;

  /** Takes a profit into account and returns how far it is below the peak. */
  fall(profit: number): number {
    if (profit > this.#peak) this.#peak = profit;
    return this.#peak - profit;
  }
}
