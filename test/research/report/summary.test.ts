import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { Side } from '../../../src/core/model/order.ts';
import { EquityCurve } from '../../../src/research/report/fold/equity.ts';
import { SessionHolding } from '../../../src/research/report/fold/holdings.ts';
import { renderReport, reportJson } from '../../../src/research/report/render/terminal.ts';
import { percentShare } from '../../../src/research/report/document/figure-text.ts';
import { StatusLine } from '../../../src/research/report/render/text.ts';
import { runReport } from '../../../src/research/report/sections/run.ts';
import { defineStrategy, z } from '../../../src/core/strategy/index.ts';
import { Scene, specs } from '../../core/strategy/scene.ts';
import { answered, at, fill as executed, placed, request } from '../../core/state/support/world.ts';
import { summed } from './support/summed.ts';

const symbol = 'ETHBTC';
const onMargin = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;

/** A scene whose one strategy places what it is given, and a summary that watches. */
function watched() {
  const scene = new Scene();
  const { summary, observe } = summed({
    instruments: scene.instruments,
    book: (instrument) => scene.state.book(instrument),
  });
  let place: (side: Side, price: number, quantity: number) => void = () => {};
  const definition = defineStrategy({
    name: 'hand',
    params: z.strictObject({}),
    feeds: () => [{ symbol, book: true }],
    create: ({ orders }) => {
      place = (side, price, quantity) => void orders.place({ symbol, side, price, quantity });
      return {};
    },
  });
  scene.add(definition).start();
  let seen = 0;
  const catchUp = (): void => {
    for (const event of scene.events.slice(seen)) observe(event);
    seen = scene.events.length;
  };
  const buySell = (side: Side, price: number, quantity: number): void => {
    place(side, price, quantity);
    const order = scene.open().at(-1);
    if (order !== undefined) scene.fill(order.clientOrderId, quantity);
    catchUp();
  };
  return {
    scene,
    summary,
    observe,
    buySell,
    catchUp,
    place: (...order: [Side, number, number]) => place(...order),
  };
}

const instrument = new Instruments(specs).get(symbol);

describe('a summary', () => {
  test('shows what earlier sessions left, which its figures are not of', () => {
    const { summary } = watched();
    const { id } = instrument;
    summary.opening.bring([
      { instrument: id, held: instrument.quantityAmount(25 as Lots) },
      { instrument: id, held: instrument.quantityAmount(5 as Lots) },
    ]);
    expect(runReport(summary, { identity: {} }).notes).toEqual([
      `${symbol}: ${instrument.quantityText(30 as Lots)} ETH held from earlier sessions are in neither position nor profit`,
    ]);
    summary.opening.bring([{ instrument: id, held: instrument.quantityAmount(-30 as Lots) }]);
    expect(runReport(summary, { identity: {} }).notes).toEqual([]);
  });

  test('adds fills, fees and the marked position up exactly', () => {
    const { scene, summary, buySell, catchUp } = watched();
    scene.book([[99, 50]], [[101, 50]]);
    buySell('buy', 100, 30);
    buySell('sell', 110, 10);
    scene.book([[119, 50]], [[121, 50]]);
    catchUp();
    // Cash: -30 x 100 + 10 x 110 = -1900 units; position 20 at 120; rebates of 0.01 % on 4100.
    const unit = 10n ** 14n;
    const rebate = (4_100n * unit) / 10_000n;
    expect(summary.profit('BTC')).toBe((2_400n - 1_900n) * unit + rebate);
    const holding = summary.holding(instrument.id);
    expect(holding?.position).toMatchObject({ quantity: 20, fillCount: 2, realized: 100n * unit });
    expect(holding?.makerFills).toBe(2);
    expect(holding?.position.fees).toBe(-rebate);
  });

  test('shows what closing brought to the last digit that fills can come to', () => {
    const { scene, summary, buySell, catchUp } = watched();
    scene.book([[99, 50]], [[101, 50]]);
    buySell('buy', 100, 1);
    buySell('buy', 101, 2);
    buySell('sell', 110, 1);
    scene.book([[109, 50]], [[111, 50]]);
    catchUp();
    // 110 less an average of 302 / 3: 9.333... ticks of 0.000001 at 0.0001.
    const [result] = runReport(summary, { identity: {} }).instruments;
    expect(result?.realized).toBe('0.0000000009');
    expect(summary.holding(instrument.id)?.position.realized).toBe((28n * 10n ** 14n + 2n) / 3n);
  });

  test('counts every order once, by how it ended', () => {
    const { scene, summary, place, buySell, catchUp } = watched();
    scene.book([[99, 50]], [[101, 50]]);
    buySell('buy', 100, 3);
    place('buy', 90, 1);
    const [order] = scene.open();
    if (order !== undefined) scene.report(order, 'canceled');
    scene.refuse = () => true;
    place('buy', 90, 1);
    scene.refuse = () => false;
    place('sell', 190, 1);
    catchUp();
    expect(summary.tally.counts()).toEqual({
      placed: 3,
      brought: 0,
      denied: 1,
      rejected: 0,
      canceled: 1,
      expired: 0,
      filled: 1,
      replaced: 0,
      open: 1,
      endedWithFill: 1,
      cancels: 0,
      unknown: 0,
    });
    expect([...summary.tally.denials]).toEqual([['NOTIONAL_MAX', 1]]);
  });

  test('an execution of a margin account that the trade history repeats counts once, in its account', () => {
    const { summary, observe, catchUp } = watched();
    const order = {
      ...request('m', { instrument: instrument.id, margin: onMargin }),
      venueOrderId: '9m',
      state: 'filled' as const,
      cumulative: 10 as Lots,
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: 5 as Micros,
      updatedAt: 10 as Micros,
    };
    const fill = { ...executed('7', 10), positionId: 3 };
    catchUp();
    observe(placed('m', { instrument: instrument.id, margin: onMargin }));
    observe({ kind: 'orderReport', ...at(10), reportType: 'trade', order, fill });
    const { clientOrderId, venueOrderId, side } = order;
    const row = { ...fill, instrument: instrument.id, clientOrderId, venueOrderId, side };
    const read = answered({ of: 'tradeHistory', product: 'margin', since: 0 as Micros }, {});
    observe({ ...read, fills: [row] });
    observe({ ...read, fills: [row] });
    expect(summary.holdings().map(({ account, position }) => [account, position.fillCount])).toEqual([
      ['isolated', 1],
    ]);
    expect(summary.holding(instrument.id, 'isolated')?.position.quantity).toBe(10);
  });

  test('a repeated report books nothing twice, and fills of others are left out and said', () => {
    const { scene, summary, observe, buySell, catchUp } = watched();
    buySell('buy', 100, 3);
    const report = scene.of('orderReport').at(-1);
    if (report === undefined) throw new Error('no report');
    scene.publish(report);
    const clientOrderId = 'made-by-hand-1' as typeof report.order.clientOrderId;
    const { order, fill } = report;
    observe({ ...report, order: { ...order, clientOrderId }, fill: fill && { ...fill, tradeId: 'theirs' } });
    catchUp();
    expect(summary.holding(instrument.id)?.position.fillCount).toBe(1);
    expect(summary.externalFills).toBe(1);
    expect(runReport(summary, { identity: {} }).notes).toEqual([
      'fills of orders that are not ours, left out: 1',
      'ETHBTC is valued at its last fill, because there is no live book',
    ]);
  });

  test('samples equity once a second and remembers the deepest fall', () => {
    const { scene, summary, buySell, catchUp } = watched();
    scene.book([[99, 50]], [[101, 50]]);
    buySell('buy', 100, 10);
    for (const mid of [110, 140, 90, 130]) {
      scene.wait(1_000);
      scene.book([[mid - 1, 50]], [[mid + 1, 50]]);
      catchUp();
    }
    const curve = summary.curves().get('BTC');
    expect(curve?.count).toBe(4);
    // From 140 to 90 with 10 lots.
    expect(curve?.drawdownMax).toBe(500n * 10n ** 14n);
  });
});

describe('a report', () => {
  test('says N/A and why where the samples are too few', () => {
    const { scene, summary, buySell } = watched();
    scene.book([[99, 50]], [[101, 50]]);
    buySell('buy', 100, 10);
    summary.opening.read([{ currency: 'BTC', available: parseAmount('0.00000001'), reserved: zero }]);
    const report = runReport(summary, { identity: { seed: 7, data: 'ab12' } });
    const [result] = report.results;
    expect(result?.returnOnCapital).toEqual({ value: '0.10 %' });
    expect(report.orders.fillRatio).toEqual({ value: undefined, reason: 'needs 30 ended orders, has 1' });
    expect(report.instruments[0]).toMatchObject({
      position: '0.001',
      makerShare: { value: '100.00 %' },
      markedAt: '0.0001 (mid)',
    });
    expect(JSON.parse(reportJson(report))).toMatchObject({ identity: { seed: 7 }, orders: { placed: 1 } });
    const text = renderReport(report, { colours: false });
    expect(text).toContain('  fill ratio              N/A (needs 30 ended orders, has 1)\n');
    expect(text).toContain('  profit                  0.00000000001\n');
    expect(text).not.toContain('\u001B');
    expect(renderReport(report, { colours: true })).toContain('\u001B[32m0.00000000001\u001B[0m');
  });

  test('of an empty run is a report all the same', () => {
    const report = runReport(summed({ instruments: new Instruments(specs) }).summary, {
      identity: { seed: 1 },
    });
    expect(report.span).toBeUndefined();
    expect(renderReport(report, { colours: false })).toContain('placed                  0');
  });
});

/** An account that holds what an earlier session left. */
const account = { position: parseAmount('0.0025'), open: 2, unknown: 1, standing: 'up' };

test('the status line is aligned under its header and counts messages since the line before', () => {
  const { scene, summary, buySell, catchUp } = watched();
  const line = new StatusLine(summary, instrument.id, { colours: false });
  const header = line.header();
  const first = line.render({ time: scene.clock.now(), ...account, budgetUse: 0 });
  expect(header).toHaveLength(80);
  expect(first.split(/\s+/).slice(0, 3)).toEqual(['22:13:20', symbol, '-']);
  scene.wait(2_000);
  for (let i = 0; i < 20; i++) scene.book([[99, 50 + i]], [[102, 50]]);
  buySell('buy', 100, 10);
  catchUp();
  const second = line.render({ time: scene.clock.now(), ...account, budgetUse: 0.127 });
  expect(second.split(/\s+/)).toEqual([
    '22:13:22',
    symbol,
    '0.0001005',
    '0.0025',
    '2',
    '0.00000000',
    '1',
    '1',
    '13%',
    '12',
    '1',
    'unknown',
  ]);
  expect(line.render({ time: scene.clock.now(), ...account, unknown: 0, budgetUse: 0.127 })).toHaveLength(80);
  scene.trade(101, 1);
  const gap = { reason: 'gap', expected: 2, found: 4 } as const;
  scene.publish({ kind: 'bookStale', instrument: instrument.id, ...gap, ...scene.times });
  catchUp();
  const third = line.render({ time: scene.clock.now(), ...account, budgetUse: 0 });
  expect(third).toContain(' ~0.000101 ');
});

test('a share of capital too small for two decimals keeps three digits, and none is minus nothing', () => {
  expect(percentShare(-2_073, 4e12)).toBe('-0.0000000518 %');
  expect(percentShare(0, 5)).toBe('0.00 %');
  expect(percentShare(1, 3)).toBe('33.33 %');
});

test('realized and open profit of any fills add up to their cash and value', () => {
  const fills = fc.array(
    fc.record({
      buys: fc.boolean(),
      price: fc.integer({ min: 1, max: 1_000 }),
      lots: fc.integer({ min: 1, max: 50 }),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(fills, (list) => {
      const holding = new SessionHolding(instrument);
      let open = 0n;
      list.forEach(({ buys, price, lots }, index) => {
        const fill = {
          tradeId: String(index),
          price: price as Ticks,
          quantity: lots as Lots,
          fee: zero,
          taker: true,
          time: 0 as Micros,
        };
        holding.book(fill, buys ? 'buy' : 'sell');
        open += BigInt(buys ? lots : -lots);
      });
      const { quantity, realized, cash } = holding.position;
      expect(BigInt(quantity)).toBe(open);
      // Flat: every unit of profit is realized, but for the cut divisions of partial closes.
      if (quantity === 0) {
        const gap = realized - cash;
        expect(gap < 1_000n && gap > -1_000n).toBe(true);
      }
      expect(holding.profit(zero)).toBe(cash);
    }),
  );
});

test('a long curve keeps its shape, its peak and its end in bounded room', () => {
  const curve = new EquityCurve();
  for (let i = 0; i < 250_000; i++)
    curve.sample((i * 1e6) as Micros, BigInt(i === 123_457 ? -5 : i) as Amount);
  const samples = curve.samples();
  expect(samples.length).toBeLessThan(100_001);
  expect(samples.at(-1)?.equity).toBe(249_999n);
  expect(curve.drawdownMax).toBe(123_461n);
  expect(curve.count).toBe(250_000);
  expect(formatAmount(curve.last)).toBe('0.000000000000000000249999');
});
