import { Observable } from 'rxjs';
import { add, formatAmount } from '../../core/base/amount.ts';
import type { Logger } from '../../core/base/logger.ts';
import { TurnClock } from '../../core/base/turn-clock.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Balance } from '../../core/model/market.ts';
import type { StateView } from '../../core/state/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { Config } from '../config/schema.ts';
import { openTrader } from '../run/assembly.ts';
import { KeptStates } from '../run/kept-states.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { loadStrategies } from '../run/load-strategies.ts';
import { paperVenue } from './paper-venue.ts';
import type { LiveParts } from './parts.ts';
import { RunInputs } from './run-inputs.ts';
import { openJournal } from './run-journal.ts';
import { checkDeclared } from './shadow-configs.ts';

export interface ShadowTraderDeps extends LiveParts {
  readonly clearHalt?: boolean;
  /** Numbered as in the live run, whose market data name them. */
  readonly instruments: Instruments;
  /** That of the live journal. */
  readonly header: string;
  readonly run: string;
  /** The live strategies. */
  readonly live: readonly LoadedStrategy[];
}

/** The trader of the shadows, which goes on where its journal ended. */
export interface ShadowTrader {
  readonly trader: Trader;
  readonly loaded: readonly LoadedStrategy[];
  /** Enters something as a turn of its own. */
  enter(task: () => void): void;
  /** Opens the account at the simulated venue and begins. `live`: whose money it has, where no other is named. */
  begin(live: StateView, market: Observable<Event>): void;
  close(): Promise<void>;
}

/** Throws `StrategyError` when a shadow is not as it must be, and what the disk and the journal throw. */
export async function openShadowTrader(parts: ShadowTraderDeps): Promise<ShadowTrader> {
  const { config, clock, instruments, run, header, live } = parts;
  const turns = new TurnClock(clock);
  const inputs = new RunInputs({ real: clock, turns, record: undefined });
  const loaded = await loadStrategies(config.strategies, {
    clock: turns,
    outside: { clock, voice: (publish) => inputs.voice(publish) },
    instruments,
    stateOptions: config.state,
    seed: config.run.seed,
    idPrefix: config.orders.idPrefix,
    run,
    kept: new KeptStates(config.run.directory),
  });
  try {
    for (const one of loaded) {
      const beside = live.find(({ plan }) => plan.name === one.plan.name);
      if (beside !== undefined) checkDeclared(one.plan.name, beside, one);
    }
    return opened(parts, { turns, inputs, loaded, ...openJournal({ ...parts, mode: 'paper' }, header) });
  } catch (error) {
    await Promise.all(loaded.map((one) => one.discard()));
    throw error;
  }
}

interface Ready extends ReturnType<typeof openJournal> {
  readonly turns: TurnClock;
  readonly inputs: RunInputs;
  readonly loaded: readonly LoadedStrategy[];
}

function opened(parts: ShadowTraderDeps, ready: Ready): ShadowTrader {
  const { config, clock, instruments, run } = parts;
  const { turns, inputs, loaded, journal } = ready;
  let history: typeof ready.history | undefined = ready.history;
  const venue = new LateVenue();
  const trader = openTrader({
    config,
    module: parts.venue,
    instruments,
    clock: turns,
    venue,
    journal: inputs.journal(journal),
    log: logOf(parts.log),
    run,
    history,
    loaded,
  });
  const enter = (task: () => void): void => turns.turn(clock.now(), task);
  return {
    trader,
    loaded,
    enter,
    begin: (view, market) => {
      venue.inner = paperVenue({
        config: { ...config, backtest: moneyOf(config, view) },
        random: parts.random.fork('shadow'),
        turns,
        marketData: { events: inputs.events(market), close: () => Promise.resolve() },
        instruments,
        loaded,
        history: history ?? [],
        open: () => trader.view.openOrders(),
      });
      history = undefined;
      enter(() => trader.start('paper', parts.clearHalt === true));
    },
    close: async () => {
      await trader.close();
      turns.close();
    },
  };
}

/** A venue whose account is opened after the trader that has it: its money is known later. */
class LateVenue implements Venue {
  inner: Venue | undefined;

  get events(): Observable<Event> {
    return this.inner?.events ?? new Observable();
  }

  send(...[command]: Parameters<Venue['send']>): void {
    this.inner?.send(command);
  }

  async close(): Promise<void> {
    await this.inner?.close();
  }
}

/** Balances that the simulated accounts begin with: what is named, or what the live ones have, orders included. */
function moneyOf({ shadow, backtest }: Config, live: StateView): Config['backtest'] {
  const named = (balances: readonly Balance[]): Record<string, string> =>
    Object.fromEntries(
      balances.map(({ currency, available, reserved }) => [currency, formatAmount(add(available, reserved))]),
    );
  const futures = live.balances('futures');
  return {
    balances: shadow.balances ?? named(live.balances()),
    futuresBalances: futures.length === 0 ? backtest.futuresBalances : named(futures),
  };
}

/** Lines of the log that are of the shadows say so. */
function logOf(log: Logger): Logger {
  const ours = { of: 'shadow' };
  return {
    debug: (fields, message) => log.debug({ ...fields, ...ours }, message),
    info: (fields, message) => log.info({ ...fields, ...ours }, message),
    warn: (fields, message) => log.warn({ ...fields, ...ours }, message),
    error: (fields, message) => log.error({ ...fields, ...ours }, message),
  };
}
