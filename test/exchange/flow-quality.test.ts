import { expect, test } from 'vitest';
import { micros, seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import { makeWorld } from '../../src/exchange/server/world.ts';

const stepMs = 100;
const symbols = [
  {
    symbol: 'BTCUSDT',
    baseCurrency: 'BTC',
    quoteCurrency: 'USDT',
    tickSize: '0.01',
    quantityIncrement: '0.00001',
  },
];

interface Measured {
  /** Base currency within one per cent of the mid price, the thinner side at its thinnest. */
  readonly depthMin: number;
  /** Part of 1/10000: what takers paid above the mid price before them, and what of it was left so much later. */
  readonly paid: number;
  readonly left: Readonly<Record<number, number>>;
}

/** Ten minutes of the seeded market of one symbol. */
function measure(seed: string, flow: object = {}): Measured {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const begun = clock.now();
  const futures = { contracts: [] };
  const world = makeWorld(exchangeOptions.parse({ symbols, flow, futures }), clock, new Random(seed));
  const market = world.core.market(world.core.instruments.get('BTCUSDT').id);
  const { book, trades } = market;
  world.flow?.start();
  const mids: number[] = [];
  let depthMin = Infinity;
  for (let step = 0; step < 6_000; step++) {
    clock.advance(micros(stepMs * 1_000));
    const mid = ((book.best('buy')?.price ?? Number.NaN) + (book.best('sell')?.price ?? Number.NaN)) / 2;
    mids.push(mid);
    if (step % 50 !== 0) continue;
    for (const side of ['buy', 'sell'] as const) {
      const near = book.liveLevels(side, 0).filter(({ price }) => Math.abs(price / mid - 1) < 0.01);
      depthMin = Math.min(depthMin, near.reduce((sum, { quantity }) => sum + quantity, 0) * 0.000_01);
    }
  }
  let [volume, paid] = [0, 0];
  const left: Record<number, number> = { 1: 0, 10: 0, 60: 0 };
  for (let index = 0; index < trades.size; index++) {
    const trade = trades.at(index);
    if (trade === undefined) continue;
    const step = Math.floor((trade.time - begun) / (stepMs * 1_000)) - 1;
    const mid = mids[step];
    if (mid === undefined || step + 600 >= mids.length) continue;
    const weight = ((trade.side === 'buy' ? 1 : -1) * trade.quantity * 10_000) / mid;
    volume += trade.quantity;
    paid += weight * (trade.price - mid);
    for (const after of [1, 10, 60]) {
      left[after] = (left[after] as number) + weight * (trade.price - (mids[step + after * 10] as number));
    }
  }
  return {
    depthMin,
    paid: paid / volume,
    left: Object.fromEntries(Object.entries(left).map(([after, sum]) => [after, sum / volume])),
  };
}

const runs = ['a', 'b', 'c', 'd'].map((seed) => measure(seed));
const mean = (value: (run: Measured) => number) =>
  runs.reduce((sum, run) => sum + value(run), 0) / runs.length;

test('a market of 64,000 has tens of bitcoins within one per cent on each side, at any time', () => {
  for (const { depthMin } of runs) expect(depthMin).toBeGreaterThan(20);
});

test('a maker of quotes earns the spread and loses it to those who know the next move', () => {
  expect(mean(({ paid }) => paid)).toBeGreaterThan(0.8);
  expect(mean(({ paid }) => paid)).toBeLessThan(4);
  expect(mean(({ left }) => left[1] as number)).toBeGreaterThan(0.5);
  expect(mean(({ left }) => left[10] as number)).toBeLessThan(0.4 * mean(({ paid }) => paid));
  expect(mean(({ left }) => left[60] as number)).toBeLessThan(0.2);
});

test('quotes pay better where no trader knows more than the makers', () => {
  const fair = ['a', 'b'].map((seed) => measure(seed, { informationLagMs: 0 }));
  for (const { paid, left } of fair) expect(left[60] as number).toBeGreaterThan(0.5 * paid);
});

test('a perpetual contract is dearer or cheaper than its spot symbol by tens of basis points for a part of the time', () => {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const options = exchangeOptions.parse({ symbols, flow: { eventsPerSecond: 5 } });
  const world = makeWorld(options, clock, new Random('basis'));
  const middleOf = (symbol: string): number => {
    const { book } = world.core.market(world.core.instruments.get(symbol).id);
    return ((book.best('buy')?.price ?? Number.NaN) + (book.best('sell')?.price ?? Number.NaN)) / 2;
  };
  world.flow?.start();
  const distances: number[] = [];
  // Two hours, looked at every ten seconds.
  for (let look = 0; look < 720; look++) {
    clock.advance(seconds(10));
    distances.push(Math.abs(middleOf('BTCUSDT_PERP') / middleOf('BTCUSDT') - 1) * 10_000);
  }
  const beyond = (bps: number) => distances.filter((distance) => distance > bps).length / distances.length;
  expect(beyond(10)).toBeGreaterThan(0.35);
  expect(beyond(30)).toBeGreaterThan(0.04);
  expect(beyond(30)).toBeLessThan(0.4);
  expect(beyond(100)).toBe(0);
});
