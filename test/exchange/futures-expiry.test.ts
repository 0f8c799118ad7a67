import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { seconds } from '../../src/core/base/clock.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { defaultContracts } from '../../src/exchange/futures/options.ts';
import { allMoney } from './support/all-money.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { openBench, RawSocket, rest } from './support/raw-client.ts';

const contract = 'BTCUSDT_END';
const hour = 3_600_000;
let bench: Bench;

/** A contract that expires an hour from now, a spot price of 60,000, and 10,000 USDT for derivatives on two accounts. */
beforeEach(async () => {
  bench = await openBench({
    limits: { enabled: false },
    futures: {
      contracts: [
        {
          symbol: contract,
          underlying: 'BTC',
          quoteCurrency: 'USDT',
          tickSize: '0.01',
          quantityIncrement: '0.001',
          expiry: '2023-11-14T23:13:20Z',
        },
      ],
    },
  });
  for (const account of ['demo', 'demo-two']) {
    const transfer = { currency: 'USDT', amount: '10000', source: 'spot', destination: 'derivatives' };
    await api('POST wallet/transfer', transfer, account);
  }
  await quoteSpot('59990', '60010');
});
afterEach(() => bench.close());

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  return rest(bench, `${method} /api/3/${path}`, { key: bench.key(account), json });
};
/** Quotes the spot market anew: the middle is the index. */
async function quoteSpot(bid: string, ask: string): Promise<void> {
  await api('DELETE spot/order', undefined, 'demo-two');
  for (const [side, price] of [
    ['buy', bid],
    ['sell', ask],
  ] as const)
    await api('POST spot/order', { symbol: 'BTCUSDT', side, price, quantity: '0.1' }, 'demo-two');
}
const order = (members: object, account = 'demo') =>
  api(
    'POST futures/order',
    { symbol: contract, side: 'buy', quantity: '0.5', price: '60000', margin_mode: 'cross', ...members },
    account,
  );
const status = async () => (await api(`GET public/symbol/${contract}`)).body.status;
const codeOf = ({ status: http, body }: Answer): unknown[] => [http, body.error?.code];
/** `demo` buys half a bitcoin from `demo-two` at 60,000. */
async function trade(mode = 'cross'): Promise<void> {
  if (mode === 'isolated')
    await api(`PUT futures/account/isolated/${contract}`, { margin_balance: '5000', leverage: '20' });
  await order({ side: 'sell' }, 'demo-two');
  expect((await order({ margin_mode: mode })).body).toMatchObject({ status: 'filled' });
}

describe('a contract that is settled in cash', () => {
  test.each(['cross', 'isolated'])(
    'pays both sides of a %s position the index at its expiry',
    async (mode) => {
      const money = allMoney(bench.server, 'USDT');
      await trade(mode);
      const resting = (await order({ price: '50000', quantity: '0.1', margin_mode: mode })).body
        .client_order_id;
      await quoteSpot('60990', '61010');
      bench.pass(hour);
      expect(await status()).toBe('clearing');
      // Its orders went with the end of trading; the positions wait.
      expect((await api('GET futures/order')).body).toEqual([]);
      const [canceled] = (await api(`GET futures/history/order?client_order_id=${resting}`)).body;
      expect(canceled).toMatchObject({ status: 'canceled' });
      expect((await api('GET futures/account')).body[0].positions).toMatchObject([{ quantity: '0.500' }]);
      const info = (await api(`GET public/futures/info/${contract}`)).body;
      expect(info).toMatchObject({ mark_price: '61000.00', index_price: '61000.00', open_interest: '0.500' });
      // What the spot market does later changes nothing.
      await quoteSpot('69990', '70010');
      bench.pass(60_000);
      expect(await status()).toBe('expired');
      const [row] = (await api('GET futures/history/trade')).body;
      expect(row).toMatchObject({
        symbol: contract,
        side: 'sell',
        quantity: '0.500',
        price: '61000.00',
        fee: '0',
        pnl: '500.000000000000',
        liquidation: false,
      });
      expect(row.client_order_id).toMatch(/^settlement-\d+$/);
      const [other] = (await api('GET futures/history/trade', undefined, 'demo-two')).body;
      expect(other).toMatchObject({ side: 'buy', price: '61000.00', pnl: '-500.000000000000' });
      const [settled] = (await api(`GET futures/history/order?client_order_id=${row.client_order_id}`)).body;
      expect(settled).toMatchObject({ status: 'filled', type: 'market', reduce_only: true });
      const closed = { quantity: '0', pnl: '500.000000000000', report_reason: 'closed' };
      expect((await api('GET futures/history/positions')).body[0]).toMatchObject(closed);
      expect((await api('GET futures/history/clearing')).body).toMatchObject([closed]);
      expect((await api(`GET public/futures/info/${contract}`)).body).toMatchObject({ open_interest: '0' });
      if (mode === 'isolated') {
        // The margin stays with the account until it is taken out.
        const account = (await api(`GET futures/account/isolated/${contract}`)).body;
        expect(account).toMatchObject({ positions: null });
        await api(`PUT futures/account/isolated/${contract}`, { margin_balance: '0', leverage: '20' });
      }
      // 10,000 and 500 less the taker's fee of 15; 10,000 less 500 and the maker's fee of 6.
      const free = async (account?: string) =>
        Number((await api('GET futures/balance/USDT', undefined, account)).body.available);
      expect([await free(), await free('demo-two')]).toEqual([10_485, 9_494]);
      expect(allMoney(bench.server, 'USDT')).toBe(money);
    },
  );

  test('the order and the account are reported on the socket, the order before the account', async () => {
    await trade();
    bench.pass(hour + 50_000);
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    await socket.ask({ method: 'futures_subscribe', params: {}, id: 1 });
    await socket.until(({ method }) => method === 'futures_accounts');
    bench.pass(10_000);
    const closed = await socket.until(({ params }) => params?.report_reason === 'closed');
    expect(closed.params).toMatchObject({ report_type: 'closed' });
    const trades = socket.received.filter(({ params }: Json) => params?.report_type === 'trade');
    expect(trades).toMatchObject([
      {
        method: 'futures_order',
        params: { status: 'filled', trade_price: '60000.00', trade_fee: '0', trade_quantity: '0.500' },
      },
    ]);
    expect(socket.received.indexOf(trades[0])).toBeLessThan(socket.received.indexOf(closed));
    socket.close();
  });

  test('a loss beyond the margin is the loss of the exchange', async () => {
    const money = allMoney(bench.server, 'USDT');
    await trade('isolated');
    // Between two looks, so that there is no liquidation before.
    bench.pass(hour - 1);
    await quoteSpot('48990', '49010');
    bench.pass(60_001);
    expect(await status()).toBe('expired');
    expect((await api('GET futures/history/trade')).body[0]).toMatchObject({
      price: '49000.00',
      pnl: '-5500.000000000000',
    });
    expect((await api(`GET futures/account/isolated/${contract}`)).body).toMatchObject({
      currencies: [{ code: 'USDT', margin_balance: '0' }],
      positions: null,
    });
    expect(allMoney(bench.server, 'USDT')).toBe(money);
  });

  test('what a participant without margin sold is settled with the exchange, which took the other side', async () => {
    const { accounts, core, instruments } = bench.server;
    const { id: account } = accounts.open('inside');
    for (const [currency, change] of [
      ['BTC', '1'],
      ['USDT', '1000'],
    ] as const)
      core.handle({ kind: 'adjustBalance', account, currency, change: parseAmount(change) });
    const money = allMoney(bench.server, 'USDT');
    const { id: instrument } = instruments.get(contract);
    core.handle({
      kind: 'place',
      account,
      request: {
        clientOrderId: 'inside-order' as ClientOrderId,
        instrument,
        side: 'sell',
        type: 'limit',
        timeInForce: 'GTC',
        quantity: 500 as Lots,
        price: 6_000_000 as Ticks,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
      takeMarkup: zero,
      makeMarkup: zero,
    });
    expect((await order({})).body).toMatchObject({ status: 'filled' });
    await quoteSpot('60990', '61010');
    bench.pass(hour + 60_000);
    expect((await api('GET futures/history/trade')).body[0]).toMatchObject({ pnl: '500.000000000000' });
    expect(allMoney(bench.server, 'USDT')).toBe(money);
  });

  test('what has expired takes no order and no margin, and is listed with its last values', async () => {
    bench.pass(hour + 60_000);
    expect(codeOf(await order({}))).toEqual([400, 20010]);
    const margin = { margin_balance: '100', leverage: '10' };
    expect(codeOf(await api(`PUT futures/account/isolated/${contract}`, margin))).toEqual([400, 20010]);
    const info = (await api(`GET public/futures/info/${contract}`)).body;
    bench.pass(hour);
    expect((await api(`GET public/futures/info/${contract}`)).body).toEqual(info);
    expect(info.timestamp).toBe('2023-11-14T23:13:20.000Z');
  });

  test('one whose expiry has passed when the exchange starts is out of trading', async () => {
    const late = await openBench({
      futures: {
        contracts: [
          {
            symbol: contract,
            underlying: 'BTC',
            quoteCurrency: 'USDT',
            tickSize: '0.01',
            quantityIncrement: '0.001',
            expiry: '2023-11-14T22:13:20Z',
          },
        ],
      },
    });
    late.pass(120_000);
    const { body } = await rest(late, `GET /api/3/public/symbol/${contract}`);
    expect(body).toMatchObject({ status: 'expired', expiry: '2023-11-14T22:13:20.000Z' });
    await late.close();
  });
});

describe('the mark price of a contract that expires', () => {
  test('is the index with the mean premium of five minutes, which fades in the last half hour', async () => {
    await order({ price: '60588', quantity: '0.01' });
    await order({ side: 'sell', price: '60612', quantity: '0.01' }, 'demo-two');
    bench.pass(300_000);
    const info = async () => (await api(`GET public/futures/info/${contract}`)).body;
    expect(await info()).toMatchObject({
      premium_index: '0.01',
      avg_premium_index: '0.01',
      mark_price: '60600.00',
    });
    bench.pass(hour - 300_000 - 900_000);
    expect((await info()).mark_price).toBe('60300.00');
  });
});

describe('a symbol in clearing', () => {
  const set = (to: 'clearing' | 'working') => {
    const { id } = bench.server.instruments.get(contract);
    bench.server.core.handle({ kind: 'setStatus', instrument: id, status: to });
  };

  test('takes no new, changed or closing order, on REST and sockets; cancels, reads and margin go on', async () => {
    await trade('isolated');
    const { client_order_id: id } = (
      await order({ price: '50000', quantity: '0.1', margin_mode: 'isolated' })
    ).body;
    set('clearing');
    const change = { new_client_order_id: 'another-order-1', quantity: '0.2', price: '50000' };
    expect(codeOf(await order({ margin_mode: 'isolated' }))).toEqual([400, 20010]);
    expect(codeOf(await api(`PATCH futures/order/${id}`, change))).toEqual([400, 20010]);
    expect(codeOf(await api(`DELETE futures/position/isolated/${contract}`))).toEqual([400, 20010]);
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    const ask = (method: string, params: object) => socket.ask({ method, params, id: method });
    const placed = {
      symbol: contract,
      side: 'buy',
      quantity: '0.1',
      price: '50000',
      margin_mode: 'isolated',
    };
    for (const [method, params] of [
      ['futures_new_order', placed],
      ['futures_replace_order', { client_order_id: id, ...change }],
      ['futures_close_position', { symbol: contract }],
    ] as const)
      expect((await ask(method, params)).error.code, method).toBe(20010);
    // The order rests and the position stays as they were.
    expect((await ask('futures_get_orders', {})).result).toMatchObject([
      { client_order_id: id, status: 'new' },
    ]);
    const put = { margin_balance: '6000', leverage: '20' };
    expect((await api(`PUT futures/account/isolated/${contract}`, put)).body).toMatchObject({
      currencies: [{ margin_balance: '6000.000000000000' }],
      positions: [{ quantity: '0.500' }],
    });
    expect((await ask('futures_cancel_order', { client_order_id: id })).result).toMatchObject({
      status: 'canceled',
    });
    socket.close();
    set('working');
    expect((await order({ margin_mode: 'isolated', quantity: '0.1', price: '50000' })).body.status).toBe(
      'new',
    );
  });

  test('has no liquidation; one that is due comes when trading goes on', async () => {
    await trade('isolated');
    // Both sides of the contract, so that its premium is small when the spot price falls.
    const margin = { margin_balance: '5000', leverage: '10' };
    await api(`PUT futures/account/isolated/${contract}`, margin, 'demo-two');
    const own = { margin_mode: 'isolated' };
    await order({ ...own, price: '50900' }, 'demo-two');
    await order({ ...own, side: 'sell', price: '51100', quantity: '0.1' }, 'demo-two');
    set('clearing');
    await quoteSpot('50990', '51010');
    bench.pass(3_000);
    expect((await api(`GET futures/account/isolated/${contract}`)).body.positions).toMatchObject([
      { quantity: '0.500' },
    ]);
    set('working');
    expect((await api('GET futures/history/clearing')).body).toMatchObject([{ report_reason: 'liquidated' }]);
  });
});

test.each([
  ['2023-11-14T22:13:20Z', 'BTCUSDT_231229', '2023-12-29T08:00:00.000Z'],
  ['2023-12-22T08:00:00Z', 'BTCUSDT_231229', '2023-12-29T08:00:00.000Z'],
  ['2023-12-22T08:00:01Z', 'BTCUSDT_240329', '2024-03-29T08:00:00.000Z'],
  ['2024-06-27T00:00:00Z', 'BTCUSDT_240927', '2024-09-27T08:00:00.000Z'],
  ['2026-12-31T00:00:00Z', 'BTCUSDT_270326', '2027-03-26T08:00:00.000Z'],
])('at %s the contract of the quarter is %s', (now, symbol, expiry) => {
  const found = defaultContracts(seconds(Date.parse(now) / 1_000), { quarterly: true }).at(-1);
  expect([found?.symbol, found?.expiry]).toEqual([symbol, expiry]);
});
