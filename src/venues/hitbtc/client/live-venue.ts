import { Observable } from 'rxjs';
import { parseAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { micros, millis } from '../../../core/base/clock.ts';
import { ApiBudgets } from '../budgets/api.ts';
import { budgetOptions } from '../budgets/options.ts';
import type { Venue } from '../../../core/bus/index.ts';
import { Topic } from '../../../core/bus/index.ts';
import type { ChangeMarginCommand, Command } from '../../../core/model/command.ts';
import type { Event, MarketData } from '../../../core/model/event.ts';
import type { InstrumentId } from '../../../core/model/instrument.ts';
import type { CandlePeriod } from '../../../core/model/market.ts';
import type { NextLooks } from '../../../core/model/safe-state.ts';
import { Deadlines, KeepAwake } from '../../net/index.ts';
import type { AccountCounters } from './account/private-stream.ts';
import { PrivateStreamHandler } from './account/private-stream.ts';
import type { FrameSource, CommandEnd } from './calls/index.ts';
import {
  encodeCommand,
  leavesBySocket,
  makeFrame,
  encodeCommandEnd,
  statusSilence,
  statusUnsent,
} from './calls/index.ts';
import type { LiveVenueDeps } from './live-sessions.ts';
import { makeMarketSession, makeSymbolWatch, makeTradingSession } from './live-sessions.ts';
import type { MarketSession } from './market/index.ts';
import type { ApiCall, SymbolWatch } from './rest/index.ts';
import { askCandles, cancelAllCall, cancelCall, changeCall, RestCommands, RestClient } from './rest/index.ts';
import type { TradingSession } from './trading-session.ts';

/** "Exchange market for this symbol is temporary closed". Source: v3-gaps, section 9. */
const symbolClosed = 20_010;

/**
 * The live venue: the public socket, the trading socket and REST as one stream of events.
 *
 * New orders and replacements leave over the trading socket; cancels, changes of margin and reads over REST. Each command is sent at
 * most once and ends in exactly one `commandSettled`; when its answer does not come in time, or its connection goes,
 * it ends as `unanswered`. An outage is an event, never an error. Sessions open when `events` is first subscribed.
 * The symbol list is read now and then for changes, and soon when the market session comes up or an order is refused
 * because its symbol is closed.
 * Source: architecture, section 5 (journey 2); faults, section 1 and "Gaps".
 */
export class LiveVenue implements Venue {
  readonly events: Observable<Event>;
  readonly marketData = new Topic<MarketData>();
  readonly #setup: LiveVenueDeps;
  readonly #topic = new Topic<Event>();
  readonly #rest: RestClient;
  readonly #budgets: ApiBudgets;
  readonly #restFrames: FrameSource;
  readonly #account: PrivateStreamHandler;
  readonly #market: MarketSession;
  readonly #trading: TradingSession | undefined;
  readonly #symbols: SymbolWatch;
  readonly #commands: RestCommands;
  readonly #deadlines: Deadlines<Command>;
  readonly #byId = new Map<number, Command>();
  readonly #life = new AbortController();
  #opened = false;
  readonly #keepAwake: KeepAwake | undefined;

  constructor(setup: LiveVenueDeps) {
    const { clock, options, random } = setup;
    this.#setup = setup;
    const budgets = setup.budgets ?? new ApiBudgets(budgetOptions.parse({}), clock);
    this.#budgets = budgets;
    const { stayAwake, awakeMs } = options.socket;
    this.#keepAwake = stayAwake ? new KeepAwake(clock, millis(awakeMs)) : undefined;
    this.#rest = new RestClient({ ...setup, random: random.fork('rest'), options: options.rest });
    this.#restFrames = { channel: 'v3/rest', clock: setup.clock, onFrame: setup.onFrame };
    this.#account = new PrivateStreamHandler({
      instruments: setup.instruments,
      isTraded: setup.isTraded,
      onSkipped: (what, why) =>
        setup.log.warn({ what, why }, 'a row of what is not traded cannot be read and is left out'),
      publish: (event) => this.#publish(event),
      onUnread: (why) => this.#unread(why),
      onReply: (id, answer) => this.#trading?.replied(id, answer),
    });
    this.#market = makeMarketSession(setup, budgets, this.#rest.clockOffset, {
      publish: (event) => this.#publish(event),
      publishMarketData: (data) => this.#publishMarketData(data),
    });
    this.#trading = makeTradingSession(setup, {
      budgets,
      rest: this.#rest,
      signal: this.#life.signal,
      publish: (event) => this.#publish(event),
      accept: (frame) => this.#account.accept(frame),
    });
    this.#symbols = makeSymbolWatch(setup, {
      budgets,
      rest: this.#rest,
      signal: this.#life.signal,
      publish: (event) => this.#publish(event),
    });
    this.#commands = new RestCommands({
      rest: this.#rest,
      instruments: setup.instruments,
      clock,
      budgets,
      signal: this.#life.signal,
      answered: (answer, bodyText) => this.#answer(answer, bodyText),
    });
    this.#deadlines = new Deadlines(clock, millis(options.calls.deadlineMs), (command) =>
      this.#answer(
        this.#endOf(command, statusSilence, `no answer within ${options.calls.deadlineMs} ms`),
        '',
      ),
    );
    this.events = new Observable((subscriber) => {
      const subscription = this.#topic.subscribe(subscriber);
      this.open();
      return subscription;
    });
  }

  readonly looks: NextLooks = {
    book: (instrument) => this.#wallOf(this.#market.lookAt(instrument)),
    symbol: () => this.#wallOf(this.#symbols.nextAt),
    session: (session) =>
      this.#wallOf(session === 'market' ? this.#market.lookAt() : this.#trading?.connectsAt),
    refused: () =>
      [...(this.#trading?.refused ?? []), ...this.#market.refused].map((one) => ({
        ...one,
        since: this.#wallAt(one.since),
        nextLook: this.#wallOf(one.nextLook),
      })),
  };

  /** Whether orders can leave. */
  get isTrading(): boolean {
    return this.#trading?.isUp ?? false;
  }

  /** Counts of what passed so far. */
  get counters(): {
    readonly account: Readonly<AccountCounters>;
    readonly market: MarketSession['counters'];
  } {
    return { account: this.#account.counters, market: this.#market.counters };
  }

  /** Begins connecting; done by the first subscription to `events`. */
  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#market.open();
    this.#trading?.open();
    // What is known already is published in a later turn: the caller that opens the venue has not finished its own.
    this.#setup.clock.after(micros(0), () => this.#watchClock());
    this.#keepAwake?.noteActivity();
  }

  send(command: Command): void {
    const why = this.#obstacle(command);
    // Its end is published in a later turn, so that an order may leave before it is registered.
    this.#account.sent(command);
    this.#byId.set(command.commandId, command);
    if (why !== undefined) {
      // Never answered inline: the caller has not finished its own turn.
      queueMicrotask(() => this.#answer(this.#endOf(command, statusUnsent, why), ''));
    } else if (command.kind === 'cancelOrder') {
      void this.#commands.send(command, cancelCall(command));
    } else if (command.kind === 'cancelOrders') {
      void this.#commands.send(command, cancelAllCall(command, this.#setup.instruments));
    } else if (command.kind === 'read') {
      void this.#commands.read(command);
    } else if (command.kind === 'changeMargin' && !leavesBySocket(command)) {
      void this.#commands.send(command, this.#changeCall(command));
    } else {
      this.#deadlines.start(command);
    }
  }

  refetchBook(instrument: InstrumentId): void {
    // The caller has not finished its own turn.
    this.#setup.clock.after(micros(0), () => this.#market.refetch(instrument));
  }

  candles(id: InstrumentId, period: CandlePeriod, count: number): ReturnType<typeof askCandles> {
    const { instruments, clock, log } = this.#setup;
    const parts = { rest: this.#rest, budgets: this.#budgets, clock, log, signal: this.#life.signal };
    return askCandles(parts, { instrument: instruments.at(id), period, count });
  }

  async close(): Promise<void> {
    this.#life.abort();
    this.#keepAwake?.end();
    this.#symbols.close();
    await Promise.all([this.#market.close(), this.#trading?.close(), this.#rest.close()]);
    this.#deadlines.clear();
    for (const command of this.#byId.values()) {
      this.#answer(this.#endOf(command, statusSilence, 'closed by us'), '');
    }
    this.#topic.close();
    this.marketData.close();
  }

  /** The wall time of an uptime; `undefined` of none, and of infinity. */
  #wallOf(uptime: number | undefined): Micros | undefined {
    if (uptime === undefined || !Number.isFinite(uptime)) return undefined;
    return this.#wallAt(Math.max(uptime, this.#setup.clock.uptime()));
  }

  #wallAt(uptime: number): Micros {
    const { clock } = this.#setup;
    return micros(clock.now() + uptime - clock.uptime());
  }

  /** Why `command` cannot leave; an order that can is handed to the socket here. */
  #obstacle(command: Command): string | undefined {
    if (this.#trading === undefined) return 'there are no credentials: market data only';
    if (this.#life.signal.aborted) return 'the venue is closed';
    if (this.#account.inFlight >= this.#setup.options.calls.pendingMax)
      return 'too many commands are unanswered';
    if (!leavesBySocket(command)) return undefined;
    return this.#trading.send(encodeCommand(command, this.#setup.instruments))
      ? undefined
      : 'the trading session is down';
  }

  /** An account of contracts cannot be set without its leverage: it keeps its own, and a new one gets the most there is. */
  #changeCall(command: ChangeMarginCommand): ApiCall {
    const { instruments } = this.#setup;
    const { product, instrument } = command.change;
    const most = instrument === undefined ? undefined : instruments.at(instrument).spec.maxInitialLeverage;
    const known = this.#account.account(product, command.change)?.leverage;
    return changeCall(command, instruments, known ?? (most === undefined ? undefined : parseAmount(most)));
  }

  #endOf(command: Command, status: number, why: string): Omit<CommandEnd, 'body'> {
    const { commandId, kind } = command;
    return { commandId, kind, status, askedAt: this.#setup.clock.now(), why };
  }

  /** The end of a command that is no reply of the trading socket; kept as a frame, so that a replay sees it too. */
  #answer(answer: Omit<CommandEnd, 'body'>, bodyText: string): void {
    if (!this.#byId.has(answer.commandId)) return;
    this.#account.accept(makeFrame(this.#restFrames, 'in', encodeCommandEnd(answer, bodyText)));
  }

  #publishMarketData(data: MarketData): void {
    this.#keepAwake?.noteActivity();
    if (this.marketData.observed) this.marketData.next(data);
    else this.#topic.next(data);
  }

  #publish(event: Event): void {
    this.#keepAwake?.noteActivity();
    if (event.kind === 'commandSettled') {
      const command = this.#byId.get(event.commandId);
      this.#byId.delete(event.commandId);
      if (command !== undefined) this.#deadlines.stop(command);
    }
    this.#topic.next(event);
    if (event.kind === 'instrumentChanged')
      this.#market.setWorking(event.instrument, event.status === 'working');
    if (mayBeClosed(event)) this.#symbols.hurry();
  }

  #watchClock(): void {
    this.#rest.clockOffset.watch((offset) => {
      if (this.#life.signal.aborted) return;
      const now = this.#setup.clock.now();
      this.#publish({ kind: 'clockMeasured', offset, exchangeTime: now, receiveTime: now });
    });
  }

  #unread(why: string): void {
    this.#setup.log.error({ why }, 'own account message unreadable');
    this.#setup.onUnread?.(why);
  }
}

/** Whether an event may come of a symbol that has been closed, or follows a time in which one could be. */
function mayBeClosed(event: Event): boolean {
  switch (event.kind) {
    case 'orderRejected':
      return event.code === symbolClosed;
    case 'sessionUp':
      return event.session === 'market';
    case 'bookStale':
      return event.reason === 'refused' || event.reason === 'silent';
    default:
      return false;
  }
}
