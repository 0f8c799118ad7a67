import { describe, expect, test } from 'vitest';
import { compareConfigs } from '../../../src/app/config/compare.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { withPrograms } from '../../../src/app/run/programs.ts';

const before = {
  venue: { base_url: 'http://127.0.0.1:7', api_key: '${env:KEY}' },
  orders: { limits: { '*': { quantityMax: '1' } }, collarPercent: 5, symbols: ['AB'] },
  strategies: [
    { name: 'maker', path: './maker', params: { levels: 2, sizes: [1, 2], deep: { a: 1, b: 2 } } },
    { name: 'taker', path: './taker' },
  ],
  operate: { notify: { webhook: { url: '${env:HOOK}' } } },
};

const compared = (change: object) =>
  compareConfigs(configSchema.parse(before), configSchema.parse({ ...before, ...change }));
const [maker, taker] = before.strategies;

describe('two configurations', () => {
  test('that say the same differ in nothing, a default that is written out included', () => {
    expect(compared({ orders: { ...before.orders, stopCollarPercent: 50 } })).toEqual({
      live: [],
      fixed: [],
    });
  });

  test('of a gateway differ in limits of programs, which are taken over, and in what else programs are', () => {
    const grid = { name: 'grid', symbols: ['AB'] };
    const gateway = (change: object) =>
      withPrograms(configSchema.parse({ programs: [{ ...grid, ...change }] }));
    expect(compareConfigs(gateway({}), gateway({ limits: { openOrdersMax: 7 } }))).toEqual({
      live: [{ path: ['strategies', 'grid', 'limits', 'openOrdersMax'], from: 200, to: 7 }],
      fixed: [],
    });
    const { live, fixed } = compareConfigs(gateway({}), gateway({ rights: ['R1'], symbols: ['CD'] }));
    expect(live).toEqual([]);
    expect(fixed.toSorted()).toEqual([
      'programs.grid.rights',
      'programs.grid.symbols',
      'strategies.grid.limits.symbols',
    ]);
  });

  test('params, limits, limits on loss and news are taken over, each with what it was and is', () => {
    const { live, fixed } = compared({
      orders: {
        ...before.orders,
        limits: { AB: { quantityMax: '2' } },
        collarPercent: 3,
        loss: { B: { day: '1' } },
      },
      strategies: [
        { ...maker, params: { levels: 3, sizes: [1], deep: { a: 1, b: 3 } }, limits: { openOrdersMax: 7 } },
        taker,
      ],
      operate: { notify: { webhook: { url: '${env:OTHER}' }, summaryAt: '06:00' } },
    });
    expect(fixed).toEqual([]);
    expect(live.map(({ path, from, to }) => [path.join('.'), from, to])).toEqual([
      ['operate.notify.summaryAt', '00:05', '06:00'],
      ['operate.notify.webhook.url', '${env:HOOK}', '${env:OTHER}'],
      ['orders.collarPercent', 5, 3],
      ['orders.limits.*', { quantityMax: '1' }, undefined],
      ['orders.limits.AB', undefined, { quantityMax: '2' }],
      ['orders.loss.B', undefined, { day: '1', action: 'reducing' }],
      ['strategies.maker.limits.openOrdersMax', 200, 7],
      ['strategies.maker.params.deep.b', 2, 3],
      ['strategies.maker.params.levels', 2, 3],
      ['strategies.maker.params.sizes', [1, 2], [1]],
    ]);
  });

  test.each([
    ['the venue', { venue: { ...before.venue, base_url: 'http://127.0.0.1:8' } }, ['venue.base_url']],
    ['a key', { venue: { ...before.venue, api_key: '${env:NEW}' } }, ['venue.api_key']],
    [
      'which symbols may be traded',
      { orders: { ...before.orders, symbols: ['AB', 'CD'] } },
      ['orders.symbols'],
    ],
    ['the prefix of ids', { orders: { ...before.orders, idPrefix: 'zz' } }, ['orders.idPrefix']],
    [
      'how the account is read',
      { orders: { ...before.orders, reconcile: { everyMs: 1 } } },
      ['orders.reconcile.everyMs'],
    ],
    ['a strategy that is gone', { strategies: [maker] }, ['strategies.taker']],
    [
      'a strategy that is new',
      { strategies: [maker, taker, { name: 'third', path: './third' }] },
      ['strategies.third'],
    ],
    [
      'the code of a strategy',
      { strategies: [{ ...maker, path: './other' }, taker] },
      ['strategies.maker.path'],
    ],
    ['its trust', { strategies: [{ ...maker, trust: 'full' }, taker] }, ['strategies.maker.trust']],
    [
      'symbols of a strategy',
      { strategies: [{ ...maker, limits: { symbols: ['AB'] } }, taker] },
      ['strategies.maker.limits.symbols'],
    ],
    ['the order of strategies', { strategies: [taker, maker] }, ['strategies: their order']],
    ['a strategy that is listed twice', { strategies: [maker, taker, taker] }, ['strategies: their order']],
    ['where it listens', { operate: { ...before.operate, port: 9_000 } }, ['operate.port']],
    [
      'several',
      { run: { seed: 2 }, log: { level: 'warn' }, account: 'other' },
      ['account', 'log.level', 'run.seed'],
    ],
  ])('%s needs a restart', (_what, change, keys) => {
    const { live, fixed } = compared(change);
    expect([live, fixed]).toEqual([[], keys]);
  });
});
