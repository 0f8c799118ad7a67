import type { Amount } from '../../../core/base/amount.ts';
import type { TradesPrinted } from '../../../core/model/event.ts';
import type { InstrumentId, Instruments, Ticks, Instrument } from '../../../core/model/instrument.ts';
import type { BookView, Balance } from '../../../core/model/market.ts';
import { add, amountToNumber, zero } from '../../../core/base/amount.ts';
import { valueOf } from '../../../core/ledger/index.ts';

/** Where a mark came from, best first. */
export type MarkSource = 'bar' | 'mid' | 'trade' | 'fill';

/** The price of an instrument in ticks on bars, NaN before the first. */
export type BarPrice = (instrument: InstrumentId) => number;

/** What one unit of an instrument is worth, and how we know. */
export interface Mark {
  readonly price: Amount;
  readonly source: MarkSource;
}

/**
 * Prices to value positions at: the price of the bar in a run on bars; otherwise the mid of a live uncrossed book where the
 * caller has books, else the last public trade, else our own last fill.
 */
export class Marks {
  readonly #instruments: Instruments;
  readonly #book: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  readonly #bars: BarPrice | undefined;
  /** In ticks: few of them are read. */
  readonly #trades: (Ticks | undefined)[];
  readonly #fills: (Ticks | undefined)[];

  constructor(
    instruments: Instruments,
    book?: (instrument: InstrumentId) => BookView | undefined,
    bars?: BarPrice,
  ) {
    this.#instruments = instruments;
    this.#book = book;
    this.#bars = bars;
    this.#trades = Array.from({ length: instruments.all.length }, () => undefined);
    this.#fills = Array.from({ length: instruments.all.length }, () => undefined);
  }

  observe({ instrument, trades }: TradesPrinted): void {
    const last = trades.at(-1);
    if (last !== undefined) this.#trades[instrument] = last.price;
  }

  filled(instrument: InstrumentId, price: Ticks): void {
    this.#fills[instrument] = price;
  }

  /** `undefined` while nothing has been seen of the instrument. */
  of(instrument: InstrumentId): Mark | undefined {
    const source = this.#sourceOf(instrument);
    if (source === undefined) return undefined;
    const one = this.#instruments.at(instrument);
    if (source !== 'mid') return { price: one.priceAmount(this.ticks(instrument) as Ticks), source };
    const book = this.#book?.(instrument);
    return { price: one.midAmount(book?.bestBid as Ticks, book?.bestAsk as Ticks), source };
  }

  /** The price in ticks, in halves where it is a mid; NaN while nothing has been seen of the instrument. */
  ticks(instrument: InstrumentId): number {
    switch (this.#sourceOf(instrument)) {
      case 'bar':
        return this.#bars?.(instrument) as number;
      case 'mid': {
        const book = this.#book?.(instrument);
        return ((book?.bestBid as number) + (book?.bestAsk as number)) / 2;
      }
      case 'trade':
        return this.#trades[instrument] as Ticks;
      case 'fill':
        return this.#fills[instrument] as Ticks;
      case undefined:
        return Number.NaN;
    }
  }

  #sourceOf(instrument: InstrumentId): MarkSource | undefined {
    const ticks = this.#bars?.(instrument);
    if (ticks !== undefined) return Number.isNaN(ticks) ? undefined : 'bar';
    const book = this.#book?.(instrument);
    if (book !== undefined && book.status === 'live' && !book.crossed)
      if (book.bestBid !== undefined && book.bestAsk !== undefined) return 'mid';
    if (this.#trades[instrument] !== undefined) return 'trade';
    return this.#fills[instrument] === undefined ? undefined : 'fill';
  }
}

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
