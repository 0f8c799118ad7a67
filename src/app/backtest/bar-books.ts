import type { Amount } from '../../core/base/amount.ts';
import { fail } from '../../core/base/assert.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { RunSeries } from '../../research/statistics/statistics.ts';
import { EquitySeries } from '../../research/statistics/equity.ts';
import type { RoundTrip } from '../../research/statistics/round-trips.ts';
import { RoundTrips } from '../../research/statistics/round-trips.ts';
import type { BarAccount } from '../../sim/fill-models/bars/account.ts';
import type { BarFill } from '../../sim/fill-models/bars/desk.ts';
import type { BarOutcome } from './bar-profit.ts';
import { BarProfit } from './bar-profit.ts';

/** Executions kept for reading; the round trips are made of all of them. */
const fillsMax = 1_000_000;

/** The books of a bar run: equity at the end of every bar, executions, round trips. Money of the first quote currency. */
export class BarBooks {
  readonly equity = new EquitySeries();
  readonly #trips = new RoundTrips();
  readonly #fills: (BarFill & { readonly bar: number })[] = [];
  #account: BarAccount | undefined;
  #instruments: readonly Instrument[] = [];
  #currency = '';
  #bars = 0;
  #exposed = new Uint8Array(1_024);
  /** Whether something executed or was held since the last sample. */
  #active = false;
  /** The price of the first instrument at every sample. */
  #benchmark = new Float64Array(1_024);
  #tick = 1;
  #first: Instrument | undefined;
  #profit: BarProfit | undefined;
  #end = 0;

  /** How many bars (or minutes of trades) have ended. */
  get bars(): number {
    return this.#bars;
  }

  get fills(): readonly (BarFill & { readonly bar: number })[] {
    return this.#fills;
  }

  get trips(): readonly RoundTrip[] {
    return this.#trips.closed;
  }

  follow(instruments: Instruments, account: BarAccount): void {
    this.#instruments = instruments.all;
    this.#account = account;
    const [first] = instruments.all;
    this.#first = first;
    this.#currency = first?.spec.quoteCurrency ?? '';
    this.#tick = Number(first?.spec.tickSize ?? 1);
    this.#profit = new BarProfit(instruments, account, this.#currency);
  }

  executed(fill: BarFill): void {
    const bar = this.#bars;
    this.#active = true;
    const booked = { ...fill, bar };
    this.#trips.book(booked);
    this.#profit?.executed(fill.instrument);
    if (this.#fills.length < fillsMax) this.#fills.push(booked);
  }

  sample(time: Micros): void {
    const account = this.#account;
    if (account === undefined) return;
    const at = this.equity.size;
    if (at === this.#exposed.length) this.#grow();
    let held = this.#active;
    for (let i = 0; i < this.#instruments.length && !held; i++)
      held = account.position(this.#instruments[i] as Instrument) !== 0;
    this.#exposed[at] = held ? 1 : 0;
    this.#active = false;
    this.#bars += 1;
    this.equity.push(time, account.equity(this.#currency));
    this.#profit?.sample();
    this.#benchmark[at] = this.#priceNow(account);
  }

  /** The run has ended: what executed after the last bar belongs to its equity. */
  end(time: Micros): void {
    this.#end = time;
    if (!this.#active || this.#account === undefined) return;
    const last = this.equity.times.at(-1) ?? 0;
    if (this.equity.size === this.#exposed.length) this.#grow();
    this.#exposed[this.equity.size] = 1;
    this.#benchmark[this.equity.size] = this.#priceNow(this.#account);
    this.equity.push(Math.max(time, last), this.#account.equity(this.#currency));
    this.#profit?.sample();
  }

  /** What the run made of the account, which held `balances` at the start. */
  outcome(balances: ReadonlyMap<string, Amount>): BarOutcome {
    const profit = this.#profit ?? fail('a run on bars ended before it began');
    return profit.outcome(this.equity, this.#end, balances);
  }

  series(): RunSeries {
    return {
      times: this.equity.times,
      equity: this.equity.values,
      trips: this.trips,
      exposed: this.#exposed.subarray(0, this.equity.size),
      benchmark: this.#benchmark.subarray(0, this.equity.size),
    };
  }

  #priceNow(account: BarAccount): number {
    const first = this.#first;
    return first === undefined ? Number.NaN : account.price(first) * this.#tick;
  }

  #grow(): void {
    const exposed = new Uint8Array(this.#exposed.length * 2);
    exposed.set(this.#exposed);
    this.#exposed = exposed;
    const benchmark = new Float64Array(exposed.length);
    benchmark.set(this.#benchmark);
    this.#benchmark = benchmark;
  }
}
