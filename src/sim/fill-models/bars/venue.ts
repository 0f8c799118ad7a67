import { assert } from '../../../core/base/assert.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { VirtualClock } from '../../../core/base/virtual-clock.ts';
import { Topic } from '../../../core/bus/index.ts';
import type { Venue } from '../../../core/bus/index.ts';
import type { Command } from '../../../core/model/command.ts';
import type { CandlesChanged, Event, TradesPrinted } from '../../../core/model/event.ts';
import type { Candle, Balance } from '../../../core/model/market.ts';
import type { BarAccount } from './account.ts';
import type { BarFill } from './engine.ts';
import { BarEngine } from './engine.ts';
import type { BarMarket } from './market.ts';
import { BarNotifications, begun, unpricedCandle } from './notifications.ts';
import { endOfBar } from './period.ts';
import type { BarRules } from './rules.ts';
import type { SessionRoll } from './session-roll.ts';
import { sessionRollOf } from './session-roll.ts';
import { BarWalk } from './walk.ts';
import { timeText } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { KnownCandle } from '../../../core/model/known-candle.ts';
import { candlePlaces, knownOf, candleUnits } from '../../../core/model/known-candle.ts';
import type { Instrument, Instruments } from '../../../core/model/instrument.ts';
import { barFee } from './fee.ts';
import { BarMargin } from './margin.ts';
import { BarSpot } from './spot.ts';
import type { Funded } from '../../funding-rules.ts';

const minute = 60_000_000;

/**
 * A venue made of bars, or of trades alone, and a stated fill rule. No latency: a command meets the price of the moment
 * it was sent in, which is a point of the path the bar is taken to have gone; the rules say which path.
 *
 * Hand it the data in order, then call `finish`. A bar's path is walked when something later comes: all bars that begin
 * together are opened before one of them goes on.
 */
export class BarVenue implements Venue {
  readonly events = new Topic<Event>({ onFirst: () => this.#start() });
  readonly account: BarAccount;
  /** Liquidation and funding, where the rules ask for them. */
  readonly sessionRoll: SessionRoll;
  readonly #setup: BarVenueDeps;
  readonly #clock: VirtualClock;
  readonly #rules: BarRules;
  readonly #notifications: BarNotifications;
  readonly #engine: BarEngine;
  readonly #walk: BarWalk;
  readonly #inbox: Command[] = [];
  /** Markets whose bar is under way, in the order they opened: the first `#openCount` entries. */
  readonly #open: BarMarket[] = [];
  #openCount = 0;
  #openTime = -1;
  #sampledMinute = -1;
  #busy = false;
  #woken = false;
  #closed = false;

  constructor(setup: BarVenueDeps) {
    const { clock, instruments, rules, balances } = setup;
    const publish = (event: Event): void => this.events.next(event);
    this.#setup = setup;
    this.#clock = clock;
    this.#rules = rules;
    this.account = openBarAccount(instruments, balances, rules);
    this.#notifications = new BarNotifications(clock, publish);
    const { account } = this;
    const { executed, funded } = setup;
    const engine = new BarEngine({ clock, instruments, rules, account, publish, executed });
    this.#engine = engine;
    const [notifications, serve] = [this.#notifications, () => this.#serve()];
    const passTo = (time: Micros): void => this.#passTo(time);
    const { markets } = engine;
    this.sessionRoll = sessionRollOf(account, rules, { clock, engine, funded, markets, serve, publish });
    this.#walk = new BarWalk({ passTo, rules, account, engine, notifications, serve, ...this.sessionRoll });
  }

  /** Remembers candles that closed before the first bar: history, delivered as by a live feed. */
  remember(history: CandlesChanged): void {
    const market = this.#engine.markets[history.instrument] as BarMarket;
    market.last = history.candles.at(-1);
    this.events.next(history);
  }

  /** A bar or trades. Throws `BadInput` when bars go back in time or a price is not on the grid. */
  accept(event: Event): void {
    assert(!this.#closed, 'a closed bar venue received market data');
    this.#busy = true;
    if (event.kind === 'candles') for (const candle of event.candles) this.#bar(candle);
    else if (event.kind === 'trades') this.#trades(event);
    this.#busy = false;
  }

  /** The bar under way, or the last one; `undefined` before the first and of trades alone. */
  barOf(instrument: Instrument): Candle | undefined {
    const { bar, last } = this.#engine.marketOf(instrument);
    return bar ?? last;
  }

  /** The data has ended: the bars under way end too. */
  finish(): void {
    this.#busy = true;
    this.#finish();
    this.#busy = false;
  }

  /** Takes a command; it is executed once the event under way has been delivered. After `close` it is lost. */
  send(command: Command): void {
    if (this.#closed) return;
    this.#inbox.push(command);
    if (this.#busy || this.#woken) return;
    this.#woken = true;
    this.#clock.after(0 as Micros, () => {
      this.#woken = false;
      this.#serve();
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    this.events.close();
    return Promise.resolve();
  }

  /** Published right after the first subscription, not inside `subscribe`. */
  #start(): void {
    this.#clock.after(0 as Micros, () => this.#engine.open());
  }

  #bar(given: Candle): void {
    const candle = whole(given);
    if (candle.time !== this.#openTime) this.#finish(candle.time);
    const market = this.#engine.markets[candle.instrument] as BarMarket;
    checkBar(market, candle, this.#openTime);
    this.#openTime = candle.time;
    if (this.#rules.missing === 'flat') this.#passMissing(candle.time);
    this.#passTo(candle.time);
    this.#expire();
    if (this.#rules.market === 'nextOpen') this.#announce(market, candle.time);
    const isFirst = Number.isNaN(market.ticks);
    market.moveToBar(candle, 'open');
    this.account.mark(market.instrument, market.ticks);
    market.bar = candle;
    market.live = true;
    this.#open[this.#openCount++] = market;
    this.sessionRoll.liquidation?.check(market);
    if (market.orders.exist) this.#meetOpen(market);
    if (this.#rules.market === 'open' || (isFirst && this.#tellsFirstOpen)) {
      this.#quote(market, isFirst);
      market.begunAt = candle.time;
      this.#notifications.candles(market.instrument, market.closed, begun(candle));
      market.closed = undefined;
      this.#serve();
    }
    if (this.#rules.points) this.#walk.point(market);
  }

  /** Whether the first open of all is told when it comes: where decisions are made at the end of bars alone it is not. */
  get #tellsFirstOpen(): boolean {
    return this.#rules.market === 'close' || this.#rules.points;
  }

  /** All that waits acts at the open, then what came since the last bar and must not rest ends. */
  #meetOpen(market: BarMarket): void {
    this.#walk.actAll(market);
    this.#engine.arrived(market);
    this.#serve();
  }

  /** A bar begins, whose open is not known yet: the last one before the run, and longer candles behind a gap, are over. */
  #announce(market: BarMarket, time: Micros): void {
    const { last, instrument } = market;
    if (last === undefined || market.begunAt >= time) return;
    const isFirst = Number.isNaN(market.ticks);
    if (isFirst) {
      market.moveToBar(last, 'close');
      this.account.mark(instrument, market.ticks);
      this.#quote(market, true);
    }
    market.begunAt = time;
    this.#notifications.candles(instrument, undefined, unpricedCandle(last, time, 'begun'));
    this.#serve();
  }

  /** Publishes a flat candle at the end of every period up to `time` that has no bar. */
  #passMissing(time: Micros): void {
    for (let market = this.#lacking(time); market !== undefined; market = this.#lacking(time)) {
      const last = market.last as Candle;
      const begunAt = market.begunAt as Micros;
      const end = endOfBar({ period: last.period, time: begunAt });
      this.#passTo(end);
      market.begunAt = end;
      const missing = unpricedCandle(last, begunAt, 'missing');
      this.#notifications.candles(market.instrument, missing, unpricedCandle(last, end, 'begun'));
      this.#serve();
    }
  }

  /** The market whose missing candle ends first, if by `time`. */
  #lacking(time: Micros): BarMarket | undefined {
    let first: BarMarket | undefined;
    let before = time as number;
    for (const market of this.#engine.markets) {
      if (market.last === undefined || market.begunAt < 0) continue;
      const end = endOfBar({ period: market.last.period, time: market.begunAt as Micros });
      if (end > before || (first !== undefined && end === before)) continue;
      first = market;
      before = end;
    }
    return first;
  }

  /** Walks every bar under way to its end, or up to `before` where the next bar begins earlier, then publishes the ends. */
  #finish(before = Number.POSITIVE_INFINITY): void {
    const open = this.#open;
    const count = this.#openCount;
    const first = count === 0 ? undefined : open[0]?.bar;
    if (first === undefined) return;
    const end = Math.min(endOfBar(first), Math.max(before, first.time)) as Micros;
    for (let i = 0; i < count; i++) this.#walk.toTheEnd(open[i] as BarMarket);
    const publishesAtEnd = this.#rules.market !== 'open';
    if (publishesAtEnd) this.#passUnpriced(end);
    for (let i = 0; i < count; i++) {
      const market = open[i] as BarMarket;
      const bar = market.bar as Candle;
      market.bar = undefined;
      if (publishesAtEnd) {
        this.#tellEnd(market, bar, end);
      } else {
        market.closed = bar;
        market.live = false;
      }
    }
    this.#openCount = 0;
    this.#setup.sampled?.(end);
  }

  #tellEnd(market: BarMarket, bar: Candle, end: Micros): void {
    const { instrument } = market;
    const isFirst = this.#rules.market === 'nextOpen' && market.begunAt < 0;
    // Who waits for closed candles has to know of this one that it had begun.
    if (isFirst) this.#notifications.candles(instrument, undefined, begun(bar));
    market.last = bar;
    market.begunAt = end;
    this.#quote(market, isFirst);
    this.#notifications.candles(instrument, bar, unpricedCandle(bar, end, 'begun'));
    this.#serve();
  }

  /** Timers fire on the way; what strategies then ask for is carried out at once, before the next of them fires. */
  #passTo(time: Micros): void {
    this.#busy = false;
    this.sessionRoll.funding?.passTo(time);
    this.#clock.advanceTo(time);
    this.#busy = true;
  }

  /** The bars have been walked, but their closes are unknown before `end`: until then orders wait. */
  #passUnpriced(end: Micros): void {
    const count = this.#openCount;
    for (let i = 0; i < count; i++) (this.#open[i] as BarMarket).live = false;
    this.#passTo(end);
    if (this.#rules.market === 'nextOpen') return;
    for (let i = 0; i < count; i++) {
      const market = this.#open[i] as BarMarket;
      market.live = true;
      if (market.orders.exist) this.#walk.actAll(market);
    }
  }

  #trades(event: TradesPrinted): void {
    const market = this.#engine.markets[event.instrument] as BarMarket;
    this.#passTo(event.exchangeTime);
    if (event.snapshot || event.trades.length === 0) return;
    this.#expire();
    const isFirst = Number.isNaN(market.ticks);
    market.live = true;
    for (const trade of event.trades) {
      market.moveToTicks(trade.price);
      this.sessionRoll.liquidation?.check(market);
      if (market.orders.exist) this.#meetOpen(market);
    }
    this.account.mark(market.instrument, market.ticks);
    market.live = this.#rules.market === 'close';
    this.#quote(market, isFirst);
    this.events.next(event);
    this.#serve();
    const now = Math.floor(this.#clock.now() / minute);
    if (now === this.#sampledMinute) return;
    this.#sampledMinute = now;
    this.#setup.sampled?.(this.#clock.now());
  }

  #expire(): void {
    if (this.#engine.hasOrders && this.#engine.expire()) this.#serve();
  }

  #serve(): void {
    const inbox = this.#inbox;
    if (inbox.length === 0) return;
    const before = this.#busy;
    this.#busy = true;
    for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) this.#engine.carryOut(next);
    this.#busy = before;
  }

  #quote(market: BarMarket, isFirst: boolean): void {
    // The order controls want a last price to compare limits with, of the first order too.
    if (isFirst) this.#notifications.point(market.instrument, market.ticks, market.price);
    if (isFirst || this.#rules.quotes === 'each') this.#notifications.quote(market.instrument, market.ticks);
  }
}

/** Throws `BadInput` when a bar goes back in time, or begins when one of its market is under way. */
export function checkBar({ instrument, bar }: BarMarket, { time }: Candle, openTime: number): void {
  if (time >= openTime && bar === undefined) return;
  throw new BadInput(
    `${instrument.symbol}: expected bars in the order of time, found one of ${timeText(time)} after ${timeText(openTime)}`,
  );
}

/** The bar with its extremes widened, where the data let open or close lie outside them. */
export function whole(bar: Candle): Candle {
  const known = knownOf(bar);
  if (known !== undefined && isWhole(known)) return bar;
  const { open, close, min, max } = bar;
  if (open >= min && open <= max && close >= min && close <= max) return bar;
  const prices = [open, close, min, max].toSorted((a, b) => (a < b ? -1 : 1));
  return { ...bar, min: prices[0] ?? min, max: prices[3] ?? max };
}

/** Whether it is whole by its numbers alone; false where one is not known. */
function isWhole(bar: KnownCandle): boolean {
  const min = candleUnits(bar, candlePlaces.min);
  const max = candleUnits(bar, candlePlaces.max);
  const open = candleUnits(bar, candlePlaces.open);
  const close = candleUnits(bar, candlePlaces.close);
  return open >= min && open <= max && close >= min && close <= max;
}

/** The account that the rules ask for, with `balances` in it. */
export function openBarAccount(
  instruments: Instruments,
  balances: readonly Balance[],
  { account, fees }: BarRules,
): BarAccount {
  if (account.kind === 'margin') return new BarMargin(instruments, balances, account);
  return new BarSpot(instruments, balances, (instrument, price, lots) =>
    barFee(fees, instrument, { price, lots, taker: true }),
  );
}

/** Parts that a bar venue is made of. */
export interface BarVenueDeps {
  /** The venue moves it to the time of everything that happens. */
  readonly clock: VirtualClock;
  readonly instruments: Instruments;
  readonly rules: BarRules;
  readonly balances: readonly Balance[];
  /** Called for every execution, after the event was delivered. */
  readonly executed?: ((fill: BarFill) => void) | undefined;
  /** Called for every funding payment, before the event is delivered; positive when the account paid. */
  readonly funded?: Funded | undefined;
  /** Called at the end of every bar (with trades alone: at the first trade of every minute). */
  readonly sampled?: ((time: Micros) => void) | undefined;
}
