import { configSchema } from '../../../src/app/config/schema.ts';
import { fileURLToPath } from 'node:url';
import { MemoryJournal } from '../../../src/core/journal/index.ts';
import type { Figure } from '../row.ts';
import { VirtualScene } from '../../../src/app/virtual/scene.ts';
import { listingOf } from '../support/listing.ts';

const seed = 8;

interface Way {
  readonly name: string;
  readonly api: 'v2' | 'v3';
  readonly budgets: Readonly<Record<string, unknown>>;
  /** Seconds until the last book is live again. */
  readonly atMost: number;
}

/** Source: faults, section 8, "Reconnect". */
const ways: readonly Way[] = [
  { name: 'version 2', api: 'v2', budgets: {}, atMost: 7 },
  {
    name: 'ten messages and ten more a second',
    api: 'v2',
    budgets: { publicV2: { rate: 10, burst: 10 } },
    atMost: 55,
  },
  { name: 'version 3', api: 'v3', budgets: {}, atMost: 7 },
];

/** Books lost together, and how they come back, those with own orders among them. */
export async function reconnectFigures(books: number): Promise<readonly Figure[]> {
  const codes = Array.from({ length: books }, (_, at) => `R${String(at).padStart(3, '0')}`);
  const symbols = codes.map((code) => `${code}USDT`);
  // The last ones by name and number: nothing but their orders brings them forward.
  const quoted = symbols.slice(-10);
  const figures: Figure[] = [];
  for (const way of ways) {
    const { liveMs, quotedMs } = await lost(way, { codes, symbols, quoted });
    const unit = 'simulated s';
    const note = `${books} books`;
    figures.push(
      {
        name: `all live, ${way.name}`,
        value: liveMs / 1_000,
        unit,
        limit: { atMost: way.atMost },
        seed,
        note,
      },
      {
        name: `with orders live, ${way.name}`,
        value: quotedMs / 1_000,
        unit,
        limit: { atMost: Math.max(2, way.atMost / 20) },
        seed,
        note: `${quoted.length} of them`,
      },
    );
  }
  return figures;
}

async function lost(
  { api, budgets }: Way,
  { codes, symbols, quoted }: Readonly<Record<'codes' | 'symbols' | 'quoted', readonly string[]>>,
): Promise<{ readonly liveMs: number; readonly quotedMs: number }> {
  const scene = new VirtualScene({
    seed,
    exchange: {
      ...listingOf(codes),
      accounts: [{ name: 'demo', keys: [{}], balances: { USDT: '1000000' } }],
      futures: { contracts: [] },
      flow: { eventsPerSecond: 0.3, ordersMax: 20 },
      publish: { bookMs: 1_000 },
    },
  });
  const path = fileURLToPath(new URL('../strategies/few-orders.ts', import.meta.url));
  await scene.start({
    config: configSchema.parse({
      strategies: [{ name: 'few-orders', path, host: 'thread', params: { symbols, quoted } }],
      orders: { duplicateMs: 0, lastTradeNeeded: false },
      budgets,
      // Books that change seldom are not taken for dead.
      client: { market: { silenceMs: 60_000 } },
      venue: { api },
    }),
    journal: () => new MemoryJournal(),
  });
  const { view, instruments } = scene.trader;
  const areLive = (of: readonly string[]): boolean =>
    of.every((symbol) => view.book(instruments.get(symbol).id).status === 'live');
  const isReady = (): boolean => view.openCount() === quoted.length && areLive(symbols);
  if (!(await scene.until(isReady, 120_000)))
    throw new Error(
      `only ${symbols.filter((one) => areLive([one])).length} books and ${view.openCount()} orders came up`,
    );
  const begun = scene.elapsedMs;
  scene.network.cut('market');
  await scene.until(() => !areLive(symbols), 10_000);
  await scene.until(() => areLive(quoted), 300_000);
  const quotedMs = scene.elapsedMs - begun;
  const isOver = await scene.until(() => areLive(symbols), 300_000);
  const liveMs = isOver ? scene.elapsedMs - begun : Number.POSITIVE_INFINITY;
  scene.crash();
  return { liveMs, quotedMs };
}
