import { afterEach, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount, parseAmount, subtract } from '../../src/core/base/amount.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { Counterparty } from './support/counterparty.ts';
import { contract, MarginScene } from './support/margin-scene.ts';
import { expectReplayed } from './support/replayed.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

let scene: MarginScene;

afterEach(async () => {
  await scene.stage.close();
});

const margin = { symbol: 'ETHUSDT', product: 'margin' } as const;
const future = { symbol: contract, product: 'futures' } as const;

test('a spot symbol on isolated margin: opened by an order, reduced, charged interest, killed, and the same again', async () => {
  scene = await MarginScene.open();
  const { spot } = scene;
  spot.rest('sell', 300_000, 5_000);
  const bought = await scene.puppet.act((orders) =>
    orders.place({ ...margin, side: 'buy', quantity: 5_000, price: 300_000, marginAuto: true }),
  );
  await scene.puppet.received(bought, 'filled');
  await scene.accountUntil(
    'ETHUSDT',
    'isolated',
    (account) => account?.positions[0]?.quantity === parseAmount('0.5'),
  );
  expect(scene.account('ETHUSDT', 'isolated')).toMatchObject({ auto: true });
  spot.rest('buy', 300_000, 2_000);
  const sold = await scene.puppet.act((orders) =>
    orders.place({ ...margin, side: 'sell', quantity: 2_000, price: 300_000, reduceOnly: true }),
  );
  await scene.puppet.received(sold, 'filled');
  await scene.accountUntil(
    'ETHUSDT',
    'isolated',
    (account) => account?.positions[0]?.quantity === parseAmount('0.3'),
  );
  const before = scene.account('ETHUSDT', 'isolated')?.balance ?? parseAmount('0');
  scene.takeInterest();
  await until('interest', () => scene.puppet.funding.length > 0);
  // 900 × 0.00002.
  expect(
    scene.puppet.funding.map(({ amount, kind, symbol, account }) => [
      formatAmount(amount),
      kind,
      symbol,
      account,
    ]),
  ).toEqual([['0.018', 'interest', 'ETHUSDT', 'isolated']]);
  const after = scene.account('ETHUSDT', 'isolated')?.balance ?? parseAmount('0');
  expect(formatAmount(subtract(before, after))).toBe('0.018');
  await scene.expectSame();
  await scene.killed();
  await scene.expectSame();
  expect(formatAmount(scene.charges('ETHUSDT'))).toBe('0.018');
  const closed = await scene.puppet.turn(({ margin: accounts }) =>
    accounts.close('ETHUSDT', { price: 299_900 }),
  );
  spot.rest('buy', 299_900, 10_000);
  await scene.puppet.received(closed, 'filled');
  await scene.accountUntil('ETHUSDT', 'isolated', (account) => account === undefined);
  await scene.expectSame();
});

test('a perpetual on isolated and on cross margin: funded, killed, liquidated when the market moves', async () => {
  scene = await MarginScene.open();
  const { spot, perpetual } = scene;
  await scene.puppet.turn(({ margin: accounts }) => accounts.set(contract, { balance: '100' }));
  await scene.accountUntil(contract, 'isolated', (account) => account?.balance === parseAmount('100'));
  await scene.puppet.turn(({ margin: accounts }) => accounts.setLeverage(contract, 20));
  await scene.accountUntil(contract, 'isolated', (account) => account?.leverage === parseAmount('20'));
  perpetual.rest('sell', 300_000, 1_000);
  const ids = await scene.puppet.act((orders) =>
    (['isolated', 'cross'] as const).map((marginMode) =>
      orders.place({ ...future, marginMode, side: 'buy', quantity: 500, price: 300_000 }),
    ),
  );
  for (const id of ids) await scene.puppet.received(id, 'filled');
  for (const mode of ['isolated', 'cross'] as const)
    await scene.accountUntil(contract, mode, (account) => account?.positions.length === 1);
  scene.settleFunding(parseAmount('0.0001'));
  await until('funding', () => scene.puppet.funding.length === 2);
  // 0.5 × 3000 × 0.0001, for each.
  expect(scene.puppet.funding.map(({ amount, account }) => [formatAmount(amount), account])).toEqual([
    ['0.15', 'isolated'],
    ['0.15', 'cross'],
  ]);
  await scene.expectSame();
  await scene.killed();
  await scene.expectSame();
  expect(formatAmount(scene.charges(contract))).toBe('0.3');
  perpetualFalls(perpetual, spot);
  await until('the liquidation', () =>
    scene.puppet.margin.some((line) => line.startsWith('liquidation isolated')),
  );
  await scene.accountUntil(contract, 'isolated', (account) => (account?.positions.length ?? 0) === 0);
  await scene.expectSame();
  const { view } = scene.stage.daemon.trader;
  expect(view.netPosition(scene.instrument(contract).id, 'isolated')).toBe(0);
  await scene.killed();
  await scene.expectSame();
});

/** Something to buy on spot and on the contract, and an isolated account with money for each. */
async function openAccounts(): Promise<void> {
  const { spot, perpetual } = scene;
  spot.rest('sell', 300_000, 1_000);
  perpetual.rest('sell', 300_000, 500);
  await scene.puppet.turn(({ margin: accounts }) => {
    accounts.set('ETHUSDT', { balance: '200' });
    accounts.set(contract, { balance: '100' });
  });
  for (const symbol of ['ETHUSDT', contract])
    await scene.accountUntil(symbol, 'isolated', (one) => one !== undefined);
}

test('what happens while the daemon is down is known when it is up: an execution, a charge, a liquidation', async () => {
  scene = await MarginScene.open();
  const { spot, perpetual } = scene;
  await openAccounts();
  const ids = await scene.puppet.act((orders) => [
    orders.place({ ...margin, side: 'buy', quantity: 1_000, price: 300_000 }),
    orders.place({ ...future, side: 'buy', quantity: 500, price: 300_000 }),
    orders.place({ ...future, side: 'buy', quantity: 10, price: 290_000 }),
  ]);
  const [bought, long, low] = ids as [ClientOrderId, ClientOrderId, ClientOrderId];
  await scene.puppet.received(bought, 'filled');
  await scene.puppet.received(long, 'filled');
  await scene.accountUntil('ETHUSDT', 'isolated', (one) => one?.positions.length === 1);
  const resting = await scene.puppet.act((orders) =>
    orders.place({ ...margin, side: 'sell', quantity: 400, price: 300_500, reduceOnly: true }),
  );
  await scene.puppet.received(resting, 'new');
  await scene.puppet.received(low, 'new');
  await scene.expectSame();
  await until(
    'a look that shows what the wallets hold',
    () => scene.stage.daemon.trader.view.wallets.isProven,
  );
  await scene.killed(() => {
    spot.take('buy', 300_500, 400);
    scene.takeInterest();
  });
  await scene.expectSame();
  const { view } = scene.stage.daemon.trader;
  expect(view.order(resting)).toMatchObject({ state: 'filled', cumulative: 400 });
  expect(view.position(scene.instrument('ETHUSDT').id, 'puppet', 'isolated')).toMatchObject({
    quantity: 600,
  });
  // 180 × 0.00002, taken of what was left after the sale: no report showed it.
  await until('the interest', () => formatAmount(scene.charges('ETHUSDT')) === '0.0036');
  // What an earlier run left live is cancelled, by the path of its product, once it is known what is held.
  await until('the end of it', () => view.order(low)?.state === 'canceled');
  await scene.killed(async () => {
    perpetualFalls(perpetual, spot);
    await until('the liquidation', () => scene.positionsAt('futures').length === 0);
  });
  await scene.expectSame();
  expect(scene.stage.daemon.trader.view.netPosition(scene.instrument(contract).id, 'isolated')).toBe(0);
  const again = await scene.puppet.act((orders) =>
    orders.place({ ...future, marginMode: 'cross', side: 'buy', quantity: 10, price: 270_000 }),
  );
  await scene.puppet.received(again, 'new');
  await scene.puppet.act((orders) => orders.cancelAll());
  await until('no orders', () => scene.stage.daemon.trader.view.openOrders().length === 0);
  await scene.expectSame();
});

test('an operator flattens what margin accounts hold, in these accounts', async () => {
  scene = await MarginScene.open();
  const { spot, perpetual, stage } = scene;
  spot.rest('sell', 300_000, 500);
  perpetual.rest('sell', 300_000, 100);
  const ids = await scene.puppet.act((orders) => [
    orders.place({ ...margin, marginAuto: true, side: 'buy', quantity: 500, price: 300_000 }),
    orders.place({ ...future, marginMode: 'cross', side: 'buy', quantity: 100, price: 300_000 }),
  ]);
  for (const id of ids) await scene.puppet.received(id, 'filled');
  stage.daemon.trader.act({ act: 'flatten', strategy: undefined }, 'test', 'the test asks for it');
  const left = () => [...scene.positionsAt('margin'), ...scene.positionsAt('futures')];
  await until('nothing is open', () => left().length === 0);
  const { view } = stage.daemon.trader;
  await until('nothing is held', () => view.positions().every(({ quantity }) => quantity === 0));
  await scene.expectSame();
});

/** The price falls to where 100 USDT do not bear 0.5 of the contract any more. */
function perpetualFalls(...parties: readonly Counterparty[]): void {
  for (const party of parties) {
    party.take('sell', 299_000, 100_000);
    party.rest('buy', 272_000, 100_000);
    party.rest('sell', 272_100, 100_000);
  }
}

test('a recorded session of all three products is replayed event for event', async () => {
  const stage = await Stage.open({
    strategies: [strategyOf('three-products')],
    exchange: { flow: { enabled: false } },
    record: true,
  });
  scene = { stage } as MarginScene;
  const spot = new Counterparty(stage.exchange);
  const perpetual = new Counterparty(stage.exchange, contract, 'fund');
  spot.rest('sell', 300_000, 500);
  perpetual.rest('sell', 300_000, 100);
  const noted = (words: string) => until(words, () => stage.notes.includes(words));
  await Promise.all([noted('filled 500 isolated'), noted('filled 100 cross')]);
  const { core } = stage.exchange;
  const { id } = core.instruments.get(contract);
  core.handle({
    kind: 'settleFunding',
    instrument: id,
    price: 300_000 as Ticks,
    rate: parseAmount('0.0001'),
  });
  core.handle({ kind: 'takeInterest' });
  await until('both', () =>
    ['funding', 'interest'].every((kind) => stage.notes.some((note) => note.startsWith(kind))),
  );
  expect(await stage.stop()).toEqual([]);
  await expectReplayed(stage, ['marginAccount', 'balances', 'orderReport']);
});

test('margin accounts are carried over to a finer grid and back: positions, prices of liquidations, charges, and they are closed', async () => {
  let isFiner = false;
  scene = await MarginScene.open({
    listed: (listed) =>
      isFiner
        ? new Instruments(
            listed.all.map(({ spec }) =>
              [margin.symbol, contract].includes(spec.symbol)
                ? {
                    ...spec,
                    tickSize: formatAmount((parseAmount(spec.tickSize) / 10n) as Amount),
                    quantityIncrement: formatAmount((parseAmount(spec.quantityIncrement) / 10n) as Amount),
                  }
                : spec,
            ),
          )
        : listed,
  });
  const { spot } = scene;
  await openAccounts();
  const ids = await scene.puppet.act((orders) => [
    orders.place({ ...margin, side: 'buy', quantity: 1_000, price: 300_000 }),
    orders.place({ ...future, side: 'buy', quantity: 500, price: 300_000 }),
  ]);
  for (const id of ids) await scene.puppet.received(id, 'filled');
  for (const symbol of ['ETHUSDT', contract])
    await scene.accountUntil(symbol, 'isolated', (one) => one?.positions.length === 1);
  scene.takeInterest();
  await until('interest', () => scene.puppet.funding.length > 0);
  await scene.expectSame();
  const held = () =>
    ['ETHUSDT', contract].map((symbol) => {
      const { view } = scene.stage.daemon.trader;
      const instrument = scene.instrument(symbol);
      const own = view.position(instrument.id, 'puppet', 'isolated');
      const [position] = scene.account(symbol, 'isolated')?.positions ?? [];
      return {
        size: formatAmount(instrument.quantityAmount(own.quantity as Lots)),
        printed: position && formatAmount(position.quantity),
        // A price of the venue's is on no grid before: it is compared to the nearest tick of the coarser one.
        liquidation: position?.liquidation && Number(instrument.price(position.liquidation)).toFixed(1),
        cash: own.cash,
        charges: own.charges,
      };
    });
  const before = held();
  expect(before.map(({ size }) => size)).toEqual(['0.1', '0.5']);
  await scene.killed(() => void (isFiner = true));
  expect(scene.instrument('ETHUSDT').spec).toMatchObject({ tickSize: '0.001', quantityIncrement: '0.00001' });
  expect(held()).toEqual(before);
  await scene.expectSame();
  expect(held().map(({ size, printed }) => [size, printed])).toEqual(before.map(({ size }) => [size, size]));
  // The venue of the test takes orders on its own grid alone: the run goes on in the finer steps.
  await scene.killed(() => void (isFiner = false));
  expect(scene.instrument('ETHUSDT').spec).toMatchObject({ tickSize: '0.001', orderTick: '0.01' });
  expect(held()).toEqual(before);
  spot.rest('buy', 299_900, 10_000);
  const closed = await scene.puppet.turn(({ margin: accounts }) =>
    accounts.close('ETHUSDT', { price: 2_999_000 }),
  );
  await scene.puppet.received(closed, 'filled');
  await scene.accountUntil('ETHUSDT', 'isolated', (account) => (account?.positions.length ?? 0) === 0);
  await scene.expectSame();
});
