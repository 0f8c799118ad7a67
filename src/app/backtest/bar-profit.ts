import type { Amount } from '../../core/base/amount.ts';
import { add, amountToNumber, subtract, zero } from '../../core/base/amount.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { Marks } from '../../research/report/marks.ts';
import { Opening } from '../../research/report/opening.ts';
import type { EquitySeries } from '../../research/statistics/equity.ts';
import type { BarAccount } from '../../sim/fill-models/bars/account.ts';
import type { EquityLine } from '../../research/report/equity-curve.ts';
import { fallOf, withoutNoise } from '../../research/report/equity-curve.ts';

/** What a run on bars made of its account. */
export interface BarOutcome {
  /** What the account was worth at the first prices; `undefined` where it held nothing. */
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
  /** What it is worth at a price of one tick. */
  readonly atOneTick: number;
}

/** What strategies make of an account on bars in one currency, beside its equity: a summary costs a fifth of the speed. */
export class BarProfit {
  readonly #account: BarAccount;
  readonly #currency: string;
  readonly #instruments: readonly Instrument[];
  readonly #opening: Opening;
  readonly #marks: Marks;
  readonly #cash: Amount;
  readonly #held: readonly Held[];
  /** What holdings of the start are worth at every sample; empty where there are none. */
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

  /** `balances` are those of the start: what an account with margin tells is buying power. */
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
      drawdown: clean(fallOf(values)),
    };
  }

  /** What holdings of the start are worth now. */
  #worth(): Amount {
    return this.#held.reduce((sum, { instrument, lots }) => {
      const price = this.#account.price(instrument);
      return Number.isNaN(price) ? sum : add(sum, instrument.notional(price as Ticks, lots));
    }, zero);
  }
}
