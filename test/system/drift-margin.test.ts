import { expect, test } from 'vitest';
import { join } from 'node:path';
import type { Lots } from '../../src/core/model/instrument.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import { futuresAccountOf } from '../../src/exchange/matching/product-accounts.ts';
import { godwit } from './support/cli.ts';
import { contract } from './support/margin-scene.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

/** A recorded session that buys a contract. */
function recorded(): Promise<Stage> {
  return Stage.open({
    strategies: [strategyOf('contract-buyer')],
    record: true,
    config: { orders: { lastTradeNeeded: false } },
  });
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
    // Nothing is told as nondeterminism.
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
