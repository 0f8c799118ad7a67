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
  const { spec: other } = trader.instruments.get('ETHBTC');
  expect(other).toMatchObject({ tickSize: '0.000001', status: 'suspended' });
  const { spec: gone } = trader.instruments.get('XRPUSDT');
  expect(gone).toMatchObject({ tickSize: '0.00001', status: 'expired' });
  expect(stage.daemon.changed.notes).toEqual([]);
});

test('a journal is refused when a symbol that a strategy wants has another grid', async () => {
  const { relist } = await opened();
  await stage.stop();
  relist((spec) => (spec.symbol === 'ETHUSDT' ? { ...spec, tickSize: '0.5' } : spec));
  await expect(stage.start()).rejects.toThrow(
    /was written for ETHUSDT with tick size 0\.01 .*; now it is 0\.5 and 0\.0001; name another run\.directory$/,
  );
});

const note =
  'the venue no longer lists ETHUSDT: nothing of it is followed and no order of it leaves, until it is listed again; what is held of it stays in the journal';

test('a symbol of the parameters that the venue no longer lists is told at a restart, and the run goes on', async () => {
  const { relist } = await opened();
  await stage.stop();
  relist(without('ETHUSDT'));
  await stage.start();
  const { trader, changed } = stage.daemon;
  expect(changed.notes).toEqual([note]);
  await until('the strategy runs', () => trader.started);
  const { id, spec } = trader.instruments.get('ETHUSDT');
  expect(spec.status).toBe('expired');
  // The exchange of the test lists it still: the symbol is back at the next look.
  await until(
    'it is back',
    () => trader.view.status(id) === 'working' && trader.view.book(id).status === 'live',
  );
  await until('all is well', () => trader.safeStates.length === 0);
});

test('what is held of a symbol that the venue no longer lists is kept over a restart, whatever trades now', async () => {
  const { scene, relist } = await opened();
  await scene.puppet.received(
    await scene.puppet.place({ side: 'buy', quantity: 20, price: 301_000 }),
    'filled',
  );
  await stage.stop();
  stage.config = { ...stage.config, strategies: [] };
  relist(without('ETHUSDT'));
  await stage.start();
  expect(stage.daemon.changed.notes).toEqual([note]);
  expect(stage.daemon.trader.view.positions()).toMatchObject([{ quantity: 20 }]);
});
