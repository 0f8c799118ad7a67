import { fail } from '../../core/base/assert.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import type {
  AccountId,
  ExchangeCommand,
  Exchange,
  BalanceOutcome,
  MarginOutcome,
  Outcome,
  ReportOutcome,
} from '../matching/index.ts';
import { spotAccountOf } from '../matching/index.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { Accounts } from './accounts.ts';
import { MarketState } from './market.ts';
import type { HistoryOptions } from './options.ts';
import { OrderLog } from './order-log.ts';

/** Receives every outcome of the core, in order, inside the command that caused it. */
export interface CoreListener {
  onReport(outcome: ReportOutcome): void;
  onBalance(outcome: BalanceOutcome): void;
  /** A margin account has changed. */
  onMargin?(outcome: MarginOutcome): void;
  /** All outcomes of one command have been delivered. */
  onSettled(): void;
}

/** Public market of every symbol, as feeds and reads see it. */
export interface Markets {
  readonly instruments: Instruments;
  readonly markets: readonly MarketState[];
  market(id: InstrumentId): MarketState;
  now(): Micros;
}

/** Receiver of commands, which executes them. */
export interface Matching {
  handle(command: ExchangeCommand, now: Micros): readonly Outcome[];
}

/**
 * The matching core and what the exchange remembers around it: public market state per symbol, order logs and
 * balances per account. Every command of every participant, from a socket or from inside the process, passes here.
 */
export class Core implements Markets {
  readonly instruments: Instruments;
  readonly markets: readonly MarketState[];
  readonly #clock: Clock;
  readonly #exchange: Exchange;
  readonly #matching: Matching;
  readonly #accounts: Accounts;
  readonly #logs = new Map<AccountId, OrderLog>();
  readonly #historyLimits: HistoryOptions;
  readonly #listeners: CoreListener[] = [];
  #busy = false;
  /** Whether the command that is handled leaves the order it replaces alive. */
  #keepsOriginal = false;
  #lastTime = 0 as Micros;

  constructor(setup: {
    instruments: Instruments;
    exchange: Exchange;
    /** Takes commands in place of `exchange`, where orders meet another market than each other. */
    matching?: Matching | undefined;
    accounts: Accounts;
    clock: Clock;
    history: HistoryOptions;
  }) {
    this.instruments = setup.instruments;
    this.#exchange = setup.exchange;
    this.#matching = setup.matching ?? setup.exchange;
    this.#accounts = setup.accounts;
    this.#clock = setup.clock;
    this.#historyLimits = setup.history;
    const now = setup.clock.now();
    this.markets = setup.instruments.all.map((instrument) => new MarketState(instrument, setup.history, now));
  }

  /** The queries of the matching core. */
  get exchange(): Exchange {
    return this.#exchange;
  }

  now(): Micros {
    return this.#clock.now();
  }

  market(id: InstrumentId): MarketState {
    return this.markets[id] ?? fail('an instrument without a market', { id });
  }

  /** Orders and trades of an account; empty for internal participants, which keep none. */
  log(account: AccountId): OrderLog {
    let log = this.#logs.get(account);
    if (log === undefined) {
      log = new OrderLog(this.#historyLimits);
      this.#logs.set(account, log);
    }
    return log;
  }

  listen(listener: CoreListener): void {
    this.#listeners.push(listener);
  }

  /** Executes a command and delivers its outcomes to all listeners before it returns. Not re-entrant. */
  handle(command: ExchangeCommand): readonly Outcome[] {
    if (this.#busy) fail('a command was given from inside a command', { kind: command.kind });
    this.#busy = true;
    this.#keepsOriginal = command.kind === 'replace' && command.keepsOriginal === true;
    try {
      // The wall clock may step back; the core's time must not.
      const now = Math.max(this.#clock.now(), this.#lastTime) as Micros;
      this.#lastTime = now;
      const outcomes = this.#matching.handle(command, now);
      this.#settle(outcomes, now);
      return outcomes;
    } finally {
      this.#busy = false;
    }
  }

  /** Delivers what happened to orders without a command. */
  happened(outcomes: readonly Outcome[], now: Micros): void {
    this.#lastTime = Math.max(now, this.#lastTime) as Micros;
    this.#keepsOriginal = false;
    this.#settle(outcomes, now);
  }

  #settle(outcomes: readonly Outcome[], now: Micros): void {
    for (const outcome of outcomes) this.#deliver(outcome, now);
    for (const listener of this.#listeners) listener.onSettled();
  }

  #deliver(outcome: Outcome, now: Micros): void {
    switch (outcome.kind) {
      case 'level':
        this.market(outcome.instrument).onLevel(outcome, now);
        return;
      case 'trade':
        this.market(outcome.instrument).onTrade(outcome);
        return;
      case 'report':
        if (this.#accounts.at(spotAccountOf(outcome.account))?.internal === false)
          this.log(outcome.account).takeOutcome(outcome, this.#keepsOriginal);
        for (const listener of this.#listeners) listener.onReport(outcome);
        return;
      case 'balance':
        for (const listener of this.#listeners) listener.onBalance(outcome);
        return;
      case 'margin':
        for (const listener of this.#listeners) listener.onMargin?.(outcome);
        return;
      default:
        return;
    }
  }
}
