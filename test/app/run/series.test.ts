import { beforeAll, describe, expect, test } from 'vitest';
import { configuredScenario } from '../../../src/app/run/scenario-config.ts';
import { withSeries } from '../../../src/app/run/series.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { SourceFolder, begin, walk } from '../../support/source-files.ts';

/** Notes whatever it is given of its series, and what of them is known when a candle closes. */
const listener = `
import { decimalColumn, defineStrategy, z } from 'godwit/strategy';
const mood = {
  series: 'mood',
  columns: z.strictObject({ value: z.number().min(0), change: decimalColumn.optional(), label: z.enum(['low', 'high']) }),
};
export default defineStrategy({
  name: 'listener',
  params: z.strictObject({ symbol: z.string(), candles: z.boolean().default(true) }),
  feeds: ({ symbol, candles }) => [candles ? { symbol, candles: ['D1'] } : { symbol, book: true }, mood],
  create({ clock, market, log }) {
    const say = (what, rest) => log.info([what, ...rest].join(' '));
    market.series$(mood).subscribe((row) => say('stream', [row.values.value]));
    return {
      onStart: () => say('start', [market.series(mood)?.values.value]),
      onSeries: (row) => say('row', [row.values.value, row.values.change, row.values.label, row.exchangeTime / 1e6, clock.now() / 1e6]),
      onCandle: (candle) => say('candle', [candle.time / 1e6, market.series('mood')?.values.value]),
      onOutage: (outage) => outage.of === 'series' && say('stale', [outage.series, outage.why]),
    };
  },
});
`;

const day = 86_400;
const start = Date.UTC(2024, 0, 1) / 1_000;
const iso = (days: number): string => new Date((start + days * day) * 1_000).toISOString();
const prices = Array.from({ length: 12 }, (_, at) => `${iso(at).slice(0, 10)},100,102,98,101,1000`);
const mood = (...rows: readonly (readonly [number, string])[]): string =>
  ['time,value,change,label', ...rows.map(([days, cells]) => `${iso(days)},${cells}`)].join('\n');

const scenario = (series: string, more = ''): string => `
name: heard
data: [bars.csv]
instrument: { symbol: AAA, base: AAA, quote: USD, tick: "1", lot: "1" }
fills: { model: bars }
balances: { USD: "1000" }
${series}
strategy: { path: listener.ts, params: { symbol: AAA } }
${more}`;

const made = new SourceFolder();
beforeAll(() => {
  made.write('listener.ts', listener);
  made.write('bars.csv', ['Date,Open,High,Low,Close,Volume', ...prices].join('\n'));
  made.write(
    'mood.csv',
    mood([-3, '7,1.50,low'], [-1, '8,,low'], [2, '20,0.1000000000000000001,high'], [3.5, '5,-2,low']),
  );
});

async function given(series: string, more = ''): Promise<readonly string[]> {
  return await saidIn(scenario(series, more));
}

/** The lines that a strategy wrote to its log. */
async function saidIn(text: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const loaded = configuredScenario(loadScenario(made.write('scenario.yaml', text)), made.path);
  const { problems } = await runScenario({
    loaded,
    watch: (event) => void (event.kind === 'strategyNoted' && lines.push(event.text)),
  });
  expect(problems).toEqual([]);
  return lines;
}

describe('a series of a backtest', () => {
  test('comes row by row when it is known, before market data of that time, and its latest row can be read', async () => {
    const lines = await given('series: { mood: mood.csv }');
    const [at2, at35] = [start + 2 * day, start + 3.5 * day];
    expect(lines.slice(0, 8)).toEqual([
      'start 8',
      `candle ${start} 8`,
      `row 20 0.1000000000000000001 high ${at2} ${at2}`,
      'stream 20',
      `candle ${start + day} 20`,
      `candle ${start + 2 * day} 20`,
      `row 5 -2 low ${at35} ${at35}`,
      'stream 5',
    ]);
  });

  test('is known no earlier than its delay, or the column of its publication, says', async () => {
    const lines = await given('series: { mood: { path: mood.csv, delay: 36h } }');
    const known = start + 3.5 * day;
    expect(lines.slice(0, 5)).toEqual([
      'start 7',
      `row 8  low ${start - day} ${start + 0.5 * day}`,
      'stream 8',
      `candle ${start} 8`,
      `candle ${start + day} 8`,
    ]);
    expect(lines).toContain(`row 20 0.1000000000000000001 high ${start + 2 * day} ${known}`);
  });

  test('is given stale when it falls silent, once, until its next row', async () => {
    const lines = await given('series: { mood: { path: mood.csv, staleAfter: 2d } }');
    expect(lines.filter((line) => line.startsWith('stale') || line.startsWith('row'))).toEqual([
      `stale mood its last row came at ${iso(-1)}`,
      `row 20 0.1000000000000000001 high ${start + 2 * day} ${start + 2 * day}`,
      `row 5 -2 low ${start + 3.5 * day} ${start + 3.5 * day}`,
      `stale mood its last row came at ${iso(3.5)}`,
    ]);
  });

  test('begins with the row that was known when the clock starts, and repeats its digest, which depends on it', async () => {
    const from = `clock: { start: '${iso(3)}' }`;
    expect((await given('series: { mood: mood.csv }', from)).slice(0, 1)).toEqual(['start 20']);
    const digestOf = async (file: string): Promise<string> =>
      (await made.run(scenario(`series: { mood: ${file} }`))).digest;
    const one = await digestOf('mood.csv');
    expect(await digestOf('mood.csv')).toBe(one);
    made.write('other.csv', mood([-1, '8,,low'], [2, '21,,high']));
    expect(await digestOf('other.csv')).not.toBe(one);
  });

  test('reaches a strategy on books at its own times', async () => {
    made.raw('raw.gz', { symbol: 'BTCUSDT', moments: walk(3, { start: 1_000, count: 40, step: 500 }) });
    const at = begin / 1_000 + 7;
    made.write('fast.csv', `time,value,change,label\n${at},3,,low\n`);
    const lines = await saidIn(`
name: books
data: [raw.gz]
instrument: { symbol: BTCUSDT, base: BTC, quote: USDT, tick: "0.1", lot: "0.001" }
balances: { USDT: "1000" }
series: { mood: fast.csv }
strategy: { path: listener.ts, params: { symbol: BTCUSDT, candles: false } }
`);
    expect(lines).toContain(`row 3  low ${at} ${at}`);
  });

  test('is read once for many runs', async () => {
    const file = made.write('once.yaml', scenario('series: { mood: mood.csv }'));
    const loaded = await withSeries(configuredScenario(loadScenario(file), made.path));
    made.write('mood-before.csv', '');
    const runs = [await runScenario({ loaded }), await runScenario({ loaded: structuredClone(loaded) })];
    expect(runs[0]?.digest).toBe(runs[1]?.digest);
    expect(await withSeries(loaded)).toBe(loaded);
  });
});

describe('a series is refused', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    [
      'that a strategy declares and nothing names',
      '',
      'strategy listener asks for the series mood: expected its file in SCENARIO (series: { mood: FILE }), found none',
    ],
    [
      'of another name',
      'series: { moods: mood.csv }',
      'strategy listener asks for the series mood: expected its file in SCENARIO (series: { mood: FILE }), found moods; did you mean moods?',
    ],
    [
      'that no strategy declares',
      'series: { mood: mood.csv, other: mood.csv }',
      "SCENARIO: series.other: expected a series that a strategy declares (feeds: [{ series: 'other' }]), found none in listener",
    ],
    ['whose file is not there', 'series: { mood: none.csv }', 'none.csv, found none'],
    [
      'without a column that is read',
      'series: { mood: short.csv }',
      'short.csv: expected the column "label" that a strategy reads of the series mood, found "value", "change"; known are value, change',
    ],
    [
      'with text for a number',
      'series: { mood: text.csv }',
      'text.csv:2, column value: expected a number of at least 0, found "much"',
    ],
    [
      'with a number out of bounds',
      'series: { mood: below.csv }',
      'below.csv:2, column value: expected a number of at least 0, found "-1"',
    ],
    [
      'with an empty cell',
      'series: { mood: empty.csv }',
      'empty.csv:2, column value: expected a number of at least 0 (optional() lets cells be empty), found ""',
    ],
    [
      'with another word',
      'series: { mood: word.csv }',
      'word.csv:2, column label: expected one of low, high, found "middle"',
    ],
    [
      'with a delay and a column of publication',
      'series: { mood: { path: mood.csv, delay: 1h, availableAt: seen } }',
      'expected either availableAt or delay, not both',
    ],
  ];
  test.each(refused)('%s', async (_, series, sentence) => {
    made.write('short.csv', `time,value,change\n${iso(0)},1,2\n`);
    made.write('text.csv', mood([0, 'much,1,low']));
    made.write('below.csv', mood([0, '-1,1,low']));
    made.write('empty.csv', mood([0, ',1,low']));
    made.write('word.csv', mood([0, '1,1,middle']));
    const place = `${made.path}/scenario.yaml`;
    await expect(made.run(scenario(series))).rejects.toThrow(sentence.replace('SCENARIO', place));
  });
});
