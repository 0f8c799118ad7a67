import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KeptHistoryFiles } from '../../../src/app/operate/kept-history.ts';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { Candle, MarketTrade } from '../../../src/core/model/market.ts';
import { candlesMax } from '../../../src/operate/history/candle-rows.ts';
import { ChartHistory, chartPeriods } from '../../../src/operate/history/candles.ts';
import { fillCharts } from '../../../src/operate/history/fill-charts.ts';
import type { KeptHistory } from '../../../src/operate/history/index.ts';
import { instrument, Rig } from '../../core/trader/support/rig.ts';
import { KeptInMemory } from '../support.ts';

/** 00:00 of a day. */
const start = seconds(1_700_006_400);
const minute = 60;

function history(kept: KeptHistory = new KeptInMemory()) {
  const clock = new VirtualClock(start);
  const charts = new ChartHistory(new Rig({ strategies: [] }).trader.instruments, clock, kept);
  let count = 0;
  const trade = (second: number, price: number, quantity = 1): MarketTrade => ({
    tradeId: String(++count),
    price: price as Ticks,
    quantity: quantity as Lots,
    side: 'buy',
    time: (start + seconds(second)) as Micros,
  });
  const print = (trades: readonly MarketTrade[], snapshot = false): void => {
    const time = trades.at(-1)?.time ?? start;
    if (time > clock.now()) clock.advanceTo(time);
    charts.accept({ kind: 'trades', instrument, snapshot, trades, exchangeTime: time, receiveTime: time });
  };
  return { charts, clock, trade, print };
}

function candle(second: number, close: string, more: Partial<Candle> = {}): Candle {
  const price = parseAmount(close);
  const time = (start + seconds(second)) as Micros;
  const prices = { open: price, close: price, min: price, max: price };
  const volume = parseAmount('5');
  return { instrument, period: 'M1', time, ...prices, volume, volumeQuote: volume, ...more };
}

test('trades make candles of every period, the one under way last', () => {
  const { charts, trade, print } = history();
  print([trade(1, 100, 2), trade(2, 105), trade(59, 99)]);
  print([trade(61, 101)]);
  print([trade(301, 102, 4)]);
  expect(charts.columns({ instrument, period: 'M1' })).toEqual({
    times: [0, 60_000, 300_000].map((ms) => start / 1_000 + ms),
    open: [100, 101, 102],
    high: [105, 101, 102],
    low: [99, 101, 102],
    close: [99, 101, 102],
    volume: [4, 1, 4],
  });
  expect(charts.columns({ instrument, period: 'M5' })).toMatchObject({ open: [100, 102], volume: [5, 4] });
  expect(charts.columns({ instrument, period: 'D1' })).toMatchObject({ high: [105], low: [99], volume: [9] });
  const later = charts.columns({ instrument, period: 'M1' }, start / 1_000 + 60_000);
  expect(later.close).toEqual([101, 102]);
});

test('candles outlive a restart, bounded, and a line that is none is left out', () => {
  const kept = new KeptInMemory();
  const { trade, print } = history(kept);
  for (let at = 0; at < candlesMax + 10; at++) print([trade(at * minute, 100 + (at % 7))]);
  const rows = kept.openRows('candles-AAABBB', { width: 7 });
  const prices = [100, 100, 100, 100, 1];
  rows.add([minute * 1_000, Number.NaN, ...prices]);
  rows.add([7, start / 1_000 + 86_400_000, ...prices]);
  rows.add([0, 0, 0, 0, 0, 0, 0]);
  const again = history(kept);
  const { times, close } = again.charts.columns({ instrument, period: 'M1' });
  expect(times).toHaveLength(candlesMax);
  expect([times.at(-1), close.at(-1)]).toEqual([
    start / 1_000 + (candlesMax + 8) * 60_000,
    100 + ((candlesMax + 8) % 7),
  ]);
});

test('a file of candles stays bounded, whatever comes, and has all of them after it was written anew', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-history-'));
  try {
    const path = join(directory, 'history', 'candles-AAABBB.rows');
    const clock = new VirtualClock(start);
    const files = new KeptHistoryFiles(directory, clock, silentLogger);
    const { charts, trade, print } = history(files);
    const sizes: number[] = [];
    for (let at = 0; at < 6_000; at++) {
      print([trade(at * minute, 100 + (at % 7))]);
      if (at % 100 !== 99) continue;
      await files.close();
      sizes.push(statSync(path).size);
    }
    // A row is a period, a time and five numbers of eight bytes each.
    const most = 1.25 * chartPeriods.length * candlesMax * 7 * 8;
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most);
    expect(sizes.some((size, at) => size < (sizes[at - 1] ?? 0))).toBe(true);
    const again = history(new KeptHistoryFiles(directory, clock, silentLogger)).charts;
    for (const period of chartPeriods) {
      const [before, after] = [charts, again].map((one) => one.columns({ instrument, period }));
      // The one under way is not kept.
      expect(after?.times.length).toBeGreaterThan(0);
      expect(after?.times).toEqual(before?.times.slice(0, -1));
      expect(after?.volume).toEqual(before?.volume.slice(0, -1));
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('what the venue tells fills the time before, and goes on with the candle under way', () => {
  const { charts, clock, trade, print } = history();
  const of = { instrument, period: 'M1' } as const;
  clock.advance(seconds(3 * minute + 30));
  print([trade(3 * minute + 30, 100)]);
  expect(charts.lacking([instrument])).toContainEqual(of);
  charts.takeAsked(
    of,
    [0, 60, 120].map((second) => candle(second, '90')),
  );
  charts.takeAsked(of, [candle(3 * minute, '95', { max: parseAmount('120') })]);
  expect(charts.columns(of)).toMatchObject({
    close: [90, 90, 90, 95],
    high: [90, 90, 90, 120],
    volume: [5, 5, 5, 5],
  });
  print([trade(3 * minute + 40, 101)]);
  expect(charts.columns(of)).toMatchObject({ close: [90, 90, 90, 101], volume: [5, 5, 5, 6] });
});

test('trades that are lost make the venue be asked again when their candle is over', () => {
  const { charts, clock, trade, print } = history();
  const of = { instrument, period: 'M1' } as const;
  const asksFor = (): boolean => charts.lacking([instrument]).some(({ period }) => period === 'M1');
  charts.takeAsked(of, []);
  print([trade(0, 100)]);
  print([trade(70, 100)]);
  // The first trade that comes may not have been the first of its minute.
  expect(asksFor()).toBe(true);
  charts.takeAsked(of, [candle(0, '99'), candle(60, '99')]);
  expect(asksFor()).toBe(false);
  // After an outage nothing of before comes again: the minute before it lacks trades, and the one after it may.
  clock.advance(seconds(200));
  print([trade(290, 103)], true);
  expect(asksFor()).toBe(true);
  charts.takeAsked(of, [candle(60, '98'), candle(180, '97')]);
  expect(asksFor()).toBe(false);
  print([trade(310, 103)]);
  expect(asksFor()).toBe(true);
  expect(charts.columns(of).close).toEqual([99, 98, 97, 103, 103]);
});

test('where no trades come, candles of the venue make the longer ones', () => {
  const { charts } = history();
  const receiveTime = start;
  const tell = (candles: readonly Candle[]): void =>
    charts.accept({
      kind: 'candles',
      instrument,
      snapshot: false,
      candles,
      exchangeTime: start,
      receiveTime,
    });
  tell([candle(0, '90'), candle(60, '91'), candle(300, '95')]);
  expect(charts.columns({ instrument, period: 'M1' }).close).toEqual([90, 91, 95]);
  expect(charts.columns({ instrument, period: 'M5' })).toMatchObject({
    open: [90, 95],
    close: [91, 95],
    volume: [10, 5],
  });
});

test('the venue is asked for what is lacking, one question after the other, and again when it did not answer', async () => {
  const { charts, clock } = history();
  const asked: string[] = [];
  let answers: (readonly Candle[] | undefined)[] = [[candle(-120, '90'), candle(-60, '91')], undefined];
  const end = fillCharts({
    charts,
    clock,
    shown: () => [instrument],
    ask: async (_, period, count) => {
      asked.push(`${period} ${count}`);
      return answers.length > 0 ? answers.shift() : [];
    },
  });
  const wait = async (count: number): Promise<void> => {
    clock.advance(seconds(count));
    for (let at = 0; at < 20; at++) await Promise.resolve();
  };
  await wait(1);
  expect(asked).toEqual([`M1 ${candlesMax}`, `M5 ${candlesMax}`]);
  expect(charts.columns({ instrument, period: 'M1' }).close).toEqual([90, 91]);
  await wait(59);
  expect(asked).toHaveLength(2);
  await wait(1);
  expect(asked.slice(2)).toEqual(['M5', 'M15', 'H1', 'H4', 'D1'].map((period) => `${period} ${candlesMax}`));
  answers = [];
  await wait(600);
  expect(asked).toHaveLength(7);
  end();
});
