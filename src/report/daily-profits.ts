import { dayOf } from './statistics/statistics-equity.ts';

/** Profit at the last sample of every UTC day that has one: what daily returns are made of, without the course of a run. */
export class DailyProfits {
  readonly #byCurrency = new Map<string, number[]>();
  #day = Number.NaN;
  #count = 0;

  /** `profits` by quote currency, of those traded so far. */
  sample(time: number, profits: Iterable<readonly [string, number]>): void {
    const day = dayOf(time);
    if (day !== this.#day) this.#count += 1;
    this.#day = day;
    for (const [currency, profit] of profits) this.#of(currency)[this.#count - 1] = profit;
  }

  /** Oldest first; 0 on the days before the first fill in a currency. */
  in(currency: string): readonly number[] {
    const days = this.#byCurrency.get(currency) ?? [];
    return Array.from({ length: this.#count }, (_, i) => days[i] ?? 0);
  }

  #of(currency: string): number[] {
    const known = this.#byCurrency.get(currency);
    if (known !== undefined) return known;
    const days = Array.from({ length: this.#count }, () => 0);
    this.#byCurrency.set(currency, days);
    return days;
  }
}
