import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { FakeVenue } from './support/fake-venue.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

function running(parts: WorldParts = {}, since: Micros = seconds(1)): { world: World; venue: FakeVenue } {
  const world = new World({ ready: false, ...parts });
  world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
  const venue = new FakeVenue(world);
  world.market();
  world.money({ AAA: '1000', BBB: '1000000', CCC: '1000' });
  venue.up();
  world.clock.advance(since);
  return { world, venue };
}

/** The socket reports an execution of all of an order; the venue has it as `fee` says, or not at all. */
function reportFill(
  world: World,
  venue: FakeVenue,
  id: ClientOrderId,
  more: { fee?: string; shown?: string } = {},
) {
  const order = venue.orders.get(id)?.order;
  if (order === undefined) throw new Error(`the venue has no order ${id}`);
  const { fee = '0.5', shown } = more;
  const time = world.clock.now();
  const fill = {
    tradeId: `t-${id}`,
    price: order.price as Ticks,
    quantity: order.quantity,
    taker: false,
    time,
    fee: parseAmount(fee),
  };
  const trade: OwnTrade = {
    ...fill,
    instrument: order.instrument,
    clientOrderId: id,
    venueOrderId: order.venueOrderId,
    side: order.side,
  };
  const filled = { ...order, state: 'filled', cumulative: order.quantity, updatedAt: time } as const;
  venue.orders.set(id, {
    order: shown === undefined ? { ...order, state: 'canceled' } : filled,
    since: time,
  });
  if (shown !== undefined) {
    venue.trades.push({ ...trade, fee: parseAmount(shown) });
    paid(world, trade, parseAmount(shown));
  }
  world.step({ kind: 'orderReport', ...world.times, reportType: 'trade', order: filled, fill });
  return trade;
}

/** The balances show what an execution moved. */
function paid(world: World, { instrument: id, side, price, quantity }: OwnTrade, fee: Amount): void {
  const instrument = world.instruments.at(id);
  const sign = side === 'buy' ? 1n : -1n;
  const base = world.state.balance('AAA').available + sign * instrument.quantityAmount(quantity);
  const quote = world.state.balance('BBB').available - sign * instrument.notional(price, quantity) - fee;
  world.money({ AAA: formatAmount(base as Amount), BBB: formatAmount(quote as Amount) });
}

const positionOf = (world: World) => world.state.position(world.instrument().id, 'maker');
const rows = (world: World) => world.state.differences.all.map(({ kind, reads }) => `${kind} ${reads}`);
const corrections = (world: World) =>
  world.ofKind('executionCorrected').map(({ correction }) => correction.cause);

function placed(world: World): ClientOrderId {
  const id = world.place() as ClientOrderId;
  world.clock.advance(millis(50));
  return id;
}

describe('an execution that the socket reports', () => {
  test('and that no list, history or balance shows is withdrawn after 90 s and two complete reads, once', () => {
    const { world, venue } = running();
    const real = placed(world);
    reportFill(world, venue, real, { shown: '0.5' });
    world.clock.advance(seconds(61));
    expect(rows(world)).toEqual([]);
    const before = positionOf(world);
    reportFill(world, venue, placed(world));
    const balances = world.state.balances();
    world.clock.advance(seconds(80));
    expect(positionOf(world).fillCount).toBe(before.fillCount + 1);
    expect(rows(world)).toEqual([expect.stringMatching(/^execution [12]$/)]);
    expect(corrections(world)).toEqual([]);
    world.clock.advance(seconds(60));
    expect(corrections(world)).toEqual(['withdrawn']);
    expect(positionOf(world)).toEqual(before);
    expect(rows(world)).toEqual([]);
    expect(world.state.balances()).toEqual(balances);
    world.clock.advance(seconds(600));
    expect(corrections(world)).toEqual(['withdrawn']);
  });

  test('that is withdrawn by the look that confirms what balances lack leaves no money unexplained', () => {
    const { world, venue } = running();
    world.clock.advance(seconds(120));
    reportFill(world, venue, placed(world));
    for (let look = 0; look < 5; look++) {
      venue.down();
      venue.up();
      world.clock.advance(seconds(2));
    }
    venue.deafReads = Infinity;
    world.clock.advance(seconds(100));
    venue.down();
    venue.deafReads = 0;
    venue.up();
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['withdrawn']);
    expect(world.ofKind('moneyMoved')).toEqual([]);
  });

  test.each([100, 400, 700, 900, 1_500, 3_000])(
    'that came %d ms after the start, before a look at still balances, leaves no money unexplained when it is withdrawn',
    (ms) => {
      const { world, venue } = running({}, millis(ms));
      reportFill(world, venue, placed(world));
      world.clock.advance(seconds(600));
      expect(corrections(world)).toEqual(['withdrawn']);
      expect(world.ofKind('moneyMoved')).toEqual([]);
      expect(rows(world)).toEqual([]);
    },
  );

  test.each([100, 400, 700, 900, 1_500, 3_000])(
    'that came %d ms after the start leaves no money unexplained when its fee is corrected',
    (ms) => {
      const { world, venue } = running({}, millis(ms));
      reportFill(world, venue, placed(world), { shown: '5' });
      world.clock.advance(seconds(600));
      expect(corrections(world)).toHaveLength(1);
      expect(world.ofKind('moneyMoved')).toEqual([]);
      expect(rows(world)).toEqual([]);
    },
  );

  test('of a part of an order that lives on is withdrawn, and the order has all of it left', () => {
    const { world, venue } = running();
    const id = placed(world);
    const order = venue.orders.get(id)?.order;
    if (order === undefined) throw new Error('expected the order');
    const time = world.clock.now();
    const fill = { tradeId: '77', price: 9_900 as Ticks, quantity: 4 as Lots, fee: zero, taker: false, time };
    const part = { ...order, state: 'partiallyFilled', cumulative: 4 as Lots } as const;
    world.step({ kind: 'orderReport', ...world.times, reportType: 'trade', order: part, fill });
    const { id: instrument } = world.instrument();
    expect(world.state.workingLots(instrument, 'buy')).toBe(6);
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['withdrawn']);
    expect(world.state.order(id)).toMatchObject({ state: 'new', cumulative: 0 });
    expect(world.state.workingLots(instrument, 'buy')).toBe(10);
    expect(positionOf(world).quantity).toBe(0);
    venue.fillSilently(id, 10);
    world.clock.advance(seconds(61));
    expect(world.state.order(id)?.state).toBe('filled');
    expect(positionOf(world)).toMatchObject({ quantity: 10, fillCount: 1 });
  });

  test('stays while the history lags, and a row of it ends the difference', () => {
    const { world, venue } = running();
    venue.historyLagMs = 85_000;
    reportFill(world, venue, placed(world), { shown: '0.5' });
    world.clock.advance(seconds(70));
    expect(rows(world).length).toBe(1);
    world.clock.advance(seconds(60));
    expect(rows(world)).toEqual([]);
    expect(corrections(world)).toEqual([]);
    expect(positionOf(world).fillCount).toBe(1);
  });

  test('that is withdrawn is booked again when the history shows it late, and that is said', () => {
    const { world, venue } = running();
    const id = placed(world);
    const trade = reportFill(world, venue, id);
    const noted = positionOf(world);
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['withdrawn']);
    venue.trades.push(trade);
    world.clock.advance(seconds(120));
    expect(positionOf(world)).toEqual(noted);
    expect(world.ofKind('strategyNoted').map(({ text }) => text)).toEqual([
      `trade ${trade.tradeId} of order ${id} was withdrawn, and the venue shows it now: it is booked again`,
    ]);
  });

  test('is not withdrawn where its order has executed as much at the venue', () => {
    const { world, venue } = running();
    const id = placed(world);
    reportFill(world, venue, id, { shown: '0.5' });
    venue.trades.length = 0;
    world.clock.advance(seconds(400));
    expect(corrections(world)).toEqual([]);
    expect(world.state.differences.all[0]?.cause).toMatch(/but its order has executed as much at the venue$/);
  });

  test('is not withdrawn where the balance has moved by exactly as much', () => {
    const { world, venue } = running();
    reportFill(world, venue, placed(world), { shown: '0.5' });
    world.clock.advance(seconds(61));
    const id = placed(world);
    paid(world, reportFill(world, venue, id), parseAmount('0.5'));
    expect(formatAmount(positionOf(world).held)).toBe('2');
    world.clock.advance(seconds(300));
    expect(corrections(world)).toEqual([]);
    expect(world.state.differences.all[0]?.cause).toMatch(/but the balance of AAA has it$/);
  });

  test('is withdrawn over a restart, too', () => {
    const { world, venue } = running();
    reportFill(world, venue, placed(world));
    world.clock.advance(seconds(20));
    const next = new World({ after: world, run: 'r2', ready: false });
    venue.attach(next);
    next.step({ kind: 'runStarted', ...next.times, run: 'r2', mode: 'live' });
    venue.up(next);
    next.clock.advance(seconds(200));
    expect(next.state.position(next.instrument().id, 'maker').quantity).toBe(0);
    expect(corrections(next)).toEqual(['withdrawn']);
  });

  test.each([
    ['an hour back', -3_600],
    ['an hour ahead', 3_600],
  ])('is withdrawn 90 s after a restart with the clock set %s, not sooner', (_, step) => {
    const { world, venue } = running();
    reportFill(world, venue, placed(world));
    const clock = new VirtualClock((world.clock.now() + seconds(step)) as Micros);
    const next = new World({ after: world, run: 'r2', ready: false, clock });
    venue.attach(next);
    next.step({ kind: 'runStarted', ...next.times, run: 'r2', mode: 'live' });
    venue.up(next);
    next.clock.advance(seconds(85));
    expect(corrections(next)).toEqual([]);
    next.clock.advance(seconds(65));
    expect(corrections(next)).toEqual(['withdrawn']);
  });

  test.each([
    ['ten times as high', '5', '5'],
    ['negative', '-0.1', '-0.1'],
  ])(
    'with a fee that the history tells otherwise (%s) has it after two complete reads, once',
    (_, shown, fee) => {
      const { world, venue } = running();
      reportFill(world, venue, placed(world), { shown });
      world.clock.advance(seconds(61));
      expect(formatAmount(positionOf(world).fees)).toBe('0.5');
      expect(rows(world)).toEqual(['terms 1']);
      world.clock.advance(seconds(61));
      expect(formatAmount(positionOf(world).fees)).toBe(fee);
      expect(rows(world)).toEqual([]);
      world.clock.advance(seconds(600));
      expect(corrections(world)).toEqual(['fee']);
      expect(positionOf(world)).toMatchObject({ quantity: 10, fillCount: 1 });
    },
  );

  test('with a quantity that the history tells otherwise has that one', () => {
    const { world, venue } = running();
    reportFill(world, venue, placed(world), { shown: '0.5' });
    const [trade] = venue.trades as [OwnTrade];
    venue.trades.splice(0, 1, { ...trade, quantity: 4 as Lots });
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['terms']);
    expect(positionOf(world)).toMatchObject({ quantity: 4, fillCount: 1 });
  });
});

describe('an exit', () => {
  test('goes at once, but closes no execution that a complete read did not show until it is settled', () => {
    const { world, venue } = running();
    reportFill(world, venue, placed(world), { shown: '0.5' });
    world.clock.advance(seconds(61));
    reportFill(world, venue, placed(world));
    world.market();
    const exit = { side: 'sell', price: 10_050 as Ticks } as const;
    const early = world.place({ ...exit, quantity: 20 as Lots });
    expect(world.state.order(early as ClientOrderId)?.state).toBe('pending');
    world.step({
      kind: 'operatorActed',
      ...world.times,
      act: { act: 'cancelAll' } as never,
      who: 'me',
      why: '',
    });
    world.clock.advance(seconds(65));
    world.market();
    expect(rows(world)).toEqual([expect.stringMatching(/^execution/)]);
    expect(world.place({ ...exit, quantity: 20 as Lots })).toBe('POSITION_IN_DOUBT');
    world.clock.advance(seconds(2));
    const certain = world.place({ ...exit, quantity: 10 as Lots });
    expect(world.state.order(certain as ClientOrderId)?.state).toBe('pending');
    world.clock.advance(seconds(2));
    expect(world.place({ ...exit, quantity: 10 as Lots })).toBe('POSITION_IN_DOUBT');
  });
});

describe('limits on loss', () => {
  test('count as before an execution that never was, and one that it reached is cleared', () => {
    const { world, venue } = running({ options: { loss: { BBB: { drawdown: '3', action: 'reducing' } } } });
    const id = placed(world);
    reportFill(world, venue, id, { fee: '50' });
    expect(world.state.losses.latches.length).toBe(1);
    const peak = world.ofKind('profitMarked')[0]?.mark.peak ?? zero;
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['withdrawn']);
    expect(world.state.losses.latches).toEqual([]);
    expect(world.state.losses.mark({ strategy: undefined, currency: 'BBB' })?.peak).toBe(peak);
  });

  test('of losing trades in a row: one that never was counts no more, and the others still do', () => {
    const { world, venue } = running({
      options: {
        loss: { BBB: { losingTrades: 2, action: 'reducing' } },
        duplicateMs: 0,
        collarPercent: 100,
      },
    });
    const done = (side: 'buy' | 'sell', price: number, shown?: string): void => {
      const id = world.place({ side, price: price as Ticks }) as ClientOrderId;
      expect(id).toMatch(/^gw-/);
      world.clock.advance(millis(50));
      reportFill(world, venue, id, shown === undefined ? {} : { shown });
      world.clock.advance(seconds(2));
    };
    const counted = () => world.state.losses.losingTrades({ strategy: undefined, currency: 'BBB' });
    done('buy', 10_000, '0.5');
    done('sell', 9_900, '0.5');
    done('buy', 10_000, '0.5');
    expect(counted()).toBe(1);
    done('sell', 9_900);
    expect(counted()).toBe(2);
    expect(world.state.losses.latches).toHaveLength(1);
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['withdrawn']);
    expect(positionOf(world)).toMatchObject({ quantity: 10 });
    expect(counted()).toBe(1);
    expect(world.state.losses.latches).toEqual([]);
  });

  test('a loss that only a wrong fee of a report made is none, and a limit that it reached is cleared', () => {
    const { world, venue } = running({ options: { loss: { BBB: { drawdown: '20', action: 'reducing' } } } });
    const id = placed(world);
    reportFill(world, venue, id, { fee: '50', shown: '0.5' });
    expect(world.state.losses.latches).toHaveLength(1);
    world.clock.advance(seconds(200));
    expect(corrections(world)).toEqual(['fee']);
    expect(world.state.losses.latches).toEqual([]);
    expect(world.state.courses.of('BBB').drawdownMax).toBeLessThan(parseAmount('2'));
  });
});

test('an order that executed more than the trades that are known is a difference until the history shows them', () => {
  const { world, venue } = running();
  venue.historyLagMs = 100_000;
  const id = placed(world);
  const order = venue.orders.get(id)?.order;
  if (order === undefined) throw new Error('expected the order');
  venue.fillSilently(id, 10);
  paid(world, venue.trades[0] as OwnTrade, zero);
  const filled = { ...order, state: 'filled', cumulative: 10 as Lots } as const;
  world.step({ kind: 'orderReport', ...world.times, reportType: 'status', order: filled, fill: undefined });
  world.clock.advance(seconds(70));
  expect(world.state.differences.all).toMatchObject([
    { kind: 'unseenExecution', clientOrderId: id, strategy: 'maker' },
  ]);
  world.clock.advance(seconds(120));
  expect(rows(world)).toEqual([]);
  expect(positionOf(world)).toMatchObject({ quantity: 10, fillCount: 1 });
});

test('a live order that is not of this bot has a row while it is listed', () => {
  const { world, venue } = running();
  const request = { clientOrderId: 'by-hand-00001' as ClientOrderId };
  const id = placed(world);
  const order = venue.orders.get(id)?.order;
  if (order === undefined) throw new Error('expected the order');
  venue.put({ ...order, ...request });
  world.clock.advance(seconds(200));
  expect(world.state.differences.all).toMatchObject([
    { key: 'order by-hand-00001', kind: 'order', reads: 1, amount: parseAmount('1') },
  ]);
  venue.orders.delete(request.clientOrderId);
  world.clock.advance(seconds(61));
  expect(rows(world)).toEqual([]);
});

test('a trade of the history without an order is booked once, to no strategy, and explains the balances', () => {
  const { world, venue } = running();
  world.clock.advance(seconds(70));
  const trade: OwnTrade = {
    tradeId: 't-alone',
    instrument: world.instrument().id,
    clientOrderId: 'not-known-anywhere' as ClientOrderId,
    venueOrderId: '999',
    side: 'buy',
    price: 100 as Ticks,
    quantity: 5 as Lots,
    taker: true,
    time: world.clock.now(),
    fee: parseAmount('0.25'),
  };
  venue.trades.push(trade);
  paid(world, trade, trade.fee);
  world.clock.advance(seconds(200));
  const { id } = world.instrument();
  expect(world.state.position(id, 'external')).toMatchObject({ quantity: 5, fees: trade.fee, fillCount: 1 });
  expect(positionOf(world)).toMatchObject({ quantity: 0, fillCount: 0 });
  expect(rows(world)).toEqual([]);
  expect(world.ofKind('moneyMoved')).toEqual([]);
});
