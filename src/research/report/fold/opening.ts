import type { Amount } from '../../../core/base/amount.ts';
import { add, amountToNumber, zero } from '../../../core/base/amount.ts';
import { valueOf } from '../../../core/ledger/index.ts';
import type { Instrument, InstrumentId, Instruments } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { Marks } from './marks.ts';

/** Why there are no shares of the starting equity where it is not known. */
export const noStart = 'it is not known what the account started with';

/** What the account held when it was first read, what it was worth at the first prices, and what positions it brought. */
export class Opening {
  /** By currency, free and reserved; `undefined` before it was read. */
  #held: ReadonlyMap<string, Amount> | undefined;
  readonly #brought = new Map<InstrumentId, Amount>();
  readonly #prices: (Amount | undefined)[] = [];
  /** Instruments that have had no price. */
  #waiting: readonly InstrumentId[];
  readonly #given: ReadonlyMap<string, Amount> | undefined;
  /** By currency, of these instruments, once none of their prices is waited for: it is asked for each second. */
  readonly #worths = new Map<string, { readonly traded: readonly Instrument[]; readonly worth: number }>();

  /** `given` is what the account held where its first reading does not show it: an account of contracts reports buying power. */
  constructor(instruments: Instruments, given?: ReadonlyMap<string, Amount>) {
    this.#given = given;
    this.#waiting = instruments.all.map(({ id }) => id);
  }

  /** What is held from earlier sessions of the journal, by instrument: no fill of this one covers it. */
  get brought(): ReadonlyMap<InstrumentId, Amount> {
    return this.#brought;
  }

  /** Takes over what is held from earlier sessions, before the first fill of this one. */
  bring(positions: readonly { readonly instrument: InstrumentId; readonly held: Amount }[]): void {
    for (const { instrument, held } of positions)
      this.#brought.set(instrument, add(this.#brought.get(instrument) ?? zero, held));
  }

  /** Only the first balances count. */
  read(balances: readonly Balance[]): void {
    this.#held ??= new Map(
      balances.map(({ currency, available, reserved }) => [currency, add(available, reserved)]),
    );
  }

  /** Keeps the present price of every instrument that has had none. */
  price(marks: Marks): void {
    if (this.#waiting.length === 0) return;
    const priced = this.#waiting.filter((id) => !Number.isNaN(marks.ticks(id)));
    if (priced.length === 0) return;
    for (const id of priced) this.#prices[id] = marks.of(id)?.price;
    this.#waiting = this.#waiting.filter((id) => this.#prices[id] === undefined);
  }

  /** `equity` as a number; NaN where it is not known. */
  worth(currency: string, traded: readonly Instrument[]): number {
    const known = this.#worths.get(currency);
    if (known?.traded.length === traded.length && traded.every((one, i) => one === known.traded[i]))
      return known.worth;
    const equity = this.equity(currency, traded);
    const worth = equity === undefined ? Number.NaN : amountToNumber(equity);
    const isPriced = traded.every(({ id }) => this.#prices[id] !== undefined);
    const isFinal = isPriced && (this.#given ?? this.#held) !== undefined;
    if (isFinal) this.#worths.set(currency, { traded, worth });
    return worth;
  }

  /**
   * What was held of a currency, and of the base currencies of instruments quoted in it. `held` says otherwise what that
   * was: a simulated account of contracts reports buying power. `undefined` where nothing was held, or it is unknown.
   */
  equity(
    currency: string,
    traded: readonly Instrument[],
    held: ReadonlyMap<string, Amount> | undefined = this.#given ?? this.#held,
  ): Amount | undefined {
    if (held === undefined) return undefined;
    const prices = new Map<string, Amount | undefined>([[currency, undefined]]);
    for (const { id, spec } of traded)
      if (spec.quoteCurrency === currency && !prices.has(spec.baseCurrency))
        prices.set(spec.baseCurrency, this.#prices[id]);
    const amounts = [...prices.keys()].map((one) => [one, held.get(one) ?? zero] as const);
    const sum = valueOf(amounts, currency, (one) => prices.get(one));
    return sum > 0n ? sum : undefined;
  }
}
