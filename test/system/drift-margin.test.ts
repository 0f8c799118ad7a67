import { expect, test } from 'vitest';
import { join } from 'node:path';
import type { Lots } from '../../src/core/model/instrument.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { futuresAccountOf } from '../../src/exchange/matching/accounts/command.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { ExchangeServer } from '../../src/exchange/server/server.ts';
import { godwit } from './support/cli.ts';
import { contract } from './support/margin-scene.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

/** A recorded session that buys a contract; `before` it begins something may happen at the exchange. */
function recorded(before: (exchange: ExchangeServer) => void = () => {}): Promise<Stage> {
  return Stage.open({
    strategies: [strategyOf('contract-buyer')],
    record: true,
    config: { orders: { lastTradeNeeded: false } },
    socketsOf: (exchange) => {
      before(exchange);
      return Promise.resolve(exchange.wsUrl);
    },
  });
}

/** What `godwit drift` says of the session of a stage that has stopped. */
async function drifted(stage: Stage): Promise<{
  readonly score: number | null;
  readonly unscored: readonly string[];
  readonly currencies: readonly { readonly causes: object }[];
}> {
  const directory = join(stage.directory, 'run');
  const { out } = await godwit(['drift', directory, '--recording', stage.recording, '--json']);
  return JSON.parse(out) as Awaited<ReturnType<typeof drifted>>;
}

test('a session on contracts is laid beside its backtest: positions and charges of each margin account', async () => {
  const stage = await recorded();
  try {
    const { core } = stage.exchange;
    const { id } = core.instruments.get(contract);
    const bought = (): number =>
      new Set(stage.all('orderReport').flatMap(({ fill }) => fill?.tradeId ?? [])).size;
    await until('the purchases', () => bought() >= 3);
    core.handle({
      kind: 'settleFunding',
      instrument: id,
      price: 300_000 as never,
      rate: parseAmount('0.0001'),
    });
    const { view } = stage.daemon.trader;
    const held = () => view.position(id, 'contract-buyer', 'cross');
    await until('the funding', () => held().charges > 0n);
    const { charges, quantity } = held();
    await stage.stop();
    const { instruments } = stage.daemon.trader;
    const said = await godwit([
      'drift',
      join(stage.directory, 'run'),
      '--recording',
      stage.recording,
      '--json',
    ]);
    expect(said.err).not.toContain('PRODUCT_SYMBOL');
    expect(JSON.parse(said.out)).toMatchObject({
      fills: { live: 3, substituted: 3 },
      margin: [
        {
          symbol: contract,
          account: 'cross',
          livePosition: instruments.at(id).quantityText(quantity as Lots),
          simulatedPosition: instruments.at(id).quantityText(quantity as Lots),
          // The venue took funding out of turn: no recording announces it.
          simulatedCharges: '0',
        },
      ],
    });
    const { margin } = JSON.parse(said.out) as { margin: { liveCharges: string }[] };
    expect(parseAmount(margin[0]?.liveCharges ?? '')).toBe(charges);
  } finally {
    await stage.close();
  }
});

test('a session in which an operator and a foreign order acted is not scored, and says why', async () => {
  const stage = await recorded();
  try {
    const { core } = stage.exchange;
    const { id } = core.instruments.get(contract);
    const account = futuresAccountOf(stage.exchange.accounts.get('demo').id);
    await until('a purchase', () => stage.all('orderReport').some(({ fill }) => fill !== undefined));
    // Somebody closes the position by hand.
    core.handle({
      kind: 'closePosition',
      account,
      mode: 'cross',
      instrument: id,
      price: undefined,
      clientOrderId: 'byhand-0000001',
    });
    await until('the foreign order', () =>
      stage
        .all('orderReport')
        .some(({ order, fill }) => fill !== undefined && order.clientOrderId.startsWith('close-')),
    );
    stage.daemon.trader.act({ act: 'halt' }, 'operator', 'a test');
    await until('the halt', () => stage.daemon.trader.view.mode === 'halted');
    await stage.stop();
    const directory = join(stage.directory, 'run');
    const said = await godwit(['drift', directory, '--recording', stage.recording, '--json']);
    const { score, unscored, currencies } = JSON.parse(said.out) as {
      score: number | null;
      unscored: string[];
      currencies: { causes: object }[];
    };
    expect(score).toBeNull();
    expect(unscored).toHaveLength(2);
    expect(unscored[0]).toMatch(/order close-\d+ of others traded on margin/);
    expect(unscored[1]).toMatch(/an operator acted \(halt\)/);
    // Nothing is reported as nondeterminism.
    expect(currencies.map(({ causes }) => causes)).toEqual(currencies.map(() => ({})));
    const strict = await godwit([
      'drift',
      directory,
      '--recording',
      stage.recording,
      '--tolerance',
      '1000000',
    ]);
    expect(strict.code).toBe(7);
    expect(strict.out).toContain('score      none: a backtest cannot repeat what happened');
    expect(strict.out).not.toContain('nondeterminism');
    expect(strict.out).toMatch(/not scored .*an operator acted \(halt\)/);
  } finally {
    await stage.close();
  }
});

test('a session that began with a position of others is not scored, and neither is the next one, which finds it in its journal', async () => {
  const stage = await recorded((exchange) => {
    const { id } = exchange.instruments.get(contract);
    const outcomes = exchange.core.handle({
      kind: 'place',
      account: futuresAccountOf(exchange.accounts.get('demo').id),
      takeMarkup: zero,
      makeMarkup: zero,
      request: {
        clientOrderId: 'byhand-0000001' as ClientOrderId,
        instrument: id,
        side: 'buy',
        type: 'limit',
        timeInForce: 'IOC',
        quantity: 7 as Lots,
        price: 400_000 as never,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
      margin: { mode: 'cross', reduceOnly: false, closePosition: false, auto: false },
    });
    expect(outcomes.map((one) => one.kind)).not.toContain('refused');
  });
  try {
    const { id } = stage.daemon.trader.instruments.get(contract);
    const held = (strategy: string) => stage.daemon.trader.view.position(id, strategy, 'cross').quantity;
    await until('the position of others', () => held('external') === 7);
    await until('a purchase', () => held('contract-buyer') > 0);
    await stage.stop();
    const first = await drifted(stage);
    expect(first.score).toBeNull();
    expect(first.unscored).toHaveLength(1);
    expect(first.unscored[0]).toMatch(/a position of others stood in a margin account when it began$/);
    // Nothing is reported as nondeterminism.
    expect(first.currencies.map(({ causes }) => causes)).toEqual(first.currencies.map(() => ({})));
    await stage.start();
    const before = held('contract-buyer');
    await until('a purchase of the next session', () => held('contract-buyer') > before);
    await stage.stop();
    const { sessions } = (await drifted(stage)) as unknown as { sessions: (typeof first)[] };
    expect(sessions.map(({ unscored }) => unscored.map((why) => why.replace(/^\S+ /, '')))).toEqual([
      ['a position of others stood in a margin account when it began'],
      [
        'strategies held positions of margin accounts when it began',
        'a position of others stood in a margin account when it began',
      ],
    ]);
  } finally {
    await stage.close();
  }
});

test('a session in which an operator cancelled, flattened and changed parameters is not scored for each of them', async () => {
  const stage = await recorded();
  try {
    const { daemon } = stage;
    const { trader, strategyActs } = daemon;
    await until('a purchase', () => stage.all('orderReport').some(({ fill }) => fill !== undefined));
    await strategyActs.setParams('contract-buyer', { most: 0 }, 'operator', 'enough');
    daemon.act({ act: 'cancelAll', strategy: undefined, instrument: undefined }, 'operator', 'a test');
    daemon.act({ act: 'flatten', strategy: 'contract-buyer' }, 'operator', 'a test');
    const { id } = trader.instruments.get(contract);
    await until('the position is closed', () => trader.view.netPosition(id, 'cross') === 0);
    await stage.stop();
    const { score, unscored } = await drifted(stage);
    expect(score).toBeNull();
    expect(unscored.map((why) => why.replace(/^.*\((\w+)\)$/, '$1'))).toEqual([
      'setParams',
      'cancelAll',
      'flatten',
    ]);
  } finally {
    await stage.close();
  }
});
