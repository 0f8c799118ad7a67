import { afterEach, expect, test } from 'vitest';
import { formatAmount, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Counterparty } from './support/counterparty.ts';
import { contract } from './support/margin-scene.ts';
import { Puppet } from './support/puppet.ts';
import type { StageParts } from './support/stage.ts';
import { expectReplayed } from './support/replayed.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Margin and contracts on paper: the simulated venue keeps the accounts, and takes what positions pay.

const minute = 60_000_000;
/** At the venue it is this long before a full minute when the session begins. */
const before = 5_000_000;

let stage: Stage;

async function open(strategy: object, parts: Partial<StageParts> = {}): Promise<Counterparty> {
  Puppet.forget();
  stage = await Stage.open({
    mode: 'paper',
    strategies: [strategy as Record<string, unknown>],
    exchange: { flow: { enabled: false } },
    ahead: (minute - before - ((Date.now() * 1_000) % minute)) as Micros,
    config: {
      backtest: { balances: { ETH: '10', USDT: '10000' }, futuresBalances: { USDT: '5000' } },
      sim: {
        funding: { rate: '0.0001', everyMinutes: 1 },
        interest: { rate: '0.00002', everyMinutes: 1 },
      },
    },
    ...parts,
  });
  const spot = new Counterparty(stage.exchange);
  const perpetual = new Counterparty(stage.exchange, contract, 'fund');
  spot.rest('sell', 300_000, 5_000);
  perpetual.rest('sell', 300_000, 1_000);
  await until('the clock of the venue', () => stage.all('clockMeasured').length > 0);
  return spot;
}

afterEach(async () => {
  await stage.close();
});

/** What the daemon knows of money and positions of all products; profit and boundaries of margin move with the market. */
function known(): object {
  const { view } = stage.daemon.trader;
  const accounts = view.marginAccounts().map(({ product, account }) => {
    const { mode, instrument, currency, balance, reservedOrders, reservedPositions, positions } = account;
    const open = positions.map(({ id, quantity, entry, instrument: of }) => ({ id, of, quantity, entry }));
    return { product, mode, instrument, currency, balance, reservedOrders, reservedPositions, open };
  });
  return {
    accounts,
    balances: view.balances(),
    futures: view.balances('futures'),
    positions: view.positions(),
  };
}

const charged = (): Record<string, string> =>
  Object.fromEntries(
    stage.daemon.trader.view
      .positions()
      .filter(({ charges }) => charges !== zero)
      .map(({ instrument, account, charges }) => [
        `${stage.daemon.trader.instruments.at(instrument).symbol} ${account}`,
        formatAmount(charges),
      ]),
  );

test('paper carries margin accounts, their positions and charges over a stop and over a crash', async () => {
  await open(strategyOf('puppet', { contracts: [contract] }));
  let puppet = await Puppet.of(stage);
  const ids = await puppet.act((orders) => [
    orders.place({
      symbol: 'ETHUSDT',
      product: 'margin',
      marginAuto: true,
      side: 'buy',
      quantity: 3_000,
      price: 300_000,
    }),
    orders.place({
      symbol: contract,
      product: 'futures',
      marginMode: 'cross',
      side: 'buy',
      quantity: 500,
      price: 300_000,
    }),
  ]);
  for (const id of ids) await puppet.received(id, 'filled');
  await until('funding and interest', () => puppet.funding.length >= 2);
  // 0.5 × the mark price of about 3000 × 0.0001, and 900 × 0.00002.
  expect(puppet.funding.map(({ kind, account }) => `${kind} ${account}`).toSorted()).toEqual([
    'funding cross',
    'interest isolated',
  ]);
  expect(charged()['ETHUSDT isolated']).toBe('0.018');
  const paid = charged();
  expect(parseAmount(paid[`${contract} cross`] ?? '')).toBeGreaterThan(parseAmount('0.14'));
  for (const end of ['stopped', 'killed'] as const) {
    const left = known();
    if (end === 'stopped') expect(await stage.stop()).toEqual([]);
    else await stage.daemon.trader.close();
    Puppet.forget();
    await stage.start();
    puppet = await Puppet.of(stage);
    await until('the accounts', () => stage.daemon.trader.view.marginAccounts().length === 2);
    expect(known()).toEqual(left);
    expect(charged()).toEqual(paid);
  }
  const closed = await puppet.act((orders) =>
    orders.place({
      symbol: contract,
      product: 'futures',
      marginMode: 'cross',
      side: 'sell',
      quantity: 500,
      price: 299_000,
      reduceOnly: true,
    }),
  );
  await puppet.received(closed, 'filled');
  const { view, instruments } = stage.daemon.trader;
  expect(view.netPosition(instruments.get(contract).id, 'cross')).toBe(0);
  expect(view.mode).toBe('active');
});

test('a recorded paper session on margin is replayed event for event', async () => {
  await open(strategyOf('three-products'), { record: true });
  await until('both', () =>
    ['funding', 'interest'].every((kind) => stage.notes.some((note) => note.startsWith(kind))),
  );
  expect(await stage.stop()).toEqual([]);
  await expectReplayed(stage, ['marginAccount', 'orderReport']);
});
