import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatAmount } from '../../src/core/base/amount.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { futuresAccountOf, marginAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import type { Ticks } from '../../src/core/model/instrument.ts';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

// Money of margin and of contracts, to the last digit, on the exchange's own clock.

let bench: Bench;
const hour = 3_600_000;

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol] });
});
afterEach(() => bench.close());

const api = (line: string, json?: object, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account);
  return rest(bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
};
const order = (members: object = {}) => ({
  client_order_id: newId(),
  symbol: 'ETHUSDT',
  side: 'buy',
  quantity: '1',
  price: '100',
  ...members,
});
const they = (members: object) => api('POST spot/order', order(members), 'demo-two');
const balanceOf = async (path = 'margin/account/isolated/ETHUSDT', account = 'demo') =>
  (await api(`GET ${path}`, undefined, account)).body.currencies[0].margin_balance as string;

/** Everything there is of a currency, wherever it lies. */
function total(currency: string): string {
  const { accounts, core, wallet } = bench.server;
  let sum: bigint = core.exchange.collectedFees(currency) + core.exchange.exchangeFunds(currency);
  for (const { id } of accounts.all) {
    for (const owner of [id, marginAccountOf(id), futuresAccountOf(id)]) {
      const { available, reserved } = core.exchange.balance(owner, currency);
      sum += available + reserved;
      for (const view of owner === id ? [] : core.exchange.marginAccounts(owner))
        if (view.currency === currency) sum += view.balance;
    }
  }
  return formatAmount((sum + wallet.context.held.total(currency)) as Amount);
}

async function openLong(quantity: string, balance = '1000'): Promise<void> {
  await api('PUT margin/account/isolated/ETHUSDT', { margin_balance: balance });
  await they({ side: 'sell', quantity });
  await api('POST margin/order', order({ quantity }));
}

describe('interest', () => {
  test('is taken at every full hour from the volume of each position, and goes to the exchange', async () => {
    const before = total('USDT');
    await openLong('2');
    expect(await balanceOf()).toBe('999.600000000000');
    const house = bench.server.core.exchange.exchangeFunds('USDT');
    for (let i = 0; i < 3; i++) bench.pass(hour);
    // 200 × 0.00002, three times.
    expect(await balanceOf()).toBe('999.588000000000');
    expect(formatAmount((bench.server.core.exchange.exchangeFunds('USDT') - house) as Amount)).toBe('0.012');
    expect(total('USDT')).toBe(before);
  });

  test('is sent to subscribers, and is none of positions that are closed', async () => {
    await openLong('2');
    bench.pass(hour - ((bench.clock.now() / 1_000) % hour) - 1_000);
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    await socket.ask({ method: 'margin_subscribe', params: {}, id: 1 });
    bench.pass(1_001);
    const received = await socket.until(({ method }) => method === 'margin_account');
    expect(received.params).toMatchObject({ report_type: 'updated', report_reason: 'interestTaken' });
    expect(received.params.positions).toMatchObject([{ updated_at: received.params.updated_at }]);
    await they({ side: 'buy', quantity: '2', price: '100' });
    await api('DELETE margin/position');
    socket.close();
    const left = await balanceOf();
    bench.pass(5 * hour);
    expect(await balanceOf()).toBe(left);
  });
});

describe('an order against a position', () => {
  test('holds margin unless it is bound to reduce it', async () => {
    await openLong('2');
    const sell = { side: 'sell', quantity: '1', price: '150' };
    const reserved = async () =>
      (await api('GET margin/account/isolated/ETHUSDT')).body.currencies[0].reserved_orders as string;
    await api('POST margin/order', order({ ...sell, reduce_only: true }));
    expect(await reserved()).toBe('0');
    await api('POST margin/order', order(sell));
    // 150 × (1.002 / 5 + 0.004).
    expect(await reserved()).toBe('30.660000000000');
  });
});

describe('the boundaries of a position', () => {
  /** The price of the last trade becomes `price`. */
  const trade = async (price: string): Promise<void> => {
    await they({ side: 'buy', quantity: '0.01', price });
    await they({ side: 'sell', quantity: '0.01', price });
  };

  test('send a margin call and liquidate at the prices that were reported, and not a tick before', async () => {
    const before = total('USDT');
    await openLong('0.2', '5');
    const read = async () => (await api('GET margin/account/isolated/ETHUSDT')).body as Json;
    const [position] = (await read()).positions;
    // Margin 4.96: the price where 4.96 + 0.2 (P − 100) = 0.2 P (1 / (5 × 1.5) + 0.002), cut to the tick; and with 2.
    expect([position.price_margin_call, position.price_liquidation]).toEqual(['86.96', '83.74']);
    await trade('86.97');
    expect((await read()).margin_call).toBe(false);
    await trade('86.96');
    expect((await read()).margin_call).toBe(true);
    const refused = await api('POST margin/order', order({ price: '80', quantity: '0.01' }));
    expect(refused.body.error.code).toBe(20034);
    await trade('83.75');
    expect((await read()).positions).toHaveLength(1);
    await they({ side: 'buy', quantity: '1', price: '83.70' });
    await trade('83.74');
    expect((await read()).positions).toBeNull();
    expect(total('USDT')).toBe(before);
  });

  test('take the fee of a forced close from what is left, never more', async () => {
    await openLong('0.2', '5');
    await they({ side: 'buy', quantity: '1', price: '83.70' });
    await trade('83.70');
    const [row] = (await api('GET margin/history/trade')).body as Json[];
    // Left: 4.96 − 3.26 − the fee of the trade; the forced close costs 5 % of 16.74.
    expect(row).toMatchObject({ liquidation: true, pnl: '-3.260000000000', fee: '0.870480000000' });
    expect(await balanceOf()).toBe('0.829520000000');
  });
});

describe('contracts', () => {
  const name = 'ETHUSDT_PERP';
  const contract = (members: object) => order({ symbol: name, quantity: '0.1', ...members });

  /** Both sides of 0.1 contracts at 100, where the index is. */
  async function openBoth(): Promise<void> {
    await they({ side: 'sell', quantity: '1', price: '100.01' });
    await they({ side: 'buy', quantity: '1', price: '99.99' });
    const transfer = { currency: 'USDT', amount: '500', source: 'spot', destination: 'derivatives' };
    for (const account of ['demo', 'demo-two']) {
      await api('POST wallet/transfer', transfer, account);
      const leverage = { margin_balance: '100', leverage: '10' };
      await api(`PUT futures/account/isolated/${name}`, leverage, account);
    }
    await api('POST futures/order', contract({ side: 'sell' }), 'demo-two');
    await api('POST futures/order', contract({}));
  }

  test('pay funding at the settlement: longs what shorts get, to the last digit', async () => {
    const before = total('USDT');
    await openBoth();
    const path = `futures/account/isolated/${name}`;
    const [long, short] = [await balanceOf(path), await balanceOf(path, 'demo-two')];
    bench.pass(3_000);
    const { next_funding_time: due } = (await api(`GET public/futures/info/${name}`)).body as Json;
    bench.pass(Date.parse(due as string) - bench.clock.now() / 1_000 + 1);
    const [row] = (await api(`GET public/futures/history/funding/${name}`)).body as Json[];
    const info = (await api(`GET public/futures/info/${name}`)).body as Json;
    const paid = 0.1 * Number(info.mark_price) * Number(row.funding_rate);
    expect(paid).toBeGreaterThan(0);
    const [longNow, shortNow] = [await balanceOf(path), await balanceOf(path, 'demo-two')];
    expect(Number(longNow) - Number(long)).toBeCloseTo(-paid, 9);
    expect(Number(shortNow) - Number(short)).toBeCloseTo(paid, 9);
    expect(total('USDT')).toBe(before);
  });

  test('report a cross account and its positions by notices of their own', async () => {
    await openBoth();
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    await socket.ask({ method: 'futures_subscribe', params: {}, id: 1 });
    await api('PUT futures/account/cross/USDT', { margin_balance: '100' });
    const opened = await socket.until(({ method }) => method === 'futures_account_cross');
    expect(opened.params).toMatchObject({ type: 'cross', report_reason: 'created' });
    await api('POST futures/order', contract({ side: 'sell' }), 'demo-two');
    await api('POST futures/order', contract({ margin_mode: 'cross' }));
    const position = await socket.until(({ method }) => method === 'futures_position_cross');
    expect(position.params).toMatchObject({ symbol: name, margin_mode: 'Cross', report_type: 'created' });
    await api('POST futures/order', contract({}), 'demo-two');
    await api(`DELETE futures/position/cross/${name}`);
    const closed = await socket.until(({ method }) => method === 'futures_position_cross');
    expect(closed.params).toMatchObject({ quantity: '0', report_type: 'closed', report_reason: 'closed' });
    socket.close();
  });

  test('are refused beyond what their leverage allows, positions and orders together', async () => {
    const transfer = { currency: 'USDT', amount: '500000', source: 'spot', destination: 'derivatives' };
    await api('POST wallet/transfer', transfer);
    await api(`PUT futures/account/isolated/${name}`, { margin_balance: '100000', leverage: '100' });
    const half = contract({ quantity: '250', price: '100' });
    expect((await api('POST futures/order', half)).status).toBe(200);
    const next = () => api('POST futures/order', contract({ quantity: '251', price: '100' }));
    const why =
      'At a leverage of 100 a position of ETHUSDT_PERP may be worth 50000 USDT with the open orders of its side, and would be worth 50100 USDT';
    const refusal = { code: 20001, message: 'Insufficient funds', description: why };
    expect((await next()).body.error).toEqual(refusal);
    const orders = [contract({ quantity: '251', price: '100' }), contract({ side: 'sell', price: '120' })];
    const listed = orders.map((order) => ({ ...order, client_order_id: newId() }));
    const list = { contingency_type: 'oneTriggerOther', orders: listed };
    expect((await api('POST futures/order/list', list)).body.error).toEqual(refusal);
    expect(
      (await api('POST futures/order', contract({ quantity: '1', price: '1000000' }))).body.error,
    ).toMatchObject({ code: 20001, description: expect.stringContaining('and would be worth 1025000 USDT') });
    expect((await api('POST futures/order', { ...half, client_order_id: newId() })).status).toBe(200);
  });

  test('show the price positions are valued at', () => {
    const { core, instruments } = bench.server;
    const { id } = instruments.get(name);
    core.handle({ kind: 'setMark', instrument: id, price: 10_000 as Ticks });
    expect(core.exchange.marginAccounts(futuresAccountOf(bench.server.accounts.get('demo').id))).toEqual([]);
  });
});

describe('a sub-account that is frozen', () => {
  test('loses its orders and positions of margin and contracts, and all of the money goes to its wallet', async () => {
    await bench.close();
    bench = await openBench({
      limits: { enabled: false },
      symbols: [marginSymbol],
      accounts: [
        { name: 'demo', keys: [{}], balances: { USDT: '10000', ETH: '100' } },
        { name: 'demo-two', keys: [{}], balances: { USDT: '10000', ETH: '100' } },
        { name: 'sub', keys: [{}], balances: { USDT: '1000' }, subAccount: { parent: 'demo' } },
      ],
      wallet: { deposits: [] },
    });
    const before = total('USDT');
    const sub = (line: string, json?: object) => api(line, json, 'sub');
    await sub('PUT margin/account/isolated/ETHUSDT', { margin_balance: '100' });
    await they({ side: 'sell', quantity: '1' });
    await sub('POST margin/order', order());
    await sub('POST margin/order', order({ price: '90', quantity: '0.1' }));
    const transfer = { currency: 'USDT', amount: '200', source: 'spot', destination: 'derivatives' };
    await sub('POST wallet/transfer', transfer);
    await they({ side: 'buy', quantity: '1', price: '99' });
    const [row] = (await api('GET sub-account')).body as Json[];
    const ids = { sub_account_ids: row.sub_account_id };
    expect((await api('POST sub-account/freeze', ids)).body).toEqual({ result: true });
    const { id } = bench.server.accounts.get('sub');
    const { exchange } = bench.server.core;
    for (const product of [marginAccountOf(id), futuresAccountOf(id)]) {
      expect(exchange.marginAccounts(product)).toEqual([]);
      expect(exchange.activeOrders(product)).toEqual([]);
    }
    const { result } = (await api(`GET sub-account/balance/${row.sub_account_id}`)).body as Json;
    // Bought at 100 and sold at 99, both as taker: 1 and 0.398 less.
    expect(result).toMatchObject({ wallet: [{ currency: 'USDT', available: '998.602' }] });
    expect(total('USDT')).toBe(before);
  });
});
