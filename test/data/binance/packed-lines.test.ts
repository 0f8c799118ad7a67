import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { surveyBinance } from '../../../src/data/binance/survey.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import { collect, newFolder, plain } from '../recording/support/frames.ts';

const roomy = 1_000_000;
const baseMillis = 1_700_000_000_000;

interface Levels {
  readonly b?: readonly (readonly [string, string])[];
  readonly a?: readonly (readonly [string, string])[];
}

let millis = 0;

function line(message: unknown): string {
  millis += 3;
  return `${BigInt(baseMillis + millis) * 1_000_000n + 1_234_567n} ${JSON.stringify(message)}`;
}

const depth = (u: number, { b = [], a = [] }: Levels, s = 'BTCUSDT'): string =>
  line({
    stream: `${s.toLowerCase()}@depth@0ms`,
    data: { e: 'depthUpdate', E: baseMillis + millis, T: baseMillis + millis, s, U: u, u, pu: u - 1, b, a },
  });
const trade = (t: number, p: string, q: string, X = 'MARKET'): string =>
  line({
    stream: 'btcusdt@trade',
    data: {
      e: 'trade',
      E: baseMillis + millis,
      T: baseMillis + millis,
      s: 'BTCUSDT',
      t,
      p,
      q,
      X,
      m: t % 2 === 0,
    },
  });
const top = (b: string, B: string, a: string, A: string): string =>
  line({ stream: 'btcusdt@bookTicker', data: { u: 1, s: 'BTCUSDT', b, B, a, A } });
const rest = (lastUpdateId: number, { b = [], a = [] }: Levels): string =>
  line({ lastUpdateId, T: baseMillis + millis, bids: b, asks: a });

function written(lines: readonly string[]): string {
  const path = join(newFolder(), 'raw.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** What the survey says with and without a packed copy, and what the events are from one and from the lines. */
async function bothWays(lines: readonly string[]) {
  const path = written(lines);
  const { packed, ...surveyed } = await surveyBinance([path], { packedBytesMax: roomy });
  const { packed: none, ...plainly } = await surveyBinance([path]);
  expect(none).toBeUndefined();
  expect(surveyed).toEqual(plainly);
  const noted = async (instruments?: typeof surveyed.specs): Promise<unknown> => {
    const recording = await openRecording(path, instruments === undefined ? {} : { instruments });
    try {
      return (await collect(recording.events())).map(plain);
    } catch (error) {
      return String(error);
    }
  };
  // With instruments given nothing is inferred, and the lines are read.
  const [fromPacked, fromLines] = [await noted(), await noted(surveyed.specs)];
  expect(fromPacked).toEqual(fromLines);
  return { packed, noted: fromPacked };
}

const usual = (): readonly string[] => [
  top('100.10', '1.000', '100.20', '0.500'),
  depth(2, { b: [['100.10', '0.020']] }),
  rest(1, { b: [['99.90', '3.000']], a: [['100.30', '2.100']] }),
  depth(3, { b: [['100.10', '0.000']], a: [['100.40', '7.000']] }),
  trade(7, '100.20', '0.040'),
  trade(8, '100.20', '0.040', 'INSURANCE_FUND'),
];

describe('the packed copy of a survey', () => {
  test('reports what the lines say, and the survey is the same', async () => {
    const { packed, noted } = await bothWays(usual());
    expect(packed?.length).toBe(1);
    expect(noted).toMatchObject([
      { kind: 'ticker', ticker: { bid: 1001, ask: 1002, bidQuantity: 100 } },
      { kind: 'bookSnapshot', levels: [0, 999, 300, 1, 1003, 210] },
      { kind: 'bookUpdate', levels: [0, 1001, 2] },
      { kind: 'bookUpdate', levels: [0, 1001, 0, 1, 1004, 700] },
      { kind: 'trades', trades: [{ tradeId: '7', price: 1002, quantity: 4, side: 'buy' }] },
    ]);
  });

  test.each([
    ['more decimals later on', () => [...usual(), depth(4, { b: [['100.125', '0.020']] })]],
    [
      'a book ticker between the ticks of the book',
      () => [...usual(), top('100.11', '1.000', '100.20', '1.000')],
    ],
    [
      'a second symbol and a reply that names none',
      () => [...usual(), depth(4, { b: [['1.0', '2.0']] }, 'ETHUSDT')],
    ],
    ['a reply before any symbol', () => [rest(1, { b: [['99.9', '3.0']] }), ...usual()]],
    ['a line that is no JSON', () => [...usual(), '1700000000000000 {"e":']],
    [
      'a trade whose id is no number',
      () => [...usual(), trade(9, '100.20', '0.040').replace('"t":9', '"t":"x9"')],
    ],
    ['an update id that is no whole number', () => [...usual(), depth(4, {}).replace('"u":4', '"u":4.5')]],
    [
      'decimals fewer than a ticker has',
      () => [top('100.10', '1.000', '100.20', '0.5'), depth(1, { b: [['100.1', '2.0']] })],
    ],
  ])('is given up for %s, and the lines are read', async (_what, lines) => {
    expect((await bothWays(lines())).packed).toBeUndefined();
  });

  test('is given up when it outgrows its bound', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => depth(i + 1, { b: [['100.10', '0.020']] }));
    const path = written(lines);
    expect((await surveyBinance([path], { packedBytesMax: 100_000 })).packed).toBeUndefined();
    expect((await surveyBinance([path], { packedBytesMax: roomy })).packed?.length).toBeGreaterThan(1);
    await bothWays(lines);
  });

  test('reads the same of whatever is written', async () => {
    const price = fc.integer({ min: 1, max: 4_000_000 }).map((ticks) => (ticks / 10).toFixed(2));
    const size = fc.integer({ min: 0, max: 900_000 }).map((lots) => (lots / 100).toFixed(3));
    const levels = fc.array(fc.tuple(price, size), { maxLength: 6 });
    const sides = fc.record({ b: levels, a: levels });
    const message = fc.oneof(
      fc.tuple(fc.constant('depth'), sides),
      fc.tuple(fc.constant('trade'), fc.record({ p: price, q: size })),
      fc.tuple(fc.constant('rest'), sides),
      fc.tuple(fc.constant('top'), fc.record({ p: price, q: size })),
    );
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 30 }), async (messages) => {
        const lines = messages.map(([kind, body], i) => {
          if ('p' in body) {
            return kind === 'trade' ? trade(i, body.p, `1${body.q}`) : top(body.p, body.q, body.p, body.q);
          }
          return kind === 'rest' ? rest(i, body) : depth(i + 1, body);
        });
        const { packed } = await bothWays([depth(1, { b: [['1.11', '0.111']] }), ...lines]);
        if (packed !== undefined) kept += 1;
      }),
      { numRuns: 60, seed: 7 },
    );
    expect(kept).toBeGreaterThan(50);
  });
});
