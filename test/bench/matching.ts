import { pathToFileURL } from 'node:url';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { AccountId, CancelCommand, PlaceCommand } from '../../src/exchange/matching/accounts/command.ts';
import { Exchange } from '../../src/exchange/matching/exchange.ts';
import { OrderBook } from '../../src/exchange/matching/book/book.ts';
import type { OrderQueue } from '../../src/exchange/matching/book/book.ts';
import { noOwner, none, OrderPool } from '../../src/exchange/matching/book/order-pool.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { oneMarket } from '../support/markets.ts';

const operations = 400_000;
const liveOrders = 5_000;
const middle = 1_000_000;
const account = 1 as AccountId;

/** One operation: a new order (kind 0), a cancel (1) or a crossing order (2); `name` says which order it is about. */
interface Stream {
  readonly kind: Uint8Array;
  readonly buy: Uint8Array;
  readonly price: Float64Array;
  readonly quantity: Float64Array;
  /** Names of orders are used again once the order has ended, so that there are not more than are alive. */
  readonly name: Int32Array;
}

/**
 * 47 % new at exponential distance, 42 % cancels of a random live order, 11 % crossing; crossing orders are larger
 * while more than 5,000 orders live. Played against the bare core as it is made, to know who lives.
 */
function makeStream(): Stream {
  const random = new Random('matching bench');
  const length = operations + liveOrders;
  const stream: Stream = {
    kind: new Uint8Array(length),
    buy: new Uint8Array(length),
    price: new Float64Array(length),
    quantity: new Float64Array(length),
    name: new Int32Array(length),
  };
  const core = new BareCore();
  const free = Array.from({ length: 4 * liveOrders }, (_, name) => name);
  const live: number[] = [];
  const alive = (name: number): boolean => core.isLive(name);
  for (let i = 0; i < length; i++) {
    const roll = random.float();
    const kind = i < liveOrders || roll < 0.47 ? 0 : roll < 0.89 ? 1 : 2;
    stream.kind[i] = kind;
    stream.buy[i] = random.chance(0.5) ? 1 : 0;
    const sign = stream.buy[i] === 1 ? 1 : -1;
    if (kind === 1) {
      stream.name[i] = takeRandom(random, live, free, alive);
    } else {
      const away = kind === 2 ? -40 : Math.floor(random.exponential(40)) + 1;
      stream.price[i] = middle - sign * away;
      stream.quantity[i] = random.between(1, kind === 0 ? 100 : core.size > liveOrders ? 120 : 20);
      stream.name[i] = free.shift() ?? 0;
      (kind === 0 ? live : free).push(stream.name[i] as number);
    }
    core.apply(stream, i);
  }
  return stream;
}

/** A random order that still lives, taken off the list; names of those that were filled meanwhile become free. */
function takeRandom(
  random: Random,
  live: number[],
  free: number[],
  alive: (name: number) => boolean,
): number {
  for (;;) {
    const at = random.between(0, live.length - 1);
    const name = live[at] as number;
    live[at] = live[live.length - 1] as number;
    live.pop();
    free.push(name);
    if (alive(name)) return name;
  }
}

/** Matching alone: integer handles, no texts, no reports, no money. */
class BareCore {
  readonly #pool = new OrderPool(16_384);
  readonly #book = new OrderBook(this.#pool, 16_384);
  readonly #tickets = new Float64Array(4 * liveOrders).fill(-1);
  readonly #bought = new Uint8Array(4 * liveOrders);
  traded = 0;

  get size(): number {
    return this.#pool.size;
  }

  isLive(name: number): boolean {
    const ticket = this.#tickets[name] as number;
    return ticket >= 0 && this.#pool.handleOf(ticket) !== none;
  }

  apply(stream: Stream, i: number): void {
    const name = stream.name[i] as number;
    if (stream.kind[i] === 1) {
      const handle = this.#pool.handleOf(this.#tickets[name] as number);
      if (handle !== none) (this.#bought[name] === 1 ? this.#book.bids : this.#book.asks).remove(handle);
      return;
    }
    const buy = stream.buy[i] === 1;
    const price = stream.price[i] as number;
    const left = this.#match(
      buy ? this.#book.asks : this.#book.bids,
      buy ? -price : price,
      stream.quantity[i] as number,
    );
    if (left === 0 || stream.kind[i] === 2) return;
    const queue = buy ? this.#book.bids : this.#book.asks;
    this.#tickets[name] = this.#pool.ticket(queue.append(buy ? price : -price, left, noOwner));
    this.#bought[name] = buy ? 1 : 0;
  }

  #match(makers: OrderQueue, limit: number, quantity: number): number {
    const { levels } = makers;
    let left = quantity;
    while (left > 0 && levels.best !== none && (levels.key[levels.best] as number) >= limit) {
      const handle = levels.head[levels.best] as number;
      const standing = this.#pool.quantity[handle] as number;
      const lots = Math.min(left, standing);
      if (lots < standing) makers.reduce(handle, lots);
      else makers.remove(handle);
      left -= lots;
      this.traded += lots;
    }
    return left;
  }
}

function runBare(stream: Stream): number {
  const core = new BareCore();
  for (let i = 0; i < stream.kind.length; i++) core.apply(stream, i);
  return core.traded;
}

function openExchange(): Exchange {
  const instruments = oneMarket({
    tickSize: '0.01',
    quantityIncrement: '0.001',
    takeRate: '0.0025',
    makeRate: '0.001',
  });
  const limits = { ordersPerSymbolMax: 1_000_000, ordersPerAccountMax: 1_000_000, idReuseAfter: micros(0) };
  const exchange = new Exchange({ instruments, options: { windowTicks: 16_384, ...limits } });
  for (const currency of ['AAA', 'BBB']) {
    const change = parseAmount('1000000000000');
    exchange.handle({ kind: 'adjustBalance', account, currency, change }, micros(0));
  }
  return exchange;
}

/** The whole exchange: ids, wallets, reports, levels, balances. Answers microseconds; the book is empty again after. */
function runExchange(exchange: Exchange, stream: Stream, ids: readonly ClientOrderId[]): number {
  const clock = new SystemClock();
  const start = clock.uptime();
  let outcomes = 0;
  for (let i = 0; i < stream.kind.length; i++)
    outcomes += exchange.handle(commandOf(stream, ids, i), micros(i)).length;
  const took = clock.uptime() - start;
  if (outcomes < 2 * operations) throw new Error('the exchange said too little');
  exchange.handle({ kind: 'cancelAll', account, instrument: undefined }, micros(stream.kind.length));
  return took;
}

function commandOf(stream: Stream, ids: readonly ClientOrderId[], i: number): PlaceCommand | CancelCommand {
  const clientOrderId = ids[stream.name[i] as number] as ClientOrderId;
  if (stream.kind[i] === 1) return { kind: 'cancel', account, clientOrderId };
  return {
    kind: 'place',
    account,
    takeMarkup: zero,
    makeMarkup: zero,
    request: {
      clientOrderId,
      instrument: 0 as InstrumentId,
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

/** Million operations per second, median of fifteen rounds: matching alone, and the whole exchange. */
export function benchMatching(): readonly MatchingFigure[] {
  const stream = makeStream();
  const ids = Array.from({ length: 4 * liveOrders }, (_, i) => `bench-order-${i}` as ClientOrderId);
  const exchange = openExchange();
  const clock = new SystemClock();
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < 15; round++) {
    const start = clock.uptime();
    if (runBare(stream) === 0) throw new Error('nothing was traded');
    bare.push(clock.uptime() - start);
    whole.push(runExchange(exchange, stream, ids));
  }
  const rate = (times: number[]): number => stream.kind.length / (times.sort((a, b) => a - b)[7] as number);
  return [
    { name: 'matching alone, by handle', millionOperationsPerSecond: rate(bare) },
    { name: 'exchange: ids, reports, wallets, balances', millionOperationsPerSecond: rate(whole) },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, millionOperationsPerSecond } of benchMatching())
    process.stdout.write(`${name}: ${millionOperationsPerSecond.toFixed(2)} M operations/s\n`);
}
