import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { marginSymbol } from './support/margin-symbol.ts';
import type { Answer, Bench, Json } from './support/raw-client.ts';
import { newId, openBench, RawSocket, rest } from './support/raw-client.ts';

let bench: Bench;
const plain = { ...marginSymbol, symbol: 'BTCUSDT', baseCurrency: 'BTC', marginTrading: false };

beforeEach(async () => {
  bench = await openBench({ limits: { enabled: false }, symbols: [marginSymbol, plain] });
});
afterEach(() => bench.close());

const api = (line: string, json?: object, index = 0, account = 'demo'): Promise<Answer> => {
  const [method, path] = line.split(' ') as [string, string];
  const key = bench.key(account, index);
  return rest(bench, `${method} /api/3/${path}`, { key, ...(json !== undefined && { json }) });
};
const codeOf = (answer: Answer) => [answer.status, answer.body.error?.code];
const order = (members: object = {}) => ({
  client_order_id: newId(),
  symbol: 'ETHUSDT',
  side: 'buy',
  quantity: '1',
  price: '100',
  ...members,
});
const they = (members: object) => api('POST spot/order', order(members), 0, 'demo-two');
const margin = (balance: string) => api('PUT margin/account/isolated/ETHUSDT', { margin_balance: balance });
const trading = async () => (await api('GET spot/balance/USDT')).body;

describe('isolated margin over REST', () => {
  test('an account is opened, changed and closed, and the trading balance follows', async () => {
    expect(codeOf(await api('GET margin/account/isolated/ETHUSDT'))).toEqual([400, 20032]);
    const opened = await margin('1000');
    expect(opened.body).toEqual({
      symbol: 'ETHUSDT',
      type: 'isolated',
      leverage: '5.00',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      currencies: [
        { code: 'USDT', margin_balance: '1000.000000000000', reserved_orders: '0', reserved_positions: '0' },
      ],
      positions: null,
      margin_call: false,
      margin_auto: false,
      amr: false,
    });
    expect(await trading()).toMatchObject({ available: '999000', reserved_margin: '1000' });
    expect((await api('GET margin/account')).body).toEqual([opened.body]);
    expect((await api('GET margin/account/isolated/ETHUSDT')).body).toEqual(opened.body);
    expect(codeOf(await margin('1000'))).toEqual([400, 20033]);
    expect(codeOf(await margin('99999999'))).toEqual([400, 20001]);
    expect((await margin('400')).body.currencies[0].margin_balance).toBe('400.000000000000');
    expect((await margin('0')).body.currencies[0].margin_balance).toBe('0');
    expect(await trading()).toMatchObject({ available: '1000000', reserved_margin: '0' });
    expect((await api('GET margin/account')).body).toEqual([]);
  });

  test('orders open a position with the amounts of the arithmetic, and closing realizes the result', async () => {
    await margin('1000');
    await they({ side: 'buy', price: '7933.30', quantity: '0.001' });
    const sold = await api(
      'POST margin/order',
      order({ side: 'sell', type: 'market', price: null, quantity: '0.001' }),
    );
    expect(sold.body).toMatchObject({
      status: 'filled',
      reduce_only: false,
      close_position: false,
      margin_mode: 'isolated',
    });
    expect(sold.body.trades).toMatchObject([{ position_id: 1, fee: '0.015866600000' }]);
    const account = (await api('GET margin/account/isolated/ETHUSDT')).body;
    expect(account.currencies[0]).toMatchObject({
      margin_balance: '999.984133400000',
      reserved_positions: '1.605699920000',
    });
    expect(account.positions).toMatchObject([
      {
        quantity: '-0.001',
        price_entry: '7933.30',
        price_margin_call: '887772.25',
        price_liquidation: '914625.61',
        pnl: '0',
      },
    ]);
    await they({ side: 'sell', price: '7000', quantity: '1' });
    const closed = await api('DELETE margin/position/isolated/ETHUSDT');
    expect(closed.body).toMatchObject({
      quantity: '0',
      price_entry: '0',
      pnl: '0.933300000000',
      margin_mode: 'isolated',
    });
    const trades = (await api('GET margin/history/trade')).body as Json[];
    expect(trades.map(({ pnl, liquidation, position_id: id }) => [pnl, liquidation, id])).toEqual([
      ['0.933300000000', false, 1],
      ['0', false, 1],
    ]);
    expect((await api('GET margin/history/order')).body).toHaveLength(2);
    const { pnl, fee_cumulative: fees } = closed.body;
    expect((await api('GET margin/history/positions')).body).toMatchObject([
      { quantity: '0', pnl, fee_cumulative: fees, price_margin_call: '0', price_liquidation: '0' },
      { quantity: '-0.001', pnl: '0' },
    ]);
    expect((await api('GET margin/history/clearing')).body).toEqual([]);
    expect((await api('GET spot/history/order')).body).toEqual([]);
    expect(codeOf(await api('DELETE margin/position/isolated/ETHUSDT'))).toEqual([400, 20032]);
  });

  test('a resting order is read, replaced and canceled apart from spot orders', async () => {
    await margin('1000');
    const placed = (await api('POST margin/order', order())).body;
    expect(placed).toMatchObject({ status: 'new', margin_mode: 'isolated' });
    expect((await api('GET margin/order')).body).toHaveLength(1);
    expect((await api('GET spot/order')).body).toEqual([]);
    expect((await api(`GET margin/order/${placed.client_order_id}`)).body).toMatchObject({ id: placed.id });
    const replaced = await api(`PATCH margin/order/${placed.client_order_id}`, {
      quantity: '2',
      price: '90',
    });
    expect(replaced.body).toMatchObject({
      quantity: '2.000',
      original_client_order_id: placed.client_order_id,
    });
    expect((await api('DELETE margin/order')).body).toMatchObject([{ status: 'canceled' }]);
    expect(codeOf(await api(`DELETE margin/order/${placed.client_order_id}`))).toEqual([400, 20002]);
    expect((await margin('0')).status).toBe(200);
  });

  test('an automatic order opens its account and gives the margin back at the end', async () => {
    expect(codeOf(await api('POST margin/order', order()))).toEqual([400, 20032]);
    const placed = await api('POST margin/order', order({ margin_auto: true }));
    expect(placed.body).toMatchObject({ status: 'new', margin_auto: true });
    expect(await trading()).toMatchObject({ reserved_margin: '20.44' });
    await api('DELETE margin/order');
    expect(await trading()).toMatchObject({ available: '1000000', reserved_margin: '0' });
  });

  test('a stop order bound to the position closes what is open then', async () => {
    await margin('1000');
    await they({ side: 'sell', price: '100', quantity: '2' });
    await api('POST margin/order', order({ quantity: '2' }));
    const stop = await api(
      'POST margin/order',
      order({
        type: 'stopMarket',
        time_in_force: 'IOC',
        stop_price: '90',
        price: null,
        quantity: null,
        close_position: true,
        side: 'sell',
      }),
    );
    expect(stop.body).toMatchObject({ status: 'suspended', close_position: true, quantity: '2.000' });
    await they({ side: 'buy', price: '90', quantity: '5' });
    await they({ side: 'sell', price: '90', quantity: '1' });
    expect((await api('GET margin/account/isolated/ETHUSDT')).body.positions).toBeNull();
  });

  test('replenishment needs an account, and setting it twice changes nothing', async () => {
    const amr = { margin_mode: 'isolated', symbol: 'ETHUSDT', amr: true };
    expect(codeOf(await api('PUT margin/margin-settings/amr', amr))).toEqual([400, 10025]);
    await margin('1000');
    const state = { ...amr, currency: null };
    for (let i = 0; i < 2; i++)
      expect((await api('PUT margin/margin-settings/amr', amr)).body).toEqual(state);
    expect((await api('GET margin/account/isolated/ETHUSDT')).body.amr).toBe(true);
    expect(codeOf(await api('PUT futures/margin-settings/amr', { ...amr, symbol: 'ETHUSDT' }))).toEqual([
      400, 10001,
    ]);
  });

  test('lists of margin orders follow the rules of lists', async () => {
    await margin('1000');
    const orders = [order(), order({ price: '90' })];
    const placed = await api('POST margin/order/list', { contingency_type: 'oneCancelOther', orders });
    expect(placed.body).toMatchObject([
      {
        contingency_type: 'oneCancelOther',
        order_list_id: orders[0]?.client_order_id,
        margin_mode: 'isolated',
      },
      { contingency_type: 'oneCancelOther' },
    ]);
    const account = (await api('GET margin/account/isolated/ETHUSDT')).body;
    expect(account.currencies[0].reserved_orders).toBe('20.440000000000');
    expect(codeOf(await api('POST margin/order/list', { contingency_type: 'allOrNone', orders }))).toEqual([
      400, 10001,
    ]);
  });

  test('what is wrong is refused with its code', async () => {
    const put = (path: string, balance: unknown) =>
      api(`PUT margin/account/${path}`, { margin_balance: balance });
    expect(codeOf(await put('isolated/BTCUSDT', '10'))).toEqual([400, 20040]);
    expect(codeOf(await put('isolated/NOPE', '10'))).toEqual([400, 2001]);
    expect(codeOf(await put('cross/NOPE', '10'))).toEqual([400, 2002]);
    expect(codeOf(await put('sideways/ETHUSDT', '10'))).toEqual([400, 2024]);
    expect(codeOf(await put('isolated/ETHUSDT', 'much'))).toEqual([400, 10001]);
    expect(codeOf(await put('isolated/ETHUSDT', '0'))).toEqual([400, 20032]);
    await margin('10');
    expect(codeOf(await api('POST margin/order', order({ quantity: '100' })))).toEqual([400, 20001]);
    expect(codeOf(await api('POST margin/order', order({ margin_mode: 'none' })))).toEqual([400, 2024]);
    expect(codeOf(await api('POST margin/order', order({ symbol: 'BTCUSDT' })))).toEqual([400, 20040]);
    expect(codeOf(await api('POST margin/order', order({ close_position: true })))).toEqual([400, 10001]);
    expect(codeOf(await api('GET margin/order/unknown-order'))).toEqual([400, 20002]);
    expect(codeOf(await api('POST margin/order', order(), 1))).toEqual([403, 1003]);
    expect((await api('GET margin/config')).body.config).toMatchObject([
      {
        symbol: 'ETHUSDT',
        margin_call_leverage_mul: '1.50',
        liquidation_leverage_mul: '2.00',
        max_initial_leverage: '5.00',
      },
    ]);
  });

  test('a price that uses up the margin liquidates the position', async () => {
    await margin('5');
    await they({ side: 'sell', price: '100', quantity: '0.2' });
    await api('POST margin/order', order({ quantity: '0.2' }));
    await they({ side: 'buy', price: '70', quantity: '5' });
    await they({ side: 'sell', price: '70', quantity: '1' });
    expect((await api('GET margin/account/isolated/ETHUSDT')).body.positions).toBeNull();
    const trades = (await api('GET margin/history/trade')).body as Json[];
    expect(trades[0]).toMatchObject({ liquidation: true, quantity: '0.200' });
    expect((await api('GET margin/history/clearing')).body).toMatchObject([{ report_reason: 'liquidated' }]);
  });
});

describe('cross margin over REST', () => {
  test('positions share the margin of a currency', async () => {
    const opened = await api('PUT margin/account/cross/USDT', { margin_balance: '500' });
    expect(opened.body).toMatchObject({
      type: 'cross',
      currencies: [{ margin_call_margin: '0', debt_sum: '0' }],
    });
    expect(await trading()).toMatchObject({ cross_margin_reserved: '500', reserved_margin: '0' });
    await they({ side: 'sell', price: '100', quantity: '2' });
    const placed = await api('POST margin/order', order({ margin_mode: 'cross', quantity: '2' }));
    expect(placed.body).toMatchObject({ status: 'filled', margin_mode: 'cross' });
    const account = (await api('GET margin/account/cross/USDT')).body;
    expect(account.positions).toMatchObject([{ margin_mode: 'cross', quantity: '2.000' }]);
    expect(account.currencies[0]).toMatchObject({
      margin_call_margin: '27.066666666666',
      liquidation_margin: '20.400000000000',
    });
    await they({ side: 'buy', price: '100', quantity: '2' });
    expect((await api('DELETE margin/position')).body).toMatchObject([{ quantity: '0', pnl: '0' }]);
  });
});

describe('margin on the trading socket', () => {
  test('an order is reported, then answered, then its account is reported', async () => {
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    const ask = (method: string, params: object, id: string) => socket.ask({ method, params, id });
    expect(
      (await ask('margin_set_account', { symbol: 'ETHUSDT', margin_balance: '1000' }, 'set')).result,
    ).toMatchObject({
      report_type: 'created',
      report_reason: 'created',
    });
    expect((await ask('margin_subscribe', {}, 'sub')).result).toBe(true);
    const accounts = await socket.until(({ method }) => method === 'margin_accounts');
    expect(accounts.params).toMatchObject([
      { symbol: 'ETHUSDT', report_type: 'status', report_reason: 'status' },
    ]);
    const from = socket.received.length;
    socket.say({ method: 'margin_new_order', params: order(), id: 'order' });
    await socket.until(({ method }) => method === 'margin_account');
    expect(socket.received.slice(from).map((received) => received.method ?? received.id)).toEqual([
      'margin_order',
      'order',
      'margin_account',
    ]);
    expect(socket.received.at(-1).params).toMatchObject({ report_type: 'updated', report_reason: 'updated' });
    expect((await ask('margin_get_orders', {}, 'orders')).result).toMatchObject([
      { report_type: 'status', margin_mode: 'isolated' },
    ]);
    expect((await ask('margin_get_accounts', {}, 'accounts')).result).toHaveLength(1);
    await they({ side: 'sell', price: '100', quantity: '1' });
    const traded = await socket.until(
      ({ method, params }) => method === 'margin_order' && params.report_type === 'trade',
    );
    expect(traded.params).toMatchObject({ status: 'filled', trade_position_id: 1 });
    const opened = await socket.until(({ method }) => method === 'margin_account');
    expect(opened.params).toMatchObject({ report_reason: 'openTrade', positions: [{ quantity: '1.000' }] });
    await they({ side: 'buy', price: '99', quantity: '1' });
    const before = socket.received.length;
    await ask('margin_close_position', { symbol: 'ETHUSDT' }, 'close');
    const received = socket.received
      .slice(before)
      .map(({ method, id, params }) => params?.report_reason ?? method ?? id);
    expect(received.indexOf('closed')).toBeLessThan(received.indexOf('close'));
    expect((await ask('margin_unsubscribe', {}, 'unsub')).result).toBe(true);
    expect((await ask('margin_cancel_orders', {}, 'cancel')).result).toEqual([]);
    expect((await ask('margin_close_position', { symbol: 'ETHUSDT' }, 'again')).error.code).toBe(20032);
    socket.close();
  });
});

describe('contracts', () => {
  test('margin comes from the money for derivatives, and positions are those of margin', async () => {
    const contract = (await api('GET futures/config')).body.config[0];
    const { symbol: name } = contract;
    const put = (balance: string, leverage?: string) =>
      api(`PUT futures/account/isolated/${name}`, { margin_balance: balance, ...(leverage && { leverage }) });
    expect(codeOf(await put('100', '10'))).toEqual([400, 20001]);
    expect(codeOf(await put('100'))).toEqual([400, 10001]);
    expect(codeOf(await put('100', '100000'))).toEqual([400, 10001]);
    const transfer = { currency: 'USDT', amount: '500', source: 'spot', destination: 'derivatives' };
    for (const account of ['demo', 'demo-two'])
      expect((await api('POST wallet/transfer', transfer, 0, account)).status).toBe(200);
    expect((await api('GET futures/balance')).body).toMatchObject([{ currency: 'USDT', available: '500' }]);
    expect((await put('100', '10')).body).toMatchObject({ type: 'isolated', leverage: '10.00' });
    expect((await api('GET futures/balance/USDT')).body).toMatchObject({ available: '400' });
    expect(codeOf(await api('POST futures/order', order()))).toEqual([400, 10001]);
    const one = order({ symbol: name, quantity: '0.01', margin_auto: true });
    expect((await api('POST futures/order', { ...one, side: 'sell' }, 0, 'demo-two')).body).toMatchObject({
      status: 'new',
      margin_mode: 'Isolated',
    });
    expect((await api('POST futures/order', order({ symbol: name, quantity: '0.01' }))).body).toMatchObject({
      status: 'filled',
    });
    expect((await api(`GET futures/account/isolated/${name}`)).body.positions).toMatchObject([
      { margin_mode: 'Isolated' },
    ]);
    expect(codeOf(await api('POST spot/order', order({ symbol: name })))).toEqual([400, 10001]);
    expect((await api(`GET futures/fee/${name}`)).body.symbol).toBe(name);
    expect((await api('GET futures/fee')).body.length).toBeGreaterThan(0);
  });

  test('balances and fees are reported over the socket too', async () => {
    const { symbol: name } = (await api('GET futures/config')).body.config[0];
    const socket = await RawSocket.open(bench, '/api/3/ws/trading');
    await socket.login(bench.key('demo'));
    const ask = (method: string, params: object) => socket.ask({ method, params, id: method });
    expect((await ask('futures_balances', {})).result).toEqual([]);
    expect((await ask('futures_balance', { currency: 'USDT' })).result).toMatchObject({ available: '0' });
    expect((await ask('futures_balance', { currency: 'NOPE' })).error.code).toBe(2002);
    expect((await ask('futures_fees', {})).result.length).toBeGreaterThan(0);
    expect((await ask('futures_fee', { symbol: name })).result.symbol).toBe(name);
    expect((await ask('futures_subscribe', {})).result).toBe(true);
    await socket.until(({ method }) => method === 'futures_accounts');
    expect((await ask('futures_get_orders', {})).result).toEqual([]);
    expect((await ask('futures_close_position', { symbol: name })).error.code).toBe(20032);
    socket.close();
  });
});
