import type { Amount } from '../../../core/base/amount.ts';
import { zero } from '../../../core/base/amount.ts';
import type { Clock, Micros } from '../../../core/base/clock.ts';
import type { CandlesChanged, Event } from '../../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import { begunFrom, knownOf } from '../../../core/model/known-candle.ts';
import type { Candle } from '../../../core/model/market.ts';

/** So much stands at either side of a quote: a bar says nothing of sizes. */
const quoteLots = 1_000_000_000;

/** Messages of a bar venue about the market: candles, the quote around a price, the points of a path. */
export class BarNotifications {
  readonly #clock: Clock;
  readonly #publish: (event: Event) => void;
  readonly #buffer = new LevelBuffer();
  #sequence = 0;

  constructor(clock: Clock, publish: (event: Event) => void) {
    this.#clock = clock;
    this.#publish = publish;
  }

  /** A bar that closed, and the beginning of the next one. */
  candles(instrument: Instrument, closed: Candle | undefined, begun: Candle): void {
    const now = this.#clock.now();
    const event: CandlesChanged = {
      kind: 'candles',
      instrument: instrument.id,
      snapshot: false,
      candles: closed === undefined ? [begun] : [closed, begun],
      exchangeTime: now,
      receiveTime: now,
    };
    this.#publish(event);
  }

  /** A book of one level a side: one tick below the price, and the price; at a price of one tick that, and one above. */
  quote(instrument: Instrument, price: Ticks): void {
    const now = this.#clock.now();
    const buffer = this.#buffer;
    this.#sequence += 1;
    buffer.beginMessage();
    const { bid, ask } = quoteAt(price);
    buffer.push(0, bid, quoteLots);
    buffer.push(1, ask, quoteLots);
    this.#publish({
      kind: 'bookSnapshot',
      instrument: instrument.id,
      sequence: this.#sequence,
      levels: buffer.chunk,
      start: buffer.start,
      end: buffer.end,
      exchangeTime: now,
      receiveTime: now,
    });
  }

  /** A point of the path: the ticker's last price. */
  point(instrument: Instrument, price: Ticks, last: Amount): void {
    const now = this.#clock.now();
    this.#publish({
      kind: 'ticker',
      instrument: instrument.id,
      ticker: {
        instrument: instrument.id,
        time: now,
        ...quoteAt(price),
        bidQuantity: quoteLots as Lots,
        askQuantity: quoteLots as Lots,
        last,
        open: undefined,
        high: undefined,
        low: undefined,
        volume: undefined,
        volumeQuote: undefined,
      },
      exchangeTime: now,
      receiveTime: now,
    });
  }
}

/** Every price has both sides, so that order controls have a mid. */
function quoteAt(price: Ticks): { readonly bid: Ticks; readonly ask: Ticks } {
  const bid = Math.max(1, price - 1) as Ticks;
  return { bid, ask: (bid + 1) as Ticks };
}

/** A candle that begins with the open of `bar`, and nothing has happened yet. */
export function begun(bar: Candle): Candle {
  return flat(bar, bar.time, { from: 'open', unpriced: undefined });
}

/** A candle without a price of its own: it stands at the close of `bar`, the last one known. */
export function unpricedCandle(bar: Candle, time: Micros, unpriced: 'begun' | 'missing'): Candle {
  return flat(bar, time, { from: 'close', unpriced });
}

interface Flatness extends Pick<Candle, 'unpriced'> {
  readonly from: 'open' | 'close';
}

function flat(bar: Candle, time: Micros, { from, unpriced }: Flatness): Candle {
  const known = knownOf(bar);
  if (known !== undefined) return begunFrom(known, from, { time, unpriced });
  const { instrument, period } = bar;
  const price = from === 'open' ? bar.open : bar.close;
  return {
    instrument,
    period,
    time,
    open: price,
    close: price,
    min: price,
    max: price,
    volume: zero,
    volumeQuote: zero,
    unpriced,
  };
}
