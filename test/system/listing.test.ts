import { afterEach, expect, test } from 'vitest';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import type { Stage } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

/** A scene on ETHUSDT whose venue lists what `change` leaves of each symbol, from the next start on. */
async function opened(): Promise<{ scene: PuppetScene; relist: (change: Change) => void }> {
  let change: Change = (spec) => spec;
  const scene = await PuppetScene.open({
    listed: ({ all }) => new Instruments(all.flatMap(({ spec }) => change(spec) ?? [])),
  });
  ({ stage } = scene);
  return { scene, relist: (next) => (change = next) };
}

type Change = (spec: InstrumentSpec) => InstrumentSpec | undefined;

const without =
  (symbol: string): Change =>
  (spec) =>
    spec.symbol === symbol ? undefined : spec;

test('a journal goes on when symbols it never used are gone or have another grid', async () => {
  const { scene, relist } = await opened();
  await scene.puppet.received(await scene.puppet.place(far), 'new');
  await stage.stop();
  relist((spec) => {
    if (spec.symbol === 'XRPUSDT') return undefined;
    return spec.symbol === 'ETHBTC' ? { ...spec, tickSize: '0.5' } : spec;
  });
  await stage.start();
  const { trader } = stage.daemon;
  await until('the strategy runs', () => trader.started);
  // The journal's numbers mean what they meant, and nothing can be ordered there.
  const tick = { ETHBTC: '0.000001', XRPUSDT: '0.00001' };
  for (const [symbol, tickSize] of Object.entries(tick))
    expect(trader.instruments.get(symbol).spec).toMatchObject({ tickSize, status: 'suspended' });
});

test('a journal is refused when a symbol that a strategy wants is gone or has another grid', async () => {
  const { relist } = await opened();
  await stage.stop();
  relist(without('ETHUSDT'));
  await expect(stage.start()).rejects.toThrow(
    /was written for ETHUSDT with tick size 0\.01 .*; the venue no longer lists it; name another run\.directory$/,
  );
  relist((spec) => (spec.symbol === 'ETHUSDT' ? { ...spec, tickSize: '0.5' } : spec));
  await expect(stage.start()).rejects.toThrow(/; now it is 0\.5 and 0\.0001; name another run\.directory$/);
});

test('a journal is refused when a symbol on which something is held is gone, whatever trades now', async () => {
  const { scene, relist } = await opened();
  await scene.puppet.received(
    await scene.puppet.place({ side: 'buy', quantity: 20, price: 301_000 }),
    'filled',
  );
  await stage.stop();
  stage.config = { ...stage.config, strategies: [] };
  relist(without('ETHUSDT'));
  await expect(stage.start()).rejects.toThrow('; the venue no longer lists it; name another run.directory');
  // It let go of the journal.
  relist((spec) => spec);
  await stage.start();
  expect(stage.daemon.trader.view.positions()).toMatchObject([{ quantity: 20 }]);
});
