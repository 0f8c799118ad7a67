import type { Amount } from '../../core/base/amount.ts';
import { add, amountToNumber, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Event, MarketData } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import { marginModes, positionAccounts } from '../../core/model/margin.ts';
import type { BookView, Level } from '../../core/model/market.ts';
import type { Position } from '../../core/ledger/index.ts';
import { profitAt } from '../../core/ledger/index.ts';
import type { StateView } from '../../core/state/index.ts';
import type { ColumnName, SampleColumn } from './sample-columns.ts';
import { TradeWindow } from './trade-window.ts';

export interface SamplerDeps {
  readonly columns: readonly SampleColumn[];
  readonly view: StateView;
  /** Instrument of columns that name no symbol. */
  readonly instrument: Instrument;
  readonly strategy: string;
  /** Amount paid so far for positions that stood open; below zero it was received. */
  readonly funding: (instrument: InstrumentId) => Amount;
  readonly start: Micros;
  /** Prices of a run on bars; otherwise the book has the mid price. */
  readonly price?: ((instrument: InstrumentId) => Amount | undefined) | undefined;
}

/** More rows are not kept. */
export const rowsMax = 5_000_000;

/** A value of a row: a number, text for nanoseconds, a list for levels, null where there is nothing to say. */
export type SampleValue = number | string | null | SampledLevels;

export interface SampledLevels {
  readonly bids: readonly (readonly [price: number, quantity: number])[];
  readonly asks: readonly (readonly [price: number, quantity: number])[];
}

/** A reader of one column at one moment. */
type Reader = (now: Micros) => SampleValue;

/** Reads rows off the state of a run: what a strategy could know at that moment, and what it has come to. */
export class Sampler {
  readonly #setup: SamplerDeps;
  readonly #readers: readonly Reader[];
  /** Trades of the longest average that is asked for, by instrument, and lots of own fills. */
  readonly #trades: (TradeWindow | undefined)[] = [];
  readonly #lotsTraded: number[] = [];
  /** When the last row was read. */
  #last: Micros | undefined;

  /** Throws `BadInput` when a column is of a symbol that the data does not have. */
  constructor(setup: SamplerDeps) {
    this.#setup = setup;
    for (const column of setup.columns) {
      if (typeof column === 'string' || column.column !== 'vwap') continue;
      const { id } = this.#instrumentOf(column);
      const longest = Math.max(column.over, this.#trades[id]?.span ?? 0);
      this.#trades[id] = new TradeWindow(longest);
    }
    this.#readers = setup.columns.map((column) => this.#readerOf(column));
  }

  /** The heads of the columns, as they stand in the result. */
  get names(): readonly string[] {
    return this.#setup.columns.map(nameOf);
  }

  /** Shows an event: own fills make the volume. */
  observe(event: Event): void {
    if (event.kind !== 'orderReport' || event.fill === undefined) return;
    const { instrument } = event.order;
    this.#lotsTraded[instrument] = (this.#lotsTraded[instrument] ?? 0) + event.fill.quantity;
  }

  /** Shows what the market said: public trades make averages. */
  observeMarketData(data: MarketData): void {
    if (this.#trades.length === 0 || data.kind !== 'trades' || data.snapshot) return;
    this.#trades[data.instrument]?.take(data);
  }

  row(now: Micros): readonly SampleValue[] {
    this.#last = now;
    return this.#readers.map((read) => read(now));
  }

  /** The row of the end, unless that moment has one. */
  lastRow(now: Micros): readonly (readonly SampleValue[])[] {
    return this.#last === now ? [] : [this.row(now)];
  }

  #instrumentOf(column: SampleColumn): Instrument {
    const { view, instrument } = this.#setup;
    if (typeof column === 'string' || !('symbol' in column) || column.symbol === undefined) return instrument;
    return view.instruments.get(column.symbol);
  }

  #readerOf(column: SampleColumn): Reader {
    const { view, start, strategy } = this.#setup;
    const instrument = this.#instrumentOf(column);
    if (typeof column === 'string') return this.#plain(column, instrument);
    switch (column.column) {
      case 'levels':
        return () => levelsOf(view.book(instrument.id), instrument, column.count);
      case 'depthImbalance':
        return () => imbalanceOf(view.book(instrument.id), instrument, column.within);
      case 'holding':
        return () => {
          const { available, reserved } = view.balance(column.currency);
          return amountToNumber(add(available, reserved));
        };
      case 'vwap':
        return (now) => {
          if (now - start < column.over) return null;
          const ticks = this.#trades[instrument.id]?.average(now, column.over, column.side) ?? Number.NaN;
          return Number.isNaN(ticks) ? null : ticks * Number(instrument.spec.tickSize);
        };
      case 'openOrders':
        return () => view.openOrders(strategy, instrument.id).length;
      default:
        return this.#plain(column.column, instrument);
    }
  }

  #plain(name: ColumnName, instrument: Instrument): Reader {
    const { view, strategy, funding, price: barPrice } = this.#setup;
    const { id } = instrument;
    const mid = (): Amount | undefined =>
      barPrice === undefined ? midOf(view.book(id), instrument) : barPrice(id);
    const price = (ticks: Ticks | undefined) =>
      ticks === undefined ? null : Number(instrument.priceText(ticks));
    const position = (): Held => heldOf(view, id, strategy);
    const lots = (count: number) => amountToNumber(instrument.quantityAmount(count as Lots));
    const readers: Readonly<Record<ColumnName, Reader>> = {
      time: (now) => now,
      timeNanos: (now) => `${now}000`,
      mid: () => numberOrNull(mid()),
      bestBid: () => price(view.book(id).bestBid),
      bestBidQuantity: () => lots(view.book(id).bestBidQuantity),
      bestAsk: () => price(view.book(id).bestAsk),
      bestAskQuantity: () => lots(view.book(id).bestAskQuantity),
      spread: () => spreadOf(view.book(id), instrument),
      bidLevels: () => view.book(id).depth('buy'),
      askLevels: () => view.book(id).depth('sell'),
      lastTrade: () => price(view.lastTrade(id)?.price),
      position: () => lots(position().quantity),
      balance: () => amountToNumber(position().cash),
      fee: () => amountToNumber(position().fees),
      trades: () => position().fillCount,
      volume: () => lots(this.#lotsTraded[id] ?? 0),
      value: () => amountToNumber(position().turnover),
      funding: () => amountToNumber(funding(id)),
      profit: () => profitOf(view, { instrument, strategy, price: mid(), funding: funding(id) }),
      openOrders: () => view.openCountBy(strategy),
    };
    return readers[name];
  }
}

/** A column as one word: `mid`, `mid ETHBTC`, `levels 3`, `depthImbalance 0.005`, `vwap 60s buy`. */
function nameOf(column: SampleColumn): string {
  if (typeof column === 'string') return column;
  const of = 'symbol' in column && column.symbol !== undefined ? ` ${column.symbol}` : '';
  switch (column.column) {
    case 'levels':
      return `levels ${column.count}${of}`;
    case 'depthImbalance':
      return `depthImbalance ${column.within}${of}`;
    case 'holding':
      return `holding ${column.currency}`;
    case 'vwap':
      return `vwap ${column.over / 1_000_000}s${column.side === 'both' ? '' : ` ${column.side}`}${of}`;
    default:
      return `${column.column}${of}`;
  }
}

/** Holding of a strategy in an instrument, in all accounts. */
type Held = Pick<Position, 'quantity' | 'cash' | 'fees' | 'fillCount' | 'turnover'>;

function heldOf(view: StateView, id: InstrumentId, strategy: string): Held {
  const spot = view.position(id, strategy);
  return marginModes.reduce<Held>((sum, mode) => {
    const { quantity, cash, fees, fillCount, turnover } = view.position(id, strategy, mode);
    if (fillCount === 0) return sum;
    return {
      quantity: sum.quantity + quantity,
      cash: add(sum.cash, cash),
      fees: add(sum.fees, fees),
      fillCount: sum.fillCount + fillCount,
      turnover: add(sum.turnover, turnover),
    };
  }, spot);
}

function midOf(book: BookView, instrument: Instrument): Amount | undefined {
  const { bestBid, bestAsk } = book;
  if (bestBid === undefined || bestAsk === undefined) return undefined;
  return instrument.midAmount(bestBid, bestAsk);
}

function spreadOf({ bestBid, bestAsk }: BookView, instrument: Instrument): SampleValue {
  if (bestBid === undefined || bestAsk === undefined) return null;
  return amountToNumber(subtract(instrument.priceAmount(bestAsk), instrument.priceAmount(bestBid)));
}

/** Over all accounts; what the venue took of them is counted by itself. */
function profitOf(
  view: StateView,
  of: {
    readonly instrument: Instrument;
    readonly strategy: string;
    readonly price: Amount | undefined;
    readonly funding: Amount;
  },
): SampleValue {
  const { instrument, strategy, price, funding } = of;
  let sum = negate(funding);
  for (const account of positionAccounts) {
    const position = view.position(instrument.id, strategy, account);
    const profit = profitAt({ ...position, charges: zero }, instrument, price);
    if (profit === undefined) return null;
    sum = add(sum, profit);
  }
  return amountToNumber(sum);
}

function levelsOf(book: BookView, instrument: Instrument, count: number): SampledLevels {
  const printed = ({ price, quantity }: Level) =>
    [Number(instrument.priceText(price)), Number(instrument.quantityText(quantity))] as const;
  return { bids: book.levels('buy', count).map(printed), asks: book.levels('sell', count).map(printed) };
}

/** Bid quantity less ask quantity of the levels no further than `within` of the mid price, edges included. */
function imbalanceOf(book: BookView, instrument: Instrument, within: number): SampleValue {
  const { bestBid, bestAsk } = book;
  if (bestBid === undefined || bestAsk === undefined) return null;
  const mid = (bestBid + bestAsk) / 2;
  const near = (side: 'buy' | 'sell') => {
    let lots = 0;
    for (const { price, quantity } of book.levels(side, book.depth(side))) {
      if (Math.abs(price - mid) / mid > within) break;
      lots += quantity;
    }
    return lots;
  };
  return amountToNumber(instrument.quantityAmount((near('buy') - near('sell')) as Lots));
}

function numberOrNull(amount: Amount | undefined): number | null {
  return amount === undefined ? null : amountToNumber(amount);
}
