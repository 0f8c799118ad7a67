import type { Amount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { CandlesChanged, Event, TradesPrinted } from '../../../core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade } from '../../../core/model/market.ts';
import { periodEnd, periodStart } from '../../../core/model/candle-period.ts';
import type { BarPeriod } from './bars-period.ts';
import { periodOfCandle } from './bars-period.ts';

interface Running {
  readonly time: Micros;
  readonly open: Ticks;
  close: Ticks;
  min: Ticks;
  max: Ticks;
  volume: number;
  volumeQuote: bigint;
}

/**
 * Bars from single trades: the bar of a trade begins at the last whole period before its time; open, high, low and
 * close are prices in the order the trades came, the volume is the sum of the quantities. A period without trades has
 * no bar.
 *
 * `add` answers the bar that a trade of a later period has closed. A trade of a period closed already is `late`: it
 * changes nothing, because somebody may have acted on that bar.
 */
export class TradeBars {
  readonly #instrument: Instrument;
  readonly #candle: CandlePeriod;
  readonly #period: BarPeriod;
  #running: Running | undefined;
  /** Bars that begin earlier are closed. */
  #closedBefore = Number.NEGATIVE_INFINITY;
  #late = 0;

  constructor(instrument: Instrument, candle: CandlePeriod) {
    this.#instrument = instrument;
    this.#candle = candle;
    this.#period = periodOfCandle(candle);
  }

  /** Trades that came after their bar was closed, and were left out. */
  get late(): number {
    return this.#late;
  }

  add(trade: MarketTrade): Candle | undefined {
    const time = periodStart(this.#period.micros, trade.time);
    const running = this.#running;
    if (time < this.#closedBefore) {
      this.#late += 1;
      return undefined;
    }
    const notional = this.#instrument.notional(trade.price, trade.quantity);
    if (running !== undefined && time === running.time) {
      running.close = trade.price;
      if (trade.price < running.min) running.min = trade.price;
      if (trade.price > running.max) running.max = trade.price;
      running.volume += trade.quantity;
      running.volumeQuote += notional;
      return undefined;
    }
    const closed = this.closeBefore(time);
    const { price, quantity } = trade;
    this.#running = {
      time,
      open: price,
      close: price,
      min: price,
      max: price,
      volume: quantity,
      volumeQuote: notional,
    };
    return closed;
  }

  /** Closes every bar that begins before `time`, and answers the one that was running, if it does. */
  closeBefore(time: number): Candle | undefined {
    const running = this.#running;
    if (time > this.#closedBefore) this.#closedBefore = time;
    if (running === undefined || running.time >= time) return undefined;
    this.#running = undefined;
    const instrument = this.#instrument;
    return {
      instrument: instrument.id,
      period: this.#candle,
      time: running.time,
      open: instrument.priceAmount(running.open),
      close: instrument.priceAmount(running.close),
      min: instrument.priceAmount(running.min),
      max: instrument.priceAmount(running.max),
      volume: instrument.quantityAmount(running.volume as Lots),
      volumeQuote: running.volumeQuote as Amount,
    };
  }
}

/** The bars of one instrument's trades, given in the order they happened. */
export function barsOfTrades(
  trades: Iterable<MarketTrade>,
  instrument: Instrument,
  period: CandlePeriod,
): readonly Candle[] {
  const bars = new TradeBars(instrument, period);
  const candles: Candle[] = [];
  for (const trade of trades) {
    const closed = bars.add(trade);
    if (closed !== undefined) candles.push(closed);
  }
  const last = bars.closeBefore(Number.POSITIVE_INFINITY);
  if (last !== undefined) candles.push(last);
  return candles;
}

/** What `barEventsOfTrades` met, once its events were taken to the end. */
export interface BarsMade {
  bars: number;
  /** Trades that came after their bar was closed, and were left out. */
  late: number;
}

/**
 * The trades of a recording as bars of `period`, in the order their periods end; other events and trades sent as history
 * are left out. The times of a bar's event are the end of its period: nobody can know it earlier. A bar is finished when
 * the trades of any instrument have come one whole period further, so one instrument's silence holds nobody up.
 */
export async function* barEventsOfTrades(
  batches: AsyncIterable<readonly Event[]> | Iterable<readonly Event[]>,
  instruments: Instruments,
  period: CandlePeriod,
  made: BarsMade = { bars: 0, late: 0 },
): AsyncGenerator<readonly CandlesChanged[], void, undefined> {
  const all = new AllTradeBars(instruments, period);
  for await (const batch of batches) {
    for (const event of batch) {
      if (event.kind === 'trades' && !event.snapshot) all.add(event);
    }
    const events = all.take();
    made.bars += events.length;
    if (events.length > 0) yield events;
  }
  const events = all.end();
  made.bars += events.length;
  made.late = all.late;
  if (events.length > 0) yield events;
}

/** The bars of several instruments in one order. */
class AllTradeBars {
  readonly #period: BarPeriod;
  readonly #makers: readonly TradeBars[];
  #closed: Candle[] = [];
  #finished: CandlesChanged[] = [];
  /** Start of the latest period that a trade was seen in. */
  #current = Number.NEGATIVE_INFINITY;

  constructor(instruments: Instruments, period: CandlePeriod) {
    this.#period = periodOfCandle(period);
    this.#makers = instruments.all.map((instrument) => new TradeBars(instrument, period));
  }

  get late(): number {
    return this.#makers.reduce((sum, maker) => sum + maker.late, 0);
  }

  add(event: TradesPrinted): void {
    const maker = this.#makers[event.instrument];
    for (const trade of event.trades) {
      const closed = maker?.add(trade);
      if (closed !== undefined) this.#closed.push(closed);
      const start = periodStart(this.#period.micros, trade.time);
      if (start <= this.#current) continue;
      this.#current = start;
      this.#finishBefore(periodStart(this.#period.micros, (start - 1) as Micros));
    }
  }

  take(): readonly CandlesChanged[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  end(): readonly CandlesChanged[] {
    this.#finishBefore(Number.POSITIVE_INFINITY);
    return this.take();
  }

  #finishBefore(time: number): void {
    for (const maker of this.#makers) {
      const closed = maker.closeBefore(time);
      if (closed !== undefined) this.#closed.push(closed);
    }
    const due = this.#closed.filter((candle) => candle.time < time);
    this.#closed = this.#closed.filter((candle) => candle.time >= time);
    due.sort((a, b) => a.time - b.time || a.instrument - b.instrument);
    for (const candle of due) this.#finished.push(barEvent(candle, this.#period));
  }
}

/** The event that tells of a closed bar. Both times are the end of the period. */
export function barEvent(candle: Candle, length: BarPeriod): CandlesChanged {
  const time = periodEnd(length.micros, candle.time);
  return {
    kind: 'candles',
    instrument: candle.instrument,
    snapshot: false,
    candles: [candle],
    exchangeTime: time,
    receiveTime: time,
  };
}
