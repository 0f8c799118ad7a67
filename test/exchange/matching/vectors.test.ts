import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../../src/core/base/amount.ts';
import { micros } from '../../../src/core/base/clock.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Side, TimeInForce } from '../../../src/core/model/order.ts';
import { oneMarket } from '../../support/markets.ts';

const file = new URL('../../../../shared/data/conformance/matching_vectors.json', import.meta.url);
const present = existsSync(file);
if (!present) process.stderr.write('matching vectors are skipped: the shared conformance data is not here\n');

type QuantcupOrder = [side: 'bid' | 'ask', price: number, size: number, trader?: string];

interface Vectors {
  exchange_exercise: {
    cases: { input: string[]; trades: [string, string, number, number][]; output_md5: string }[];
  };
  quantcup: {
    cases: {
      test: number;
      orders: QuantcupOrder[];
      then_cancel_ids: number[];
      then_orders: QuantcupOrder[];
      execution_sizes: number[];
      resting_trader?: string;
    }[];
  };
}

const vectors = (
  present
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { exchange_exercise: { cases: [] }, quantcup: { cases: [] } }
) as Vectors;
const instrument = 0 as InstrumentId;

/** An exchange of one free market in which everybody is rich. */
class Venue {
  readonly exchange: Exchange;

  constructor(spec: Parameters<typeof oneMarket>[0] = {}) {
    this.exchange = new Exchange({ instruments: oneMarket(spec) });
  }

  enrich(account: AccountId, currency: string, amount: string): void {
    const change = parseAmount(amount);
    this.exchange.handle({ kind: 'adjustBalance', account, currency, change }, micros(0));
  }

  place(
    account: AccountId,
    id: string,
    order: { side: Side; price: number; quantity: number; timeInForce?: TimeInForce },
  ): readonly Outcome[] {
    const request = {
      clientOrderId: id as ClientOrderId,
      instrument,
      side: order.side,
      type: 'limit',
      timeInForce: order.timeInForce ?? 'GTC',
      quantity: order.quantity as Lots,
      price: order.price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    } as const;
    return this.exchange.handle(
      { kind: 'place', account, request, takeMarkup: zero, makeMarkup: zero },
      micros(0),
    );
  }

  cancel(account: AccountId, clientOrderId: string): readonly Outcome[] {
    return this.exchange.handle({ kind: 'cancel', account, clientOrderId }, micros(0));
  }
}

/** The executions among outcomes: aggressor, resting order, price, size. */
function executions(outcomes: readonly Outcome[]): [string, string, number, number][] {
  const found: [string, string, number, number][] = [];
  let resting = '';
  for (const outcome of outcomes) {
    if (outcome.kind !== 'report' || outcome.fill === undefined) continue;
    const { price, quantity, taker } = outcome.fill;
    if (taker) found.push([outcome.order.clientOrderId, resting, price, quantity]);
    else resting = outcome.order.clientOrderId;
  }
  return found;
}

describe.skipIf(!present)('published matching vectors', () => {
  test.each(vectors.exchange_exercise.cases)(
    'exchange exercise, $output_md5',
    ({ input, trades, output_md5 }) => {
      const venue = new Venue();
      const account = 1 as AccountId;
      venue.enrich(account, 'AAA', '1000000000');
      venue.enrich(account, 'BBB', '1000000000');
      const done = input.flatMap((line) => {
        const [id = '', side, price, quantity] = line.split(',');
        const order = {
          side: side === 'B' ? 'buy' : 'sell',
          price: Number(price),
          quantity: Number(quantity),
        } as const;
        return executions(venue.place(account, id, order));
      });
      expect(done).toEqual(trades);
      const text = `${done.map((trade) => `trade ${trade.join(',')}\n`).join('')}${table(venue.exchange, input)}`;
      expect(createHash('md5').update(text).digest('hex')).toBe(output_md5);
    },
  );

  test.each(vectors.quantcup.cases)('quantcup test $test', (vector) => {
    const venue = new Venue();
    const traders = ['MAX', 'XAM'];
    for (const [account] of traders.entries()) {
      venue.enrich(account as AccountId, 'AAA', '1000000');
      venue.enrich(account as AccountId, 'BBB', '1000000');
    }
    const owners = new Map<string, string>();
    const place = ([side, price, quantity, trader = 'MAX']: QuantcupOrder): ReturnType<typeof executions> => {
      const id = String(owners.size + 1);
      owners.set(id, trader);
      const account = traders.indexOf(trader) as AccountId;
      return executions(venue.place(account, id, { side: side === 'bid' ? 'buy' : 'sell', price, quantity }));
    };
    const first = vector.orders.flatMap(place);
    for (const id of vector.then_cancel_ids) {
      const account = traders.indexOf(owners.get(String(id)) ?? '') as AccountId;
      venue.cancel(account, String(id));
    }
    const all = [...first, ...vector.then_orders.flatMap(place)];
    expect(all.map(([, , , size]) => size)).toEqual(vector.execution_sizes);
    expect(all.every(([, , price]) => price === 101)).toBe(true);
    if (vector.resting_trader !== undefined)
      expect(all.map(([, resting]) => owners.get(resting))).toEqual([vector.resting_trader]);
  });

  test('exchange-core basic: the full cycle', () => {
    const venue = exchangeCoreVenue();
    const { exchange } = venue;
    const levels = (side: Side) =>
      exchange.levels(instrument, side).map(({ price, quantity }) => [price, quantity]);
    venue.place(alice, '101', { side: 'sell', price: 1_600, quantity: 7 });
    expect(executions(venue.place(alice, '102', { side: 'buy', price: 1_550, quantity: 4 }))).toEqual([]);
    expect([levels('sell'), levels('buy')]).toEqual([[[1_600, 7]], [[1_550, 4]]]);
    const taken = venue.place(bob, '201', { side: 'buy', price: 1_700, quantity: 2, timeInForce: 'IOC' });
    expect(executions(taken)).toEqual([['201', '101', 1_600, 2]]);
    expect([levels('sell'), levels('buy')]).toEqual([[[1_600, 5]], [[1_550, 4]]]);
    expect(executions(venue.place(bob, '202', { side: 'buy', price: 1_583, quantity: 4 }))).toEqual([]);
    expect(levels('buy')).toEqual([
      [1_583, 4],
      [1_550, 4],
    ]);
    // Moving an order is a replacement here; its total includes the two lots that were executed.
    const move = {
      clientOrderId: '101',
      newClientOrderId: '101b',
      quantity: 7 as Lots,
      price: 1_580 as Ticks,
    };
    const moved = exchange.handle(
      { kind: 'replace', account: alice, stopPrice: undefined, ...move },
      micros(0),
    );
    expect(executions(moved)).toEqual([['101b', '202', 1_583, 4]]);
    expect([levels('sell'), levels('buy')]).toEqual([[[1_580, 1]], [[1_550, 4]]]);
  });

  test('exchange-core basic: a bid holds its price times its size, and a cancel gives it back', () => {
    const venue = exchangeCoreVenue();
    const charlie = 3 as AccountId;
    venue.enrich(charlie, 'XBT', '94000000');
    const available = () => formatAmount(venue.exchange.balance(charlie, 'XBT').available);
    venue.place(charlie, '203', { side: 'buy', price: 18_500, quantity: 500 });
    expect(available()).toBe('1500000');
    expect(venue.exchange.levels(instrument, 'buy')).toEqual([{ price: 18_500, quantity: 500 }]);
    venue.cancel(charlie, '203');
    expect(available()).toBe('94000000');
  });
});

const alice = 1 as AccountId;
const bob = 2 as AccountId;

/** ETH for XBT in whole units: a lot is 100,000 ETH units, a tick 10 XBT units per lot, so 0.0001 per unit. */
function exchangeCoreVenue(): Venue {
  const venue = new Venue({
    baseCurrency: 'ETH',
    quoteCurrency: 'XBT',
    tickSize: '0.0001',
    quantityIncrement: '100000',
  });
  for (const account of [alice, bob]) {
    for (const currency of ['ETH', 'XBT']) venue.enrich(account, currency, '100000000');
  }
  return venue;
}

/** The book as the exercise prints it: one row per resting order, best first, in order of arrival at one price. */
function table(exchange: Exchange, input: readonly string[]): string {
  const orders = exchange.activeOrders(1 as AccountId);
  const arrival = (id: string): number => input.findIndex((line) => line.startsWith(`${id},`));
  const rows = (side: Side): string[][] =>
    orders
      .filter((order) => order.side === side)
      .sort(
        (a, b) =>
          (side === 'buy' ? -1 : 1) * (Number(a.price) - Number(b.price)) ||
          arrival(a.clientOrderId) - arrival(b.clientOrderId),
      )
      .map((order) => [
        (order.quantity - order.cumulative).toLocaleString('en-US').padStart(11),
        String(order.price).padStart(6),
      ]);
  const [bids, asks] = [rows('buy'), rows('sell')];
  const half = ' '.repeat(18);
  return Array.from({ length: Math.max(bids.length, asks.length) }, (_, i) => {
    const bid = bids[i]?.join(' ') ?? half;
    const ask = asks[i]?.toReversed().join(' ') ?? half;
    return `${bid} | ${ask}\n`;
  }).join('');
}
