import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { marksByPixel, pixelRanges } from '../../../src/research/report/fold/timeline.ts';
import type { ReportDocument } from '../../../src/research/report/document/document.ts';
import { documentSchema } from '../../../src/research/report/document/document.ts';
import { FallFold } from '../../../src/research/report/fold/equity.ts';
import {
  htmlPage,
  amountOn,
  grouped,
  shownOn,
  tableHtml,
} from '../../../src/research/report/render/html-page.ts';
import { drawdownTable } from '../../../src/research/report/sections/money.ts';
import { resultBins, rollingSharpeChart } from '../../../src/research/report/sections/charts.ts';
import { bootstrapFigures, tooShort } from '../../../src/research/report/sections/robustness.ts';
import type { FillMark } from '../../../src/research/report/fold/trade-book.ts';
import { TradeBook } from '../../../src/research/report/fold/trade-book.ts';
import { figureOptions } from '../../../src/research/statistics/options.ts';
import { sharpeRatio } from '../../../src/research/statistics/returns.ts';
import { oneMarket } from '../../support/markets.ts';

const day = 86_400_000_000;

describe('markers', () => {
  const mark = (time: number, price: number, quantity: number, side: 'buy' | 'sell' = 'buy'): FillMark => ({
    time,
    price,
    quantity,
    side,
    symbol: 's',
    count: 1,
  });

  test('of one side within one pixel are one, at their average price; none is lost', () => {
    const span = { from: 0, to: 10_000 };
    const marks = [mark(0, 10, 1), mark(9, 20, 3), mark(9, 30, 1, 'sell'), mark(10, 40, 2)];
    expect(marksByPixel(marks, span)).toEqual([
      { ...mark(0, 17.5, 4), count: 2 },
      mark(9, 30, 1, 'sell'),
      mark(10, 40, 2),
    ]);
    const many = Array.from({ length: 4_000 }, (_, i) => mark(i * 2.5, i, 1, i % 3 === 0 ? 'buy' : 'sell'));
    const shown = marksByPixel(many, span);
    expect(shown.length).toBeLessThanOrEqual(2_000);
    expect(shown.reduce((sum, { count }) => sum + count, 0)).toBe(4_000);
  });

  test('of very many fills are joined by neighbours, and stand for all of them', () => {
    const instrument = oneMarket().get('AAABBB');
    const book = new TradeBook();
    for (let i = 0; i < 9_001; i++) {
      const fill = {
        tradeId: String(i),
        price: (100 + (i % 7)) as Ticks,
        quantity: 2 as Lots,
        fee: 0n as Amount,
        taker: true,
        time: i as Micros,
      };
      book.book({
        fill,
        side: i % 2 === 0 ? 'buy' : 'sell',
        instrument,
        strategy: 's',
        account: 'spot',
        type: 'limit',
      });
    }
    expect(book.marks.length).toBeLessThan(4_000);
    expect(book.marks.reduce((sum, { count }) => sum + count, 0)).toBe(9_001);
    expect(book.marks.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(18_002);
    const bought = book.marks.filter(({ side }) => side === 'buy');
    expect(bought.reduce((sum, { count }) => sum + count, 0)).toBe(4_501);
  });
});

test('an inventory with more samples than pixels has lowest, highest and mean of each pixel', () => {
  const values = Array.from({ length: 800 }, (_, i) => (i === 401 ? 50 : i % 2 === 0 ? 1 : 3));
  const numbers = values.map((_, i) => i);
  const ranges = pixelRanges(values, numbers) ?? [];
  expect(ranges).toHaveLength(400);
  expect(ranges[0]).toEqual({ row: 0, low: 1, high: 3, mean: 2 });
  expect(ranges[200]).toEqual({ row: 400, low: 1, high: 50, mean: 25.5 });
  expect(pixelRanges([1, 2], [0, 1])).toBeUndefined();
});

describe('the deepest drawdowns', () => {
  const profits = [0, 10, 4, 12, 11, 15, 3, 9];

  test('are those reckoned by hand, the one that is not over among them', () => {
    const fold = new FallFold();
    for (const [i, profit] of profits.entries()) fold.add(i * day, profit);
    expect(fold.worst(100, 5)).toEqual([
      { peak: 15, trough: 3, from: 5 * day, deepestAt: 6 * day, to: undefined },
      { peak: 10, trough: 4, from: day, deepestAt: 2 * day, to: 3 * day },
      { peak: 12, trough: 11, from: 3 * day, deepestAt: 4 * day, to: 5 * day },
    ]);
  });

  test('are ranked by share of the peak, and in money where the start is not known', () => {
    const fold = new FallFold();
    // 5 of 10 at first, 6 of 110 later.
    for (const [i, profit] of [0, -5, 100, 94, 100].entries()) fold.add(i, profit);
    expect(fold.worst(10, 2).map(({ trough }) => trough)).toEqual([-5, 94]);
    expect(fold.worst(Number.NaN, 2).map(({ trough }) => trough)).toEqual([94, -5]);
  });

  test('stand in a table with depth and length', () => {
    const fold = new FallFold();
    for (const [i, profit] of profits.entries()) fold.add(i * day, profit);
    const drawn = { times: profits.map((_, i) => i * day) };
    const measures = { worstFalls: fold.worst(85, 5), start: 85, currency: 'USD', drawn };
    const [table] = drawdownTable({ measures, noShares: undefined, group: undefined });
    expect(table?.rows[0]).toEqual([
      '1970-01-06T00:00:00.000Z',
      '1970-01-07T00:00:00.000Z',
      'not before the end',
      '12.00 %',
      '12',
      '2.0 d',
    ]);
    expect(table?.rows).toHaveLength(3);
    const [inMoney] = drawdownTable({ measures, noShares: 'assumed', group: undefined });
    expect(inMoney?.columns).toEqual(['from', 'deepest', 'recovered', 'depth, USD', 'length']);
  });
});

describe('the distribution of trade results', () => {
  test('has an edge at 0: what lost and what won are apart', () => {
    const bins = resultBins([-24, -12, -0.5, 0, 0.5, 12, 24]);
    expect(bins).toHaveLength(24);
    const at = (value: number) => bins.find(({ middle }) => Math.abs(middle - value) < 1);
    expect(bins.every(({ losses, gains }) => losses === 0 || gains === 0)).toBe(true);
    expect(at(-1)).toMatchObject({ losses: 2, gains: 0 });
    expect(at(1)).toMatchObject({ losses: 0, gains: 1 });
    expect(bins.at(-1)).toMatchObject({ gains: 1 });
  });

  test('counts every trade once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1 }), (results) => {
        const bins = resultBins(results.map((one) => one / 7));
        const gains = bins.reduce((sum, one) => sum + one.gains, 0);
        const losses = bins.reduce((sum, one) => sum + one.losses, 0);
        expect([gains, losses]).toEqual([
          results.filter((one) => one > 0).length,
          results.filter((one) => one <= 0).length,
        ]);
      }),
    );
  });
});

describe('the rolling Sharpe ratio', () => {
  const growth = (count: number) => Array.from({ length: count }, (_, i) => 0.01 * Math.sin(i) + 0.001);
  const chartOf = (returns: readonly number[], noShares?: string) => {
    let worth = 100;
    const equity = returns.map((one) => (worth *= 1 + one));
    const times = returns.map((_, i) => (i + 1) * day);
    const options = figureOptions.parse({ daysPerYear: 365 });
    return rollingSharpeChart({
      measures: { days: { times, equity }, start: 100, options, currency: 'USD' },
      noShares,
      group: undefined,
    });
  };

  test('is that of the latest 30 days, of half a year or more that of 63', () => {
    const returns = growth(50);
    const [chart] = chartOf(returns);
    expect(chart?.x).toHaveLength(21);
    expect(chart?.x.at(-1)).toBe((50 * day) / 1_000_000);
    expect(chart?.series[0]?.values[0]).toBeCloseTo(sharpeRatio(returns.slice(0, 30), 365), 4);
    expect(chart?.series[0]?.values.at(-1)).toBeCloseTo(sharpeRatio(returns.slice(-30), 365), 4);
    expect(chartOf(growth(130))[0]?.x).toHaveLength(130 - 63 + 1);
  });

  test('is left out of a short run, and where shares say nothing', () => {
    expect(chartOf(growth(39))).toEqual([]);
    expect(chartOf(growth(60), 'assumed')).toEqual([]);
  });
});

test('a run of few trades and days has no bootstrap interval, and says why', () => {
  const of = (trades: number, days: number) =>
    tooShort({
      trips: Array.from({ length: trades }) as never,
      days: { times: Array.from({ length: days }, (_, i) => i * day), equity: [] },
      options: figureOptions.parse({}),
    });
  const reason = 'needs 30 closed trades or 30 days, has 14 and 1';
  expect([of(14, 1), of(30, 1), of(1, 30)]).toEqual([reason, undefined, undefined]);
  const changes = Array.from({ length: 500 }, (_, i) => Math.sin(i));
  const figures = bootstrapFigures(changes, 'BTC', undefined, reason);
  expect(figures.map(({ value, reason: why }) => [value, why])).toEqual([
    [undefined, reason],
    [undefined, reason],
    [undefined, reason],
  ]);
  expect(bootstrapFigures(changes, 'BTC', undefined).every(({ value }) => value !== undefined)).toBe(true);
});

describe('numbers on the page', () => {
  test.each([
    ['1234567.891 USD', '1,234,567.89 USD'],
    ['-45.05687 USDT', '-45.06 USDT'],
    ['0.0001234567 USD', '0.000123 USD'],
    ['0.000060524016759 BTC', '0.00006052 BTC'],
    ['0.00000000000123 BTC', '0.00000000000123 BTC'],
    ['12345 of 67890', '12,345 of 67,890'],
    [
      '0.0000543012345 BTC to 0.00006052402 BTC, of latency alone',
      '0.0000543 BTC to 0.00006052 BTC, of latency alone',
    ],
    ['1234.5 JPY', '1,235 JPY'],
    ['2026-11-21T01:00:08.803Z', '2026-11-21T01:00:08.803Z'],
    ['12.50 %', '12.50 %'],
    ['b702ab7cf1', 'b702ab7cf1'],
  ])('%s is shown as %s', (text, shown) => {
    expect(shownOn(text)).toBe(shown);
  });

  test('have groups of three digits before the point alone', () => {
    expect([grouped('1234567.1234567'), grouped('-999'), grouped('text')]).toEqual([
      '1,234,567.1234567',
      '-999',
      'text',
    ]);
    expect(amountOn('5', 'USD')).toBe('5.00');
  });
});

describe('the whole page', () => {
  const rows = Array.from({ length: 2_000 }, (_, i) => [
    '2026-11-21T01:00:08.803Z',
    '2026-11-21T01:02:08.803Z',
    'BTCUSDT',
    'market-maker',
    'long',
    'limit, maker',
    '0.0500',
    `${40_000 + i}.125`,
    `${40_001 + i}.125`,
    '1.2345678',
    '0.1234567',
    '1.1111111',
    'USDT',
    '0.12 %',
    '2.0 min',
  ]);
  const columns =
    'opened,closed,symbol,strategy,side,exit,quantity,entry price,exit price,gross,fees,net profit,currency,return,holding time';
  const trades = { title: 'Closed trades', definition: 'd', columns: columns.split(','), words: 6, rows };
  const x = Array.from({ length: 1_600 }, (_, i) => 1_700_000_000 + i * 0.5);
  const chart = (id: string) => ({
    id,
    title: id,
    definition: 'd',
    axis: 'time' as const,
    xLabel: 't',
    yLabel: 'USDT',
    x,
    series: [{ label: id, tone: 'main' as const, form: 'line' as const, values: x.map((_, i) => i / 3) }],
  });
  const months = {
    title: 'Return by month',
    definition: 'd',
    columns: ['year', 'Jan', 'Feb', 'year'],
    heat: 'signed' as const,
    rows: [['2024', '5.00 %', '-2.50 %', '40.00 %']],
  };
  const section = (key: string, tables: ReportDocument['sections'][number]['tables'] = []) => ({
    key,
    title: key,
    figures: [],
    tables,
  });
  const page = htmlPage({
    schema: documentSchema,
    title: 't',
    warning: 'incomplete: it threw',
    span: undefined,
    notes: [],
    sections: [
      section('identity'),
      section('parameters'),
      section('return', [months]),
      section('trades', [trades]),
    ],
    charts: [chart('results-USDT'), chart('underwater-USDT'), chart('price-BTCUSDT'), chart('profit-USDT')],
  });

  test('begins with the result: warning, charts, sections, and what the run was made of last', () => {
    const places = [
      'role="alert"',
      'data-chart="profit-USDT"',
      'data-chart="price-BTCUSDT"',
      'data-chart="underwater-USDT"',
      'id="return"',
      'id="trades"',
      'data-chart="results-USDT"',
      'id="parameters"',
      'id="identity"',
    ].map((text) => page.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('has every row of every table, in less than a megabyte', () => {
    expect(page.match(/<tr><td>2026-11-21T01:00:08.803Z/g)).toHaveLength(2_000);
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    // Money has the decimals of its currency.
    expect(page).toContain('<td>1.23<td>0.12<td>1.11<td>USDT');
    expect(page).toContain('<td>40,000.125<td>40,001.125');
  });

  test('shows average prices with nine digits', () => {
    const [row = []] = rows;
    const prices = [...row.slice(0, 7), '0.0500267142857', '41234.5678901234', ...row.slice(9)];
    expect(tableHtml({ ...trades, rows: [prices] })).toContain('<td>0.0500267143<td>41,234.5679<td>');
  });

  test('shades months by sign and size', () => {
    expect(tableHtml(months)).toContain(
      '<td>2024<td class="up" style="--h:60%">5.00 %<td class="down" style="--h:34%">-2.50 %<td class="up" style="--h:60%">40.00 %',
    );
    expect(page).toContain('<table class="w1 heat">');
  });
});
