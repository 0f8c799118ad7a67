import type { Amount } from '../../core/base/amount.ts';
import type { Random } from '../../core/base/random.ts';
import { Book } from '../../core/book/book.ts';
import type {
  BookSnapshot,
  BookUpdate,
  Event,
  TickerChanged,
  TradesPrinted,
} from '../../core/model/event.ts';
import type { Instruments, Lots, Ticks } from '../../core/model/instrument.ts';
import { levelStride } from '../../core/model/level-buffer.ts';
import { orderStride } from '../../core/model/order-changes.ts';
import type { Candle, MarketTrade } from '../../core/model/market.ts';
import { snapshotOf } from '../../sim/index.ts';
import type { CandlesChanged } from '../../core/model/market-event.ts';

export interface Perturbation {
  readonly instruments: Instruments;
  /** Facts that happened up to and at this time stay as they are. */
  readonly cut: number;
  /** Decides how prices, sizes and the order of later market data change. */
  readonly random: Random;
  /** Whether the data is bars: a bar counts from its beginning on. */
  readonly bars: boolean;
}

/** When a market data event happened: of bars, when they begin, because their path decides from then on. */
export function marketDataTime(event: Event, bars: boolean): number {
  return bars && event.kind === 'candles' ? (event.candles[0]?.time ?? 0) : event.exchangeTime;
}

/** Prices are moved by at most this share of themselves, and by at least this many ticks. */
const shiftShare = 0.02;
const shiftTicksMin = 3;
const sizeFactorMax = 5;

/**
 * The market data of a recording with another future: after the cut the market stands at other prices, sizes differ, and trades
 * come in another order. The books stay books: each begins its new future whole, and every later change fits it. No
 * fact is written over; those that change are new ones.
 */
export async function* perturbed(
  batches: AsyncIterable<readonly Event[]>,
  setting: Perturbation,
): AsyncGenerator<readonly Event[], void, undefined> {
  const futures = setting.instruments.all.map((_, id) => new Future(setting, id));
  for await (const batch of batches) {
    const out: Event[] = [];
    for (const event of batch) {
      const future = 'instrument' in event ? futures[event.instrument] : undefined;
      if (future === undefined) out.push(event);
      else if (marketDataTime(event, setting.bars) > setting.cut) future.changeEvent(event, out);
      else future.keepEvent(event, out);
    }
    yield out;
  }
}

/** The future of one instrument. */
class Future {
  readonly #setting: Perturbation;
  readonly #random: Random;
  readonly #book: Book;
  #shift = 0;
  #begun = false;
  #held: TradesPrinted | undefined;

  constructor(setting: Perturbation, id: number) {
    const { instruments, random } = setting;
    this.#setting = setting;
    this.#random = random.fork(`future/${id}`);
    this.#book = new Book((instruments.all[id] as (typeof instruments.all)[number]).id);
  }

  /** A fact up to the cut. One that comes late, behind the cut, passes as it is. */
  keepEvent(event: Event, out: Event[]): void {
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale')
      this.#book.apply(event);
    out.push(event);
  }

  changeEvent(event: Event, out: Event[]): void {
    if (!this.#begun) this.#beginShift(event, out);
    switch (event.kind) {
      case 'bookSnapshot':
      case 'bookUpdate':
        out.push(this.#levels(event));
        return;
      case 'trades':
        this.#trades(event, out);
        return;
      case 'candles':
        out.push(this.#candles(event));
        return;
      case 'ticker':
        out.push(this.#ticker(event));
        return;
      default:
        out.push(event);
    }
  }

  /** From here on prices stand elsewhere: the book moves there first, whole. */
  #beginShift(event: Event, out: Event[]): void {
    this.#begun = true;
    const price = this.#book.bestBid ?? priceIn(event, this.#setting.instruments) ?? 1_000;
    const most = Math.max(shiftTicksMin + 1, Math.floor(price * shiftShare));
    const ticks = this.#random.between(shiftTicksMin, most);
    // Downwards only where every price stays well above zero.
    this.#shift = this.#random.chance(0.5) && price > most * 4 ? -ticks : ticks;
    if (this.#book.status !== 'live' || event.kind === 'bookSnapshot') return;
    const whole = this.#levels(snapshotOf(this.#book, event.exchangeTime));
    out.push({ ...whole, exchangeTime: event.exchangeTime, receiveTime: event.receiveTime });
  }

  #levels<Kind extends BookSnapshot | BookUpdate>(event: Kind): Kind {
    const levels = event.levels.slice(event.start, event.end);
    for (let i = 0; i < levels.length; i += levelStride) {
      levels[i + 1] = Math.max(1, (levels[i + 1] as number) + this.#shift);
      levels[i + 2] = this.#size(levels[i + 2] as number);
    }
    return { ...event, levels, start: 0, end: levels.length, ...this.#orders(event) };
  }

  /** Single orders stand at the other prices too; their sizes stay. */
  #orders({ orders }: BookSnapshot | BookUpdate | TradesPrinted): { readonly orders?: Float64Array } {
    if (orders === undefined) return {};
    const moved = orders.slice();
    for (let i = 0; i < moved.length; i += orderStride)
      moved[i + 3] = Math.max(1, (moved[i + 3] as number) + this.#shift);
    return { orders: moved };
  }

  /** Two messages of trades in a row may change places; each keeps the times of its place. */
  #trades(event: TradesPrinted, out: Event[]): void {
    const own = event.trades.map((trade) => this.#trade(trade));
    const held = this.#held;
    if (held !== undefined && this.#random.chance(0.5)) {
      const trades = held.trades.map((trade) => ({ ...trade, time: event.exchangeTime }));
      out.push({ ...event, trades, ...this.#orders(event) });
      this.#held = { ...event, trades: own };
      return;
    }
    out.push({ ...event, trades: own, ...this.#orders(event) });
    this.#held = { ...event, trades: own };
  }

  #trade(trade: MarketTrade): MarketTrade {
    return {
      ...trade,
      price: Math.max(1, trade.price + this.#shift) as Ticks,
      quantity: this.#size(trade.quantity) as Lots,
      side: this.#random.chance(0.5) ? 'buy' : 'sell',
    };
  }

  #candles(event: CandlesChanged): CandlesChanged {
    const instrument = this.#setting.instruments.at(event.instrument);
    const tick = instrument.priceAmount(1 as Ticks);
    const moved = (price: Amount): Amount => {
      const there = price + tick * BigInt(this.#shift);
      return (there > 0n ? there : price) as Amount;
    };
    const factor = BigInt(this.#random.between(1, sizeFactorMax));
    const change = (candle: Candle): Candle => ({
      ...candle,
      open: moved(candle.open),
      close: moved(this.#random.chance(0.5) ? candle.max : candle.min),
      min: moved(candle.min),
      max: moved(candle.max),
      volume: (candle.volume * factor) as Amount,
      volumeQuote: (candle.volumeQuote * factor) as Amount,
    });
    return { ...event, candles: event.candles.map(change) };
  }

  #ticker(event: TickerChanged): TickerChanged {
    const { ticker } = event;
    const moved = (price: Ticks | undefined): Ticks | undefined =>
      price === undefined ? undefined : (Math.max(1, price + this.#shift) as Ticks);
    return { ...event, ticker: { ...ticker, bid: moved(ticker.bid), ask: moved(ticker.ask) } };
  }

  /** Another size; nothing stays nothing. */
  #size(lots: number): number {
    return lots === 0 ? 0 : lots * this.#random.between(1, sizeFactorMax) + this.#random.between(0, 3);
  }
}

function priceIn(event: Event, instruments: Instruments): number | undefined {
  if (event.kind === 'trades') return event.trades[0]?.price;
  if (event.kind === 'ticker') return event.ticker.bid;
  if (event.kind !== 'candles' || event.candles[0] === undefined) return undefined;
  const tick = instruments.at(event.instrument).priceAmount(1 as Ticks);
  return Number(event.candles[0].min / tick);
}

/** Table of a series, as far as its future is concerned. */
interface PerturbedTable {
  /** Time at which each row is known, ascending. */
  readonly known: readonly number[];
  readonly cells: readonly (readonly string[])[];
}

/**
 * A series with another future: rows that are known after the cut have values of other rows of their column, so that each is one that the
 * column may have. Times stay as they are.
 */
export function perturbedSeries<Table extends PerturbedTable>(
  table: Table,
  cut: number,
  random: Random,
): Table {
  const { known, cells } = table;
  const from = known.findIndex((time) => time > cut);
  if (from < 0) return table;
  const perturbedCells = cells.map((column) => {
    const values = [...new Set(column)];
    return column.map((cell, at) => (at < from ? cell : otherThan(cell, values, random)));
  });
  return { ...table, cells: perturbedCells };
}

/** Another value of the column, where it has one. */
function otherThan(cell: string, values: readonly string[], random: Random): string {
  if (values.length < 2) return cell;
  const other = random.pick(values);
  return other === cell ? (values[(values.indexOf(cell) + 1) % values.length] as string) : other;
}
