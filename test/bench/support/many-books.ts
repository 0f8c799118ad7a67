import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { gateOptions } from '../../../src/core/gate/options.ts';
import { MemoryJournal } from '../../../src/core/journal/records/run-digest.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { orderOptions } from '../../../src/core/orders/options.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { ThreadHost } from '../../../src/core/strategy/thread-host.ts';
import { Trader } from '../../../src/core/trader/trader.ts';
import { openShadowEngine } from '../../../src/sim/fill-models/fifo/shadow-engine.ts';
import { simOptions } from '../../../src/sim/options.ts';
import { SimVenue } from '../../../src/sim/venue.ts';
import { ApiBudgets } from '../../../src/venues/hitbtc/budgets/api.ts';
import { budgetOptions } from '../../../src/venues/hitbtc/budgets/options.ts';
import { spotSpec } from '../../support/markets.ts';
import { operate } from './operated.ts';

// A daemon with many books, in a process of its own: the trader on the simulated venue, the real interface of its operator. So many
// books change so often a second in all; a strategy quotes both sides of the first hundred. Asked `{ lag: true }`, it tells the delays of
// its event loop since it was asked last, in milliseconds. Usage: node many-books.ts BOOKS CHANGES

const count = Number(process.argv[2] ?? '500');
const rate = Number(process.argv[3] ?? '100');
const quoted = Math.min(count, 100);
const levels = 20;
const clock = new SystemClock();
const random = new Random('many books');
const symbols = Array.from({ length: count }, (_, at) => `C${String(at).padStart(3, '0')}USDT`);
const spec = { quoteCurrency: 'USDT', feeCurrency: 'USDT', tickSize: '0.01', quantityIncrement: '0.001' };
const instruments = new Instruments(
  symbols.map((symbol) => spotSpec(symbol, { ...spec, baseCurrency: symbol.slice(0, 4), makeRate: '0.001' })),
);
const venue = new SimVenue({
  openEngine: openShadowEngine,
  clock,
  instruments,
  options: simOptions.parse({ windowTicks: 1_024 }),
  random: new Random(2),
  marketData: 'live',
  balances: ['USDT', ...symbols.slice(0, quoted).map((symbol) => symbol.slice(0, 4))].map((currency) => ({
    currency,
    available: parseAmount('1000000000'),
    reserved: zero,
  })),
});

const quoter = defineStrategy({
  name: 'quoter',
  params: z.strictObject({}),
  feeds: () => symbols.map((symbol) => ({ symbol, book: true })),
  create: ({ orders }) => ({
    onBook: ({ instrument, bestBid, bestAsk }) => {
      const symbol = symbols[instrument] ?? '';
      if (instrument >= quoted || bestBid === undefined || bestAsk === undefined) return;
      const open = orders.open(symbol);
      for (const side of ['buy', 'sell'] as const) {
        const price = side === 'buy' ? bestBid - 3 : bestAsk + 3;
        const order = open.find((one) => one.side === side);
        if (order === undefined) orders.place({ symbol, side, quantity: 10, price });
        else if (order.state === 'new' && Math.abs((order.price ?? price) - price) > 12)
          orders.cancel(order.clientOrderId);
      }
    },
  }),
});

const budgets = new ApiBudgets(budgetOptions.parse({}), clock);
const limits = strategyLimits.parse({ openOrdersMax: 1_000, messagesPerSecondMax: 300 });
const trader = new Trader({
  instruments,
  clock,
  venue,
  journal: new MemoryJournal(),
  budgets,
  log: silentLogger,
  run: 'bench',
  history: [],
  strategies: [
    {
      name: quoter.name,
      tag: 'q',
      limits,
      open: ({ state, clock: noted, publish }) =>
        new ThreadHost({
          definition: quoter,
          params: {},
          state,
          clock: noted,
          publish,
          seed: 1,
          idPrefix: 'gw',
          run: 'bench',
          tag: 'q',
        }),
    },
  ],
  orderOptions: orderOptions.parse({
    lastTradeNeeded: false,
    messagesPerSecondMax: 300,
    openOrdersAccountMax: 2_000,
    duplicateMs: 0,
  }),
  gateOptions: gateOptions.parse({}),
  stateOptions: { ...stateDefaults },
});
trader.start('sim');

const middles = symbols.map(() => 10_000 + random.between(0, 5_000));
let changes = 0;

/** The book as it is now, a step of its own way further. */
function change(at: number): void {
  const middle = (middles[at] ?? 0) + random.between(-4, 4);
  middles[at] = middle;
  const sizes = Float64Array.from({ length: levels * 6 }, (_, place) => {
    const step = Math.floor(place / 6);
    const isAsk = place % 6 >= 3;
    return (
      [Number(isAsk), isAsk ? middle + 1 + step : middle - 1 - step, random.between(1, 90_000)][place % 3] ??
      0
    );
  });
  const now = clock.now();
  changes += 1;
  venue.accept({
    kind: 'bookSnapshot',
    instrument: at as InstrumentId,
    sequence: changes,
    levels: sizes,
    start: 0,
    end: levels * 6,
    exchangeTime: now,
    receiveTime: now,
  });
}

for (let at = 0; at < count; at++) change(at);
const begun = clock.uptime();
const before = changes;
const pump = (): void => {
  const due = before + ((clock.uptime() - begun) * rate) / 1e6;
  while (changes < due) change(random.between(0, count - 1));
  clock.after(5_000 as Micros, pump);
};
pump();

const server = await operate(trader, clock, {
  strategy: quoter.name,
  shown: symbols.map((_, at) => at as InstrumentId),
  budgets: () => budgets.usage(),
});
const lag = monitorEventLoopDelay({ resolution: 2 });
lag.enable();
process.on('message', () => {
  process.send?.({ p50: lag.percentile(50) / 1e6, p99: lag.percentile(99) / 1e6, max: lag.max / 1e6 });
  lag.reset();
});
process.on('disconnect', () => process.exit(0));
process.send?.({ url: server.url });
