import type { TradesPrinted } from '../../core/model/event.ts';

/** The public trades that were received in the last microseconds of a given number. */
export class TradeWindow {
  readonly #spanMicros: number;
  #times: number[] = [];
  #prices: number[] = [];
  #lots: number[] = [];
  #buys: boolean[] = [];

  constructor(spanMicros: number) {
    this.#spanMicros = spanMicros;
  }

  /** How far back it goes, in microseconds. */
  get span(): number {
    return this.#spanMicros;
  }

  take({ trades, receiveTime }: TradesPrinted): void {
    for (const { price, quantity, side } of trades) {
      this.#times.push(receiveTime);
      this.#prices.push(price);
      this.#lots.push(quantity);
      this.#buys.push(side === 'buy');
    }
  }

  /** Average price in ticks, weighted by lots, of what was received after `now - over` up to `now`; NaN without any. */
  average(now: number, over: number, side: 'buy' | 'sell' | 'both'): number {
    this.#forget(now - this.#spanMicros);
    let volume = 0;
    let value = 0;
    for (let i = this.#times.length - 1; i >= 0; i--) {
      if ((this.#times[i] as number) <= now - over) break;
      if (side !== 'both' && this.#buys[i] !== (side === 'buy')) continue;
      volume += this.#lots[i] as number;
      value += (this.#prices[i] as number) * (this.#lots[i] as number);
    }
    return value / volume;
  }

  #forget(until: number): void {
    let old = 0;
    while (old < this.#times.length && (this.#times[old] as number) <= until) old += 1;
    if (old < 1_024 && old < this.#times.length) return;
    this.#times = this.#times.slice(old);
    this.#prices = this.#prices.slice(old);
    this.#lots = this.#lots.slice(old);
    this.#buys = this.#buys.slice(old);
  }
}
