import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import { describeThrown } from '../../core/strategy/framework.ts';
import { knownMarket } from '../../core/trader/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { StrategyError } from '../run/strategy-plans.ts';
import { inScope } from '../run/uncaught-errors.ts';
import { MarketTap } from './market-tap.ts';
import { shadowsOf } from './shadow-configs.ts';
import type { ShadowTrader, ShadowTraderDeps } from './shadow-trader.ts';
import { openShadowTrader } from './shadow-trader.ts';
import { requestsOf } from './subscriptions.ts';

/** The shadow of a strategy as it is now. */
export interface ShadowStrategy {
  readonly path: string;
  /** Without defaults. */
  readonly params: Config['strategies'][number]['params'];
  readonly state: 'starting' | 'running' | 'stopped';
  /** Why it is stopped, otherwise empty. */
  readonly why: string;
  /** Hash over its files as they were loaded. */
  readonly sha256: string | undefined;
}

/** Path and parameters that a shadow is to go on with. */
export type NextShadow = Pick<ShadowStrategy, 'path' | 'params'>;

/** The same, loaded. */
export interface LoadedShadow {
  /** The shadow ends and begins anew with it. */
  enter(who: string, why: string): void;
  discard(): Promise<void>;
}

/**
 * The strategies in shadow: a trader of their own with a journal of its own, on the market data of the live run and on the simulated
 * venue, which is all that it can send to. Whatever goes wrong in it ends it, and the live run goes on.
 */
export class ShadowRun {
  readonly #parts: ShadowTraderDeps;
  readonly #now: Map<string, NextShadow & { readonly loaded?: LoadedStrategy | undefined }>;
  #opened: ShadowTrader | undefined;
  #tap: MarketTap | undefined;
  #ended: string | undefined;
  #closing: Promise<void> | undefined;
  #onEnd: (why: string) => void = () => {};

  private constructor(given: ShadowTraderDeps, strategies: Config['strategies']) {
    const { config, clock } = given;
    const directory = join(config.run.directory, 'shadow');
    this.#parts = {
      ...given,
      config: { ...config, run: { ...config.run, directory }, strategies },
      clock: this.#scoped(clock),
    };
    this.#now = new Map(strategies.map(({ name, path, params }) => [name, { path, params }]));
  }

  /**
   * Loads the shadows of a configuration and takes over what their journal came to; `undefined` when there are none. Throws
   * `StrategyError` when one is not as it must be.
   */
  static async open(given: ShadowTraderDeps): Promise<ShadowRun | undefined> {
    const strategies = shadowsOf(given.config.strategies);
    if (strategies.length === 0) return undefined;
    const shadows = new ShadowRun(given, strategies);
    await shadows.#within(() => shadows.#open());
    return shadows;
  }

  /** `undefined` when it could not be opened. */
  get trader(): Pick<Trader, 'view' | 'instruments'> | undefined {
    return this.#opened?.trader;
  }

  /** The shadow of a strategy; `undefined` when it has none. */
  of(strategy: string): ShadowStrategy | undefined {
    const now = this.#now.get(strategy);
    if (now === undefined) return undefined;
    const { path, params, loaded } = now;
    const { view, started } = this.#opened?.trader ?? {};
    const halt = view?.mode === 'halted' ? `trading is halted: ${view.modeWhy}` : undefined;
    const why = this.#ended ?? view?.stopped(strategy) ?? halt;
    const state = why !== undefined ? 'stopped' : started === true ? 'running' : 'starting';
    return { path, params, state, why: why ?? '', sha256: loaded?.sha256 };
  }

  /** Called with the reason when all of it ends by itself. */
  onEnd(task: (why: string) => void): void {
    this.#onEnd = task;
    if (this.#ended !== undefined) task(this.#ended);
  }

  /** Begins once the live run has compared its account: then its money is known. */
  followTrader(live: Trader): void {
    const unwatch = live.watch(() => {
      if (!live.started) return;
      unwatch();
      this.#parts.clock.after(micros(0), () => this.#guarded(() => this.#beginShadow(live)));
    });
  }

  /** Loads what a shadow is to go on with. Throws `BadInput` when that cannot be. */
  async load(strategy: string, next: NextShadow): Promise<LoadedShadow> {
    const { loaded: before } = this.#now.get(strategy) ?? {};
    if (before === undefined) throw new BadInput(`strategy ${strategy} has no shadow that runs`);
    const { path, params } = next;
    const loaded = await this.#within(() => before.again(params, path));
    const text = JSON.stringify(params);
    return {
      enter: (who, why) => {
        this.#now.set(strategy, { path, params, loaded });
        const act = { act: 'promote', strategy, params: text, configured: text } as const;
        this.#enter(({ trader }) => trader.act(act, who, why, loaded.plan));
      },
      discard: () => loaded.discard(),
    };
  }

  /** Ends the strategies and cancels their orders. */
  stop(why: string): void {
    this.#enter(({ trader }) => trader.stop(why));
  }

  /** Releases everything. Never rejects. */
  close(): Promise<void> {
    this.#tap?.close();
    this.#closing ??= this.#within(async () => {
      try {
        await this.#opened?.close();
      } catch (error) {
        this.#endShadow(`it could not be closed: ${describeThrown(error)}`);
      }
    });
    return this.#closing;
  }

  async #open(): Promise<void> {
    try {
      this.#opened = await openShadowTrader(this.#parts);
    } catch (error) {
      if (error instanceof StrategyError) throw error;
      this.#endShadow(`it could not be opened: ${describeThrown(error)}`);
      return;
    }
    for (const loaded of this.#opened.loaded) {
      const { name } = loaded.plan;
      const now = this.#now.get(name);
      if (now !== undefined) this.#now.set(name, { ...now, loaded });
    }
  }

  #beginShadow(live: Trader): void {
    const { config, clock, instruments } = this.#parts;
    const { view } = live;
    const opened = this.#opened;
    if (opened === undefined || this.#ended !== undefined || this.#closing !== undefined) return;
    const now = clock.now();
    const { clockOffset: offset } = view;
    const known: readonly Event[] = [
      ...(offset === undefined
        ? []
        : [{ kind: 'clockMeasured', offset, exchangeTime: now, receiveTime: now } as const]),
      ...knownMarket(view, requestsOf(opened.loaded, config.orders, instruments), now),
    ];
    const { waitingMax } = config.shadow;
    this.#tap = new MarketTap(
      {
        trader: live,
        clock,
        waitingMax,
        onBehind: () => this.#endShadow(`it fell behind: ${waitingMax} events of the market wait for it`),
      },
      known,
    );
    opened.begin(view, this.#tap.events);
  }

  #enter(task: (opened: ShadowTrader) => void): void {
    const opened = this.#opened;
    if (opened === undefined || this.#ended !== undefined) return;
    this.#guarded(() => opened.enter(() => task(opened)));
  }

  /** Whoever calls it is not concerned by what goes wrong in here. */
  #guarded(work: () => void): void {
    try {
      this.#within(work);
    } catch (error) {
      this.#endShadow(`it threw ${describeThrown(error)}`);
    }
  }

  #endShadow(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#parts.log.error({ why }, 'the shadows have ended');
    this.#onEnd(why);
    void this.close();
  }

  /** Runs `work`, in which nothing is of the live run: what it throws later ends the shadows and nothing else. */
  #within<Result>(work: () => Result): Result {
    return inScope((error) => this.#endShadow(`it threw ${describeThrown(error)}`), work);
  }

  /** Clock whose tasks belong to the shadows, whoever set them going. */
  #scoped(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      uptime: () => clock.uptime(),
      after: (delay, task) => this.#within(() => clock.after(delay, task)),
    };
  }
}
