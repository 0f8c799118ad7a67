import { pathToFileURL } from 'node:url';
import { parseAmount, zero } from '../../src/base/amount.ts';
import { micros } from '../../src/base/clock.ts';
import { Random } from '../../src/base/random.ts';
import { SystemClock } from '../../src/base/system-clock.ts';
import type { AccountId, CancelCommand, PlaceCommand } from '../../src/matching/command.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import { OrderBook } from '../../src/matching/order-book.ts';
import { nobody, none, OrderPool } from '../../src/matching/order-pool.ts';
import type { Lots, Ticks } from '../../src/model/instrument.ts';
import type { ClientOrderId } from '../../src/model/order.ts';
import { oneMarket } from '../support/markets.ts';

const operations = 400_000;
const liveOrders = 5_000;
const middle = 1_000_000;
const account = 1 as AccountId;

/** One operation: a new order (kind 0), a cancel of the order placed as number `target` (1), a crossing order (2). */
interface Stream {
  readonly kind: Uint8Array;
  readonly buy: Uint8Array;
  readonly price: Float64Array;
  readonly quantity: Float64Array;
  readonly target: Int32Array;
}

/** 47 % new at exponential distance, 42 % cancels of a random resting order, 11 % crossing; about 5,000 live orders. */
function makeStream(): Stream {
  const random = new Random('matching bench');
  const length = operations + liveOrders;
  const stream: Stream = {
    kind: new Uint8Array(length),
    buy: new Uint8Array(length),
    price: new Float64Array(length),
    quantity: new Float64Array(length),
    target: new Int32Array(length),
  };
  const resting: number[] = [];
  for (let i = 0; i < length; i++) {
    const roll = random.float();
    const kind = i < liveOrders || roll < 0.47 ? 0 : roll < 0.89 ? 1 : 2;
    const buy = random.chance(0.5);
    const away = Math.floor(random.exponential(40)) + 1;
    stream.kind[i] = kind;
    stream.buy[i] = buy ? 1 : 0;
    stream.price[i] = kind === 2 ? middle + (buy ? 40 : -40) : middle + (buy ? -away : away);
    stream.quantity[i] = random.between(1, kind === 2 ? 60 : 100);
    if (kind === 0) resting.push(i);
    if (kind === 1) {
      const at = random.between(0, resting.length - 1);
      stream.target[i] = resting[at] as number;
      resting[at] = resting[resting.length - 1] as number;
      resting.pop();
    }
  }
  return stream;
}

/** Matching alone: integer handles, no ids, no reports, no money. Answers a checksum. */
function runBare(stream: Stream): number {
  const pool = new OrderPool(16_384);
  const book = new OrderBook(pool, 16_384);
  const tickets = new Float64Array(stream.kind.length);
  let traded = 0;
  for (let i = 0; i < stream.kind.length; i++) {
    const kind = stream.kind[i] as number;
    const buy = stream.buy[i] === 1;
    if (kind === 1) {
      const target = stream.target[i] as number;
      const handle = pool.handleOf(tickets[target] as number);
      if (handle !== none) (stream.buy[target] === 1 ? book.bids : book.asks).remove(handle);
      continue;
    }
    const price = stream.price[i] as number;
    const makers = buy ? book.asks : book.bids;
    const limit = buy ? -price : price;
    const { levels } = makers;
    let left = stream.quantity[i] as number;
    while (left > 0 && levels.best !== none && (levels.key[levels.best] as number) >= limit) {
      const handle = levels.head[levels.best] as number;
      const standing = pool.quantity[handle] as number;
      const quantity = Math.min(left, standing);
      if (quantity < standing) makers.reduce(handle, quantity);
      else makers.remove(handle);
      left -= quantity;
      traded += quantity;
    }
    if (left > 0 && kind === 0)
      tickets[i] = pool.ticket((buy ? book.bids : book.asks).append(buy ? price : -price, left, nobody));
  }
  return traded;
}

/** The whole exchange: string ids, ledger, reports, levels, balances. */
function runExchange(stream: Stream): number {
  const instruments = oneMarket({
    tickSize: '0.01',
    quantityIncrement: '0.001',
    takeRate: '0.0025',
    makeRate: '0.001',
  });
  const options = { windowTicks: 16_384, ordersPerSymbolMax: 1_000_000, ordersPerAccountMax: 1_000_000 };
  const exchange = new Exchange({ instruments, options });
  for (const currency of ['AAA', 'BBB']) {
    const change = parseAmount('1000000000000');
    exchange.handle({ kind: 'adjustBalance', account, currency, change }, micros(0));
  }
  const ids = Array.from({ length: stream.kind.length }, (_, i) => `order-${i}` as ClientOrderId);
  const clock = new SystemClock();
  const start = clock.uptime();
  let outcomes = 0;
  for (let i = 0; i < ids.length; i++)
    outcomes += exchange.handle(commandOf(stream, ids, i), micros(i)).length;
  const took = clock.uptime() - start;
  if (outcomes < operations) throw new Error('the exchange said too little');
  return took;
}

function commandOf(stream: Stream, ids: readonly ClientOrderId[], i: number): PlaceCommand | CancelCommand {
  if (stream.kind[i] === 1)
    return { kind: 'cancel', account, clientOrderId: ids[stream.target[i] as number] as ClientOrderId };
  return {
    kind: 'place',
    account,
    takeMarkup: zero,
    makeMarkup: zero,
    request: {
      clientOrderId: ids[i] as ClientOrderId,
      instrument: 0 as PlaceCommand['request']['instrument'],
      side: stream.buy[i] === 1 ? 'buy' : 'sell',
      type: 'limit',
      timeInForce: stream.kind[i] === 2 ? 'IOC' : 'GTC',
      quantity: stream.quantity[i] as Lots,
      price: stream.price[i] as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  };
}

export interface MatchingFigure {
  readonly name: string;
  readonly millionOperationsPerSecond: number;
}

/** Million operations per second, median of seven rounds: matching alone, and the whole exchange. */
export function benchMatching(): readonly MatchingFigure[] {
  const stream = makeStream();
  const clock = new SystemClock();
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = clock.uptime();
    if (runBare(stream) === 0) throw new Error('nothing was traded');
    bare.push(clock.uptime() - start);
    whole.push(runExchange(stream));
  }
  const rate = (times: number[]): number => stream.kind.length / (times.sort((a, b) => a - b)[3] as number);
  return [
    { name: 'matching alone, by handle', millionOperationsPerSecond: rate(bare) },
    { name: 'exchange: ids, reports, ledger, balances', millionOperationsPerSecond: rate(whole) },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, millionOperationsPerSecond } of benchMatching())
    process.stdout.write(`${name}: ${millionOperationsPerSecond.toFixed(2)} M operations/s\n`);
}
