import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { BadInput } from '../../../src/core/base/errors.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { LimitSettings } from '../../../src/core/orders/options.ts';
import { strategyLimits } from '../../../src/core/orders/base/options.ts';
import { limitsAmong, limitsOf, orderOptions } from '../../../src/core/orders/options.ts';
import { Throttle } from '../../../src/core/orders/base/throttle.ts';
import type { WorldParts } from './support/world.ts';
import { World } from './support/world.ts';

type Options = WorldParts['options'];
type Limits = WorldParts['limits'];

const settings = (options: Options = {}, limits: Limits = {}): LimitSettings =>
  limitsAmong(
    orderOptions.parse(options),
    Object.entries(limits).map(([name, one]) => ({ name, limits: strategyLimits.parse(one) })),
  );

function reload(world: World, options: Options, limits: Limits = {}) {
  return world.operate({
    act: 'reload',
    changed: 'some',
    limits: JSON.stringify(settings(options, limits)),
  });
}

const loosenedBy = (world: World, options: Options, limits: Limits = {}): readonly string[] =>
  world.orders.loosenedBy(settings(options, limits));

describe('limits that are read again', () => {
  test('hold from the next order on, in either way', () => {
    const world = new World({ options: { limits: { '*': { quantityMax: '1' } }, duplicateMs: 0 } });
    expect(world.place({ quantity: 10 as Lots })).toMatch(/^gw-/);
    reload(world, { limits: { AAABBB: { quantityMax: '0.9' } }, duplicateMs: 0 });
    expect(world.place({ quantity: 10 as Lots })).toBe('QUANTITY_MAX');
    expect(world.place({ quantity: 9 as Lots })).toMatch(/^gw-/);
    reload(world, { collarPercent: 1, duplicateMs: 0 });
    expect(world.place({ quantity: 10 as Lots, price: 9_800 as Ticks })).toBe('PRICE_COLLAR');
    reload(world, { collarPercent: 5, duplicateMs: 0, openOrdersSymbolMax: 2 });
    expect(world.place({ price: 9_800 as Ticks })).toBe('OPEN_ORDERS_SYMBOL');
    reload(world, { duplicateMs: 0 }, { maker: { openOrdersMax: 2 } });
    expect(world.place({ price: 9_800 as Ticks })).toBe('OPEN_ORDERS_STRATEGY');
    reload(world, { duplicateMs: 0 }, { maker: { positionMax: { AAABBB: '2' } } });
    expect(world.place({ price: 9_800 as Ticks, quantity: 2 as Lots })).toBe('POSITION_MAX');
    expect(world.place({ price: 9_800 as Ticks, quantity: 1 as Lots })).toMatch(/^gw-/);
  });

  test('count what passed before them: orders in a second, and equal ones', () => {
    const world = new World({ options: { messagesPerSecondMax: 3, duplicateMs: 1_000 } });
    expect(world.place({ price: 9_850 as Ticks })).toMatch(/^gw-/);
    expect(world.place({ price: 9_851 as Ticks })).toMatch(/^gw-/);
    reload(world, { messagesPerSecondMax: 2, duplicateMs: 1_000 });
    expect(world.place({ price: 9_852 as Ticks })).toBe('MESSAGE_THROTTLE');
    reload(world, { messagesPerSecondMax: 5, duplicateMs: 5_000 }, { maker: { messagesPerSecondMax: 3 } });
    expect(world.place({ price: 9_852 as Ticks })).toMatch(/^gw-/);
    expect(world.place({ price: 9_853 as Ticks })).toBe('MESSAGE_THROTTLE');
    world.clock.advance(seconds(2));
    world.market();
    expect(world.place({ price: 9_851 as Ticks })).toBe('DUPLICATE_ORDER');
  });

  test('end with the run: the next one goes by its own', () => {
    const before = new World({ options: { duplicateMs: 0 } });
    reload(before, { duplicateMs: 0, limits: { '*': { quantityMax: '0.1' } } });
    expect(before.place({ quantity: 2 as Lots })).toBe('QUANTITY_MAX');
    const world = new World({ after: before, run: 'r2', options: { duplicateMs: 0 } });
    expect(world.place({ quantity: 2 as Lots })).toMatch(/^gw-/);
  });

  test('are checked before they hold: what does not fit the run is one sentence, and changes nothing', () => {
    const world = new World();
    expect(() => loosenedBy(world, { limits: { NOPE: { quantityMax: '1' } } })).toThrow(BadInput);
    expect(() => loosenedBy(world, { loss: { ZZZ: { day: '1' } } })).toThrow(
      'orders.loss: no symbol of this run is priced in ZZZ',
    );
    expect(() => loosenedBy(world, { requireLimits: true })).toThrow('because requireLimits is set');
    expect(() => limitsOf('{"orders":1}')).toThrow(/expected the limits of a run as JSON/);
    expect(() => limitsOf('{')).toThrow(/expected the limits of a run as JSON/);
    expect(world.place()).toMatch(/^gw-/);
  });
});

describe('limits on loss that are read again', () => {
  /** Ten lots, which have lost 8 BBB. */
  function losing(loss: object): World {
    const world = new World({
      options: { loss, collarPercent: 100, duplicateMs: 0 } as Options,
      ready: false,
    });
    world.step({ kind: 'runStarted', ...world.times, run: world.run, mode: 'live' });
    world.makeReady();
    world.clock.advance(seconds(1));
    world.hold(10);
    world.market(0, 9_100, 9_300);
    world.clock.advance(seconds(1));
    return world;
  }
  const again = (world: World, loss: object) =>
    reload(world, { loss, collarPercent: 100, duplicateMs: 0 } as Options);
  const latches = (world: World): readonly string[] =>
    world.state.losses.latches.map(({ strategy, limit }) => `${strategy} ${limit}`);

  test('one below the loss is reached at once; one that was reached holds, whatever is read after it', () => {
    const world = losing({ BBB: { day: '10' } });
    expect(latches(world)).toEqual([]);
    again(world, { BBB: { day: '8.5' } });
    expect(latches(world)).toEqual([]);
    const after = again(world, { BBB: { day: '8' } });
    expect(after.map(({ kind }) => kind)).toContain('lossLimitReached');
    expect(latches(world)).toEqual(['undefined day']);
    again(world, { BBB: { day: '100' } });
    again(world, {});
    world.clock.advance(seconds(5));
    expect(latches(world)).toEqual(['undefined day']);
    expect(world.place({ price: 9_000 as Ticks })).toBe('LOSS_LIMIT');
  });

  test('the first of a run is watched from then on', () => {
    const world = losing({});
    again(world, { BBB: { drawdown: '2' } });
    expect(latches(world)).toEqual([]);
    world.market(0, 8_900, 9_100);
    world.clock.advance(seconds(1));
    expect(latches(world)).toEqual(['undefined drawdown']);
  });
});

describe('what allows more', () => {
  const strict = {
    limits: { '*': { quantityMax: '5', positionMax: '10' } },
    notionalMax: { BBB: '500' },
    exposureMax: { BBB: '1000' },
    loss: { BBB: { day: '10', action: 'halted' as const, losingTrades: 3 } },
    margin: { leverageMax: '3', liquidationDistanceMinPercent: 20 },
    openOrdersSymbolMax: 10,
  };
  const limits: Limits = {
    maker: {
      openOrdersMax: 5,
      positionMax: { AAABBB: '1' },
      loss: { BBB: { day: '5', cooldownMs: 60_000 } },
    },
  };
  const strictWorld = (): World => new World({ options: strict, limits });

  test('nothing, where limits stay or shrink', () => {
    const world = strictWorld();
    expect(loosenedBy(world, strict, limits)).toEqual([]);
    expect(
      loosenedBy(
        world,
        {
          ...strict,
          limits: { '*': { quantityMax: '4', notionalMax: '400', positionMax: '9' } },
          notionalMax: { BBB: '499', AAA: '1' },
          exposureMax: { BBB: '999', AAA: '1' },
          loss: { BBB: { day: '9', drawdown: '5', action: 'halted', losingTrades: 2 } },
          margin: { leverageMax: '2', liquidationDistanceMinPercent: 30 },
          collarPercent: 4,
          duplicateMs: 2_000,
          marketReservePercent: 20,
          requireLimits: true,
        },
        {
          maker: {
            openOrdersMax: 4,
            positionMax: { AAABBB: '0.5', CCCBBB: '1' },
            loss: { BBB: { day: '5', cooldownMs: 70_000 } },
          },
        },
      ),
    ).toEqual([]);
  });

  test.each([
    ['a greater number', { collarPercent: 6 }, ['orders.collarPercent']],
    ['a switch that is on', { marketOrders: true }, ['orders.marketOrders']],
    ['a switch that is off', { lastTradeNeeded: false }, ['orders.lastTradeNeeded']],
    ['a shorter time', { duplicateMs: 0 }, ['orders.duplicateMs']],
    [
      'a limit that is gone',
      { limits: { '*': { positionMax: '10' } } },
      ['quantityMax of AAABBB, CCCBBB, AAABBB_PERP'],
    ],
    [
      'a limit of a symbol that goes before one of all',
      { limits: { ...strict.limits, AAABBB: { quantityMax: '4' } } },
      ['positionMax of AAABBB'],
    ],
    [
      'a limit of a symbol that goes before one of its currency',
      { limits: { '*': { quantityMax: '5', positionMax: '10', notionalMax: '501' } } },
      ['notionalMax of AAABBB, CCCBBB, AAABBB_PERP'],
    ],
    ['more exposure', { exposureMax: {} }, ['exposureMax of AAABBB, CCCBBB, AAABBB_PERP']],
    [
      'more leverage of one symbol',
      {
        margin: {
          leverageMax: '3',
          liquidationDistanceMinPercent: 20,
          symbols: { CCCBBB: { leverageMax: '4' } },
        },
      },
      ['margin leverageMax of CCCBBB'],
    ],
    [
      'a price nearer to liquidation',
      { margin: { leverageMax: '3', liquidationDistanceMinPercent: 10 } },
      ['margin distanceMinPercent of AAABBB, CCCBBB, AAABBB_PERP'],
    ],
    ['no limit on loss', { loss: {} }, ['loss of the account in BBB']],
    [
      'a limit on loss that does less, later and shorter',
      { loss: { BBB: { day: '11', action: 'reducing', cooldownMs: 60_000 } } },
      [
        'loss day of the account in BBB',
        'loss losingTrades of the account in BBB',
        'loss action of the account in BBB',
        'loss cooldownMs of the account in BBB',
      ],
    ],
  ] as const)('%s', (_what, change, expected) => {
    expect(loosenedBy(strictWorld(), { ...strict, ...change }, limits)).toEqual(expected);
  });

  test('of a strategy', () => {
    expect(
      loosenedBy(strictWorld(), strict, {
        maker: {
          openOrdersMax: 6,
          messagesPerSecondMax: 101,
          positionMax: {},
          loss: { BBB: { day: '5', cooldownMs: 50_000 } },
        },
      }),
    ).toEqual([
      'loss cooldownMs of strategy maker in BBB',
      'openOrdersMax of strategy maker',
      'messagesPerSecondMax of strategy maker',
      'positionMax of strategy maker for AAABBB',
    ]);
  });
});

test('a throttle of another size has counted the same', () => {
  const window = seconds(1);
  const at = (ms: number): Micros => (ms * 1_000) as Micros;
  for (const from of [1, 2, 3, 5]) {
    for (const to of [1, 2, 3, 5]) {
      const throttle = new Throttle(from, window);
      const other = new Throttle(to, window);
      for (const ms of [0, 100, 300, 900]) {
        throttle.count(at(ms));
        other.count(at(ms));
      }
      const resized = throttle.resized(to);
      // What the smaller ring had forgotten is not known to the larger one.
      for (const ms of [950, 1_050, 1_250, 1_850, 1_950])
        if (to <= from || ms >= 1_900) expect(resized.admits(at(ms))).toBe(other.admits(at(ms)));
    }
  }
});
