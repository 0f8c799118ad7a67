import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Event, MarketEvent, TradesPrinted } from '../../core/model/event.ts';
import { BuiltMarket } from './built-market.ts';
import { CandleHistory } from './candle-history.ts';
import { SnapshotRange } from './snapshot-range.ts';
import { TimedRing } from '../../sim/index.ts';

export interface TickFeedSetup {
  readonly recording: Recording;
  /** How many events at the beginning only build the market. */
  readonly prepared: number;
  /** Facts before this build the market too; the first fact behind the prepared ones when `undefined`. */
  readonly start: Micros | undefined;
  readonly reorderMicros: number;
  readonly snapshots: 'whole' | 'range';
  /** Candles of each instrument and period that are history at the start. */
  readonly candlesMax: number;
}

/** Facts by exchange time, each with its place in the order of receipt. */
export interface OrderedMarketData {
  readonly events: readonly MarketEvent[];
  readonly orders: readonly number[];
}

/** The data of a run: the market as it stands when the clock starts, and the market data from then on. */
export interface TickFeed {
  readonly start: Micros;
  /** When the first fact from the start on happened. */
  readonly begins: Micros;
  /** The market at the start, as a venue sends it on subscription: each live book; the last trade and candles as history. */
  readonly opening: readonly MarketEvent[];
  readonly marketData: AsyncIterable<OrderedMarketData> | Iterable<OrderedMarketData>;
}

/** Further back than this a file is not in the order in which it was received. */
const disorderMax = 60_000_000;

/**
 * When a run begins whose first fact this is: at its exchange time. The whole book of an idle market has the time of its
 * last change, perhaps days ago: then when it was received.
 */
export function runStart({ exchangeTime, receiveTime }: Event): Micros {
  return receiveTime - exchangeTime > disorderMax ? receiveTime : exchangeTime;
}

/** Reads up to the start of the clock. Throws `BadInput` when there is nothing from then on. */
export async function openTickFeed(setup: TickFeedSetup): Promise<TickFeed> {
  const { recording } = setup;
  const market = new StandingMarket(recording, setup.candlesMax);
  const ordered = orderedMarketData(setup, market);
  let { start } = setup;
  for (let next = await ordered.next(); next.done !== true; next = await ordered.next()) {
    const { events, orders } = next.value;
    if (start === undefined && events[0] !== undefined) start = runStart(events[0]);
    const first = events.findIndex(({ exchangeTime }) => start !== undefined && exchangeTime >= start);
    for (const event of first < 0 ? events : events.slice(0, first)) market.build(event);
    if (first < 0 || start === undefined) continue;
    const rest = { events: events.slice(first), orders: orders.slice(first) };
    const begins = events[first]?.exchangeTime ?? start;
    return { start, begins, opening: market.opening(start), marketData: behind(rest, ordered) };
  }
  const from = start === undefined ? '' : ` from ${timeText(start)} on`;
  throw new BadInput(`${recording.paths.join(', ')}: expected market events${from}, found none`);
}

async function* behind(
  first: OrderedMarketData,
  rest: AsyncGenerator<OrderedMarketData, void, undefined>,
): AsyncGenerator<OrderedMarketData, void, undefined> {
  yield first;
  yield* rest;
}

async function* orderedMarketData(
  { recording, prepared, reorderMicros, snapshots }: TickFeedSetup,
  market: StandingMarket,
): AsyncGenerator<OrderedMarketData, void, undefined> {
  const range = snapshots === 'range' ? new SnapshotRange() : undefined;
  const reorder = new Reorder(reorderMicros);
  let count = 0;
  let latest = 0;
  let damage: BadInput | undefined;
  try {
    for await (const batch of recording.events()) {
      for (const received of batch) {
        latest = inOrder(received, latest, recording);
        const event = (range?.take(received) ?? received) as MarketEvent;
        count += 1;
        if (count <= prepared) market.build(event);
        else reorder.push(event);
      }
      const due = drain(reorder, false);
      if (due.events.length > 0) yield due;
    }
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    damage = error;
  }
  // What came before the damage is sound, and is yielded before the error.
  const left = drain(reorder, true);
  if (left.events.length > 0) yield left;
  if (damage !== undefined) throw damage;
}

function drain(reorder: Reorder, all: boolean): OrderedMarketData {
  const events: MarketEvent[] = [];
  const orders: number[] = [];
  for (;;) {
    const order = reorder.nextOrder;
    const event = reorder.take(all);
    if (event === undefined) return { events, orders };
    events.push(event);
    orders.push(order);
  }
}

/** The latest receive time so far. Throws `BadInput` when an event was received long before the ones before it. */
export function inOrder({ receiveTime }: Event, latest: number, { paths }: Pick<Recording, 'paths'>): number {
  if (receiveTime < latest - disorderMax) {
    const times = [receiveTime, latest].map(timeText);
    throw new BadInput(
      `${paths.join(', ')}: expected events in the order they were received, found one of ${times[0]} after one of ${times[1]}`,
    );
  }
  return Math.max(latest, receiveTime);
}

/** More market data than this inside one window say that the window is far too long. */
const heldMax = 8_000_000;

/**
 * Puts market data that come in the order they were received into the order in which they happened, as long as they are out
 * of it by no more than a window. Equal exchange times keep the order of receipt.
 */
export class Reorder {
  readonly #windowMicros: number;
  readonly #held = new TimedRing<MarketEvent>(heldMax);
  #latest = 0;
  #count = 0;

  constructor(windowMicros: number) {
    this.#windowMicros = windowMicros;
  }

  push(event: MarketEvent): void {
    this.#count += 1;
    this.#held.push(event.exchangeTime, event, this.#count);
    if (event.exchangeTime > this.#latest) this.#latest = event.exchangeTime;
  }

  /** Which in the order of receipt the next fact was, from 1 on; to be read before `take`. */
  get nextOrder(): number {
    return this.#held.nextOrder;
  }

  /** The next fact in the order of exchange times, `undefined` until it is sure; with `all`, whatever is left. */
  take(all = false): MarketEvent | undefined {
    return this.#held.takeDue(all ? Number.POSITIVE_INFINITY : this.#latest - this.#windowMicros);
  }
}

/** The market as market data before a start leave it: books, the last trade of each instrument, and candles. */
export class StandingMarket {
  readonly #books: readonly BuiltMarket[];
  readonly #trades: (TradesPrinted | undefined)[] = [];
  readonly #candles: CandleHistory;

  /** `candlesMax`: candles of each instrument and period that are history at the start. */
  constructor({ instruments, orders }: Pick<Recording, 'instruments' | 'orders'>, candlesMax: number) {
    this.#books = instruments.all.map(({ id }) => new BuiltMarket(id, orders));
    this.#candles = new CandleHistory(candlesMax);
  }

  build(event: Event): void {
    if (event.kind === 'candles') for (const candle of event.candles) this.#candles.put(candle);
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate' || event.kind === 'bookStale')
      this.#books[event.instrument]?.apply(event);
    // Of an event that is used again only this is kept.
    else if (event.kind === 'trades')
      this.#trades[event.instrument] = {
        ...event,
        trades: event.trades.slice(-1).map((one) => ({ ...one })),
      };
  }

  /** The market at `start`, as a venue sends it on subscription: each live book; the last trade and candles as history. */
  opening(start: Micros): MarketEvent[] {
    const times = { exchangeTime: start, receiveTime: start };
    const last = this.#trades.flatMap((event) =>
      event === undefined ? [] : [{ ...event, snapshot: true, ...times }],
    );
    return [...this.#books.flatMap((book) => book.whole(start)), ...last, ...this.#candles.events(start)];
  }
}
