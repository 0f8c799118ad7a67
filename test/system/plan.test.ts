import { afterEach, expect, test, vi } from 'vitest';
import { planCommand } from '../../src/app/preflight/plan.ts';
import type { Plan } from '../../src/app/preflight/plan-text.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { futuresAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import { balanceRows } from '../../src/operate/views/balances.ts';
import { heldRows } from '../../src/operate/views/positions.ts';
import { marginRows } from '../../src/operate/views/margin.ts';
import { Counterparty } from './support/counterparty.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { Puppet } from './support/puppet.ts';
import type { ConfigInput } from './support/stage.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// What `godwit plan` foretells of a start, and what the start then does.

let stage: Stage;

async function open(strategy: ConfigInput = {}, config: ConfigInput = {}): Promise<void> {
  Puppet.forget();
  stage = await Stage.open({
    strategies: [strategyOf('puppet', {}, strategy)],
    exchange: { flow: { enabled: false } },
    config,
  });
  const market = new Counterparty(stage.exchange);
  expect(market.instrument.symbol).toBe('ETHUSDT');
}

afterEach(async () => {
  await stage.close();
});

async function plan(mode: 'sim' | 'paper' = 'sim'): Promise<{ code: number; said: Plan; text: string }> {
  const key = stage.exchange.accounts.get('demo').keys[0];
  const environment = { KEY: key?.apiKey, SECRET: key?.secret.reveal() };
  const said: string[] = [];
  const output = { data: (line: string) => void said.push(line), progress: () => {}, colour: false };
  const command = { mode, config: stage.config, environment, clock: new SystemClock(), output };
  const code = await planCommand({ ...command, json: true });
  const document = JSON.parse(said.splice(0).join('')) as Plan;
  await planCommand({ ...command, json: false });
  return { code, said: document, text: said.join('\n') };
}

/** Places an order of the demo account past the daemon. */
function placeByHand(id: string): void {
  const { id: account } = stage.exchange.accounts.get('demo');
  const request = {
    clientOrderId: id as ClientOrderId,
    instrument: stage.exchange.instruments.get('ETHUSDT').id,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 20 as Lots,
    price: 250_000 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
  } as const;
  const markups = { takeMarkup: zero, makeMarkup: zero };
  stage.exchange.core.handle({ kind: 'place', account, ...markups, request });
  expect(liveIds()).toContain(id);
}

/** Places an order over HTTP with another key of the demo account, as a daemon elsewhere would. */
async function placeByKey(number: number, id: string): Promise<void> {
  const key = stage.exchange.accounts.get('demo').keys[number];
  const basic = Buffer.from(`${key?.apiKey}:${key?.secret.reveal()}`).toString('base64');
  const body = new URLSearchParams({
    client_order_id: id,
    symbol: 'ETHUSDT',
    side: 'buy',
    quantity: '0.0020',
    price: '2500.00',
  });
  const reply = await fetch(`${stage.exchange.restUrl}/api/3/spot/order`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  });
  expect(reply.status).toBe(200);
}

function liveIds(): readonly string[] {
  const { id } = stage.exchange.accounts.get('demo');
  return stage.exchange.core.exchange.activeOrders(id).map(({ clientOrderId }) => clientOrderId);
}

test('own orders are canceled, foreign ones left, stale ones looked up, as the start then does; nothing is sent', async () => {
  await open();
  const puppet = await Puppet.of(stage);
  const request = { side: 'buy', quantity: 10, price: 290_000 } as const;
  const own = await puppet.place(request);
  const stale = await puppet.place({ ...request, price: 289_000 });
  await puppet.received(own, 'new');
  await puppet.received(stale, 'new');
  await stage.daemon.trader.close();
  const { id: account } = stage.exchange.accounts.get('demo');
  stage.exchange.core.handle({ kind: 'cancel', account, clientOrderId: stale });
  placeByHand('hand-0000001');
  placeByHand('gw-0abc12-puppet-00001');

  const handled = vi.spyOn(stage.exchange.core, 'handle');
  const { code, said, text } = await plan();
  // The mark price of contracts moves by itself.
  expect(handled.mock.calls.filter(([{ kind }]) => kind !== 'setMark')).toEqual([]);
  handled.mockRestore();
  expect([code, said.start, said.why]).toEqual([0, 'ready', []]);
  const fates = Object.fromEntries(said.orders.map(({ id, fate }) => [id, fate]));
  expect(fates).toEqual({
    [own]: 'cancel',
    [stale]: 'look',
    'hand-0000001': 'leave',
    'gw-0abc12-puppet-00001': 'cancel',
  });
  expect(text).toContain('trade may start');
  expect(text).toMatch(/was killed/);

  Puppet.forget();
  await stage.start();
  await until('the orders that go', () => liveIds().length === 1);
  expect(liveIds()).toEqual(['hand-0000001']);
  await stage.next('differenceFound', ({ difference }) => difference.clientOrderId === 'hand-0000001');
  const line =
    /^our books and the venue differ: order hand-0000001 \(.*\) is live at the venue, and not of this bot \(since .*\); until the order is no longer listed as active$/;
  const busy = await until('the journal has the difference', async () => {
    const found = await plan();
    return found.said.run.some((one) => line.test(one)) && found;
  });
  expect([busy.code, busy.said.start]).toEqual([6, 'refused']);
  expect(busy.said.why[0]).toMatch(/another process writes the journal/);
});

test('orders of others go by their policy, and a second key of the account is of another Godwit, as the start then does', async () => {
  const others = [
    { prefix: 'grid-', policy: 'adopt', strategy: 'puppet' },
    { prefix: 'desk-', policy: 'claim' },
  ];
  await open({}, { orders: { others } });
  await stage.daemon.trader.close();
  placeByHand('grid-0000001');
  placeByHand('desk-0000001');
  const theirs = 'gw-mb3x1k2z-maker-00001';
  await placeByKey(2, theirs);

  const { said, text } = await plan();
  expect(
    said.orders.map(({ id, fate, policy, prefix, strategy }) => [id, fate, policy, prefix, strategy]),
  ).toEqual([
    ['grid-0000001', 'adopt', 'adopt', 'grid-', 'puppet'],
    ['desk-0000001', 'claim', 'claim', 'desk-', 'external'],
    [theirs, 'leave', 'leave', null, 'external'],
  ]);
  expect(said.others).toEqual([
    { prefix: 'grid-', policy: 'adopt', strategy: 'puppet', orders: 1 },
    { prefix: 'desk-', policy: 'claim', strategy: null, orders: 1 },
    { prefix: null, policy: 'leave', strategy: null, orders: 1 },
  ]);
  expect(text).toMatch(/grid- +adopt by puppet +1 live now/);
  expect(text).toMatch(/any other +leave +1 live now/);
  expect(said.orders.map(({ why }) => why)).toEqual([
    'strategy puppet has it as its own from the start on (orders.others: grid-)',
    'it stays, and goes with our own at a halt, a kill, a flatten and a cancel of all orders; no strategy sees it (orders.others: desk-)',
    'run mb3x1k2z is not in this journal: another Godwit trades on this account, or an earlier run whose journal is elsewhere left it (orders.unknownRuns: leave); it counts in limits and is shown, and is never touched',
  ]);

  Puppet.forget();
  await stage.start();
  await stage.next('orderAssigned', ({ clientOrderId }) => clientOrderId === 'grid-0000001');
  await stage.next('differenceFound', ({ difference }) => difference.kind === 'otherGodwit');
  const puppet = await Puppet.of(stage);
  // Reports reach a session of the one key of what the other key does, too.
  await placeByKey(2, 'gw-mb3x1k30-maker-00001');
  await until('the second one is shown', () =>
    stage.daemon.trader.differences.some(({ key }) => key === 'godwit gw-mb3x1k30'),
  );
  await puppet.act((orders) => {
    orders.cancelAll();
  });
  await until('the adopted one is gone', () => !liveIds().includes('grid-0000001'));
  stage.daemon.act({ act: 'halt' }, 'test', '');
  await until('the claimed one is gone', () => !liveIds().includes('desk-0000001'));
  expect(liveIds()).toEqual([theirs, 'gw-mb3x1k30-maker-00001']);
});

test('positions, margin accounts, the wallet of contracts and what becomes of protective orders are shown as the lists show them', async () => {
  const scene = await MarginScene.open();
  ({ stage } = scene);
  const { puppet } = scene;
  const order = { symbol: contract, product: 'futures', marginMode: 'isolated' } as const;
  await puppet.turn(({ margin }) => margin.set(contract, { balance: '10' }));
  await scene.accountUntil(contract, 'isolated', (account) => account?.balance === parseAmount('10'));
  scene.perpetual.rest('sell', 300_100, 20);
  const entry = await puppet.act((orders) =>
    orders.place({ ...order, side: 'buy', quantity: 20, price: 300_100, timeInForce: 'IOC' }),
  );
  await puppet.received(entry, 'filled');
  const stop = await puppet.act((orders) =>
    orders.place({
      ...order,
      side: 'sell',
      type: 'stopLimit',
      stopPrice: 290_000,
      price: 289_000,
      quantity: 20,
      reduceOnly: true,
    }),
  );
  await puppet.received(stop, 'suspended');
  const more = await puppet.act((orders) =>
    orders.place({ ...order, side: 'buy', quantity: 10, price: 295_000 }),
  );
  await puppet.received(more, 'new');
  await scene.expectSame();
  const shown = heldRows(stage.daemon.trader);
  const accounts = marginRows(stage.daemon.trader);
  const wallets = balanceRows(stage.daemon.trader);
  await stage.daemon.trader.close();

  const { said, text } = await plan();
  const market = (row: (typeof accounts)[number]) => ({
    ...row,
    positions: row.positions.map(({ price: _price, pnl: _pnl, ...one }) => one),
  });
  expect(said.margin.map(market)).toEqual(accounts.map(market));
  expect(said.margin[0]?.positions[0]).toMatchObject({ quantity: '0.02', entry: '3001' });
  expect(said.margin[0]?.positions[0]?.liquidationPrice).not.toBeNull();
  expect(said.balances).toEqual(wallets);
  expect(said.balances.map(({ wallet }) => wallet)).toContain('futures');
  const [position] = said.positions;
  expect(position).toMatchObject({
    account: 'isolated',
    averagePrice: shown[0]?.averagePrice,
    protection: [{ id: stop, fate: 'keep' }],
  });
  expect(said.orders.find(({ id }) => id === stop)).toMatchObject({ stopPrice: '2900.00', reduceOnly: true });
  expect(said.orders.find(({ id }) => id === more)).toMatchObject({ fate: 'cancel', protects: false });
  expect(text).toContain(`${stop}: adopt`);
  expect(text).toMatch(/futures +isolated +ETHUSDT_PERP/);
  expect(text).toContain('liquidationPrice');

  Puppet.forget();
  await stage.start();
  const live = (): readonly string[] =>
    stage.exchange.core.exchange
      .activeOrders(futuresAccountOf(scene.demo))
      .map(({ clientOrderId }) => clientOrderId);
  await until('the order that goes', () => live().length === 1);
  expect(live()).toEqual([stop]);
});

test('limits, funds and sizes off the grid are named with what is left', async () => {
  await open({ limits: { positionMax: { ETHUSDT: '0.50005' }, loss: { USDT: { losingTrades: 3 } } } });
  const puppet = await Puppet.of(stage);
  const id = await puppet.place({ side: 'buy', quantity: 10, price: 301_000, timeInForce: 'IOC' });
  await puppet.received(id, 'filled');
  await stage.stop();
  const { said } = await plan();
  const [grid] = said.grids;
  expect(grid?.rounded).toEqual([`limits.positionMax 0.50005 is cut down to 0.5000`]);
  const limits = new Map(said.limits.map((row) => [row.limit, row]));
  expect(limits.get('position of puppet in ETHUSDT')).toMatchObject({ used: '0.0010', most: '0.5000' });
  expect(limits.get('losing trades in a row of puppet in USDT')).toMatchObject({ left: '3' });
  expect(limits.get('open orders on ETHUSDT (the venue allows 2,000)')).toMatchObject({ left: '1800' });
  const usdt = said.funds.find(({ currency }) => currency === 'USDT');
  // Up to 0.4990 more, at the middle of 2990 and 3010.
  expect(usdt).toMatchObject({ allowed: '1497', short: null });
  expect(said.budgets.map(({ lane }) => lane)).toEqual(['cancel', 'read', 'replace', 'new']);
  expect(said.comparison).toEqual([
    'the account every 60 s, sooner while a difference is open',
    'the book of each symbol with own orders every 600 s',
  ]);
  const paper = await plan('paper');
  expect([paper.code, paper.said.start]).toEqual([6, 'refused']);
});

test('a halt that holds is reported with its reason', async () => {
  await open();
  await Puppet.of(stage);
  stage.daemon.act({ act: 'halt' }, 'test', 'a strange price');
  await until('the halt', () => stage.daemon.trader.view.modeLatched);
  await stage.stop();
  const { code, said, text } = await plan();
  expect([code, said.start]).toEqual([6, 'halted']);
  expect(said.why[0]).toMatch(/trading is halted: .*a strange price.*--clear-halt/);
  expect(text.split('\n')[0]).toMatch(/would start halted/);
});
