import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { SimVenue } from '../../src/sim/venue.ts';
import type { ConfigInput } from './support/stage.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { expectReplays } from './support/replayed.ts';
import { until } from './support/until.ts';

// A strategy in shadow beside the live one, on the embedded exchange.

const name = 'steady-taker';
const fixture = (file: string) => fileURLToPath(new URL(`./fixtures/${file}.ts`, import.meta.url));

let stage: Stage;
afterEach(async () => {
  vi.restoreAllMocks();
  await stage.close();
});

interface Opening {
  readonly params?: ConfigInput;
  readonly shadow: ConfigInput;
  readonly host?: 'thread' | 'worker';
  readonly config?: ConfigInput;
  readonly mode?: 'sim' | 'paper';
}

/** A live strategy that does nothing unless set otherwise, and its shadow. */
async function open({ params = { most: 0 }, shadow, host = 'thread', config = {}, mode }: Opening) {
  stage = await Stage.open({
    strategies: [strategyOf(name, params, { host, shadow })],
    exchange: { flow: { eventsPerSecond: 300 } },
    record: true,
    config,
    ...(mode !== undefined && { mode }),
  });
  return stage;
}

const eager = { params: { most: 1_000_000, everyMs: 40 } };
const shadow = () => stage.daemon.shadows?.of(name);
const fillsOf = (trader: { readonly view: Stage['daemon']['trader']['view'] } | undefined) =>
  (trader?.view.positions() ?? []).reduce((sum, { fillCount }) => sum + fillCount, 0);
const shadowFills = () => fillsOf(stage.daemon.shadows?.trader);
const promote = () => stage.daemon.strategyActs.promote(name, 'ann', 'better');

/** What a live run does when all is well: events come, and its strategy has not been stopped. */
async function goesOn(): Promise<void> {
  const before = stage.seen.length;
  await until('more of the live run', () => stage.seen.length > before + 50);
  const { view } = stage.daemon.trader;
  expect([view.mode, view.stopped(name)]).toEqual(['active', undefined]);
}

/** Orders of the account that reached the exchange. */
function ordersAtTheExchange(): () => number {
  const { core, accounts } = stage.exchange;
  const { id } = accounts.get('demo');
  const handle = vi.spyOn(core, 'handle');
  return () =>
    handle.mock.calls.filter(
      ([command]) =>
        ['place', 'placeList', 'replace'].includes(command.kind) &&
        'account' in command &&
        command.account === id,
    ).length;
}

describe('a shadow', () => {
  test.each(['thread', 'worker'] as const)(
    'beside a strategy in a %s decides and is filled, and nothing of it reaches the venue or the live state',
    async (host) => {
      await open({ shadow: eager, host });
      const orders = ordersAtTheExchange();
      await until('fills of the shadow', () => shadowFills() >= 6);
      expect(shadow()).toMatchObject({ state: 'running', why: '', params: { most: 1_000_000, everyMs: 40 } });
      expect(orders()).toBe(0);
      const { view } = stage.daemon.trader;
      expect([view.positions(), view.openCount(), stage.all('orderPending'), stage.all('intent')]).toEqual([
        [],
        0,
        [],
        [],
      ]);
      expect(await stage.stop()).toEqual([]);
      expect(orders()).toBe(0);
    },
  );

  test('begins with the money of the account, or with what the configuration names', async () => {
    await open({ shadow: { params: { everyMs: 1 } } });
    await until('the shadow', () => shadow()?.state === 'running');
    const money = (view: Stage['daemon']['trader']['view']) => view.balances().map((one) => ({ ...one }));
    const live = money(stage.daemon.trader.view);
    expect(live.length).toBeGreaterThan(1);
    const of = stage.daemon.shadows?.trader?.view;
    for (const { currency, available } of live)
      expect([currency, of?.balance(currency).available]).toEqual([currency, available]);
    await stage.close();

    await open({ shadow: eager, config: { shadow: { balances: { BTC: '7' } } } });
    await until('the shadow', () => shadow()?.state === 'running');
    expect(stage.daemon.shadows?.trader?.view.balances().map(({ currency }) => currency)).toContain('BTC');
    expect(stage.daemon.shadows?.trader?.view.balance('USDT').available).toBe(0n);
  });

  test('goes on with its fills when the daemon is started again', async () => {
    await open({ shadow: eager });
    await until('fills of the shadow', () => shadowFills() >= 4);
    await stage.stop();
    const before = shadowFills();
    await stage.start();
    expect(shadowFills()).toBe(before);
    await until('more fills', () => shadowFills() > before);
  });

  test('runs beside a strategy on paper, each with an account of its own', async () => {
    await open({ shadow: eager, mode: 'paper' });
    await until('fills of the shadow', () => shadowFills() >= 4);
    expect(fillsOf(stage.daemon.trader)).toBe(0);
    expect(stage.daemon.trader.view.positions()).toEqual([]);
  });
});

describe('what goes wrong in a shadow leaves the live run alone', () => {
  test.each([
    ['throw', 'the tenth book'],
    ['later', 'the tenth book, later'],
    ['hang', 'no sign of life'],
  ])('a strategy that fails: %s', async (fault, why) => {
    await open({ shadow: { path: fixture('faulty-taker'), params: { fault } } });
    await until('its end', () => shadow()?.state === 'stopped');
    expect(shadow()?.why).toContain(why);
    await goesOn();
    await expect(promote()).rejects.toThrow(/has a shadow that is stopped: .*/);
  });

  test('an error of the simulated venue', async () => {
    await open({ shadow: eager });
    await until('fills of the shadow', () => shadowFills() >= 2);
    vi.spyOn(SimVenue.prototype, 'accept').mockImplementation(() => {
      throw new Error('a broken venue');
    });
    await until('its end', () => shadow()?.state === 'stopped');
    expect(shadow()?.why).toBe('it threw Error: a broken venue');
    await goesOn();
  });

  test('one that falls behind is dropped', async () => {
    const symbols = ['ETHBTC', 'ETHUSDT', 'BTCUSDT'];
    stage = await Stage.open({
      strategies: [strategyOf('wide-listener', { symbols }, { shadow: { params: { note: 'slow' } } })],
      exchange: { flow: { eventsPerSecond: 1_000 } },
      config: { shadow: { waitingMax: 100 } },
    });
    const slow = () => stage.daemon.shadows?.of('wide-listener');
    await until('the shadow', () => slow()?.state === 'running');
    const ends: string[] = [];
    stage.daemon.shadows?.onEnd((why) => ends.push(why));
    vi.spyOn(SimVenue.prototype, 'accept').mockImplementation(() => {
      const end = performance.now() + 40;
      while (performance.now() < end);
    });
    await until('its end', () => slow()?.state === 'stopped');
    expect(ends).toEqual(['it fell behind: 100 events of the market wait for it']);
    await goesOn();
  });

  test('a journal that cannot be read', async () => {
    await open({ shadow: eager });
    await until('fills of the shadow', () => shadowFills() >= 2);
    await stage.stop();
    const folder = `${stage.config.run.directory}/shadow`;
    for (const file of readdirSync(folder))
      if (file.endsWith('.sqlite')) writeFileSync(`${folder}/${file}`, 'x');
    await stage.start();
    await until('the start', () => stage.daemon.trader.started);
    expect(shadow()).toMatchObject({ state: 'stopped', why: expect.stringContaining('could not be opened') });
    await goesOn();
  });
});

describe('a promotion', () => {
  test.each(['thread', 'worker'] as const)(
    'swaps a strategy in a %s with its shadow, is in the journal, and is repeated by a replay',
    async (host) => {
      await open({ shadow: eager, host });
      await until('fills of the shadow', () => shadowFills() >= 2);
      await promote();
      expect(stage.all('operatorActed')).toMatchObject([
        {
          who: 'ann',
          why: 'better',
          act: { act: 'promote', strategy: name, params: JSON.stringify(eager.params) },
        },
      ]);
      expect(stage.daemon.strategyActs.params(name)).toEqual(eager.params);
      expect(shadow()?.params).toEqual({ most: 0 });
      await until('fills of the live one', () => fillsOf(stage.daemon.trader) >= 4);
      const before = shadowFills();
      await goesOn();
      expect(shadowFills()).toBe(before);
      await expectReplays(stage);
    },
  );

  test('is refused unless the strategy is flat, and nothing changes', async () => {
    await open({ params: { most: 1, everyMs: 10 }, shadow: { params: { most: 1_000_000 } } });
    await until('a fill of the live one', () => fillsOf(stage.daemon.trader) === 1);
    await until('the shadow', () => shadow()?.state === 'running');
    await expect(promote()).rejects.toThrow(
      /^strategy steady-taker is not flat: it has 0\.011\d* ETH of ETHBTC; godwit flatten --strategy steady-taker ends that$/,
    );
    expect(stage.all('operatorActed')).toEqual([]);
    expect(stage.daemon.strategyActs.params(name)).toEqual({ most: 1, everyMs: 10 });
  });

  test('brings other code, holds over a restart, and ends when the configuration is edited', async () => {
    const path = fixture('steady-taker-copy');
    const other = { path, params: { everyMs: 30 } };
    await open({ shadow: other });
    await until('fills of the shadow', () => shadowFills() >= 2);
    await promote();
    await until('fills of the live one', () => fillsOf(stage.daemon.trader) >= 2);
    expect(stage.daemon.strategyActs.code(name).path).toBe(path);
    expect(shadow()).toMatchObject({ path: fixture(name), params: { most: 0 } });
    // A reload would give it params of the code that it has no more.
    await expect(stage.daemon.strategyActs.prepare(new Map([[name, { most: 3 }]]))).rejects.toThrow(
      /was promoted from its shadow: .* need a restart of the daemon$/,
    );
    await stage.daemon.strategyActs.setParams(name, { everyMs: 35 }, 'ann', '');
    await stage.stop();

    await stage.start();
    expect(stage.daemon.changed.notes).toEqual([
      'strategy steady-taker has the path and params that an operator promoted from its shadow, not those of the configuration',
    ]);
    expect(stage.daemon.strategyActs.code(name).path).toBe(path);
    expect(stage.daemon.strategyActs.params(name)).toEqual({ everyMs: 35 });
    expect(shadow()).toMatchObject({ path: fixture(name), params: { most: 0 } });
    await stage.stop();

    const [configured] = stage.config.strategies;
    stage.config = configSchema.parse({
      ...stage.config,
      strategies: [{ ...configured, shadow: undefined }],
    });
    await stage.start();
    expect(stage.daemon.changed.notes).toEqual([
      'strategy steady-taker: the configuration has other path, params or shadow since an operator changed them, and rules',
    ]);
    expect(stage.daemon.strategyActs.code(name).path).toBe(fixture(name));
    expect(stage.daemon.shadows).toBeUndefined();
    await expect(promote()).rejects.toThrow('has no shadow in the configuration');
  });
});
