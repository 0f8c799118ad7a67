import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/load.ts';
import type { Config } from '../../src/app/config/schema.ts';
import { Reloads } from '../../src/app/live/reloads.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { expectReplays } from './support/replayed.ts';
import { until } from './support/until.ts';

// A configuration file is edited under a daemon, which reads it again.

const maker = 'market-maker';
const eager = { symbol: 'ETHUSDT', pauseMs: 10, halfSpreadTicksMin: 1, requoteTicks: 1, lifetimeSeconds: 20 };
const limits = { '*': { quantityMax: '0.5', positionMax: '100' } };

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

interface Edited {
  readonly on: Stage;
  readonly reloads: Reloads;
  /** Writes the file anew: of the first one, what `change` says. */
  readonly write: (change: object) => void;
  readonly writeText: (text: string) => void;
  /** As an operator asks; `sure`: also for more than before. */
  readonly reload: (sure?: boolean) => ReturnType<Reloads['reload']>;
}

async function open(host: 'thread' | 'worker' = 'thread'): Promise<Edited> {
  const on = await Stage.open({
    strategies: [strategyOf(maker, eager, { host }), strategyOf('steady-taker', { everyMs: 100 })],
    config: { orders: { limits, duplicateMs: 0, selfTrades: true } },
    exchange: { flow: { eventsPerSecond: 200 } },
    record: true,
  });
  stage = on;
  const file = join(on.directory, 'live.yaml');
  const first = on.config;
  const writeText = (text: string): void => writeFileSync(file, text);
  const write = (change: object): void => writeText(JSON.stringify({ ...first, ...change }));
  write({});
  const read = (): Config => loadConfig({ files: [file], environment: {}, sets: [] }).config;
  await until('the start', () => on.daemon.trader.started);
  const reloads = new Reloads({
    source: { config: read(), read },
    trader: on.daemon.trader,
    strategyActs: on.daemon.strategyActs,
    act: (act, who, why) => on.daemon.act(act, who, why),
    renews: () => () => {},
  });
  const reload = (sure = false) => reloads.reload({ who: 'ann', why: 'calm', confirms: () => sure });
  return { on, reloads, write, writeText, reload };
}

const tight = { ...limits, ETHBTC: { quantityMax: '0.001', positionMax: '100' } };

/** What the taker's orders come to from now on. */
async function verdict(on: Stage): Promise<string> {
  const [denied, pending] = [on.all('orderDenied').length, on.all('orderPending').length];
  const ofTaker = (strategy: string): boolean => strategy === 'steady-taker';
  return until('a verdict on the taker', () => {
    const no = on
      .all('orderDenied')
      .slice(denied)
      .find(({ strategy }) => ofTaker(strategy));
    const yes = on
      .all('orderPending')
      .slice(pending)
      .find(({ command }) => ofTaker(command.strategy));
    return no?.denial.code ?? (yes === undefined ? undefined : 'passes');
  });
}

const acts = (on: Stage): readonly string[] => on.all('operatorActed').map(({ act }) => act.act);

test('a limit that is lowered holds at once, one that is raised after two steps, and the replay is the same', async () => {
  const { on, reload, write } = await open();
  expect(await verdict(on)).toBe('passes');
  write({ orders: { ...on.config.orders, limits: tight } });
  const lowered = await reload();
  expect(lowered).toEqual({
    done: true,
    changes: [
      { name: 'orders.limits.ETHBTC', from: null, to: '{"quantityMax":"0.001","positionMax":"100"}' },
    ],
    raises: [],
  });
  expect(await verdict(on)).toBe('QUANTITY_MAX');

  write({});
  const asked = await reload();
  expect([asked.done, asked.raises]).toEqual([false, ['quantityMax of ETHBTC']]);
  expect(await verdict(on)).toBe('QUANTITY_MAX');
  expect(acts(on)).toEqual(['reload']);
  expect((await reload(true)).done).toBe(true);
  expect(await verdict(on)).toBe('passes');
  expect((await reload()).changes).toEqual([]);
  const recorded = on.all('operatorActed').map(({ act, who, why }) => ({ act, who, why }));
  expect(recorded).toMatchObject([
    {
      act: {
        act: 'reload',
        changed: 'orders.limits.ETHBTC unset → {"quantityMax":"0.001","positionMax":"100"}',
      },
      who: 'ann',
      why: 'calm',
    },
    { act: { act: 'reload' }, who: 'ann' },
  ]);
  await expectReplays(on);
});

describe.each(['thread', 'worker'] as const)('a strategy in a %s', (host) => {
  test('begins anew with other params, beside limits that change; what one does not take stops all of it', async () => {
    const { on, reload, write } = await open(host);
    const other = (params: object) =>
      on.config.strategies.map((one) =>
        one.name === maker ? { ...one, params: { ...eager, ...params } } : one,
      );
    const orders = { ...on.config.orders, limits: tight };
    write({ orders, strategies: other({ nope: 1 }) });
    await expect(reload(true)).rejects.toThrow(/there is no param "nope"/);
    write({ orders, strategies: other({ symbol: 'BTCUSDT' }) });
    await expect(reload(true)).rejects.toThrow(/change which feeds it follows/);
    expect(await verdict(on)).toBe('passes');
    expect(acts(on)).toEqual([]);

    await on.daemon.strategyActs.setParams(maker, { requoteTicks: 2 }, 'ann', '');
    await until('a new beginning', () => on.all('strategyStarted').length === 1);
    // What the operator changed stays until the params of the strategy are edited.
    write({ orders });
    await reload();
    expect(on.daemon.strategyActs.params(maker)).toEqual({ ...eager, requoteTicks: 2 });
    write({ orders, strategies: other({ halfSpreadTicksMin: 3 }) });
    expect((await reload()).changes).toEqual([
      { name: 'strategies.market-maker.params.halfSpreadTicksMin', from: '1', to: '3' },
    ]);
    await until('a new beginning', () => on.all('strategyStarted').length === 2);
    expect(on.daemon.strategyActs.params(maker)).toEqual({ ...eager, halfSpreadTicksMin: 3 });
    expect(acts(on)).toEqual(['setParams', 'reload', 'reload', 'setParams']);
    expect(await verdict(on)).toBe('QUANTITY_MAX');
    await expectReplays(on);
  });
});

test('what cannot be taken over is one sentence, and leaves everything as it was', async () => {
  const { on, reloads, reload, write, writeText } = await open();
  const orders = { ...on.config.orders, limits: tight };
  const cases: readonly (readonly [() => void, RegExp])[] = [
    [() => writeText('orders: ['), /live\.yaml/],
    [
      () => writeText('orders: { colarPercent: 1 }'),
      /orders\.colarPercent is not a known setting; did you mean "collarPercent"/,
    ],
    [() => write({ orders: { ...orders, collarPercent: -1 } }), /orders\.collarPercent/],
    [() => write({ orders: { ...orders, limits: { NOPE: { quantityMax: '1' } } } }), /NOPE/],
    [
      () =>
        write({
          orders,
          venue: { ...on.config.venue, base_url: 'http://127.0.0.1:9' },
          run: { ...on.config.run, seed: 4 },
        }),
      /^run\.seed, venue\.base_url changed: that needs a restart of the daemon, and nothing else was taken over$/,
    ],
  ];
  for (const [edit, says] of cases) {
    edit();
    await expect(reload(true)).rejects.toThrow(says);
  }
  const said: string[] = [];
  await reloads.bySignal((line) => void said.push(line));
  expect(said[0]).toMatch(/^SIGHUP: nothing was taken over: .*needs a restart/);
  expect(acts(on)).toEqual([]);
  expect(await verdict(on)).toBe('passes');
});

test('a signal lowers limits, and leaves what raises one to the operator', async () => {
  const { on, reloads, write } = await open();
  const said: string[] = [];
  const signal = () => reloads.bySignal((line) => void said.push(line));
  await signal();
  write({ orders: { ...on.config.orders, limits: tight, collarPercent: 4 } });
  // Both at once: a signal to a whole group of processes comes twice.
  await Promise.all([signal(), signal()]);
  expect(await verdict(on)).toBe('QUANTITY_MAX');
  write({});
  await signal();
  expect(await verdict(on)).toBe('QUANTITY_MAX');
  expect(said).toEqual([
    'SIGHUP: the configuration was read again: nothing has changed',
    'SIGHUP: nothing was taken over: the configuration is being read again already',
    expect.stringMatching(
      /^SIGHUP: the configuration was read again: orders\.collarPercent 5 → 4, orders\.limits\.ETHBTC unset → /,
    ),
    'SIGHUP: nothing was taken over, because orders.collarPercent; quantityMax of ETHBTC would be raised: use godwit reload',
  ]);
  expect(on.all('operatorActed').map(({ who }) => who)).toEqual(['SIGHUP']);
});

test('a restart goes by the configuration that it reads, not by what was read again before it', async () => {
  const { on, reload, write } = await open();
  write({ orders: { ...on.config.orders, limits: tight } });
  await reload();
  expect(await verdict(on)).toBe('QUANTITY_MAX');
  await on.stop();
  await on.start();
  expect(await verdict(on)).toBe('passes');
});
