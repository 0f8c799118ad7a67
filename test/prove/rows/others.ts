import type { Figure, Row, Share } from '../row.ts';

const seed = 11;
/** The limit of issue and catalogue: a daemon knows of the orders of another within a minute. */
const msMax = 60_000;
/** Moments at which the other one places its order, after a look at the account. */
const momentsMs = [10, 5_000, 20_000, 35_000, 50_000, 58_000, 59_500, 59_900, 59_990] as const;

type Way = 'report' | 'read only';
type Product = 'spot' | 'margin' | 'futures';

/** Longest time from the moment at which the exchange has an order until the other daemon shows whose it is. */
async function longest(product: Product, way: Way, moments: readonly number[]): Promise<number> {
  const { TwoGodwits } = await import('../../system/support/two-godwits.ts');
  let most = 0;
  for (const moment of moments) {
    const scene = new TwoGodwits({ seed, product, losesReports: way === 'read only' });
    const first = scene.start();
    const second = scene.start(-250_000);
    await scene.run(10_000, () => first.trader.started && second.trader.started);
    if (product !== 'spot') second.fund();
    await scene.run(65_000);
    const before = first.looks;
    await scene.run(61_000, () => first.looks > before);
    await scene.run(moment);
    second.rest();
    await scene.run(5_000, () => scene.live(second.head).length === 1);
    most = Math.max(most, await scene.run(2 * msMax, () => first.others.length === 1));
  }
  return most;
}

async function measure({ isShort, chunk }: Share): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const moments = isShort ? [momentsMs[7]] : momentsMs;
  for (const product of ['spot', 'margin', 'futures'] as const)
    for (const way of ['report', 'read only'] as const) {
      const name = `${product} shown by ${way}`;
      const value = await chunk(name, () => longest(product, way, moments));
      figures.push({ name, value, unit: 'ms', limit: { atMost: msMax }, seed });
    }
  return figures;
}

export const rows: readonly Row[] = [
  {
    name: 'others',
    shows:
      'Of two daemons on one account each shows the orders of the other, by a report or by a read alone.',
    minutes: 1,
    shortSeconds: 5,
    measure,
  },
];
