import { setTimeout as sleep } from 'node:timers/promises';
import { RunInputs } from '../../../src/app/live/run-inputs.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { Secret } from '../../../src/core/base/secret.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { TurnClock } from '../../../src/core/base/turn-clock.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import { Trader } from '../../../src/core/trader/trader.ts';
import { ApiBudgets } from '../../../src/venues/hitbtc/budgets/api.ts';
import { LiveVenue } from '../../../src/venues/hitbtc/client/live-venue.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { benchSpec } from './book-frames.ts';
import type { Child } from './child.ts';
import { startChild } from './child.ts';
import { instruments, parts, plan, unbound, warmUp, workerPlan } from './reactor-parts.ts';

/** So many book updates come in a second. */
export const updatesPerSecond = 2_000;

export interface LiveReactor {
  readonly trader: Trader;
  readonly clock: TurnClock;
  readonly budgets: ApiBudgets;
  /** The venue, a process of its own: `pace-server.ts`. */
  readonly child: Child;
  /** Begins to trade. */
  start(): Promise<void>;
}

export interface ReactorSetting {
  /** Whether the loop never sleeps while frames come. */
  readonly stayAwake?: boolean | undefined;
  /** Where the strategy runs. */
  readonly host?: 'worker' | 'thread' | undefined;
  /** Book updates that the venue has. */
  readonly updates?: number | undefined;
}

/**
 * The reactor as the daemon wires it, with its code compiled: live venue, bus, state, strategy, orders, gate; the journal in
 * memory. Frames come from `pace-server.ts`, 2,000 a second.
 */
export async function liveReactor({
  stayAwake = false,
  host = 'thread',
  updates = 100_000,
}: ReactorSetting): Promise<LiveReactor> {
  await warmUp();
  const child = await startChild('pace-server.ts', [String(updatesPerSecond), String(updates)]);
  const said = child.said as { rest: string; ws: string; apiKey: string; secretKey: string };
  const real = new SystemClock();
  const clock = new TurnClock(real);
  const inputs = new RunInputs({ real, turns: clock, record: undefined });
  const budgets = new ApiBudgets(unbound, clock);
  const venue = new LiveVenue({
    clock: real,
    random: new Random(1),
    log: silentLogger,
    instruments,
    baseUrl: said.rest,
    wsUrl: said.ws,
    options: clientOptions.parse({ socket: { stayAwake } }),
    credentials: { apiKey: said.apiKey, secret: new Secret(said.secretKey) },
    subscriptions: [
      {
        instrument: instruments.get(benchSpec.symbol).id,
        book: true,
        trades: true,
        ticker: false,
        candles: [],
      },
    ],
    budgets,
  });
  const strategy =
    host === 'thread'
      ? plan(clock, 'bench')
      : await workerPlan(real, 'bench', (publish) => inputs.voice(publish));
  const trader = new Trader({
    ...parts,
    clock,
    venue: {
      events: inputs.events(venue.events),
      marketData: inputs.marketData(venue.marketData),
      send: (command) => venue.send(command),
      close: () => venue.close(),
    },
    journal: new MemoryJournal(),
    budgets,
    run: 'bench',
    strategies: [strategy],
  });
  return {
    trader,
    clock,
    budgets,
    child,
    start: async () => {
      trader.start('live');
      while (!trader.started) await sleep(20);
    },
  };
}
