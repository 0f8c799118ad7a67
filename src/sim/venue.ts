import { assert } from '../core/base/assert.ts';
import type { Cancel, Clock, Micros } from '../core/base/clock.ts';
import { Topic } from '../core/bus/index.ts';
import type { Venue } from '../core/bus/index.ts';
import type { Outcome } from '../exchange/matching/index.ts';
import type { Command } from '../core/model/command.ts';
import type { Event, MarketEvent, MarketData } from '../core/model/event.ts';
import { isMarketEvent } from '../core/model/market-data.ts';
import { noMargin, VenueResponses } from './venue-responses.ts';
import type { SimEngine, OpenEngine } from './engine.ts';
import type { Latency, LatencyWay } from './latency.ts';
import { latencyOf } from './latency.ts';
import { Outages, venueIsDown } from './outages.ts';
import { AccountHistory } from './account-history.ts';
import { DelayLine } from './delay-line.ts';
import type { Random } from '../core/base/random.ts';
import type { Instruments } from '../core/model/instrument.ts';
import type { Balance } from '../core/model/market.ts';
import type { SimOptions } from './options.ts';
import type { MarginDeps } from './product-accounts.ts';
import type { OutageWindow } from './outages.ts';

/**
 * A venue made of a recorded (or live) market and our orders inside it.
 *
 * The driver hands each market data event to `accept` when the clock stands just before its exchange time, or at it; the market
 * changes at that time, and the market data event is delivered at `max(exchangeTime, receiveTime)`. A command meets the market as it is
 * `latency.entry` after it was sent, after the market data of that moment; its outcome is delivered `latency.report` later.
 * Both ways keep their order, as one connection does.
 */
export class SimVenue implements Venue {
  readonly events = new Topic<Event>({ onFirst: () => this.#start() });
  readonly marketData = new Topic<MarketData>();
  /** Its margin and futures accounts, as they were set up. */
  readonly margin: MarginDeps | undefined;
  readonly #clock: Clock;
  readonly #engine: SimEngine;
  readonly #latency: Latency;
  readonly #feed: LatencyWay | undefined;
  readonly #live: boolean;
  readonly #responses: VenueResponses;
  readonly #outages: Outages | undefined;
  /** Everything on its way: commands to the engine, market data and reports to us. */
  readonly #delayed: DelayLine<MarketData | Message>;
  #closed = false;
  #lastArrival = 0;
  #lastReport = 0;
  #lastMarketData = 0;
  #prelude = false;
  #expiry: Micros | undefined = undefined;
  #cancelExpiry: Cancel | undefined = undefined;

  constructor(setup: SimVenueDeps) {
    const { clock, instruments, options, random, balances, outages = [] } = setup;
    this.#clock = clock;
    this.margin = setup.margin;
    this.#live = setup.marketData === 'live';
    this.#feed = setup.feed;
    this.#latency =
      setup.latency ?? latencyOf(options.entryLatency, options.reportLatency, random.fork('latency'));
    this.#delayed = new DelayLine(clock, options.pendingMax, (item) => this.#handOver(item));
    this.#outages = outages.length === 0 ? undefined : new Outages(outages, instruments);
    this.#engine = setup.openEngine({
      instruments,
      options,
      balances,
      now: clock.now(),
      orders: setup.orders,
      tradesFrom: setup.tradesFrom ?? 1,
      margin: setup.margin,
      happened: (outcomes, now) => this.#happened(outcomes, now),
    });
    const openHistory = () => new AccountHistory(options.orderHistoryMax, options.tradeHistoryMax);
    this.#responses = new VenueResponses({ engine: this.#engine, openHistory });
  }

  /**
   * While true, reads and market data take no time: the account is compared with the venue before a backtest's clock starts,
   * and accepted market data are delivered before, so that strategies start with both.
   */
  set prelude(on: boolean) {
    this.#prelude = on;
  }

  /**
   * A market event. Applied at its exchange time if that is ahead of the clock, else now; delivered when it is (or
   * was) received. `order` breaks ties between market data that are received at one moment but come here out of order.
   */
  accept(event: MarketEvent, order = 0): void {
    assert(!this.#closed, 'a closed simulated venue received market data');
    const now = this.#clock.now();
    if (this.#prelude) {
      this.#open(event, now);
      return;
    }
    if (this.#live) {
      this.#engine.data(event, now);
      if (event.kind === 'contractInfo') this.#watchExpiry(now);
      this.#delayed.pass(this.#clock.uptime(), parcelOf(event), order);
      return;
    }
    const { exchangeTime } = event;
    const at = exchangeTime > now ? exchangeTime : now;
    this.#engine.data(event, at);
    if (event.kind === 'contractInfo') this.#watchExpiry(at);
    if (this.#feed !== undefined) {
      this.#deliverDrawn(event, at, this.#feed);
      return;
    }
    const { receiveTime } = event;
    const due = receiveTime > at ? receiveTime : at;
    if (this.#outages?.hides(due) === true) this.#outages.witness(event);
    else this.#delayed.pass(this.#clock.uptime() + (due - now), parcelOf(event), order);
  }

  /** Puts a command on its way; after `close` it is lost. Nothing comes of it inside this call. */
  send(command: Command): void {
    if (this.#closed) return;
    const now = this.#clock.uptime();
    const isInstant = this.#prelude && command.kind === 'read';
    const delay = isInstant ? 0 : this.#latency.entry(command, this.#clock.now());
    this.#lastArrival = Math.max(this.#lastArrival, now + delay);
    this.#delayed.put(this.#lastArrival, new InboundCommand(command, now));
  }

  /** Ends the stream. What is on its way is lost, as it would be; orders stay as they are. */
  close(): Promise<void> {
    this.#closed = true;
    this.#delayed.close();
    this.#cancelExpiry?.();
    this.events.close();
    this.marketData.close();
    return Promise.resolve();
  }

  #start(): void {
    this.#deliver(this.#responses.sessionEvents(this.#clock.now()), this.#clock.uptime());
    const now = this.#clock.now();
    for (const { from, to } of this.#outages?.hiding ?? []) {
      if (from >= now) this.#clock.after((from - now) as Micros, () => this.#hide());
      if (to >= now) this.#clock.after((to - now) as Micros, () => this.#show());
    }
  }

  /** A market event before the clock starts. It is queued, so that no read is answered in between. */
  #open(event: MarketEvent, now: Micros): void {
    this.#engine.data(event, now);
    if (this.#outages?.hides(now) === true) this.#outages.witness(event);
    else this.#delayed.put(this.#clock.uptime(), parcelOf(event));
  }

  /** A market event with a drawn latency: delivered with that receive time. Events keep their order. */
  #deliverDrawn(event: MarketEvent, at: Micros, feed: LatencyWay): void {
    this.#lastMarketData = Math.max(this.#lastMarketData, at + feed(at));
    const delivered = { ...event, receiveTime: this.#lastMarketData as Micros };
    if (this.#outages?.hides(this.#lastMarketData) === true) this.#outages.witness(delivered);
    else
      this.#delayed.pass(
        this.#clock.uptime() + (this.#lastMarketData - this.#clock.now()),
        parcelOf(delivered),
      );
  }

  #hide(): void {
    if (!this.#closed) this.#deliver(this.#outages?.opening(this.#clock.now()) ?? [], this.#clock.uptime());
  }

  #show(): void {
    if (!this.#closed) this.#deliver(this.#outages?.closing(this.#clock.now()) ?? [], this.#clock.uptime());
  }

  #handOver(item: MarketData | Message): void {
    if (item instanceof InboundCommand) this.#execute(item);
    else if (item instanceof OutboundEvent) {
      if (isMarketEvent(item.event)) this.#witness(item.event);
      this.events.next(item.event);
    } else {
      this.#witness(item);
      if (this.marketData.observed) this.marketData.next(item);
      else this.events.next(item);
    }
  }

  /** Books after an outage start from the market data that were delivered. */
  #witness(event: MarketEvent): void {
    if (this.#outages?.hides(this.#clock.now()) === false) this.#outages.witness(event);
  }

  /** The command has reached the engine. */
  #execute({ command, sentAt }: InboundCommand): void {
    const now = this.#clock.now();
    const isInstant = this.#prelude && command.kind === 'read';
    const due = isInstant ? this.#clock.uptime() : this.#reportTime(now);
    const times = { exchangeTime: now, receiveTime: (now + (due - this.#clock.uptime())) as Micros };
    if (command.kind === 'read') {
      // Reckoned back: the wall time may have been set since.
      const askedAt = (now - (this.#clock.uptime() - sentAt)) as Micros;
      this.#deliver(this.#responses.toRead(command, askedAt, times), due);
      return;
    }
    const isDown = this.#outages?.refuses(now) === true;
    if (command.kind === 'changeMargin') {
      const outcomes = isDown ? venueIsDown : (this.#engine.products?.changeMargin(command, now) ?? noMargin);
      this.#watchExpiry(now);
      this.#deliver(this.#responses.toMargin(command, outcomes, times), due);
      return;
    }
    for (const one of command.kind === 'cancelOrders' ? command.cancels : [command]) {
      const outcomes = isDown ? venueIsDown : this.#engine.execute(one, now);
      this.#watchExpiry(now);
      this.#deliver(this.#responses.toCommand(one, outcomes, times), due);
    }
  }

  /** Something happened to our orders without a command: a fill, a trigger, an expiry. */
  #happened(outcomes: readonly Outcome[], now: Micros): void {
    if (outcomes.length === 0) return;
    const due = this.#reportTime(now);
    this.#watchExpiry(now);
    const receiveTime = (this.#clock.now() + (due - this.#clock.uptime())) as Micros;
    this.#deliver(this.#responses.toOutcomes(outcomes, { exchangeTime: now, receiveTime }), due);
  }

  /** When an outcome of `now` (never before the clock) is delivered, by uptime. */
  #reportTime(now: Micros): number {
    const begun = this.#clock.uptime() + (now - this.#clock.now());
    this.#lastReport = Math.max(this.#lastReport, begun + this.#latency.report(now));
    return this.#lastReport;
  }

  #deliver(events: readonly Event[], time: number): void {
    for (const event of events) this.#delayed.put(time, new OutboundEvent(event));
  }

  #watchExpiry(now: Micros): void {
    const next = this.#engine.nextExpiry();
    if (next === this.#expiry) return;
    this.#cancelExpiry?.();
    this.#expiry = next;
    if (next === undefined) return;
    const delay = Math.max(0, Math.max(next, now) - this.#clock.now()) as Micros;
    this.#cancelExpiry = this.#clock.after(delay, () => {
      this.#expiry = undefined;
      const due = this.#clock.now();
      this.#happened(this.#engine.expire(due), due);
      this.#watchExpiry(due);
    });
  }
}

/** The market's market data travel as they are. */
function parcelOf(event: MarketEvent): MarketData | Message {
  return event.kind === 'bookStale' || event.kind === 'contractInfo' ? new OutboundEvent(event) : event;
}

/** Message on its way in the simulated venue that is no market data; those travel as they are. */
export type Message = InboundCommand | OutboundEvent;

/** A command on its way to the engine. */
export class InboundCommand {
  readonly command: Command;
  /** Time of sending, by uptime. */
  readonly sentAt: Micros;

  constructor(command: Command, sentAt: Micros) {
    this.command = command;
    this.sentAt = sentAt;
  }
}

/** An event on its way to us. */
export class OutboundEvent {
  readonly event: Event;

  constructor(event: Event) {
    this.event = event;
  }
}

/** Parts that a simulated venue is made of. */
export interface SimVenueDeps {
  readonly clock: Clock;
  readonly instruments: Instruments;
  readonly options: SimOptions;
  readonly random: Random;
  /** Balances that the account starts with: available amounts; `reserved` is added to them. */
  readonly balances: readonly Balance[];
  /**
   * `recorded`: market data reach `events` at their receive time (backtest). `live`: they are delivered as they are accepted,
   * for they have just been received (paper).
   */
  readonly marketData?: 'recorded' | 'live';
  /** Instead of the latency the options describe. */
  readonly latency?: Latency;
  /** Instead of recorded receive times: how long market data take from the exchange to us, in order. */
  readonly feed?: LatencyWay | undefined;
  /** The fill model. */
  readonly openEngine: OpenEngine;
  /** Whether market data include the single orders behind the books: the queue model `l3-fifo` needs them. */
  readonly orders?: boolean | undefined;
  /** The number of the first trade; 1 when left out. */
  readonly tradesFrom?: number | undefined;
  /** The margin and futures accounts; without, the run trades spot alone. */
  readonly margin?: MarginDeps | undefined;
  /** Times in which the venue does not work. */
  readonly outages?: readonly OutageWindow[];
}
