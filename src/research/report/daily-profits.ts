import { dayMicros, dayOf } from '../statistics/equity.ts';

/** Profit at the last sample of every UTC day that has one: what daily returns are made of, without the course of a run. */
export class DailyProfits {
  readonly #byCurrency = new Map<string, number[]>();
  /** Days since the epoch. */
  readonly #days: number[] = [];

  /** `profits` by quote currency, of those traded so far. */
  sample(time: number, profits: Iterable<readonly [string, number]>): void {
    const day = dayOf(time);
    if (day !== this.#days.at(-1)) this.#days.push(day);
    for (const [currency, profit] of profits) this.#of(currency)[this.#days.length - 1] = profit;
  }

  /** When each day ends, in microseconds. */
  get ends(): readonly number[] {
    return this.#days.map((day) => day * dayMicros);
  }

  /** Oldest first; 0 on the days before the first fill in a currency. */
  in(currency: string): readonly number[] {
    const days = this.#byCurrency.get(currency) ?? [];
    return this.#days.map((_, i) => days[i] ?? 0);
  }

  #of(currency: string): number[] {
    const known = this.#byCurrency.get(currency);
    if (known !== undefined) return known;
    const days = this.#days.map(() => 0);
    this.#byCurrency.set(currency, days);
    return days;
  }
}
