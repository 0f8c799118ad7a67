import { Observable } from 'rxjs';
import { assert } from '../base/assert.ts';
import type { Cancel, Clock, Micros } from '../base/clock.ts';
import { millis } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { Topic } from '../bus/topic.ts';
import type { Venue } from '../bus/venue.ts';
import type { AccountId } from '../matching/command.ts';
import { Exchange } from '../matching/exchange.ts';
import type { Outcome } from '../matching/outcome.ts';
import type { Command } from '../model/command.ts';
import type { Event, MarketEvent } from '../model/event.ts';
import type { InstrumentId, Instruments, Lots } from '../model/instrument.ts';
import type { Balance, MarketTrade } from '../model/market.ts';
import { Answers } from './answers.ts';
import { Arrival } from './arrival.ts';
import type { Latency } from './latency.ts';
import { latencyOf } from './latency.ts';
import type { SimOptions } from './options.ts';
import { OwnHistory } from './own-history.ts';
import { conservative, proportional } from './queue-model.ts';
import { Shadow } from './shadow.ts';
import { Transit } from './transit.ts';

/** What a simulated venue is made of. */
export interface SimVenueSetup {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly options: SimOptions;
  readonly random: Random;
  /** What the account starts with: available amounts; `reserved` is added to them. */
  readonly balances: readonly Balance[];
  /**
   * `recorded`: facts reach `events` at their receive time (backtest). `live`: they are told as they are accepted,
   * for they have just been received (paper).
   */
  readonly facts?: 'recorded' | 'live';
  /** Instead of the latency the options describe. */
  readonly latency?: Latency;
}

const account = 0 as AccountId;

/**
 * A venue made of a recorded (or live) market and our orders inside it, one matching core for both.
 *
 * The driver moves the clock to a fact's exchange time and hands it to `accept`; the market changes then, the fact is
 * told at `max(exchangeTime, receiveTime)`. A command meets the market as it is `latency.entry` after it was sent;
 * what comes of it is told `latency.report` later. Both ways keep their order, as one connection does.
 */
export class SimVenue implements Venue {
  readonly events: Observable<Event>;
  readonly #clock: Clock;
  readonly #exchange: Exchange;
  readonly #latency: Latency;
  readonly #live: boolean;
  readonly #options: SimOptions;
  readonly #answers: Answers;
  readonly #shadows: (Shadow | undefined)[] = [];
  /** Everything on its way: commands to the engine, facts and reports to us. */
  readonly #transit: Transit<Event | Arrival>;
  readonly #told = new Topic<Event>();
  #started = false;
  #closed = false;
  #lastArrival = 0;
  #lastReport = 0;
  #expiry: Micros | undefined = undefined;
  #cancelExpiry: Cancel | undefined = undefined;

  constructor(setup: SimVenueSetup) {
    const { clock, instruments, options, random, balances } = setup;
    this.#clock = clock;
    this.#options = options;
    this.#live = setup.facts === 'live';
    this.#latency =
      setup.latency ?? latencyOf(options.entryLatency, options.reportLatency, random.fork('latency'));
    this.#transit = new Transit(clock, options.pendingMax, (item) => this.#handOver(item));
    this.#exchange = new Exchange({
      instruments,
      options: {
        idReuseAfter: millis(options.idReuseAfterMs),
        fatFingerFraction: options.fatFingerFraction,
        windowTicks: options.windowTicks,
      },
    });
    for (const { currency, available, reserved } of balances) this.#deposit(currency, available, reserved);
    const history = new OwnHistory(options.orderHistoryMax, options.tradeHistoryMax);
    this.#answers = new Answers({ exchange: this.#exchange, account, history });
    this.events = new Observable((subscriber) => {
      const subscription = this.#told.subscribe(subscriber);
      this.#start();
      return subscription;
    });
  }

  /** A fact of the market at the clock's present time. Applied now; told when it is (or was) received. */
  accept(event: MarketEvent): void {
    assert(!this.#closed, 'a closed simulated venue was told of the market');
    switch (event.kind) {
      case 'bookUpdate':
        this.#shadow(event.instrument).update(event);
        break;
      case 'bookSnapshot':
        this.#shadow(event.instrument).snapshot(event);
        break;
      case 'trades':
        if (!event.snapshot) this.#trades(event.instrument, event.trades);
        break;
      default:
        break;
    }
    const now = this.#clock.uptime();
    this.#transit.pass(this.#live ? now : now + this.#feedDelay(event), event);
  }

  /** Puts a command on its way; after `close` it is lost. Nothing comes of it inside this call. */
  send(command: Command): void {
    if (this.#closed) return;
    const now = this.#clock.uptime();
    this.#lastArrival = Math.max(this.#lastArrival, now + this.#latency.entry(command));
    this.#transit.put(this.#lastArrival, new Arrival(command, this.#clock.now()));
  }

  /** Ends the stream. What is on its way is lost, as it would be; orders stay as they are. */
  close(): Promise<void> {
    this.#closed = true;
    this.#transit.close();
    this.#cancelExpiry?.();
    this.#told.close();
    return Promise.resolve();
  }

  #start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#tell(this.#answers.sessionEvents(this.#clock.now()), 0);
  }

  #deposit(currency: string, available: Balance['available'], reserved: Balance['reserved']): void {
    const change = (available + reserved) as Balance['available'];
    const now = this.#clock.now();
    const outcomes = this.#exchange.handle({ kind: 'adjustBalance', account, currency, change }, now);
    assert(
      outcomes[0]?.kind !== 'refused',
      `the simulated account cannot start with less than no ${currency}`,
    );
  }

  #trades(instrument: InstrumentId, trades: readonly MarketTrade[]): void {
    const shadow = this.#shadow(instrument);
    const now = this.#clock.now();
    for (const trade of trades) {
      shadow.trade(trade);
      const outcomes = this.#exchange.outsiders.print(instrument, trade.price, now);
      if (outcomes.length > 0) this.#happened(outcomes);
    }
  }

  /** A fact cannot be told before it happened; a recorder's clock may say so all the same. */
  #feedDelay({ exchangeTime, receiveTime }: MarketEvent): number {
    return Math.max(0, Math.max(exchangeTime, receiveTime) - this.#clock.now());
  }

  #shadow(instrument: InstrumentId): Shadow {
    const known = this.#shadows[instrument];
    if (known !== undefined) return known;
    const model = this.#options.queueModel === 'conservative' ? conservative : proportional;
    const book = this.#exchange.outsiders.book(instrument);
    const shadow = new Shadow(instrument, book, model, (id, handle, lots) =>
      this.#takeOurs(id, handle, lots),
    );
    this.#shadows[instrument] = shadow;
    return shadow;
  }

  #takeOurs(instrument: InstrumentId, handle: number, lots: Lots): void {
    this.#happened(this.#exchange.outsiders.takeFrom(instrument, handle, lots, this.#clock.now()));
  }

  #handOver(item: Event | Arrival): void {
    if (item instanceof Arrival) this.#execute(item);
    else this.#told.next(item);
  }

  /** The command has reached the engine. */
  #execute({ command, askedAt }: Arrival): void {
    const now = this.#clock.now();
    const delay = this.#reportDelay();
    const times = { exchangeTime: now, receiveTime: (now + delay) as Micros };
    if (command.kind === 'read') {
      this.#tell(this.#answers.toRead(command, askedAt, times), delay);
      return;
    }
    const exchangeCommand = this.#answers.exchangeCommand(command);
    const outcomes = this.#exchange.handle(exchangeCommand, now);
    this.#settle(outcomes);
    this.#tell(this.#answers.toCommand(command, outcomes, times), delay);
  }

  /** Something happened to our orders without a command: a fill, a trigger, an expiry. */
  #happened(outcomes: readonly Outcome[]): void {
    if (outcomes.length === 0) return;
    const now = this.#clock.now();
    const delay = this.#reportDelay();
    this.#settle(outcomes);
    const times = { exchangeTime: now, receiveTime: (now + delay) as Micros };
    this.#tell(this.#answers.toOutcomes(outcomes, times), delay);
  }

  /** Follow-ups of changed orders: what we took of the market, and the next expiry. */
  #settle(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'report') continue;
      const { order, fill } = outcome;
      const shadow = this.#shadow(order.instrument);
      if (fill?.taker === true) shadow.took(order.side, fill.price, fill.quantity);
      shadow.forget();
    }
    this.#watchExpiry();
  }

  #reportDelay(): number {
    const now = this.#clock.uptime();
    this.#lastReport = Math.max(this.#lastReport, now + this.#latency.report());
    return this.#lastReport - now;
  }

  #tell(events: readonly Event[], delay: number): void {
    const time = this.#clock.uptime() + delay;
    for (const event of events) this.#transit.put(time, event);
  }

  #watchExpiry(): void {
    const next = this.#exchange.nextExpiry();
    if (next === this.#expiry) return;
    this.#cancelExpiry?.();
    this.#expiry = next;
    if (next === undefined) return;
    const delay = Math.max(0, next - this.#clock.now()) as Micros;
    this.#cancelExpiry = this.#clock.after(delay, () => {
      this.#expiry = undefined;
      this.#happened(this.#exchange.handle({ kind: 'expire' }, this.#clock.now()));
      this.#watchExpiry();
    });
  }
}
