import type { Amount } from '../../core/base/amount.ts';
import { fail } from '../../core/base/assert.ts';
import { deepestFall } from '../../core/ledger/index.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import type { RunSeries, RoundTrip } from '../../research/statistics/index.ts';
import { EquitySeries, RoundTrips } from '../../research/statistics/index.ts';
import type { BarAccount, BarFill } from '../../sim/fill-models/bars/index.ts';
import { add, amountToNumber, subtract, zero } from '../../core/base/amount.ts';
import { Marks, Opening, withoutNoise } from '../../research/report/index.ts';
import type { EquityLine } from '../../research/report/index.ts';

/** Executions kept for reading; the round trips are made of all of them. */
const fillsMax = 1_000_000;

/**
 * The books of a bar run: equity at the end of every bar, executions, round trips. Money of the first quote currency. Fast twin of
 * the summary of ticks: row `bars-nautilustrader`, 2.3 times as fast.
 */
export class BarBooks {
  readonly equity = new EquitySeries();
  readonly #trips = new RoundTrips();
  readonly #fills: BarFill[] = [];
  readonly #fillBars: number[] = [];
  #account: BarAccount | undefined;
  #instruments: readonly Instrument[] = [];
  #currency = '';
  #bars = 0;
  #exposed = new Uint8Array(1_024);
  /** Whether something executed or was held since the last sample. */
  #active = false;
  /** The price of the benchmark at every sample. */
  #benchmark = new Float64Array(1_024);
  #tick = 1;
  #compared: Instrument | undefined;
  #profit: BarProfit | undefined;
  #end = 0;

  /** How many bars (or minutes of trades) have ended. */
  get bars(): number {
    return this.#bars;
  }

  get fills(): readonly BarFill[] {
    return this.#fills;
  }

  /** Number of the bar, from 0, in which each of `fills` executed: a time alone may be the end of one and the opening of the next. */
  get fillBars(): readonly number[] {
    return this.#fillBars;
  }

  get trips(): readonly RoundTrip[] {
    return this.#trips.closed;
  }

  /** `benchmark`: the symbol that is compared with; the first instrument when left out. */
  followInstruments(instruments: Instruments, account: BarAccount, benchmark?: string): void {
    this.#instruments = instruments.all;
    this.#account = account;
    const [first] = instruments.all;
    this.#compared = (benchmark === undefined ? undefined : instruments.find(benchmark)) ?? first;
    this.#currency = first?.spec.quoteCurrency ?? '';
    this.#tick = Number(this.#compared?.spec.tickSize ?? 1);
    this.#profit = new BarProfit(instruments, account, this.#currency);
  }

  executed(fill: BarFill): void {
    this.#active = true;
    this.#trips.book(fill, this.#bars);
    this.#profit?.executed(fill.instrument);
    if (this.#fills.length === fillsMax) return;
    this.#fills.push(fill);
    this.#fillBars.push(this.#bars);
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
  endRun(time: Micros): void {
    this.#end = time;
    if (!this.#active || this.#account === undefined) return;
    const last = this.equity.times.at(-1) ?? 0;
    if (this.equity.size === this.#exposed.length) this.#grow();
    this.#exposed[this.equity.size] = 1;
    this.#benchmark[this.equity.size] = this.#priceNow(this.#account);
    this.equity.push(Math.max(time, last), this.#account.equity(this.#currency));
    this.#profit?.sample();
  }

  /** Outcome of the account, which held `balances` at the start. */
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
    const compared = this.#compared;
    return compared === undefined ? Number.NaN : account.price(compared) * this.#tick;
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

/** Outcome of the account of a run on bars. */
export interface BarOutcome {
  /** Worth of the account at the first prices; `undefined` where it held nothing. */
  readonly capital: number | undefined;
  /** Without what holdings of the start gained by themselves, as in the report. Exact. */
  readonly profit: number;
  /** The same at every sample and at the end, in doubles without their noise. */
  readonly line: EquityLine;
  readonly drawdown: number;
}

/** Something that the account held at the start. */
interface Held {
  readonly instrument: Instrument;
  readonly lots: Lots;
  /** Worth at a price of one tick. */
  readonly atOneTick: number;
}

/** Profit that strategies make of an account on bars in one currency, beside its equity: a summary costs more than half of the speed. */
export class BarProfit {
  readonly #account: BarAccount;
  readonly #currency: string;
  readonly #instruments: readonly Instrument[];
  readonly #opening: Opening;
  readonly #marks: Marks;
  readonly #cash: Amount;
  readonly #held: readonly Held[];
  /** Worth of the holdings of the start at every sample; empty where there are none. */
  readonly #worths: number[] = [];
  readonly #traded = new Set<Instrument>();

  constructor(instruments: Instruments, account: BarAccount, currency: string) {
    this.#account = account;
    this.#currency = currency;
    this.#instruments = instruments.all;
    this.#opening = new Opening(instruments);
    this.#marks = new Marks(instruments, undefined, (id) => account.price(instruments.at(id)));
    this.#cash = account.figures(currency).total;
    this.#held = instruments.all
      .filter((one) => one.spec.quoteCurrency === currency && account.position(one) !== 0)
      .map((instrument) => ({
        instrument,
        lots: account.position(instrument) as Lots,
        atOneTick: amountToNumber(instrument.notional(1 as Ticks, account.position(instrument) as Lots)),
      }));
  }

  executed(instrument: Instrument): void {
    this.#traded.add(instrument);
  }

  /** Beside each sample of equity. */
  sample(): void {
    this.#opening.price(this.#marks);
    if (this.#held.length === 0) return;
    let worth = 0;
    for (const { instrument, atOneTick } of this.#held) {
      const price = this.#account.price(instrument);
      if (!Number.isNaN(price)) worth += price * atOneTick;
    }
    this.#worths.push(worth);
  }

  /** `balances` are those of the start: an account with margin reports buying power. */
  outcome(equity: EquitySeries, end: number, balances: ReadonlyMap<string, Amount>): BarOutcome {
    const made = subtract(this.#account.figures(this.#currency).equity, add(this.#cash, this.#worth()));
    const profit = amountToNumber(made);
    const traded = this.#traded.size > 0 ? [...this.#traded] : this.#instruments;
    const worth = this.#opening.equity(this.#currency, traded, balances);
    const cash = amountToNumber(this.#cash);
    const clean = withoutNoise(equity.values.reduce((most, one) => Math.max(most, Math.abs(one)), cash));
    const times = Array.from(equity.times);
    const values = Array.from(equity.values, (value, i) => clean(value - cash - (this.#worths[i] ?? 0)));
    const last = times.at(-1);
    if (last === undefined || last < end || values.at(-1) !== profit) {
      times.push(Math.max(last ?? end, end));
      values.push(profit);
    }
    return {
      capital: worth === undefined ? undefined : amountToNumber(worth),
      profit,
      line: { times, values },
      drawdown: clean(deepestFall(values)),
    };
  }

  /** Worth of the holdings of the start now. */
  #worth(): Amount {
    return this.#held.reduce((sum, { instrument, lots }) => {
      const price = this.#account.price(instrument);
      return Number.isNaN(price) ? sum : add(sum, instrument.notional(price as Ticks, lots));
    }, zero);
  }
}
