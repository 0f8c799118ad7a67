import type { Micros } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { Streams } from '../bus/index.ts';
import { ClientOrderIds } from '../model/client-order-id.ts';
import type {
  BalancesChanged,
  Event,
  InstrumentChanged,
  ChargeFound,
  MarginAccountChanged,
  MarginDenied,
  MarginPending,
  MarginRejected,
  MarketData,
  OperatorActed,
  SessionDown,
  SessionUp,
} from '../model/event.ts';
import type { Intent } from '../model/intent.ts';
import type { LossKind, LossScope } from '../model/loss.ts';
import { isMarketData } from '../model/market-data.ts';
import type { Product } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import { DeclaredFeeds } from './feed-request.ts';
import { StrategyGuard } from './guard.ts';
import type { Outage, StrategyHandlers } from './handlers.ts';
import { handlerNames } from './handlers.ts';
import type { KeptState } from './host.ts';
import { checkedHandlers } from './known-keys.ts';
import { makeContext } from './make-context.ts';
import { MarketDispatch } from './market-dispatch.ts';
import { MarketApi } from './market-api.ts';
import { MarginApi } from './margin-api.ts';
import { MarginDispatch } from './margin-dispatch.ts';
import type { OrderApiDeps } from './order-api.ts';
import { OrderApi } from './order-api.ts';
import { OrderDispatch } from './order-dispatch.ts';
import { deepFreeze, readFeeds, readParams, readProducts, readSeriesRequests } from './params.ts';
import type { RunnerDeps } from './runner-setting.ts';
import { TimerApi } from './timer-api.ts';

/** More intents without an answer than this end the strategy. No limit lets so many orders leave in a second. */
const unansweredMax = 1_000;

/**
 * Runs one strategy: turns events, already applied to `state`, into handler calls, and requests into the sink.
 * A throw, or a promise where an answer was due, quarantines the strategy: one `quarantine`, no more calls.
 */
export class Runner {
  readonly name: string;
  readonly feeds: DeclaredFeeds;
  readonly products: readonly Product[];
  readonly #setting: RunnerDeps;
  readonly #params: unknown;
  readonly #state: StateView;
  readonly #guard: StrategyGuard;
  readonly #streams: Streams;
  readonly #api: MarketApi;
  readonly #market: MarketDispatch;
  readonly #orders: OrderApi;
  readonly #margin: MarginApi;
  readonly #accounts: MarginDispatch;
  readonly #ids: ClientOrderIds;
  readonly #timers: TimerApi;
  readonly #watch: OrderDispatch;
  #handlers: StrategyHandlers = {};
  /** Intents that were handed over and are no events yet. */
  #unanswered = 0;
  #isStopping = false;
  #started = false;
  #now = 0 as Micros;

  /** Throws `BadInput` when the parameters or the declared feeds are not as they must be. */
  constructor(setting: RunnerDeps) {
    const { name, definition, state, sink } = setting;
    this.#setting = setting;
    this.name = name;
    this.#state = state;
    this.#params = deepFreeze(readParams(definition, setting.params));
    this.feeds = new DeclaredFeeds(
      name,
      readFeeds(definition, this.#params),
      readSeriesRequests(definition, this.#params),
      state.instruments,
    );
    this.products = readProducts(definition, this.#params);
    // Read too often to be copied.
    for (const instrument of state.instruments.all) deepFreeze(instrument);
    this.#guard = new StrategyGuard((why) => {
      this.#letGo();
      sink.quarantine(why);
    });
    this.#streams = new Streams({
      book: (instrument) => state.book(instrument),
      onError: (error) => this.#guard.fault(error, 'a stream subscriber'),
    });
    this.#api = new MarketApi(state, this.feeds, this.#streams);
    this.#market = new MarketDispatch(state, this.feeds, this.#streams, this.#guard);
    this.#timers = new TimerApi(sink);
    this.#ids = new ClientOrderIds(setting.idPrefix, setting.run, setting.tag);
    const common: Pick<OrderApiDeps, 'strategy' | 'state' | 'running' | 'intend'> = {
      strategy: name,
      state,
      running: () => this.#guard.running,
      intend: (intent) => this.#intend(intent),
    };
    this.#orders = new OrderApi({ ...common, ids: this.#ids, now: () => this.#now });
    this.#margin = new MarginApi({ ...common, orders: this.#orders, streams: this.#streams });
    const guard = this.#guard;
    this.#accounts = new MarginDispatch({ strategy: name, state, streams: this.#streams, guard });
    this.#accounts.products = this.products;
    this.#watch = new OrderDispatch(name, state, this.#listener());
  }

  /** Started and not ended. */
  get running(): boolean {
    return this.#guard.running;
  }

  /**
   * Creates the strategy and calls `onStart`. `starts`: how often it was started before in this run. `kept`: what it kept
   * since it was loaded.
   */
  start(now: Micros, { starts = 0, kept }: { starts?: number; kept?: KeptState | undefined } = {}): void {
    if (this.#started) return;
    this.#started = true;
    this.#ids.skipStarts(starts);
    this.#guard.running = true;
    this.#now = now;
    const { definition } = this.#setting;
    try {
      this.#watch.beginOrders();
      this.#market.beginBooks();
      this.#accounts.beginAccounts();
      const made: unknown = definition.create(
        makeContext({
          setting: kept === undefined ? this.#setting : { ...this.#setting, kept },
          params: this.#params,
          market: this.#api,
          orders: this.#orders,
          margin: this.#margin,
          streams: this.#streams,
          timers: this.#timers,
          now: () => (this.#now + (this.#state.clockOffset ?? 0)) as Micros,
        }),
      );
      this.#guard.settle(made);
      if (!this.running) return;
      this.#handlers = checkedHandlers(made, handlerNames);
      this.#market.handlers = this.#handlers;
      this.#accounts.handlers = this.#handlers;
      this.#guard.where = 'onStart';
      if (this.running) this.#guard.settle(this.#handlers.onStart?.());
    } catch (error) {
      this.#guard.fault(error);
    }
  }

  /** Calls `onStop`, whose intents still count, then ends. Does nothing when not running. */
  stop(now: Micros): void {
    if (!this.running) return;
    this.#now = now;
    this.#isStopping = true;
    try {
      this.#guard.where = 'onStop';
      this.#guard.settle(this.#handlers.onStop?.());
    } catch (error) {
      this.#guard.fault(error);
    }
    this.endStrategy();
  }

  /** Ends without a call: the strategy was stopped from outside, or will never start. */
  endStrategy(): void {
    this.#started = true;
    this.#guard.running = false;
    this.#letGo();
  }

  #letGo(): void {
    this.#streams.stop();
    this.#timers.close();
    this.#state.inFlight.drop(this.name);
  }

  /** One event, already applied to the state. Never throws. */
  notify(event: Event): void {
    if (isMarketData(event)) return this.notifyMarketData(event);
    if (!this.#guard.running) return;
    this.#now = event.receiveTime;
    try {
      this.#dispatch(event);
    } catch (error) {
      this.#guard.fault(error);
    }
  }

  notifyMarketData(data: MarketData): void {
    if (!this.#guard.running) return;
    this.#now = data.receiveTime;
    try {
      this.#market.handle(data);
    } catch (error) {
      this.#guard.fault(error);
    }
  }

  /**
   * A strategy that asks for so much at once floods those beside it: it is ended here, before any more is handed over. Every intent
   * is judged in the step of its event, so one that was an event is answered.
   */
  #intend(intent: Intent): void {
    if (!this.#guard.running) return;
    if (this.#unanswered >= unansweredMax) {
      const why = `it asked for more than ${unansweredMax} orders, replacements and cancels without waiting for an answer`;
      this.#guard.endStrategy(`${this.#guard.where}: ${why}`);
      // Its handler ends here, too.
      throw new BadInput(`strategy ${this.name}: ${why}`);
    }
    this.#unanswered += 1;
    this.#setting.sink.intend(intent);
  }

  /** Takes an answer; one to an earlier start counts for nothing. In `onStop` an answer may come at once, and is no reason to go on. */
  #answered({ strategy }: Intent): void {
    if (strategy === this.name && this.#unanswered > 0 && !this.#isStopping) this.#unanswered -= 1;
  }

  #dispatch(event: Exclude<Event, MarketData>): void {
    switch (event.kind) {
      case 'bookStale':
      case 'contractInfo':
      case 'seriesRow':
      case 'seriesStale':
        this.#market.handleRest(event);
        return;
      case 'balances':
        this.#balances(event);
        return;
      case 'marginAccount':
      case 'marginPending':
      case 'marginDenied':
      case 'marginRejected':
      case 'chargeFound':
        this.#marginEvent(event);
        return;
      case 'strategyTimer':
        if (event.strategy === this.name) this.#timer(event.timerId);
        return;
      case 'strategyStopped':
        if (event.strategy === this.name) this.endStrategy();
        return;
      case 'sessionUp':
      case 'sessionDown':
        this.#session(event);
        return;
      case 'instrumentChanged':
        this.#status(event);
        return;
      case 'modeChanged':
        this.#outage({ of: 'mode', mode: event.mode, why: event.why });
        return;
      case 'operatorActed':
        this.#operatorActed(event);
        return;
      case 'lossLimitReached':
        this.#lossLimit(event.latch, false, event.latch.why);
        return;
      case 'lossLimitCleared':
        this.#lossLimit(event, true, event.why);
        return;
      case 'intent':
        return this.#answered(event.intent);
      default:
        // The order has left: once it is written there is time for the next id.
        if (this.#watch.take(event)) this.#ids.prepareSoon();
    }
  }

  #session(event: SessionUp | SessionDown): void {
    const { kind, session } = event;
    this.#outage({
      of: 'session',
      session,
      up: kind === 'sessionUp',
      why: kind === 'sessionUp' ? '' : event.why,
    });
  }

  #operatorActed({ act, why }: OperatorActed): void {
    if (act.act !== 'pause' && act.act !== 'flatten' && act.act !== 'resume') return;
    if (act.strategy !== undefined && act.strategy !== this.name) return;
    this.#outage({ of: 'pause', paused: act.act !== 'resume', why });
  }

  #lossLimit(
    { strategy, currency, limit }: LossScope & { readonly limit: LossKind },
    over: boolean,
    why: string,
  ): void {
    if (strategy === undefined || strategy === this.name)
      this.#outage({ of: 'loss', limit, currency, over, why });
  }

  #listener(): ConstructorParameters<typeof OrderDispatch>[2] {
    const guard = this.#guard;
    return {
      order: (order, denial) => {
        if (!guard.running || this.#handlers.onOrder === undefined) return;
        guard.where = 'onOrder';
        guard.settle(this.#handlers.onOrder(order, denial && { ...denial }));
      },
      fill: (fill, order) => {
        if (!guard.running || this.#handlers.onFill === undefined) return;
        guard.where = 'onFill';
        guard.settle(this.#handlers.onFill({ ...fill }, order));
      },
      position: (instrument, account) => {
        if (!guard.running) return;
        const position = this.#state.position(instrument, this.name, account);
        if (this.#handlers.onPosition !== undefined) {
          guard.where = 'onPosition';
          guard.settle(this.#handlers.onPosition(position));
        }
        this.#streams.positionChanged(position);
      },
    };
  }

  #marginEvent(
    event: MarginAccountChanged | MarginPending | MarginDenied | MarginRejected | ChargeFound,
  ): void {
    if (event.kind === 'chargeFound') this.#accounts.charged(event);
    if (event.kind === 'marginAccount') this.#accounts.changed(event);
    if (event.kind === 'marginPending' || event.kind === 'marginDenied') this.#margin.judged(event);
    if (event.kind === 'marginDenied' || event.kind === 'marginRejected') this.#accounts.refused(event);
  }

  #balances(event: BalancesChanged): void {
    for (const { currency } of event.balances) {
      if (!this.running || this.#handlers.onBalance === undefined) return;
      this.#guard.where = 'onBalance';
      const balance = this.#state.balance(currency, event.wallet);
      this.#guard.settle(this.#handlers.onBalance({ ...balance }, event.wallet ?? 'spot'));
    }
  }

  #timer(timerId: number): void {
    const name = this.#timers.due(timerId);
    if (name === undefined || this.#handlers.onTimer === undefined) return;
    this.#guard.where = 'onTimer';
    this.#guard.settle(this.#handlers.onTimer(name));
  }

  #status({ instrument, status }: InstrumentChanged): void {
    const { symbol } = this.#state.instruments.at(instrument);
    if (this.feeds.any(instrument)) this.#outage({ of: 'instrument', symbol, status });
  }

  #outage(outage: Outage): void {
    if (this.#handlers.onOutage === undefined) return;
    this.#guard.where = 'onOutage';
    this.#guard.settle(this.#handlers.onOutage(outage));
  }
}
