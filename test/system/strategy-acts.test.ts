import { afterEach, describe, expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { expectReplays } from './support/replayed.ts';
import { until } from './support/until.ts';

// An operator stops, starts and changes one strategy of a daemon that goes on.

const eager = { symbol: 'ETHUSDT', pauseMs: 10, halfSpreadTicksMin: 1, requoteTicks: 1, lifetimeSeconds: 20 };
const name = 'market-maker';

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function open(host: 'thread' | 'worker'): Promise<Stage> {
  stage = await Stage.open({
    strategies: [strategyOf(name, eager, { host }), strategyOf('steady-taker', { everyMs: 200 })],
    exchange: { flow: { eventsPerSecond: 200 } },
    record: true,
  });
  await intents(stage, 10);
  return stage;
}

const ofMaker = (on: Stage) =>
  on.all('intent').filter(({ intent }) => intent.strategy === name && intent.action === 'place');

async function intents(on: Stage, more: number): Promise<void> {
  const before = ofMaker(on).length;
  await until(`${more} orders of the maker`, () => ofMaker(on).length >= before + more);
}

const standing = ({ daemon: { trader } }: Stage) => trader.view.stopped(name);

async function stopMaker(on: Stage): Promise<void> {
  on.daemon.strategyActs.stop(name, 'ann', 'lunch');
  await until('its end', () => standing(on) !== undefined);
}

describe.each(['thread', 'worker'] as const)('a strategy in a %s', (host) => {
  test('is stopped, started and given other parameters, and the replay comes to the same digest', async () => {
    const on = await open(host);
    const acts = on.daemon.strategyActs;
    await stopMaker(on);
    expect(standing(on)).toBe('lunch, by ann');
    await until('no order of it', () => on.daemon.trader.view.openCountBy(name) === 0);
    const ended = ofMaker(on).length;
    const others = on.all('orderPending').length;
    await until('orders of the other one', () => on.all('orderPending').length > others + 2);
    expect(ofMaker(on)).toHaveLength(ended);

    await acts.start(name, 'ann', '');
    await intents(on, 10);
    expect(standing(on)).toBeUndefined();

    const denied = on.all('orderDenied').length;
    await acts.setParams(name, { halfSpreadTicksMin: 3 }, 'ann', 'wide');
    await until('a new beginning', () => on.all('strategyStarted').length === 2);
    await intents(on, 10);
    expect(acts.params(name)).toEqual({ ...eager, halfSpreadTicksMin: 3 });
    expect(on.all('operatorActed').map(({ act, who, why }) => [act.act, who, why])).toEqual([
      ['stopStrategy', 'ann', 'lunch'],
      ['startStrategy', 'ann', ''],
      ['setParams', 'ann', 'wide'],
    ]);
    // Every start numbers its orders anew, and none has the number of another.
    const codes = on
      .all('orderDenied')
      .slice(denied)
      .map((one) => one.denial.code);
    expect(codes).not.toContain('ID_REUSED');
    await expectReplays(on);
  });

  test('refuses parameters in a sentence, and goes on as it was', async () => {
    const on = await open(host);
    const acts = on.daemon.strategyActs;
    await expect(acts.setParams(name, { pauseMs: 'soon' }, 'ann', '')).rejects.toThrow(
      /param pauseMs: found "soon"/,
    );
    await expect(acts.setParams(name, { nope: 1 }, 'ann', '')).rejects.toThrow(/there is no param "nope"/);
    await expect(acts.setParams(name, { symbol: 'BTCUSDT' }, 'ann', '')).rejects.toThrow(
      /change which feeds/,
    );
    await expect(acts.start(name, 'ann', '')).rejects.toThrow('runs already');
    await intents(on, 3);
    expect(on.all('operatorActed')).toEqual([]);
    expect(acts.params(name)).toEqual(eager);
  });
});

test('what an operator stopped and changed holds over a restart, until the configuration says something else', async () => {
  const on = await open('worker');
  await on.daemon.strategyActs.setParams(name, { halfSpreadTicksMin: 3 }, 'ann', '');
  await until('a new beginning', () => on.all('strategyStarted').length === 1);
  await stopMaker(on);
  await on.stop();
  await on.start();
  await until('the start', () => on.daemon.trader.started);
  expect(standing(on)).toBe('lunch, by ann');
  expect(on.daemon.changed.notes).toEqual([
    'strategy market-maker stays stopped (lunch, by ann): godwit start market-maker',
    'strategy market-maker has the params that an operator changed, not those of the configuration',
  ]);
  await on.daemon.strategyActs.start(name, 'ann', '');
  await intents(on, 3);
  expect(on.daemon.strategyActs.params(name)).toEqual({ ...eager, halfSpreadTicksMin: 3 });
  await on.stop();

  const edited = strategyOf(name, { ...eager, halfSpreadTicksMin: 5 }, { host: 'worker' });
  on.config = configSchema.parse({ ...on.config, strategies: [edited] });
  await on.start();
  expect(on.daemon.strategyActs.params(name)).toEqual({ ...eager, halfSpreadTicksMin: 5 });
  await intents(on, 3);
});
