import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { fail } from '../../../src/core/base/assert.ts';
import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import type { Instrument, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Side } from '../../../src/core/model/order.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';
import { listingOf } from './listing.ts';

// The embedded exchange in a process of its own, with so many symbols, so many levels on each side of each book, and so many buys of the
// demo account resting on it, as if an earlier run had placed them. It keeps the limits of the documents. What it tells of time is
// `process.hrtime`, which all processes of a machine share.

const loadSchema = z.strictObject({
  seed: z.int(),
  symbols: z.int(),
  levels: z.int(),
  /** Client id, number of the symbol and price in ticks of each own order. */
  own: z.array(z.tuple([z.string(), z.int(), z.int()])),
  flowPerSecond: z.number(),
  /** Least time between two updates of a book. */
  bookMs: z.int().optional(),
});

export type ExchangeLoad = z.input<typeof loadSchema>;

export const priceTicks = 10_000;
export const ownLots = 10;

export function symbolOf(at: number): string {
  return `C${String(at).padStart(3, '0')}USDT`;
}

/** Orders of the account since it was asked last: new ones, ended ones, and when the first and the last ended. */
export interface OwnCounts {
  readonly active: number;
  readonly placed: number;
  readonly ended: number;
  readonly firstEndedAt: string;
  readonly lastEndedAt: string;
  /** Client id of each new order, and when its bytes had come: what the exchange does with them is no part of the way. */
  readonly arrivals: readonly (readonly [string, string])[];
}

function place(
  exchange: ExchangeServer,
  account: AccountId,
  order: { id: string; instrument: Instrument; side: Side; price: number; lots: number },
): void {
  const { id, instrument, side, price, lots } = order;
  const outcomes = exchange.core.handle({
    kind: 'place',
    account,
    takeMarkup: zero,
    makeMarkup: zero,
    request: {
      clientOrderId: id as ClientOrderId,
      instrument: instrument.id,
      side,
      type: 'limit',
      timeInForce: 'GTC',
      quantity: lots as Lots,
      price: price as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
  const refused = outcomes.find(({ kind }) => kind === 'refused');
  if (refused !== undefined) fail('an order was refused', { refused: JSON.stringify(refused), id });
}

function fill(exchange: ExchangeServer, { levels, own }: z.output<typeof loadSchema>): void {
  const currencies = new Set(
    exchange.instruments.all.flatMap(({ spec }) => [spec.baseCurrency, spec.quoteCurrency]),
  );
  // No account may have more orders than the venue allows.
  const perHouse = Math.max(1, Math.floor(20_000 / (2 * levels + 2)));
  const houses: AccountId[] = [];
  for (let at = 0; at * perHouse < exchange.instruments.all.length; at++) {
    const { id } = exchange.accounts.open(at === 0 ? 'house' : `house-${at}`);
    houses.push(id);
    for (const currency of currencies)
      exchange.core.handle({
        kind: 'adjustBalance',
        account: id,
        currency,
        change: parseAmount('1000000000000'),
      });
  }
  let made = 0;
  let house = houses[0] ?? fail('no account makes the market');
  const rest = (instrument: Instrument, side: Side, price: number, lots: number): void => {
    made += 1;
    place(exchange, house, { id: `house-${String(made).padStart(8, '0')}`, instrument, side, price, lots });
  };
  for (const [at, instrument] of exchange.instruments.all.entries()) {
    house = houses[Math.floor(at / perHouse)] ?? house;
    // A last trade, without which the price collar has nothing to compare with.
    rest(instrument, 'sell', priceTicks, 1);
    rest(instrument, 'buy', priceTicks, 1);
    for (let step = 1; step <= levels; step++) {
      rest(instrument, 'buy', priceTicks - step, 1_000 + step);
      rest(instrument, 'sell', priceTicks + step, 1_000 + step);
    }
  }
  const { id: demo } = exchange.accounts.get('demo');
  for (const [id, at, price] of own)
    place(exchange, demo, {
      id,
      instrument: exchange.instruments.get(symbolOf(at)),
      side: 'buy',
      price,
      lots: ownLots,
    });
}

async function main(load: z.output<typeof loadSchema>): Promise<void> {
  const codes = Array.from({ length: load.symbols }, (_, at) => symbolOf(at).slice(0, -4));
  const exchange = await ExchangeServer.start({
    options: {
      ...listingOf(codes),
      accounts: [{ name: 'demo', keys: [{}], balances: { USDT: '1000000000' } }],
      futures: { contracts: [] },
      flow:
        load.flowPerSecond > 0 ? { eventsPerSecond: load.flowPerSecond, ordersMax: 100 } : { enabled: false },
      ...(load.bookMs !== undefined && { publish: { bookMs: load.bookMs } }),
    },
    clock: new SystemClock(),
    random: new Random(load.seed),
  });
  fill(exchange, load);
  let counts = { placed: 0, ended: 0, firstEndedAt: 0n, lastEndedAt: 0n };
  let arrivals: (readonly [string, string])[] = [];
  let readAt = process.hrtime.bigint();
  // An order is handled in the turn in which its bytes are read.
  subscribe('net.server.socket', (message) =>
    (message as { socket: Socket }).socket.on('data', () => (readAt = process.hrtime.bigint())),
  );
  const { id: demo, keys } = exchange.accounts.get('demo');
  exchange.core.listen({
    onReport({ account, reportType, order }) {
      if (account !== demo) return;
      if (reportType === 'new' || reportType === 'replaced') {
        counts.placed += 1;
        arrivals.push([order.clientOrderId, String(readAt)]);
      }
      if (reportType !== 'canceled') return;
      counts.ended += 1;
      counts.lastEndedAt = process.hrtime.bigint();
      if (counts.firstEndedAt === 0n) counts.firstEndedAt = counts.lastEndedAt;
    },
    onBalance() {},
    onSettled() {},
  });
  process.on('message', () => {
    const { placed, ended, firstEndedAt, lastEndedAt } = counts;
    const answer: OwnCounts = {
      active: exchange.core.exchange.activeOrders(demo).length,
      placed,
      ended,
      firstEndedAt: String(firstEndedAt),
      lastEndedAt: String(lastEndedAt),
      arrivals,
    };
    arrivals = [];
    counts = { placed: 0, ended: 0, firstEndedAt: 0n, lastEndedAt: 0n };
    process.send?.(answer);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({
    rest: exchange.restUrl,
    ws: exchange.wsUrl,
    accounts: [{ api_key: keys[0]?.apiKey, secret_key: keys[0]?.secret.reveal() }],
  });
}

if (process.argv[1] === import.meta.filename)
  process.once('message', (load: unknown) => void main(loadSchema.parse(load)));
