import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { parseAmount } from '../../../src/core/base/amount.ts';
import type { Command, ReadTarget } from '../../../src/core/model/command.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { MarginChange } from '../../../src/core/model/margin.ts';
import type { ClientOrderId, OrderRequest } from '../../../src/core/model/order.ts';
import { hitbtc } from '../../../src/venues/hitbtc/venue.ts';
import { Counterparty } from '../../system/support/counterparty.ts';
import { newOrder } from './client/support/commands.ts';
import { Stage } from './client/support/exchange.ts';

let stage: Stage;
const sent: Command[] = [];

beforeEach(async () => {
  sent.length = 0;
  stage = await Stage.start({ products: () => ['spot', 'margin', 'futures'] });
  await stage.ready();
});
afterEach(() => stage.close());

const spot = () => stage.instruments.get('ETHUSDT');
const contract = () => stage.instruments.get('ETHUSDT_PERP');

/** Sends a command; resolves with how it ended. */
async function send(command: Command): Promise<string> {
  sent.push(command);
  stage.venue.send(command);
  const { commandId } = command;
  const end = await stage.watcher.until('commandSettled', (event) => event.commandId === commandId);
  return end.outcome;
}

const next = () => sent.length + 1;
const place = (id: string, changes: Partial<OrderRequest>) =>
  send(newOrder(next(), id as ClientOrderId, { price: 300_000 as Ticks, ...changes }));
const onMargin = (changes: Partial<OrderRequest['margin'] & object> = {}) =>
  ({ mode: 'isolated', reduceOnly: false, closePosition: false, auto: false, ...changes }) as const;
function change(changes: Partial<MarginChange>): Promise<string> {
  const key = { product: 'margin', mode: 'isolated', instrument: spot().id, currency: 'USDT' } as const;
  const whole = { ...key, balance: undefined, leverage: undefined, ...changes };
  return send({ kind: 'changeMargin', commandId: next(), strategy: 'test', change: whole });
}
async function read(what: ReadTarget) {
  const commandId = next();
  expect(await send({ kind: 'read', commandId, what })).toBe('acknowledged');
  return stage.watcher.until('readAnswered', (event) => event.commandId === commandId);
}
const lastAccount = () => stage.watcher.all('marginAccount').at(-1);

describe('margin', () => {
  test('an account is opened, traded on, read, and closed', async () => {
    const market = new Counterparty(stage.server);
    expect(await change({ balance: parseAmount('500') })).toBe('acknowledged');
    await stage.watcher.until('marginAccount', ({ account }) => account.balance === parseAmount('500'));
    market.rest('sell', 300_000, 5_000);
    const order = { instrument: spot().id, margin: onMargin(), quantity: 5_000 as Lots };
    expect(await place('gw-test-margin-1', order)).toBe('acknowledged');
    const trade = await stage.watcher.until('orderReport', ({ fill }) => fill !== undefined);
    expect(trade.order).toMatchObject({ clientOrderId: 'gw-test-margin-1', margin: onMargin() });
    const opened = await stage.watcher.until('marginAccount', ({ reason }) => reason === 'openTrade');
    const [position] = opened.account.positions;
    expect(position).toMatchObject({
      id: trade.fill?.positionId,
      quantity: parseAmount('0.5'),
      mode: 'isolated',
    });
    expect(position?.liquidation).toBeLessThan(300_000);
    const rest = { instrument: spot().id, margin: onMargin({ reduceOnly: true }), side: 'sell' } as const;
    expect(await place('gw-test-margin-2', { ...rest, price: 310_000 as Ticks })).toBe('acknowledged');
    const { orders } = await read({ of: 'activeOrders', product: 'margin' });
    expect(orders).toMatchObject([{ clientOrderId: 'gw-test-margin-2', margin: { reduceOnly: true } }]);
    expect((await read({ of: 'activeOrders' })).orders).toEqual([]);
    const cancel = {
      kind: 'cancelOrder',
      strategy: 'test',
      instrument: spot().id,
      product: 'margin',
    } as const;
    const clientOrderId = 'gw-test-margin-2' as ClientOrderId;
    expect(await send({ ...cancel, commandId: next(), clientOrderId })).toBe('acknowledged');
    const { fills } = await read({ of: 'tradeHistory', since: trade.order.createdAt, product: 'margin' });
    expect(fills).toMatchObject([{ clientOrderId: 'gw-test-margin-1', positionId: position?.id }]);
    expect((await read({ of: 'orderHistory', clientOrderId, product: 'margin' })).orders).toMatchObject([
      { state: 'canceled' },
    ]);
    const { marginAccounts } = await read({ of: 'marginAccounts', product: 'margin' });
    expect(marginAccounts).toEqual([lastAccount()?.account]);
    market.rest('buy', 300_000, 5_000);
    expect(
      await place('gw-test-margin-3', { ...rest, price: 300_000 as Ticks, quantity: 5_000 as Lots }),
    ).toBe('acknowledged');
    await stage.watcher.until(
      'marginAccount',
      ({ reason }) => reason === 'closeTrade' || reason === 'closed',
    );
    expect(await change({ balance: 0n as Amount })).toBe('acknowledged');
    await stage.watcher.until('marginAccount', ({ reportType }) => reportType === 'closed');
    expect((await read({ of: 'marginAccounts', product: 'margin' })).marginAccounts).toEqual([]);
  });

  test('what the venue refuses is rejected with its code', async () => {
    expect(await change({ balance: parseAmount('5000000') })).toBe('refused');
    expect(stage.watcher.all('marginRejected')).toMatchObject([{ strategy: 'test', code: 20_001 }]);
  });
});

describe('contracts', () => {
  test('isolated: the balance, the leverage alone, an order, its replacement and a list', async () => {
    const key = { product: 'futures', instrument: contract().id } as const;
    expect(await change({ ...key, balance: parseAmount('100') })).toBe('acknowledged');
    const account = await stage.watcher.until('marginAccount');
    expect(account).toMatchObject({ product: 'futures', account: { leverage: parseAmount('100') } });
    expect(await change({ ...key, leverage: parseAmount('20') })).toBe('acknowledged');
    await stage.watcher.until('marginAccount', ({ account: { leverage } }) => leverage === parseAmount('20'));
    // More margin keeps the leverage that was chosen, though the API takes no balance without one.
    expect(await change({ ...key, balance: parseAmount('150') })).toBe('acknowledged');
    expect(lastAccount()?.account).toMatchObject({
      balance: parseAmount('150'),
      leverage: parseAmount('20'),
    });
    const order = { instrument: contract().id, margin: onMargin(), price: 300_000 as Ticks };
    expect(await place('gw-test-future-1', { ...order, takeRate: parseAmount('0.01') })).toBe('acknowledged');
    expect(
      await send({
        kind: 'replaceOrder',
        commandId: next(),
        strategy: 'test',
        clientOrderId: 'gw-test-future-1' as ClientOrderId,
        newClientOrderId: 'gw-test-future-2' as ClientOrderId,
        instrument: contract().id,
        product: 'futures',
        side: 'buy',
        quantity: 400 as Lots,
        price: 299_000 as Ticks,
        stopPrice: undefined,
      }),
    ).toBe('acknowledged');
    const list = ['gw-test-future-3', 'gw-test-future-4'].map(
      (id) => newOrder(0, id as ClientOrderId, { ...order, quantity: 100 as Lots }).request,
    );
    expect(
      await send({
        kind: 'newOrderList',
        commandId: next(),
        strategy: 'test',
        contingency: 'oneCancelOther',
        requests: list.map((request, at) => ({ ...request, price: (298_000 + at) as Ticks })),
      }),
    ).toBe('acknowledged');
    const { orders } = await read({ of: 'activeOrders', product: 'futures' });
    expect(orders.map(({ clientOrderId, margin }) => [clientOrderId, margin?.mode])).toEqual(
      [2, 3, 4].map((at) => [`gw-test-future-${at}`, 'isolated']),
    );
    const balances = await read({ of: 'balances', product: 'futures' });
    expect(balances.balances).toMatchObject([{ currency: 'USDT', available: parseAmount('199850') }]);
    expect(stage.watcher.all('balances').some(({ wallet }) => wallet === 'futures')).toBe(true);
  });

  test('cross: an order, its position, and an order that closes it whole', async () => {
    const market = new Counterparty(stage.server, 'ETHUSDT_PERP');
    market.rest('sell', 300_000, 500);
    const cross = onMargin({ mode: 'cross' });
    expect(await place('gw-test-cross-1', { instrument: contract().id, margin: cross })).toBe('acknowledged');
    const { account } = await stage.watcher.until('marginAccount', ({ reason }) => reason === 'openTrade');
    expect(account).toMatchObject({ mode: 'cross', currency: 'USDT', instrument: undefined });
    expect(account.positions).toMatchObject([{ quantity: parseAmount('0.5'), mode: 'cross' }]);
    const closing = {
      instrument: contract().id,
      side: 'sell',
      type: 'stopMarket',
      timeInForce: 'FOK',
      price: undefined,
      stopPrice: 290_000 as Ticks,
      quantity: 0 as Lots,
      margin: onMargin({ mode: 'cross', closePosition: true }),
    } as const;
    expect(await place('gw-test-cross-2', closing)).toBe('acknowledged');
    const report = await stage.watcher.until('orderReport', ({ order }) => order.type === 'stopMarket');
    expect(report.order).toMatchObject({ state: 'suspended', margin: { closePosition: true } });
  });
});

test('the recorded frames of such a session make the same account events again', async () => {
  const market = new Counterparty(stage.server, 'ETHUSDT_PERP');
  await change({ balance: parseAmount('500') });
  await change({ product: 'futures', instrument: contract().id, balance: parseAmount('200') });
  await change({ product: 'futures', instrument: contract().id, leverage: parseAmount('10') });
  market.rest('sell', 300_000, 500);
  await place('gw-test-again-1', { instrument: contract().id, margin: onMargin(), quantity: 200 as Lots });
  await place('gw-test-again-2', {
    instrument: contract().id,
    margin: onMargin({ mode: 'cross' }),
    quantity: 300 as Lots,
  });
  await read({ of: 'marginAccounts', product: 'futures' });
  await read({ of: 'balances', product: 'futures' });
  const again: Event[] = [];
  const decoder = hitbtc.accountDecoder({
    instruments: stage.instruments,
    publish: (event) => again.push(event),
  });
  for (const command of sent) decoder.sent(command);
  for (const frame of stage.frames) decoder.accept(frame);
  const own = new Set(['orderReport', 'marginAccount', 'balances', 'readAnswered', 'commandSettled']);
  expect(again.length).toBeGreaterThan(15);
  expect(again).toEqual(stage.watcher.events.filter(({ kind }) => own.has(kind)));
  expect(decoder.unmatched).toBe(0);
  expect(stage.fatal).toEqual([]);
});

test('a run on spot alone sends the frames it always sent', async () => {
  await stage.close();
  stage = await Stage.start();
  await stage.ready();
  const out = stage.frames.filter(
    ({ channel, direction }) => channel === 'v3/trading' && direction === 'out',
  );
  expect(
    out.map(({ bytes }) => (JSON.parse(Buffer.from(bytes).toString()) as { method: string }).method),
  ).toEqual(['login', 'spot_subscribe', 'spot_balance_subscribe']);
});
