import { configSchema } from '../../../src/app/config/schema.ts';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Micros } from '../../../src/core/base/clock.ts';
import { microsPerSecond, seconds } from '../../../src/core/base/clock.ts';
import type { TroubleName, TroubleTerms } from '../../../src/exchange/chaos/index.ts';
import { beginTrouble } from '../../../src/exchange/chaos/index.ts';
import { fail } from '../../../src/core/base/assert.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { Figure } from '../row.ts';
import { loadText } from '../support/machine.ts';
import { PacedJournal } from '../support/paced-journal.ts';
import { VirtualScene } from '../../../src/app/virtual/scene.ts';
import { listingOf } from '../support/listing.ts';

const seed = 24;
const mib = 1_048_576;
const journalMib = 64;
const codes = Array.from({ length: 20 }, (_, at) => `S${String(at).padStart(2, '0')}`);
const symbols = codes.map((code) => `${code}USDT`);

/** What the process is like once it has collected its garbage. */
interface Sample {
  readonly hour: number;
  readonly heapMib: number;
  readonly rssMib: number;
  readonly timers: number;
  readonly handles: number;
  readonly listeners: number;
  readonly journalMib: number;
}

function exchangeOptions() {
  const funds = Object.fromEntries(codes.map((code) => [code, '100000']));
  return {
    ...listingOf(codes),
    accounts: [{ name: 'demo', keys: [{}], balances: { USDT: '100000000', ...funds } }],
    futures: { contracts: [] },
    // Five messages a second of each symbol.
    flow: { eventsPerSecond: 5, ordersMax: 40, takerShare: 0.1 },
    publish: { bookMs: 200 },
    // What the exchange keeps is full before the day begins, so that only a leak grows.
    history: { ordersMax: 1_000, tradesMax: 1_000, publicTradesMax: 1_000, candlesMax: 1_000 },
  };
}

/** Fills what the exchange keeps of its market: a trade in every third minute of a month, and in every one of the last day. */
function age({ exchange, instruments, time }: VirtualScene): void {
  const minutes = 30 * 1_440;
  for (const { id } of instruments.all) {
    const market = exchange.world.core.market(id);
    for (let back = minutes; back > 0; back -= back > 1_440 ? 3 : 1)
      market.onTrade({
        tradeId: minutes - back + 1,
        price: 10_000 as Ticks,
        quantity: 1 as Lots,
        side: back % 2 === 0 ? 'buy' : 'sell',
        time: (time.now() - back * 60 * microsPerSecond) as Micros,
      });
  }
}

/** A trouble of the product's table, which is met and then over. */
function trouble(name: TroubleName, terms: (random: Random) => Partial<TroubleTerms>) {
  return ({ exchange: { troubled } }: VirtualScene, random: Random): void =>
    void beginTrouble(name, troubled, terms(random));
}

/** What goes wrong in an hour: each is over long before the next. */
const faults: readonly ((scene: VirtualScene, random: Random) => void)[] = [
  ({ network }) => network.cut('trading'),
  ({ network }) => network.cut('market'),
  ({ exchange }) => exchange.faults.closeSockets(1_012),
  trouble('rate-limited', () => ({ times: 30 })),
  trouble('timeout-accepted', () => ({ times: 5 })),
  trouble('gap', (random) => ({ symbols: [random.pick(symbols)], times: 3 })),
  trouble('repeated-updates', (random) => ({ symbols: [random.pick(symbols)], times: 5 })),
  ({ network, time }) => {
    network.weather.roads.rest.refusedTo = time.now() + seconds(20);
  },
  ({ network, time }) => {
    network.weather.roads.trading.downHeldTo = time.now() + seconds(2);
  },
  ({ network, time }) => {
    network.weather.roads.market.downHeldTo = time.now() + seconds(4);
  },
];

export interface DayPlan {
  readonly hours: number;
  readonly tell: (line: string) => void;
  readonly stopped: AbortSignal;
}

/** A day of a daemon in virtual time, its journal on the disk, with a fault every hour: what grows, and what is left over. */
export async function dayFigures({ hours, tell, stopped }: DayPlan): Promise<readonly Figure[]> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const directory = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const begun = performance.now();
  const counts = { messages: 0, orders: 0, fills: 0 };
  let journal: PacedJournal | undefined;
  const scene = new VirtualScene({
    seed,
    exchange: exchangeOptions(),
    tap: {
      arrives: (road) => void (road === 'market' && (counts.messages += 1)),
      sent: (_road, text) => void (text.includes('_new_order') && (counts.orders += 1)),
    },
  });
  try {
    age(scene);
    await scene.start({
      config: configSchema.parse({
        strategies: [
          {
            name: 'steady-quoter',
            path: fileURLToPath(new URL('../strategies/steady-quoter.ts', import.meta.url)),
            host: 'thread',
            params: { symbols, everyMs: 200, most: 4 },
            limits: { openOrdersMax: 500 },
          },
        ],
        orders: { duplicateMs: 0, lastTradeNeeded: false, rejects: { of: 20, percentMax: 100 } },
        // What the stores keep is full within the first hour.
        state: { closedOrdersMax: 2_000, fillsRememberedMax: 1_000, tradesMax: 100 },
        journal: {},
      }),
      journal: (clock) => {
        journal = new PacedJournal(clock, {
          directory,
          options: { segmentMib: journalMib / 4, sizeMaxMib: journalMib },
        });
        return journal;
      },
      watch: ({ event }) =>
        void (event.kind === 'orderReport' && event.fill !== undefined && (counts.fills += 1)),
    });
    const random = new Random(seed);
    const samples: Sample[] = [];
    for (let hour = 1; hour <= hours; hour++) {
      stopped.throwIfAborted();
      await goOn(scene, journal ?? fail('no journal'), 1_800);
      faults[(hour - 1) % faults.length]?.(scene, random);
      await goOn(scene, journal ?? fail('no journal'), 1_740);
      let timers = Number.POSITIVE_INFINITY;
      // The fewest of a minute: what waits for an answer comes and goes.
      await scene.until(() => {
        timers = Math.min(timers, scene.time.pending);
        return false;
      }, 60_000);
      await (journal ?? fail('no journal')).onDisk();
      collect();
      collect();
      samples.push(sampleOf(hour, timers, directory));
      const last = samples.at(-1);
      tell(
        `hour ${hour}: heap ${last?.heapMib.toFixed(2)} MiB, rss ${last?.rssMib.toFixed(0)} MiB, ${counts.orders} orders, ${Math.round((performance.now() - begun) / 1_000)} s`,
      );
    }
    const { mode } = scene.trader.view;
    if (mode !== 'active' || scene.trader.view.stopped('steady-quoter') !== undefined)
      throw new Error(`the daemon ended the day ${mode}`);
    return figuresOf(samples, counts, (performance.now() - begun) / 60_000);
  } finally {
    scene.crash();
    await journal?.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function goOn(scene: VirtualScene, journal: PacedJournal, forSeconds: number): Promise<void> {
  const step = 30;
  for (let passed = 0; passed < forSeconds; passed += step) {
    await scene.until(() => false, step * 1_000);
    await journal.onDisk();
  }
}

function sampleOf(hour: number, timers: number, directory: string): Sample {
  const { heapUsed, rss } = process.memoryUsage();
  const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  return {
    hour,
    heapMib: heapUsed / mib,
    rssMib: rss / mib,
    timers,
    handles: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    journalMib: bytes / mib,
  };
}

/** Growth of the least squares line through the heap of every hour. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: (one: Sample) => number): number =>
    samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const x = mean(({ hour }) => hour);
  const y = mean(({ heapMib }) => heapMib);
  const above = samples.reduce((sum, one) => sum + (one.hour - x) * (one.heapMib - y), 0);
  const below = samples.reduce((sum, one) => sum + (one.hour - x) ** 2, 0);
  return above / below;
}

function figuresOf(
  samples: readonly Sample[],
  counts: { readonly messages: number; readonly orders: number; readonly fills: number },
  minutes: number,
): readonly Figure[] {
  const first = samples[0] ?? fail('nothing was sampled');
  const last = samples.at(-1) ?? fail('nothing was sampled');
  const isDay = last.hour >= 24;
  const perSecond = (count: number): number => Number((count / (last.hour * 3_600)).toFixed(2));
  const grown = (of: 'timers' | 'handles' | 'listeners'): Figure => ({
    name: `${of} more than after the first hour`,
    value: last[of] - first[of],
    unit: of,
    limit: { atMost: 0 },
    seed,
  });
  return [
    {
      name: 'heap slope',
      value: Number(slopeOf(samples).toFixed(4)),
      unit: 'MiB an hour',
      ...(isDay && { limit: { atMost: 0.1 } }),
      seed,
      note: `after collections; ${first.heapMib.toFixed(1)} MiB in hour 1, ${last.heapMib.toFixed(1)} in hour ${last.hour}, the exchange included`,
    },
    {
      name: 'memory to that of the first hour',
      value: Number((last.rssMib / first.rssMib).toFixed(3)),
      unit: 'times',
      ...(isDay && { limit: { atMost: 1.1 } }),
      seed,
    },
    grown('timers'),
    grown('handles'),
    grown('listeners'),
    {
      name: 'journal on the disk at most',
      value: Number(Math.max(...samples.map((one) => one.journalMib)).toFixed(1)),
      unit: 'MiB',
      limit: { atMost: journalMib + 8 },
      seed,
      note: `sizeMaxMib ${journalMib}, and the log of the segment that is written`,
    },
    {
      name: 'market messages',
      value: perSecond(counts.messages),
      unit: 'a second',
      limit: { atLeast: 90 },
      seed,
    },
    { name: 'orders', value: perSecond(counts.orders), unit: 'a second', limit: { atLeast: 4.5 }, seed },
    { name: 'fills', value: counts.fills, unit: 'fills', seed },
    {
      name: 'wall time',
      value: Number(minutes.toFixed(2)),
      unit: 'minutes',
      ...(isDay && { limit: { atMost: 10 } }),
      note: loadText(),
    },
  ];
}
