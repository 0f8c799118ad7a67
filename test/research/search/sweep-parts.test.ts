import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { readExpression } from '../../../src/research/scenario/expression.ts';
import { heatMaps } from '../../../src/research/search/heat-map.ts';
import { paramSpace } from '../../../src/research/search/param-space.ts';
import { splitAt, walkFolds } from '../../../src/research/scenario/split.ts';
import { sweepTree, type SweepFlags } from '../../../src/app/cli/sweep-tree.ts';
import { loadSweepOf } from '../../../src/app/sweep/load.ts';
import { loadSweep } from '../../../src/research/search/sweep-file.ts';
import moody from '../../app/fixtures/moody.ts';

const us = (time: number): Micros => time as Micros;

describe('the space of a strategy', () => {
  const space = (specs: Record<string, unknown>, fixed: Record<string, unknown> = {}) =>
    paramSpace(moody, specs as never, fixed);

  test('takes ranges, steps and choices from the schema', () => {
    expect(
      space({
        every: 'auto',
        mood: 'auto',
        away: { from: 0, to: 4 },
        quantity: { from: 0.1, to: 0.3, step: 0.1 },
      }).dimensions,
    ).toEqual([
      { kind: 'number', name: 'every', low: 1, high: 500, step: 1, log: false, isText: false },
      { kind: 'choice', name: 'mood', choices: ['calm', 'angry', 'hung'] },
      { kind: 'number', name: 'away', low: 0, high: 4, step: undefined, log: false, isText: false },
      { kind: 'number', name: 'quantity', low: 0.1, high: 0.3, step: 0.1, log: false, isText: true },
    ]);
  });

  test('reports why the strategy refuses a point', () => {
    const refused = space({ low: [1, 5], high: [5] });
    expect(refused.refusal({ low: 1, high: 5 })).toBeUndefined();
    expect(refused.refusal({ low: 5, high: 5 })).toContain('expected less than high');
  });

  test.each([
    [{ evry: 'auto' }, {}, 'space.evry: strategy moody has no such param, did you mean every?'],
    [{}, {}, 'space: expected at least one parameter to search, found none'],
    [{ away: { from: 0, to: 51 } }, {}, 'space.away: found 51, expected at most 50'],
    [{ mood: ['calm', 'glad'] }, {}, 'space.mood: found "glad", expected one of'],
    [
      { away: { from: 0, to: 5, scale: 'log' } },
      {},
      'space.away: expected a range above 0 for a log scale, found 0',
    ],
    [
      { mood: { from: 0, to: 1 } },
      {},
      'space.mood: expected a list of values, because the param is no number',
    ],
    [{ free: 'auto' }, {}, 'space.free: expected values or { from, to }, because its schema has no bounds'],
    [{ away: [1] }, { away: 2 }, 'space.away: expected a parameter that is not fixed as well'],
    [{ away: [1] }, { awey: 2 }, 'params.awey: strategy moody has no such param, did you mean away?'],
    [{ every: [1.5] }, {}, 'space.every: found 1.5, expected a whole number'],
  ])('refuses %j with %j in one sentence', (specs, fixed, sentence) => {
    expect(() => space(specs, fixed)).toThrow(sentence);
  });
});

describe('an objective', () => {
  const known = ['profit', 'drawdown', 'fills'];
  const figures = { profit: 10, drawdown: 4, fills: 2 };

  test.each([
    ['profit', 10],
    ['profit - 2 * drawdown', 2],
    ['-(profit + 2) / 3 * 2', -8],
    ['max(profit, drawdown * 3) - min(1, 2) + abs(-3)', 14],
    ['sqrt(drawdown) + log(1) + 1.5e1', 17],
    ['2 - 3 - 4', -5],
  ])('%s', (text, value) => {
    expect(readExpression(text, known)(figures)).toBeCloseTo(value, 12);
  });

  test('has no value where a figure has none, or where it comes to no number', () => {
    expect(readExpression('profit / fills', known)({ profit: 1 })).toBeUndefined();
    expect(readExpression('profit / fills', known)({ profit: 1, fills: 0 })).toBeUndefined();
  });

  test.each([
    ['profits', 'there is no figure "profits", did you mean profit?'],
    ['profit +', 'expected a number, a figure or a bracket, found its end'],
    ['(profit', 'expected a closing bracket, found its end'],
    ['profit 2', 'expected an operator, found 2'],
    ['constructor', 'there is no figure "constructor"'],
    [`${'('.repeat(60)}profit`, 'expected at most 50 nested brackets'],
  ])('%s is refused', (text, sentence) => {
    expect(() => readExpression(text, known)).toThrow(sentence);
  });
});

describe('windows of time', () => {
  test('a split has nothing in both parts and leaves nothing out', () => {
    expect(splitAt({ from: us(100), to: us(200) }, 0.7)).toEqual({
      train: { from: 100, to: 170 },
      test: { from: 170, to: 200 },
    });
  });

  test('a rolling walk moves its training, an anchored one only its end; half a test at the end counts', () => {
    const walk = { train: us(40), test: us(20), anchored: false };
    const rolling = walkFolds({ from: us(0), to: us(90) }, walk);
    expect(rolling.map(({ train, test }) => [train.from, train.to, test.from, test.to])).toEqual([
      [0, 40, 40, 60],
      [20, 60, 60, 80],
      [40, 80, 80, 90],
    ]);
    const anchored = walkFolds({ from: us(0), to: us(90) }, { ...walk, anchored: true });
    expect(anchored.map(({ train }) => [train.from, train.to])).toEqual([
      [0, 40],
      [0, 60],
      [0, 80],
    ]);
    expect(() =>
      walkFolds({ from: us(0), to: us(45e6) }, { ...walk, train: us(40e6), test: us(20e6) }),
    ).toThrow('expected data for one window of training and test (60 s), found 45 s');
  });
});

test('a heat map holds the best value of each pair', () => {
  const space = paramSpace(moody, { every: [1, 2], away: { from: 0, to: 10 } }, {});
  const scored = [
    { point: { every: 1, away: 3 }, value: 5 },
    { point: { every: 1, away: 3 }, value: 7 },
    { point: { every: 2, away: 8 }, value: undefined },
  ];
  expect(heatMaps(space, scored)).toEqual([
    {
      x: 'every',
      y: 'away',
      columns: ['1', '2'],
      rows: ['3', '8'],
      cells: [
        [7, null],
        [null, null],
      ],
    },
  ]);
});

describe('a sweep file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sweep-file-'));
  const read = (text: string) => {
    const file = join(folder, 'sweep.yaml');
    writeFileSync(file, text);
    return loadSweep(file);
  };

  test('has defaults, and paths from its own folder', () => {
    const { options } = read('data: [a.pack]\nstrategy: { path: trend }\nspace: { fast: auto }\n');
    expect(options.data).toEqual([join(folder, 'a.pack')]);
    expect(options.search).toEqual({ method: 'grid', values: 5, trials: 10_000 });
    expect([options.objective, options.seed, options.top]).toEqual(['profit', undefined, 10]);
  });

  test.each([
    ['space: { fast: auto }', 'data: expected either scenario or data'],
    ['data: [a]\nspace: { fast: auto }', 'strategy: expected a strategy with data'],
    ['scenario: a\nspace: { fast: auto }\nconfig: { sim: {} }', 'config: expected none with a scenario'],
    [
      'scenario: a\nspace: { fast: auto }\nserach: {}',
      'serach is not a known setting; did you mean "search"?',
    ],
    [
      'scenario: a\nspace: { fast: { from: 3, to: 1 } }',
      'space.fast.from: expected the lower bound to be below the upper one',
    ],
    ['scenario: a\nspace: { fast: some }', 'space.fast: expected auto, a list of values, or { from, to }'],
    ['scenario: a\nspace: { fast: auto }\nsearch: { method: magic }', 'search.method'],
    ['just a text', 'expected a sweep, with "space:" at the top'],
  ])('%j is refused', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  test('that is not there is named', () => {
    expect(() => loadSweep('nowhere.yaml')).toThrow('nowhere.yaml: expected a sweep file, found none');
  });
});

test('the command line says one length of a walk, and the file the others', () => {
  const file = 'backtest/sweeps/sample.yaml';
  const lengths = (flags: Partial<SweepFlags>) =>
    loadSweepOf([file], sweepTree([file], { resume: true, ...flags })).options.walk;
  const [train, test] = [60_000_000, 20_000_000];
  expect(lengths({ step: '40s' })).toEqual({ train, test, step: 40_000_000, anchored: false });
  expect(lengths({ test: '30s', anchored: true })).toEqual({ train, test: 30_000_000, anchored: true });
  expect(lengths({})).toEqual({ train, test, anchored: false });
});
