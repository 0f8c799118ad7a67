import { describe, expect, test } from 'vitest';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { AccountId, ExchangeCommand } from '../../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { oneMarket } from '../../support/markets.ts';
import { accounts, RandomCommands, triangle } from '../../support/random-commands.ts';

const limits = { ordersPerSymbolMax: 6, ordersPerAccountMax: 12, idReuseAfter: seconds(20) };
const start = (Date.UTC(2024, 1, 28, 22) * 1_000) as Micros;

/** Books, client ids and reports, and nothing else. */
function booksOnly(): Exchange {
  const options = { ...limits, spotFunds: false, publicOutcomes: false };
  return new Exchange({ instruments: triangle(), options });
}

/** An exchange in which everybody can afford everything. */
function riches(): Exchange {
  const exchange = new Exchange({ instruments: triangle(), options: limits });
  for (const account of accounts) {
    for (const currency of ['AAA', 'BBB', 'CCC'])
      exchange.handle(
        { kind: 'adjustBalance', account, currency, change: parseAmount('1000000000000000') },
        start,
      );
  }
  return exchange;
}

/** What became of orders, without fees. */
function happened(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.kind === 'refused') return [`${outcome.account} ${outcome.clientOrderId} ${outcome.code}`];
    if (outcome.kind !== 'report') return [];
    const { account, reportType, order, fill, list } = outcome;
    const filled = fill === undefined ? '' : { ...fill, fee: '' };
    return [`${account} ${reportType} ${JSON.stringify([order, filled, list])}`];
  });
}

/** The same command by the way in that needs no object for it, where there is one. */
function directly(exchange: Exchange, command: ExchangeCommand, now: Micros): readonly Outcome[] {
  if (command.kind === 'cancel') return exchange.cancel(command.account, command.clientOrderId, now);
  if (command.kind === 'place' && command.takeMarkup === zero && command.makeMarkup === zero)
    return exchange.place(command.account, command.request, now);
  return exchange.handle(command, now);
}

describe('an exchange without funds and public outcomes', () => {
  test('does with orders what one does in which every account is rich', () => {
    const seed = process.env['GODWIT_TEST_SEED'] ?? String(process.pid);
    const rich = riches();
    const bare = booksOnly();
    const commands = new RandomCommands(new Random(seed), start);
    const codes = new Set<string>();
    let reports = 0;
    for (let i = 0; i < 20_000; i++) {
      const command = commands.next();
      if (command.kind === 'adjustBalance') continue;
      const expected = rich.handle(command, commands.now);
      const found = directly(bare, command, commands.now);
      expect(happened(found), `command ${i} of seed ${seed}`).toEqual(happened(expected));
      commands.observe(expected);
      for (const outcome of found) {
        expect(['report', 'refused', 'status']).toContain(outcome.kind);
        if (outcome.kind === 'refused') codes.add(outcome.code);
        if (outcome.kind !== 'report') continue;
        reports += 1;
        expect(outcome.fill?.fee ?? zero).toBe(zero);
      }
    }
    for (const account of accounts) {
      expect(bare.activeOrders(account)).toEqual(rich.activeOrders(account));
      expect(bare.balances(account)).toEqual([]);
    }
    expect(['BBB', 'CCC'].map((currency) => bare.collectedFees(currency))).toEqual([zero, zero]);
    expect(codes).not.toContain('INSUFFICIENT_FUNDS');
    expect(codes).toContain('ORDER_LIMIT');
    expect(reports).toBeGreaterThan(10_000);
  });

  test('asks margin orders for margin all the same', () => {
    const instruments = oneMarket({ marginTrading: true });
    const exchange = new Exchange({ instruments, options: { spotFunds: false } });
    const request = {
      clientOrderId: 'on-margin' as ClientOrderId,
      instrument: 0 as InstrumentId,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 1 as Lots,
      price: 100 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    } as const;
    const margin = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;
    const outcomes = exchange.handle(
      { kind: 'place', account: (2 ** 20) as AccountId, request, takeMarkup: zero, makeMarkup: zero, margin },
      start,
    );
    expect(outcomes).toMatchObject([{ kind: 'refused', code: 'MARGIN_NOT_FOUND' }]);
  });
});

test('without public outcomes the others are reported as ever', () => {
  const received = [true, false].map((publicOutcomes) => {
    const commands = new RandomCommands(new Random('public outcomes'), start);
    const exchange = new Exchange({ instruments: triangle(), options: { ...limits, publicOutcomes } });
    const outcomes: Outcome[] = [];
    for (let i = 0; i < 3_000; i++) {
      const found = exchange.handle(commands.next(), commands.now);
      commands.observe(found);
      outcomes.push(...found);
    }
    return outcomes;
  });
  const [all, others] = received.map((outcomes) =>
    outcomes.filter(({ kind }) => kind !== 'level' && kind !== 'trade').map(lineOf),
  );
  expect(others).toEqual(all);
  expect(received[1]).toHaveLength(all?.length ?? 0);
  expect(received[0]?.length).toBeGreaterThan(received[1]?.length ?? 0);
  expect(new Set(received[1]?.map(({ kind }) => kind))).toEqual(
    new Set(['refused', 'balance', 'report', 'status']),
  );
});

function lineOf(outcome: Outcome): string {
  if (outcome.kind === 'report') return happened([outcome]).join();
  return JSON.stringify(outcome.kind === 'balance' ? [outcome.currency, `${outcome.available}`] : outcome);
}

describe('a report', () => {
  test('says how the order was when it happened, whatever has become of it and of its record since', () => {
    const exchange = new Exchange({ instruments: oneMarket(), options: { spotFunds: false } });
    const order = (id: string, side: 'buy' | 'sell', quantity: number) => ({
      clientOrderId: id as ClientOrderId,
      instrument: 0 as InstrumentId,
      side,
      type: 'limit' as const,
      timeInForce: 'GTC' as const,
      quantity: quantity as Lots,
      price: 100 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    });
    const account = 1 as AccountId;
    const placed = exchange.place(account, order('first-order', 'buy', 5), 1 as Micros);
    const traded = exchange.place(account, order('second-order', 'sell', 2), 2 as Micros);
    exchange.cancel(account, 'first-order', 3 as Micros);
    exchange.place(account, order('third-order', 'sell', 9), 4 as Micros);
    const [report] = placed;
    const [, made] = traded;
    expect(report?.kind === 'report' && report.order).toEqual({
      ...order('first-order', 'buy', 5),
      venueOrderId: '1',
      state: 'new',
      cumulative: 0,
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: 1,
      updatedAt: 1,
    });
    expect(report?.kind === 'report' && report.order).toBe(report?.kind === 'report' && report.order);
    expect(made).toMatchObject({
      reportType: 'trade',
      fill: { price: 100, quantity: 2, taker: false },
      order: { clientOrderId: 'first-order', state: 'partiallyFilled', cumulative: 2, updatedAt: 2 },
    });
  });
});
