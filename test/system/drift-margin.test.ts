import { expect, test } from 'vitest';
import { join } from 'node:path';
import type { Lots } from '../../src/core/model/instrument.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import { godwit } from './support/cli.ts';
import { contract } from './support/margin-scene.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

test('a session on contracts is laid beside its backtest: positions and charges of each margin account', async () => {
  const stage = await Stage.open({
    strategies: [strategyOf('contract-buyer')],
    record: true,
    config: { orders: { lastTradeNeeded: false } },
  });
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
