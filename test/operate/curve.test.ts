import { expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { seconds } from '../../src/core/base/clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import { KeptInMemory } from './support.ts';
import { Curve } from '../../src/operate/curve.ts';
import type { StrategyProfit } from '../../src/operate/schemas.ts';

const start = 1_700_000_000_000_000 as Micros;

/** What the view of a run would tell of these rows. */
function viewOf(strategyProfits: () => readonly StrategyProfit[]) {
  const peaks = new Map<string, number>();
  const profits = () => {
    const sums = new Map<string, number>();
    for (const { kind, currency, profit } of strategyProfits())
      if (kind === 'live') sums.set(currency, (sums.get(currency) ?? 0) + profit);
    return sums;
  };
  const drawdowns = () =>
    new Map(
      [...profits()].map(([currency, profit]) => {
        const peak = Math.max(peaks.get(currency) ?? 0, profit);
        peaks.set(currency, peak);
        return [currency, peak - profit] as const;
      }),
    );
  return {
    strategyProfits: () => [...strategyProfits()],
    profits,
    drawdowns,
    equities: () => new Map([['USDT', parseAmount('1000.5')]]),
    days: () => undefined as never,
  };
}

function following(
  profit: (second: number) => number | undefined,
  { kept = new KeptInMemory(), from = start }: { kept?: KeptInMemory; from?: Micros } = {},
) {
  const clock = new VirtualClock(from);
  const strategyProfits = () => {
    const value = profit((clock.now() - start) / 1_000_000);
    return value === undefined
      ? []
      : [{ name: 'maker', kind: 'live' as const, currency: 'USDT', profit: value }];
  };
  const curve = new Curve(viewOf(strategyProfits), clock, kept);
  const wait = (count: number) => clock.advanceTo((clock.now() + seconds(count)) as Micros);
  return { curve, wait };
}

test('a point every five seconds; the drawdown counts from the highest profit, from nothing at first', () => {
  const values = [undefined, -2, 4, 1];
  const { curve, wait } = following((second) => values[second / 5 - 1]);
  wait(20);
  expect(curve.text()).toEqual({
    times: [5, 10, 15, 20].map((second) => start / 1_000 + second * 1_000),
    currencies: [
      {
        currency: 'USDT',
        profit: [null, -2, 4, 1],
        drawdown: [null, 2, 0, 3],
        equity: [null, 1000.5, 1000.5, 1000.5],
      },
    ],
    strategies: [{ name: 'maker', kind: 'live', currency: 'USDT', points: [null, -2, 4, 1] }],
  });
  curve.close();
  wait(20);
  expect(curve.text().times).toHaveLength(4);
});

test('a week stays bounded, at points of equal distance, and keeps the peak that no point shows', () => {
  const { curve, wait } = following((second) => (second === 10 ? 50 : 0));
  for (let day = 0; day < 7; day++) wait(86_400);
  const { times, currencies, strategies } = curve.text();
  expect(times.length).toBeLessThan(2_880);
  expect(times.length).toBeGreaterThan(1_400);
  expect(new Set(times.slice(1).map((time, at) => time - (times[at] ?? 0))).size).toBe(1);
  expect(currencies[0]?.drawdown.at(-1)).toBe(50);
  expect(strategies[0]?.points).toHaveLength(times.length);
});

test('each strategy has its points, a shadow is none of the account', () => {
  const clock = new VirtualClock(start);
  const rows: StrategyProfit[] = [
    { name: 'maker', kind: 'live', currency: 'USDT', profit: 3 },
    { name: 'maker', kind: 'shadow', currency: 'USDT', profit: 40 },
    { name: 'maker', kind: 'live', currency: 'BTC', profit: 0.5 },
  ];
  const curve = new Curve(
    viewOf(() => rows),
    clock,
    new KeptInMemory(),
  );
  clock.advance(seconds(5));
  rows.push({ name: 'taker', kind: 'live', currency: 'USDT', profit: -1 });
  clock.advance(seconds(5));
  curve.close();
  expect(curve.text()).toMatchObject({
    currencies: [
      { currency: 'USDT', profit: [3, 2], drawdown: [0, 1] },
      { currency: 'BTC', profit: [0.5, 0.5] },
    ],
    strategies: [
      { name: 'maker', kind: 'live', currency: 'USDT', points: [3, 3] },
      { name: 'maker', kind: 'shadow', currency: 'USDT', points: [40, 40] },
      { name: 'maker', kind: 'live', currency: 'BTC', points: [0.5, 0.5] },
      { name: 'taker', kind: 'live', currency: 'USDT', points: [null, -1] },
    ],
  });
});

test('a curve goes on after a restart: its points, their distance, and the time in which nothing ran', () => {
  const kept = new KeptInMemory();
  const { curve, wait } = following(() => 3, { kept });
  wait(5 * 3_000);
  curve.close();
  const before = curve.text();
  expect(before.times).toHaveLength(1_500);
  const from = (start + seconds(100_000)) as Micros;
  const again = following(() => 4, { kept, from });
  expect(again.curve.text()).toEqual(before);
  again.wait(60);
  const { times, currencies } = again.curve.text();
  // Every second sample is a point, as it was when the first session ended.
  expect(times.slice(1_500)).toEqual([5, 15, 25, 35, 45, 55].map((second) => from / 1_000 + second * 1_000));
  expect(currencies[0]?.profit.slice(-7)).toEqual([3, 4, 4, 4, 4, 4, 4]);
});

test('points that are damaged, or of an earlier time than the last one, are left out', () => {
  const kept = new KeptInMemory();
  const lines = kept.open('curve', { linesMax: 1, all: () => [] });
  lines.add({ figure: 'profit', currency: 'USDT' });
  lines.add({ figure: 'nonsense', currency: 'USDT' });
  lines.add({ kind: 'live', name: 'maker', currency: 'USDT' });
  lines.add([7_000, 2, 3]);
  lines.add([6_000, 9, 9]);
  lines.add([9_000, '2', 3]);
  lines.add([null, 2, 3]);
  lines.add('nothing');
  const { curve, wait } = following(() => 5, { kept });
  const time = start / 1_000 + 5_000;
  wait(5);
  curve.close();
  const expected = {
    times: [7_000, time],
    currencies: [{ currency: 'USDT', profit: [2, 5], drawdown: [null, 0], equity: [null, 1000.5] }],
    strategies: [{ name: 'maker', kind: 'live', currency: 'USDT', points: [3, 5] }],
  };
  expect(curve.text()).toEqual(expected);
  // A column that came later is known by the next session, too.
  expect(following(() => 5, { kept }).curve.text()).toEqual(expected);
});
