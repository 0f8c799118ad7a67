import { setTimeout as sleep } from 'node:timers/promises';
import { parseAmount, zero } from '../../../src/base/amount.ts';
import type { Clock, Micros } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Random } from '../../../src/base/random.ts';
import { Secret } from '../../../src/base/secret.ts';
import { SystemClock } from '../../../src/base/system-clock.ts';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import { ApiBudgets } from '../../../src/budgets/api-budgets.ts';
import { budgetOptions } from '../../../src/budgets/options.ts';
import { LiveVenue } from '../../../src/client/live-venue.ts';
import { clientOptions } from '../../../src/client/options.ts';
import { Intake } from '../../../src/feed/intake.ts';
import { gateOptions } from '../../../src/gate/options.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import type { MarketEvent } from '../../../src/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/model/instrument.ts';
import { Instruments } from '../../../src/model/instrument.ts';
import { orderOptions, strategyLimits } from '../../../src/orders/options.ts';
import { simOptions } from '../../../src/sim/options.ts';
import { SimVenue } from '../../../src/sim/sim-venue.ts';
import { stateOptions } from '../../../src/state/options.ts';
import { ThreadHost } from '../../../src/strategy/thread-host.ts';
import type { StrategyPlan } from '../../../src/trader/trader-parts.ts';
import { Trader } from '../../../src/trader/trader.ts';
import reactor from '../strategies/reactor.ts';
import { benchSpec, snapshotFrame, updateFrames } from '../support/book-frames.ts';
import { startChild } from '../support/child.ts';
import { frameDepth } from '../support/frame-passes.ts';
import { print, quantile } from '../support/print.ts';
import { WireProbe } from '../support/wire-probe.ts';

// From the packet with a book update to the order handed to the socket, in one process: live venue, bus, state, strategy,
// orders, gate, with the journal in memory (a durable one adds its sync). 2,000 frames a second, each answered by an order.
// `value`: our own code, from the frame to the call of `send`. `wholeP50`: from the 'data' event to the end of the write.

const instruments = new Instruments([benchSpec]);
const unbound = budgetOptions.parse({ orderEntry: { rate: 1_000_000, burst: 1_000_000 } });
const parts = {
  instruments,
  log: silentLogger,
  history: [],
  // The documents allow 300 orders a second; here every frame is answered, so that the code is measured warm. As many
  // earlier orders are looked through for equal ones as at 300 a second.
  orderOptions: { ...orderOptions.parse({ duplicateMs: 150 }), messagesPerSecondMax: 1_000_000 },
  gateOptions: gateOptions.parse({}),
  stateOptions: stateOptions.parse({ ladder: 'ring' }),
};

function plan(clock: Clock, run: string): StrategyPlan {
  return {
    name: 'reactor',
    tag: 'r',
    limits: { ...strategyLimits.parse({}), messagesPerSecondMax: 1_000_000 },
    open: ({ state, publish }) =>
      new ThreadHost({
        definition: reactor,
        params: { symbol: benchSpec.symbol, every: 1 },
        state,
        clock,
        publish,
        seed: 1,
        idPrefix: 'gw',
        run,
        tag: 'r',
        kept: undefined,
        keep: undefined,
      }),
  };
}

/** The same trader on a virtual clock until its code is compiled, as it is in a process that has traded for a while. */
async function warmUp(): Promise<void> {
  const start = 1_700_000_000_000_000 as Micros;
  const virtual = new VirtualClock(start);
  const available = parseAmount('1000000000');
  const sim = new SimVenue({
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
  const intake = new Intake({ instruments, publish: (event) => sim.accept(event as MarketEvent) });
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
    intake.accept({ channel: 'v3/public', direction: 'in', bytes, receiveTime: virtual.now() });
  }
  warm.stop('warm');
  virtual.drain((virtual.now() + 5_000_000) as Micros);
  await warm.close();
}

// Several, because code compiled for one trader alone is thrown away when a second one comes.
for (let i = 0; i < 4; i++) await warmUp();
const child = await startChild('pace-server.ts', ['2000']);
const said = child.said as { rest: string; ws: string; apiKey: string; secretKey: string };
const clock = new SystemClock();
const budgets = new ApiBudgets(unbound, clock);
const venue = new LiveVenue({
  clock,
  random: new Random(1),
  log: silentLogger,
  instruments,
  baseUrl: said.rest,
  wsUrl: said.ws,
  options: clientOptions.parse({}),
  credentials: { apiKey: said.apiKey, secret: new Secret(said.secretKey) },
  feeds: [
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
const trader = new Trader({
  ...parts,
  clock,
  venue,
  journal: new MemoryJournal(),
  budgets,
  run: 'bench',
  strategies: [plan(clock, 'bench')],
});

const probe = new WireProbe();
trader.start('live');
while (!trader.started) await sleep(20);
await sleep(3_000);
const before = probe.own.length;
await sleep(7_000);
const owns = probe.own.slice(before);
const wholes = probe.whole.slice(before);
if (owns.length < 1_000) throw new Error(`only ${owns.length} orders left in seven seconds`);
print({
  value: quantile(owns, 0.5),
  ownP99: quantile(owns, 0.99),
  wholeP50: quantile(wholes, 0.5),
  wholeP99: quantile(wholes, 0.99),
  orders: owns.length,
});
child.close();
process.exit(0);
