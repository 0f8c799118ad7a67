import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { gridSearch } from '../../../src/research/search/grid.ts';
import { halvingSearch } from '../../../src/research/search/halving.ts';
import { latinSearch } from '../../../src/research/search/latin.ts';
import { randomSearch } from '../../../src/research/search/choose.ts';
import type { Proposal, Search } from '../../../src/research/search/search.ts';
import type { Dimension, Point, Space } from '../../../src/research/search/space.ts';
import { pointKey, pointAt, sizeOf, unitOf, dimensionValue } from '../../../src/research/search/space.ts';
import { tpeSearch } from '../../../src/research/search/tpe.ts';

const number = (name: string, low: number, high: number, more: Partial<Dimension> = {}): Dimension =>
  ({ kind: 'number', name, low, high, step: undefined, log: false, isText: false, ...more }) as Dimension;

function spaceOf(dimensions: readonly Dimension[], refusal: Space['refusal'] = () => undefined): Space {
  return { dimensions, refusal };
}

interface Ran {
  readonly rounds: readonly (readonly Proposal[])[];
  readonly best: number;
}

function run(search: Search, value: (point: Point, share: number) => number | undefined): Ran {
  const rounds: (readonly Proposal[])[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (let next = search.next(); next.done !== true;) {
    rounds.push(next.value);
    const received = next.value.map((proposal) => ({
      proposal,
      value: value(proposal.point, proposal.share),
    }));
    for (const one of received) if (one.proposal.share === 1) best = Math.max(best, one.value ?? best);
    next = search.next(received);
  }
  return { rounds, best };
}

const pointsOf = ({ rounds }: Ran): readonly Point[] => rounds.flat().map(({ point }) => point);

/** Published test functions, negated: the greater the better. Least values: Molga and Smutnicki, 2005. */
const coordinates = (point: Point): readonly number[] => Object.values(point).map(Number);
function branin(point: Point): number {
  const [x = 0, y = 0] = coordinates(point);
  const bowl = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6;
  return -(bowl ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10);
}
function rosenbrock(point: Point): number {
  const x = coordinates(point);
  return -x
    .slice(0, -1)
    .reduce((sum, at, i) => sum + 100 * ((x[i + 1] ?? 0) - at ** 2) ** 2 + (1 - at) ** 2, 0);
}
const hartmannA = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const hartmannP = [
  [1312, 1696, 5569, 124, 8283, 5886],
  [2329, 4135, 8307, 3736, 1004, 9991],
  [2348, 1451, 3522, 2883, 3047, 6650],
  [4047, 8828, 8732, 5743, 1091, 381],
];
function hartmann6(point: Point): number {
  const x = coordinates(point);
  return [1, 1.2, 3, 3.2].reduce((sum, weight, i) => {
    const away = x.reduce(
      (inner, at, j) => inner + (hartmannA[i]?.[j] ?? 0) * (at - 1e-4 * (hartmannP[i]?.[j] ?? 0)) ** 2,
      0,
    );
    return sum + weight * Math.exp(-away);
  }, 0);
}
const functions = [
  {
    name: 'Branin',
    value: branin,
    space: spaceOf([number('x', -5, 10), number('y', 0, 15)]),
    top: -0.397887,
  },
  {
    name: 'Rosenbrock',
    value: rosenbrock,
    space: spaceOf(['a', 'b', 'c'].map((name) => number(name, -2, 2))),
    top: 0,
  },
  {
    name: 'Hartmann-6',
    value: hartmann6,
    space: spaceOf(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => number(name, 0, 1))),
    top: 3.32237,
  },
];

describe('the test functions are the published ones', () => {
  test('their greatest values stand where they are known to', () => {
    expect(branin({ x: Math.PI, y: 2.275 })).toBeCloseTo(-0.397887, 5);
    expect(rosenbrock({ a: 1, b: 1, c: 1 })).toBeCloseTo(0, 12);
    const known = [0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573];
    expect(hartmann6(Object.fromEntries(known.map((at, i) => [`x${i}`, at])))).toBeCloseTo(3.32237, 4);
  });
});

describe.each(functions)('on $name', ({ value, space, top }) => {
  test('the Parzen estimator comes closer than random search with as many trials', () => {
    const seeds = Array.from({ length: 11 }, (_, seed) => seed);
    const trials = 100;
    const gaps = seeds.map((seed) => {
      const random = new Random(seed);
      const guided = run(
        tpeSearch({ space, random: random.fork('tpe'), trials, round: 8, startup: 16 }),
        value,
      );
      const blind = run(randomSearch({ space, random: random.fork('random'), trials }), value);
      expect(pointsOf(guided)).toHaveLength(trials);
      return { guided: top - guided.best, blind: top - blind.best };
    });
    const median = (values: number[]): number => values.sort((a, b) => a - b)[5] ?? Number.NaN;
    const guided = median(gaps.map((gap) => gap.guided));
    const blind = median(gaps.map((gap) => gap.blind));
    expect(guided).toBeLessThan(blind / 1.5);
    expect(gaps.filter((gap) => gap.guided < gap.blind).length).toBeGreaterThanOrEqual(8);
  });
});

const anySpace = fc
  .array(
    fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 50 }), fc.boolean(), fc.boolean())
        .map(([low, more, hasStep, log]) => ({
          low: low / 10,
          high: (low + more) / 10,
          step: hasStep ? 0.3 : undefined,
          log,
        })),
      fc.uniqueArray(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    spaceOf(
      parts.map((part, i) =>
        Array.isArray(part)
          ? { kind: 'choice', name: `p${i}`, choices: part }
          : number(`p${i}`, part.low, part.high, { step: part.step, log: part.log }),
      ),
    ),
  );

describe('a space', () => {
  test('every value has a place of its own, and its place has that value', () => {
    fc.assert(
      fc.property(
        anySpace,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4 }),
        (space, units) => {
          const point = pointAt(space, units);
          for (const dimension of space.dimensions) {
            const value = point[dimension.name] ?? '';
            expect(dimensionValue(dimension, unitOf(dimension, value))).toBe(value);
            if (dimension.kind === 'number') {
              expect(Number(value)).toBeGreaterThanOrEqual(dimension.low);
              expect(Number(value)).toBeLessThanOrEqual(dimension.high + 1e-9);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('decimals of text stay plain and exact', () => {
    const dimension = number('q', 0.01, 0.05, { step: 0.01, isText: true });
    expect([0, 0.3, 0.5, 0.7, 1].map((unit) => dimensionValue(dimension, unit))).toEqual([
      '0.01',
      '0.02',
      '0.03',
      '0.04',
      '0.05',
    ]);
    expect(dimensionValue(number('q', 1e-7, 1e-6, { isText: true }), 0)).toBe('0.0000001');
  });
});

describe('searches', () => {
  const flat = (): number => 1;

  test('hand out no point twice and none that the strategy refuses, the same ones for the same seed', () => {
    fc.assert(
      fc.property(
        anySpace,
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 1, max: 30 }),
        (open, seed, trials) => {
          const space = spaceOf(open.dimensions, (point) =>
            pointKey(point).length % 5 === 0 ? 'unlucky' : undefined,
          );
          const make = (): readonly Search[] => [
            randomSearch({ space, random: new Random(seed), trials }),
            latinSearch({ space, random: new Random(seed), trials }),
            gridSearch({ space, trials: 1_000, values: 3 }),
            tpeSearch({ space, random: new Random(seed), trials, round: 3, startup: 4 }),
          ];
          const value = (point: Point): number => pointKey(point).length;
          const again = make().map((search) => pointsOf(run(search, value)).map(pointKey));
          for (const [index, search] of make().entries()) {
            const keys = pointsOf(run(search, value)).map(pointKey);
            expect(new Set(keys).size).toBe(keys.length);
            expect(keys.every((key) => key.length % 5 !== 0)).toBe(true);
            expect(keys).toEqual(again[index]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a grid is every combination, in order', () => {
    const space = spaceOf([
      number('a', 1, 2, { step: 1 }),
      { kind: 'choice', name: 'b', choices: ['x', 'y'] },
    ]);
    expect(pointsOf(run(gridSearch({ space, trials: 100, values: 5 }), flat))).toEqual([
      { a: 1, b: 'x' },
      { a: 1, b: 'y' },
      { a: 2, b: 'x' },
      { a: 2, b: 'y' },
    ]);
  });

  test('a Latin hypercube uses each part of each range once', () => {
    const space = spaceOf([number('a', 0, 1), number('b', 0, 1)]);
    const points = pointsOf(run(latinSearch({ space, random: new Random(3), trials: 20 }), flat));
    for (const name of ['a', 'b']) {
      const parts = points.map((point) => Math.floor(Number(point[name]) * 20));
      expect(parts.sort((x, y) => x - y)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    }
  });

  test('successive halving keeps the best third on three times the data, and ends on all of it', () => {
    const space = spaceOf([number('a', 0, 1)]);
    const setting = { space, random: new Random(1), trials: 27, factor: 3, shareMin: 1 / 9 };
    const { rounds, best } = run(halvingSearch(setting), ({ a }) => Number(a));
    expect(rounds.map((round) => [round.length, round[0]?.share])).toEqual([
      [27, 1 / 9],
      [9, 1 / 3],
      [3, 1],
    ]);
    expect(best).toBe(Math.max(...(rounds[0] ?? []).map(({ point }) => Number(point['a']))));
    expect(rounds.flat().map(({ trial }) => trial)).toEqual(Array.from({ length: 39 }, (_, i) => i));
  });

  test('a small space is used up and the search ends', () => {
    const space = spaceOf([{ kind: 'choice', name: 'b', choices: ['x', 'y', 'z'] }]);
    const search = tpeSearch({ space, random: new Random(1), trials: 50, round: 4, startup: 2 });
    expect(sizeOf(space.dimensions[0] as Dimension)).toBe(3);
    expect(pointsOf(run(search, flat))).toHaveLength(3);
  });

  test('points that failed do not stop the estimator', () => {
    const space = spaceOf([number('a', 0, 1), number('b', 0, 1)]);
    const search = tpeSearch({ space, random: new Random(1), trials: 30, round: 5, startup: 6 });
    const { rounds } = run(search, ({ a }) => (Number(a) < 0.5 ? undefined : 1));
    expect(rounds.flat()).toHaveLength(30);
  });
});
