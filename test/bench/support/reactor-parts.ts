import { fileURLToPath } from 'node:url';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Clock, Micros } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { ApiBudgets } from '../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../src/venues/hitbtc/budgets/options.ts';
import { MarketDataHandler } from '../../../src/venues/hitbtc/market-data/handler.ts';
import { gateOptions } from '../../../src/core/gate/options.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import type { Event, MarketEvent } from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../src/core/orders/options.ts';
import { openShadowEngine } from '../../../src/sim/fill-models/fifo/shadow-engine.ts';
import { simOptions } from '../../../src/sim/options.ts';
import { SimVenue } from '../../../src/sim/venue.ts';
import { stateOptions } from '../../../src/core/state/options.ts';
import { launchWorker } from '../../../src/core/strategy/launch-worker.ts';
import { ThreadHost } from '../../../src/core/strategy/thread-host.ts';
import { WorkerHost } from '../../../src/core/strategy/worker-host.ts';
import type { StrategyPlan } from '../../../src/core/trader/parts.ts';
import { Trader } from '../../../src/core/trader/trader.ts';
import reactor from '../strategies/reactor.ts';
import { benchSpec, snapshotFrame, updateFrames } from './book-frames.ts';
import { frameDepth } from './frame-passes.ts';

/** Orders a second: more than are ever sent here. The tables that count them are as large as this. */
const ordersMax = 40_000;

export const instruments = new Instruments([benchSpec]);
export const unbound = budgetOptions.parse({ orderEntry: { rate: ordersMax, burst: ordersMax } });
export const parts = {
  instruments,
  log: silentLogger,
  history: [],
  // The documents allow 300 orders a second; here every frame is answered, so that the code is measured warm. As many
  // earlier orders are looked through for equal ones as at 300 a second.
  orderOptions: { ...orderOptions.parse({ duplicateMs: 150 }), messagesPerSecondMax: ordersMax },
  gateOptions: gateOptions.parse({}),
  stateOptions: stateOptions.parse({ ladder: 'ring' }),
};

const place = {
  name: 'reactor',
  tag: 'r',
  limits: { ...strategyLimits.parse({}), messagesPerSecondMax: ordersMax },
} as const;
const setting = {
  params: { symbol: benchSpec.symbol },
  seed: 1,
  idPrefix: 'gw',
  tag: 'r',
  kept: undefined,
  keep: undefined,
} as const;

/** The reactor as a strategy in the thread of a trader. */
export function plan(clock: Clock, run: string): StrategyPlan {
  return {
    ...place,
    open: ({ state, publish }) =>
      new ThreadHost({ ...setting, definition: reactor, state, clock, publish, run }),
  };
}

/** The reactor as a strategy in a worker of its own. `voice`: how what it says enters the run. */
export async function workerPlan(
  real: Clock,
  run: string,
  voice: (publish: (event: Event) => void) => (event: Event) => void,
): Promise<StrategyPlan> {
  const worker = await launchWorker({
    ...setting,
    run,
    clock: real,
    path: fileURLToPath(new URL('../strategies/reactor.ts', import.meta.url)),
    specs: [benchSpec],
    stateOptions: parts.stateOptions,
  });
  return {
    ...place,
    open: ({ publish }) => new WorkerHost({ worker, clock: real, instruments, publish: voice(publish) }),
  };
}

/** The same trader on a virtual clock until its code is compiled, as it is in a process that has traded for a while. */
async function warmUpOnce(): Promise<void> {
  const start = 1_700_000_000_000_000 as Micros;
  const virtual = new VirtualClock(start);
  const available = parseAmount('1000000000');
  const sim = new SimVenue({
    openEngine: openShadowEngine,
    clock: virtual,
    instruments,
    options: simOptions.parse({}),
    random: new Random(2),
    balances: ['ETH', 'BTC'].map((currency) => ({ currency, available, reserved: zero })),
  });
  const warm = new Trader({
    ...parts,
    clock: virtual,
    venue: sim,
    journal: new MemoryJournal(),
    budgets: new ApiBudgets(unbound, virtual),
    run: 'warm',
    strategies: [plan(virtual, 'warm')],
  });
  const handler = new MarketDataHandler({
    instruments,
    publish: (event) => sim.accept(event as MarketEvent),
  });
  const frames = [snapshotFrame(frameDepth), ...updateFrames(4, 40_000, frameDepth)];
  warm.start('backtest');
  const trade = {
    tradeId: '1',
    price: 60_000 as Ticks,
    quantity: 1_000 as Lots,
    side: 'buy',
    time: start,
  } as const;
  const times = { exchangeTime: start, receiveTime: start };
  sim.accept({ kind: 'trades', instrument: 0 as InstrumentId, snapshot: false, trades: [trade], ...times });
  for (const [i, bytes] of frames.entries()) {
    virtual.advanceTo((start + i * 1_000) as Micros);
    handler.accept({ channel: 'v3/public', direction: 'in', bytes, receiveTime: virtual.now() });
  }
  warm.stop('warm');
  virtual.drain((virtual.now() + 5_000_000) as Micros);
  await warm.close();
}

/** Compiles the path. Several traders, because code compiled for one alone is thrown away when a second one comes. */
export async function warmUp(): Promise<void> {
  for (let i = 0; i < 4; i++) await warmUpOnce();
}
