import { afterEach, describe, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

// Every way to ask for an order says what its reports said: each member, in every product, of single orders and of lists.

interface Product {
  readonly name: 'spot' | 'margin' | 'futures';
  readonly symbol: string;
  /** What margin adds to an order that is placed. */
  readonly members: object;
}

const products: readonly [string, Product][] = [
  ['spot', { name: 'spot', symbol: 'ETHUSDT', members: {} }],
  ['isolated margin', { name: 'margin', symbol: 'ETHUSDT', members: { margin_mode: 'isolated' } }],
  ['cross margin', { name: 'margin', symbol: 'ETHUSDT', members: { margin_mode: 'cross' } }],
  ['isolated contracts', { name: 'futures', symbol: 'ETHUSDT_PERP', members: { margin_mode: 'isolated' } }],
  ['cross contracts', { name: 'futures', symbol: 'ETHUSDT_PERP', members: { margin_mode: 'cross' } }],
];

const symbolOf = (symbol: string) => ({ ...marginSymbol, symbol, baseCurrency: symbol.slice(0, 3) });
const contractOf = (symbol: string) => ({
  symbol: `${symbol}_PERP`,
  underlying: symbol.slice(0, 3),
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.001',
});
const ours = 'demo';
const theirs = 'demo-two';
const openBenches: Bench[] = [];

afterEach(async () => {
  for (const bench of openBenches.splice(0)) await bench.close();
});

/** An account that trades one product, and what its reports said of its orders. */
class Desk {
  readonly bench: Bench;
  readonly product: Product;
  readonly #socket: RawSocket;
  readonly #received: Json[];

  private constructor(bench: Bench, product: Product, socket: RawSocket) {
    this.bench = bench;
    this.product = product;
    this.#socket = socket;
    this.#received = socket.received;
  }

  static async open(product: Product): Promise<Desk> {
    const bench = await openBench({
      limits: { enabled: false },
      symbols: markets.map(symbolOf),
      futures: { contracts: markets.map(contractOf) },
    });
    openBenches.push(bench);
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key(ours));
    const desk = new Desk(bench, product, socket);
    await desk.#fund();
    await socket.ask({ method: `${product.name}_subscribe`, params: {}, id: 'subscribe' });
    return desk;
  }

  async #fund(): Promise<void> {
    const { name, symbol, members } = this.product;
    if (name === 'spot') return;
    for (const account of [ours, theirs]) {
      const transfer = { currency: 'USDT', amount: '500000', source: 'spot', destination: 'derivatives' };
      await this.call('POST wallet/transfer', transfer, account);
      if (name === 'margin')
        await this.call('PUT margin/account/cross/USDT', { margin_balance: '50000' }, account);
      if ((members as Json).margin_mode !== 'isolated') continue;
      const isolated = { margin_balance: '50000', leverage: '5' };
      for (const one of [symbol, this.otherSymbol])
        await this.call(`PUT ${name}/account/isolated/${one}`, isolated, account);
    }
    // A contract follows its index, the middle of the spot market.
    if (name === 'futures')
      for (const [side, price] of [
        ['sell', '100.01'],
        ['buy', '99.99'],
      ])
        for (const one of markets)
          await this.call('POST spot/order', { symbol: one, side, price, quantity: '1' }, theirs);
  }

  call(line: string, json?: object, account = ours): Promise<Answer> {
    const [method, path] = line.split(' ') as [string, string];
    const key = this.bench.key(account);
    return rest(this.bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
  }

  order(members: object = {}): Json {
    const { symbol, members: added } = this.product;
    return {
      client_order_id: newId(),
      symbol,
      side: 'buy',
      quantity: '1',
      price: '99.50',
      ...added,
      ...members,
    };
  }

  get otherSymbol(): string {
    return this.product.symbol.replace('ETH', 'LTC');
  }

  /** So many seconds from now. */
  in(count: number): string {
    return new Date(this.bench.clock.now() / 1_000 + count * 1_000).toISOString();
  }

  async place(members: object = {}): Promise<Json> {
    return (await this.call(`POST ${this.product.name}/order`, this.order(members))).body;
  }

  /** The other side of the market, on the same product. */
  async they(members: object): Promise<void> {
    const { status, body } = await this.call(`POST ${this.product.name}/order`, this.order(members), theirs);
    expect(status, JSON.stringify(body)).toBe(200);
  }

  async list(contingency: string, orders: readonly Json[]): Promise<Answer> {
    return this.call(`POST ${this.product.name}/order/list`, { contingency_type: contingency, orders });
  }

  /** What the reports say of each order, by its number, oldest first: as it is, and what it executed. */
  async noted(): Promise<ReadonlyMap<number, Reported>> {
    await this.#socket.settle();
    const method = `${this.product.name}_order`;
    const noted = new Map<number, Reported>();
    for (const { method: received, params } of this.#received) {
      if (received !== method) continue;
      const {
        report_type: type,
        trade_id,
        trade_quantity,
        trade_price,
        trade_fee,
        trade_taker,
        ...more
      } = params;
      const { trade_position_id: position, ...row } = more;
      const known = noted.get(row.id);
      let fills: Json[] = known?.fills ?? [];
      if (type === 'replaced') {
        const before = [...noted.values()].findLast(
          (one) => one.row.client_order_id === row.original_client_order_id,
        ) as Reported;
        fills = [...before.fills];
        noted.set(before.row.id, {
          ...before,
          row: { ...before.row, status: 'canceled', updated_at: row.updated_at },
        });
      }
      if (type === 'trade')
        fills.push({
          id: trade_id,
          quantity: trade_quantity,
          price: trade_price,
          fee: trade_fee,
          taker: trade_taker,
          timestamp: row.updated_at,
          ...(position !== undefined && { position_id: position }),
        });
      noted.set(row.id, {
        row,
        fills,
        traded: [...(known?.traded ?? []), ...(type === 'trade' ? fills.slice(-1) : [])],
      });
    }
    return new Map([...noted].toSorted(([one], [other]) => one - other));
  }
}

interface Reported {
  readonly row: Json;
  /** With those of an order that it replaced. */
  readonly fills: Json[];
  /** Its own. */
  readonly traded: readonly Json[];
}

const isActive = ({ row }: Reported) => ['new', 'suspended', 'partiallyFilled'].includes(row.status);

/** Compares every read of version 3 with the reports. */
async function compareV3(desk: Desk): Promise<void> {
  const { name } = desk.product;
  const noted = [...(await desk.noted()).values()];
  const read = async (path: string) => (await desk.call(`GET ${name}/${path}`)).body;
  const whole = (one: Reported) => ({
    ...one.row,
    price_average: averageOf(one.fills),
    ...(one.fills.length > 0 && { trades: one.fills }),
  });
  const listed = (one: Reported) => ({ ...one.row, price_average: averageOf(one.fills) });
  expect(await read('order')).toEqual(noted.filter(isActive).map(whole));
  for (const one of noted) {
    const { client_order_id: id, id: number } = one.row;
    if (isActive(one)) expect(await read(`order/${id}`)).toEqual(whole(one));
    expect(await read(`history/order?client_order_id=${id}`)).toEqual([listed(one)]);
    const trades = (await read(`history/trade?order_id=${number}&sort=ASC`)) as Json[];
    expect(trades.map(tradeOf(one))).toEqual(one.traded);
    expect(trades.map((trade) => [trade.order_id, trade.client_order_id])).toEqual(
      one.traded.map(() => [number, id]),
    );
  }
  await comparePages(read, noted.map(listed));
}

function tradeOf({ row }: Reported): (trade: Json) => Json {
  return ({ id, quantity, price, fee, taker, timestamp, position_id: position, ...more }) => {
    expect([more.symbol, more.side]).toEqual([row.symbol, row.side]);
    return {
      id,
      quantity,
      price,
      fee,
      taker,
      timestamp,
      ...(position !== undefined && { position_id: position }),
    };
  };
}

/** Pages of orders by number: both ways, between bounds, and cut at each place. */
async function comparePages(read: (path: string) => Promise<Json>, rows: readonly Json[]): Promise<void> {
  expect(await read('history/order?by=id&sort=ASC&limit=1000')).toEqual(rows);
  expect(await read('history/order?limit=1000')).toEqual(rows.toReversed());
  for (const [place, { id }] of rows.entries()) {
    if (place % 7 !== rows.length % 7) continue;
    const bounds = `by=id&from=${id}&till=${rows.at(-1)?.id}&limit=1000`;
    expect(await read(`history/order?${bounds}&sort=ASC`)).toEqual(rows.slice(place));
    expect(await read(`history/order?${bounds}&sort=DESC`)).toEqual(rows.slice(place).toReversed());
    expect(await read(`history/order?by=id&sort=ASC&limit=1&offset=${place}`)).toEqual([rows[place]]);
  }
  const byTime = rows.toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id);
  expect(await read('history/order?by=timestamp&sort=ASC&limit=1000')).toEqual(byTime);
  expect(await read('history/order?by=timestamp&sort=DESC&limit=1000')).toEqual(byTime.toReversed());
}

/** Reads of the trading socket: the list of active orders, asked for and at the start of a subscription. */
async function compareSocket(desk: Desk): Promise<void> {
  const { name } = desk.product;
  const active = [...(await desk.noted()).values()].filter(isActive);
  const expected = active.map(({ row }) => ({ ...row, report_type: 'status' }));
  const socket = await RawSocket.open(desk.bench, '/api/3/ws/trading');
  await socket.login(desk.bench.key(ours));
  const { result } = await socket.ask({ method: `${name}_get_orders`, params: {}, id: 1 });
  expect(result).toEqual(expected);
  await socket.ask({ method: `${name}_subscribe`, params: {}, id: 2 });
  expect((await socket.until(({ method }) => method === `${name}_orders`)).params).toEqual(expected);
  socket.close();
}

const v2Names: Readonly<Record<string, string>> = {
  client_order_id: 'clientOrderId',
  time_in_force: 'timeInForce',
  quantity_cumulative: 'cumQuantity',
  stop_price: 'stopPrice',
  expire_time: 'expireTime',
  post_only: 'postOnly',
  original_client_order_id: 'originalRequestClientOrderId',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
};
/** What version 2 does not have. */
const v3Only = new Set([
  'order_list_id',
  'contingency_type',
  'inactive',
  'reduce_only',
  'close_position',
  'margin_mode',
  'margin_auto',
]);

/** Compares every read of version 2 with the reports; it has no contracts. */
async function compareV2(desk: Desk): Promise<void> {
  const { name } = desk.product;
  if (name === 'futures') return;
  const noted = [...(await desk.noted()).values()];
  const ask = async (path: string) => {
    const answer = await rest(desk.bench, `GET /api/2/${path}`, { key: desk.bench.key(ours), basic: true });
    expect(answer.status, path).toBe(200);
    return answer.body;
  };
  const v2Row = ({ row }: Reported) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([member]) => !v3Only.has(member))
        .map(([member, value]) => [v2Names[member] ?? member, value]),
    );
  const path = name === 'spot' ? 'order' : 'margin/order';
  expect(await ask(path)).toEqual(noted.filter(isActive).map(v2Row));
  for (const one of noted) {
    if (isActive(one)) expect(await ask(`${path}/${one.row.client_order_id}`)).toEqual(v2Row(one));
    const trades = (await ask(`history/order/${one.row.id}/trades`)) as Json[];
    expect(trades.map(({ id, quantity, price, fee }) => ({ id, quantity, price, fee }))).toEqual(
      one.traded.map(({ id, quantity, price, fee }) => ({ id, quantity, price, fee })),
    );
    expect(trades.every(({ orderId }) => orderId === one.row.id)).toBe(true);
  }
  if (name !== 'spot') return;
  const rows = noted.map((one) => ({
    ...v2Row(one),
    ...(one.fills.length > 0 && { avgPrice: averageOf(one.fills) }),
  }));
  for (const [place, row] of rows.entries())
    expect(await ask(`history/order?clientOrderId=${noted[place]?.row.client_order_id}`)).toEqual([row]);
  expect(await ask('history/order?by=id&sort=ASC&limit=1000')).toEqual(rows);
  expect(await ask('history/order?by=id&limit=1000')).toEqual(rows.toReversed());
}

/** Executed value over executed quantity. Quantities have 3 decimals and prices 2. */
function averageOf(fills: readonly Json[]): string {
  let value = 0n;
  let quantity = 0n;
  for (const fill of fills) {
    const lots = BigInt(fill.quantity.replace('.', ''));
    value += BigInt(fill.price.replace('.', '')) * lots;
    quantity += lots;
  }
  if (quantity === 0n) return '0';
  const scaled = (value * 10n ** 22n) / quantity;
  const text = scaled.toString().padStart(25, '0');
  return `${text.slice(0, -24)}.${text.slice(-24)}`.replace(/\.?0+$/, '');
}

async function compareAll(desk: Desk): Promise<void> {
  await compareV3(desk);
  await compareSocket(desk);
  await compareV2(desk);
}

const markets = ['ETHUSDT', 'LTCUSDT'];
const contingencies = ['allOrNone', 'oneCancelOther', 'oneTriggerOther', 'oneTriggerOneCancelOther'];

/** What a client may do, drawn at random: most of it is accepted, and what is refused changes nothing. */
async function act(desk: Desk, random: Random): Promise<void> {
  const pick = <Item>(items: readonly Item[]) => items[random.between(0, items.length - 1)] as Item;
  const price = () => (95 + random.between(0, 100) / 10).toFixed(2);
  const quantity = () => `0.${random.between(1, 9)}`;
  const side = () => pick(['buy', 'sell']);
  const limit = () => desk.order({ side: side(), price: price(), quantity: quantity() });
  const stop = () => {
    const type = pick(['stopMarket', 'takeProfitMarket', 'stopLimit']);
    const own = type === 'stopLimit' ? { price: price() } : { price: null, time_in_force: 'FOK' };
    return desk.order({ side: side(), type, stop_price: price(), quantity: quantity(), ...own });
  };
  const market = () => desk.order({ side: side(), type: 'market', price: null, quantity: quantity() });
  const timed = () => ({ ...limit(), time_in_force: 'GTD', expire_time: desk.in(20) });
  const { name } = desk.product;
  const active = [...(await desk.noted()).values()].filter(isActive);
  const one = active.length === 0 ? undefined : pick(active).row;
  switch (pick(['one', 'list', 'list', 'they', 'they', 'they', 'replace', 'cancel', 'pass'])) {
    case 'one':
      await desk.call(`POST ${name}/order`, pick([limit, stop, market, timed])());
      return;
    case 'list': {
      const contingency = pick(contingencies);
      if (contingency === 'allOrNone') {
        const both = [limit(), { ...limit(), symbol: desk.otherSymbol }];
        await desk.list(
          contingency,
          both.map((order) => ({ ...order, time_in_force: 'FOK' })),
        );
        return;
      }
      const first = contingency === 'oneTriggerOneCancelOther' ? pick([limit, market, stop]) : limit;
      await desk.list(contingency, [first(), pick([limit, stop])(), pick([limit, stop])()]);
      return;
    }
    case 'they':
      await desk.call(
        `POST ${name}/order`,
        { ...limit(), symbol: pick([desk.product.symbol, desk.otherSymbol]) },
        theirs,
      );
      return;
    case 'replace':
      if (one !== undefined)
        await desk.call(`PATCH ${name}/order/${one.client_order_id}`, {
          new_client_order_id: newId(),
          quantity: (Number(one.quantity) + 0.1).toFixed(3),
          ...(one.price !== undefined && { price: price() }),
          ...(one.stop_price !== undefined && { stop_price: price() }),
        });
      return;
    case 'cancel':
      if (one !== undefined) await desk.call(`DELETE ${name}/order/${one.client_order_id}`);
      return;
    default:
      desk.bench.pass(random.between(1, 10_000));
  }
}

describe.each(products)('orders of %s are as their reports said', (_name, product) => {
  test.each(['oneTriggerOther', 'oneTriggerOneCancelOther'])(
    '%s, from placed to ended',
    async (contingency) => {
      const desk = await Desk.open(product);
      const fok = { time_in_force: 'FOK', price: null };
      const exits = [
        desk.order({ side: 'sell', price: '110.00' }),
        desk.order({ side: 'sell', type: 'stopMarket', stop_price: '90.00', ...fok }),
      ];
      await desk.place({ quantity: '0.5', price: '98.00' });
      const placed = await desk.list(contingency, [desk.order(), ...exits]);
      expect(placed.status, JSON.stringify(placed.body)).toBe(200);
      await compareAll(desk);
      for (const [side, price, quantity] of [
        ['sell', '99.50', '0.4'],
        ['sell', '99.50', '0.6'],
        ['buy', '110.00', '0.3'],
      ] as const) {
        desk.bench.pass(5);
        await desk.they({ side, price, quantity });
        await compareAll(desk);
      }
      await desk.call(`DELETE ${product.name}/order`);
      await compareAll(desk);
    },
  );

  test('whatever is done with them', async () => {
    const seed = 33_022;
    process.stderr.write(`orders told, ${_name}: seed ${seed}\n`);
    const random = new Random(`orders told ${seed}`);
    const desk = await Desk.open(product);
    const seen = new Set<string>();
    for (let i = 0; i < 100; i++) {
      await act(desk, random);
      if (i % 50 === 49) await compareAll(desk);
      for (const { row } of (await desk.noted()).values()) {
        seen.add(row.status);
        seen.add(row.contingency_type ?? 'none');
      }
    }
    // Worth nothing unless orders of every list were in every state.
    const states = ['new', 'suspended', 'partiallyFilled', 'filled', 'canceled', 'expired'];
    expect(seen).toEqual(new Set([...states, ...contingencies, 'none']));
  });
});
