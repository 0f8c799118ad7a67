import { rmSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { readJournal } from '../../src/core/journal/replay.ts';
import type { InstrumentSpec, Lots } from '../../src/core/model/instrument.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { Puppet } from './support/puppet.ts';
import { far, PuppetScene } from './support/puppet-scene.ts';
import type { ConfigInput, Stage } from './support/stage.ts';
import { until } from './support/until.ts';

let stage: Stage;

afterEach(async () => {
  await stage.close();
});

/** A scene on ETHUSDT whose venue lists what `change` leaves of each symbol, from the next start on. */
async function opened(
  config: ConfigInput = {},
): Promise<{ scene: PuppetScene; relist: (change: Change) => void }> {
  let change: Change = (spec) => spec;
  const scene = await PuppetScene.open({
    config,
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
  // The journal's numbers mean what they meant, and nothing can be ordered of what is gone.
  expect(trader.instruments.get('XRPUSDT').spec).toMatchObject({ tickSize: '0.00001', status: 'expired' });
  expect(trader.instruments.get('ETHBTC').spec).toMatchObject({
    tickSize: '0.000001',
    orderTick: '0.5',
    status: 'working',
  });
  expect(stage.daemon.changed.notes).toEqual([]);
});

const note =
  'the venue no longer lists ETHUSDT: nothing of it is followed and no order of it leaves, until it is listed again; what is held of it stays in the journal';

test('a symbol of the parameters that the venue no longer lists is reported at a restart, and the run goes on', async () => {
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

const onGrid =
  (tickSize: string, quantityIncrement: string): Change =>
  (spec) =>
    spec.symbol === 'ETHUSDT' ? { ...spec, tickSize, quantityIncrement } : spec;

test('position, halt, pause and orders are carried over to a finer grid and to a coarser one', async () => {
  const { scene, relist } = await opened();
  const { puppet } = scene;
  const { directory } = stage.config.run;
  const rests = await puppet.place(far);
  await puppet.received(rests, 'new');
  await puppet.received(await puppet.place({ side: 'buy', quantity: 20, price: 301_000 }), 'filled');
  const before = position();
  stage.daemon.act({ act: 'pause', strategy: 'puppet' }, 'operator', 'kept pause');
  stage.daemon.act({ act: 'halt' }, 'operator', 'kept halt');
  await stage.stop();
  expect(before).toMatchObject({ quantity: 20, text: '0.0020' });

  relist(onGrid('0.001', '0.00001'));
  await stage.start();
  const { view } = stage.daemon.trader;
  expect(position()).toEqual({ ...before, quantity: 200, text: '0.00200' });
  expect(view.order(rests as ClientOrderId)).toMatchObject({ price: 2_991_000, quantity: 200 });
  expect([view.mode, view.modeLatched, view.modeWhy]).toEqual(['halted', true, 'kept halt, by operator']);
  expect(view.paused('puppet')).toContain('kept pause');
  await stage.stop();
  // Readers begin where the grid changed, and say so; a replay reads all.
  let removed: string | undefined;
  const read = [...readJournal(directory, { onRemoved: ({ why }) => (removed = why) })];
  expect(read[0]?.event.kind).toBe('stateCarried');
  expect(removed).toContain('are of another grid');
  expect([...readJournal(directory, { anyGrid: true })].length).toBeGreaterThan(read.length);

  relist(onGrid('0.5', '0.003'));
  await stage.start('sim', true);
  expect(position()).toEqual({ ...before, quantity: 200, text: '0.00200' });
  const { spec, tickStep, lotStep } = stage.daemon.trader.instruments.get('ETHUSDT');
  expect([spec.tickSize, spec.quantityIncrement, tickStep, lotStep]).toEqual(['0.001', '0.00001', 500, 300]);
});

test('orders go on the coarser grid: whole ticks move to it, away from the market, and a text off it is denied', async () => {
  const { relist } = await opened();
  await stage.stop();
  // A journal of a finer grid, before that of the venue.
  rmSync(stage.config.run.directory, { recursive: true });
  relist(onGrid('0.001', '0.00001'));
  await stage.start();
  await stage.stop();
  relist((spec) => spec);
  Puppet.forget();
  await stage.start();
  const puppet = await Puppet.of(stage);
  const moved = await puppet.place({ side: 'buy', quantity: 205, price: 2_991_004 });
  await puppet.received(moved, 'new');
  expect(stage.daemon.trader.view.order(moved as ClientOrderId)).toMatchObject({
    price: 2_991_000,
    quantity: 200,
  });
  const off = await puppet.place({ side: 'buy', quantity: '0.002', price: '2991.004' });
  const { denial } = await stage.next('orderDenied', ({ clientOrderId }) => clientOrderId === off);
  expect(denial).toEqual({
    code: 'OFF_GRID',
    why: 'expected a price that is a multiple of 0.01, found 2991.004',
  });
});

test('own orders that a start keeps are cancelled where they are off a coarser grid, and each is said', async () => {
  const { scene, relist } = await opened({ orders: { onStop: 'keep', onStart: 'keep' } });
  const { puppet } = scene;
  await puppet.received(await puppet.place({ side: 'buy', quantity: 60, price: 301_000 }), 'filled');
  const on = await puppet.place({ side: 'buy', quantity: 30, price: 299_100 });
  const off = await puppet.place({ side: 'buy', quantity: 30, price: 299_110 });
  const odd = await puppet.place({ side: 'buy', quantity: 20, price: 299_100 });
  const exit = await puppet.place({ side: 'sell', quantity: 30, price: 302_010 });
  for (const id of [on, off, odd, exit]) await puppet.received(id, 'new');
  await stage.stop();
  relist(onGrid('0.5', '0.003'));
  await stage.start();
  const { trader } = stage.daemon;
  const stateOf = (id: string) => trader.view.order(id as ClientOrderId)?.state;
  await until('what is off the grid has ended', () =>
    [off, odd, exit].every((id) => stateOf(id) === 'canceled'),
  );
  expect(stateOf(on)).toBe('new');
  const why = 'it is being cancelled (ETHUSDT has tick size 0.5 and quantity increment 0.003 now)';
  expect(stage.notes.filter((note) => note.includes(why)).toSorted()).toEqual(
    [
      `order ${off} (buy limit 0.0030 at 2991.10) is off the grid; ${why}`,
      `order ${odd} (buy limit 0.0020 at 2991.00) is off the grid; ${why}`,
      `order ${exit} (sell limit 0.0030 at 3020.10) protects the position of 0.0060 ETHUSDT; ${why}`,
    ].toSorted(),
  );
});

test('a grid that changes while a run goes on suspends the symbol and asks for the run to be opened anew', async () => {
  const { relist } = await opened();
  await stage.stop();
  // What the venue itself lists is another grid than that of the run.
  relist(onGrid('0.5', '0.0001'));
  stage.config = {
    ...stage.config,
    client: { ...stage.config.client, market: { ...stage.config.client.market, statusMs: 1_000 } },
  };
  await stage.start();
  expect(await stage.daemon.gridChanged).toBe(
    'ETHUSDT has tick size 0.01 and quantity increment 0.0001 from now on',
  );
  const { trader } = stage.daemon;
  expect(trader.view.status(trader.instruments.get('ETHUSDT').id)).toBe('suspended');
});

function position(): object {
  const { view, instruments } = stage.daemon.trader;
  const [held] = view.positions();
  const { quantity = 0, cash, fees, averagePrice, turnover } = held ?? {};
  return {
    quantity,
    cash,
    fees,
    averagePrice,
    turnover,
    text: instruments.get('ETHUSDT').quantityText(quantity as Lots),
  };
}
