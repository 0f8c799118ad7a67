import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { openBarData } from '../../src/app/backtest/bar-source.ts';
import type { SweepResult } from '../../src/app/sweep/result.ts';
import { runTrial } from '../../src/app/sweep/trial.ts';
import type { WalkResult } from '../../src/app/sweep/walk-forward.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { main } from '../system/support/cli.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { loadScenario } from '../../src/research/scenario/load.ts';
import { memoryRecording, packInMemory } from '../../src/research/scenario/memory-recording.ts';
import { run } from './cli/support/run.ts';
import { configuredScenario, recordedScenario } from '../../src/app/run/scenario-config.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const sample = join(home, 'backtest/feeds/sample');
const moody = join(home, 'test/app/fixtures/moody.ts');
const folder = mkdtempSync(join(tmpdir(), 'sweep-'));
const ledger = join(folder, 'trials.ndjson');
let stores = 0;

/** The first 25 seconds of the sample. */
const short = join(folder, 'short.pack');
const sampled = await packInMemory(await openRecording(sample));
const begin = sampled.span?.from ?? (0 as Micros);
const cut = await packInMemory(memoryRecording(sampled.bytes, 'sample'), {
  span: { from: begin, to: (begin + 25e6) as Micros },
});
writeFileSync(short, cut.bytes);

const linesOf = (path: string): readonly string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const newStore = (): string => join(folder, `store-${(stores += 1)}.ndjson`);

interface Swept {
  readonly code: number;
  readonly err: string;
  readonly result: SweepResult;
}

async function sweep(args: readonly string[], store = newStore()): Promise<Swept> {
  const { code, out, err } = await run([
    'sweep',
    '--workers',
    '1',
    ...args,
    '--store',
    store,
    '--ledger',
    ledger,
    '--json',
  ]);
  return { code, err, result: (out === '' ? undefined : JSON.parse(out)) as SweepResult };
}

const onSample = (...more: readonly string[]): readonly string[] => [short, '--strategy', moody, ...more];
const received = ({ result }: Swept): unknown => ({
  ...result,
  // Workers and store differ by what the test compares.
  command: '',
  store: '',
  trials: { ...result.trials, stored: 0 },
});

describe('one trial', () => {
  const config = configSchema.parse({ strategies: [{ name: 'moody', path: moody, params: { every: 10 } }] });

  test('is the backtest of the same recording, event for event', async () => {
    const recording = await openRecording(sample);
    const { digest, report } = await runScenario({
      loaded: recordedScenario(config),
      data: { recording, prepared: 0 },
    });
    const { bytes } = await packInMemory(recording);
    const outcome = await runTrial(
      recordedScenario(config),
      { bytes, label: 'x', prepared: 0 },
      { point: {} },
    );
    expect(outcome.digest).toBe(digest);
    expect(outcome.figures['profit']).toBe(Number(report?.results[0]?.profit));
    expect(outcome.figures['fills']).toBeGreaterThan(0);
  });

  test('on a part of the data begins with the books as they stand then', async () => {
    const from = (begin + 30e6) as Micros;
    const part = await packInMemory(memoryRecording(sampled.bytes, 'whole'), {
      span: { from, to: (from + 20e6) as Micros },
    });
    const events = [];
    for await (const batch of memoryRecording(part.bytes, 'part').events()) events.push(...batch);
    expect(part.events).toBe(events.length);
    expect(events[0]).toMatchObject({ kind: 'bookSnapshot', receiveTime: from, exchangeTime: from });
    expect(events.every(({ receiveTime }) => receiveTime >= from && receiveTime < from + 20e6)).toBe(true);
    expect(part.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
});

describe('a sweep', () => {
  const space = ['--space', 'every=5..25/10', '--space', 'away=0..4/2'];
  const storeOfOne = newStore();
  let onOne: Swept;
  /** A store of its own with these lines of that of the sweep on one worker. */
  const storeOf = (text: (lines: readonly string[]) => string): string => {
    const store = newStore();
    writeFileSync(store, text(linesOf(storeOfOne)));
    return store;
  };

  beforeAll(async () => {
    onOne = await sweep(onSample(...space, '--workers', '1'), storeOfOne);
  });

  test('comes out the same on one worker and on two', async () => {
    const [one, two] = [onOne, await sweep(onSample(...space, '--workers', '2'))];
    expect(one.code).toBe(0);
    expect(one.result.trials).toEqual({ tried: 9, stored: 0, failed: 0, withoutValue: 0 });
    expect(received(one)).toEqual(received(two));
    expect(new Set(one.result.best.map(({ digest }) => digest)).size).toBe(9);
    const values = one.result.best.map(({ value }) => value ?? 0);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(linesOf(ledger).length).toBeGreaterThanOrEqual(18);
  });

  test('guided by its results as well', async () => {
    const search = ['--space', 'every=1..60', '--space', 'away=auto', '--search', 'tpe', '--trials', '20'];
    const [one, two] = [
      await sweep(onSample(...search, '--workers', '1')),
      await sweep(onSample(...search, '--workers', '2')),
    ];
    expect(received(one)).toEqual(received(two));
  });

  test('goes on from what is in its store, a torn last line apart, unless asked not to', async () => {
    const store = storeOf((lines) => `${lines.slice(0, 5).join('\n')}\n${lines[5]?.slice(0, 40)}`);
    const second = await sweep(onSample(...space), store);
    expect(second.result.trials.stored).toBe(5);
    expect(received(second)).toEqual(received(onOne));
    expect(linesOf(store)).toHaveLength(9);
    const other = await sweep(onSample('--space', 'every=5..15/10', '--seed', '2'), store);
    expect(other.result.trials).toMatchObject({ tried: 2, stored: 0 });
    await sweep(onSample('--space', 'every=5..15/10', '--no-resume'), store);
    expect(linesOf(store)).toHaveLength(2);
  });

  test('marks a trial whose strategy throws, or never comes back, and goes on', async () => {
    const store = newStore();
    const moods = onSample('--space', 'mood=calm,angry,hung', '--timeout', '6s', '--workers', '1');
    const { code, result } = await sweep(moods, store);
    expect(code).toBe(0);
    expect(result.trials).toMatchObject({ tried: 3, failed: 2 });
    expect(result.failures.map(({ point, why }) => [point['mood'], why])).toEqual([
      ['angry', expect.stringContaining('enough of this')],
      ['hung', 'the trial was lost: it took longer than 6 s'],
    ]);
    expect(result.best).toHaveLength(1);
  });

  test('fails when no trial has a value', async () => {
    expect((await sweep(onSample('--space', 'mood=angry'))).code).toBe(1);
  });

  test('tests the best on the rest of the data, halves, writes CSV and a table', async () => {
    const csv = join(folder, 'all.csv');
    const split = await sweep(onSample(...space, '--split', '0.6', '--top', '2', '--csv', csv));
    expect(split.result.best.map(({ test: rest }) => rest?.value)).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(split.result.split?.train.to).toBe(split.result.split?.test.from);
    expect(linesOf(csv)).toHaveLength(10);
    expect(linesOf(csv)[0]).toMatch(/^trial,share,every,away,objective,profit,/);
    const halved = await sweep(onSample('--space', 'every=1..60', '--search', 'halving', '--trials', '9'));
    expect(halved.result.trials.tried).toBe(9 + 3 + 1);
    const text = await run([
      'sweep',
      '--workers',
      '1',
      ...onSample(...space),
      '--store',
      storeOf((lines) => `${lines.join('\n')}\n`),
      '--ledger',
      ledger,
    ]);
    expect(text.out).toContain('9 trials, best 9 by profit');
    expect(text.out).toContain('best profit by away (down) and every (across: 5 to 25)');
  });

  test('runs a scenario, its queue model and its outage included', async () => {
    const file = join(folder, 'scenario.yaml');
    const scenario = join(home, 'backtest/scenarios/sample-queue.yaml');
    writeFileSync(file, `scenario: ${scenario}\nspace: { spreadFactor: [0.3, 0.9] }\n`);
    const { code, result } = await sweep([file]);
    expect(code).toBe(0);
    expect(result.best).toHaveLength(2);
    expect(result.best.every(({ figures }) => (figures['fills'] ?? 0) > 0)).toBe(true);
    // What the scenario says of a searched parameter gives way, and a method may be named alone.
    const fixed = join(folder, 'fixed.yaml');
    const text = readFileSync(scenario, 'utf8').replace('../feeds', join(home, 'backtest/feeds'));
    writeFileSync(fixed, text.replace('params: {', 'params: { spreadFactor: 0.6,'));
    writeFileSync(file, `scenario: ${fixed}\nsearch: grid\nspace: { spreadFactor: [0.3, 0.9] }\n`);
    const again = await sweep([file]);
    const figures = ({ result: { best } }: Swept): unknown => best.map((one) => [one.point, one.figures]);
    expect(figures(again)).toEqual(figures({ code, result, err: '' }));
  });

  test('runs a scenario on bars from its data alone, as workers of a queue do', async () => {
    const price = (i: number): string => (100 + 20 * Math.sin(i / 9)).toFixed(2);
    const rows = Array.from({ length: 300 }, (_, i) => {
      const [open, close] = [price(i), price(i + 1)];
      const [low, high] = [open, close].toSorted((a, b) => Number(a) - Number(b));
      return `${1_672_531_200 + i * 60},${open},${high},${low},${close},5`;
    });
    writeFileSync(join(folder, 'bars.csv'), ['time,open,high,low,close,volume', ...rows, ''].join('\n'));
    const file = join(folder, 'bars.yaml');
    writeFileSync(
      file,
      [
        'name: bars',
        'data: [bars.csv]',
        'instrument: { symbol: ABCUSD, base: ABC, quote: USD, tick: "0.01", lot: "0.001" }',
        'fills: { model: bars }',
        'balances: { USD: "10000" }',
        'strategy: { path: trend, params: { symbol: ABCUSD } }',
        '',
      ].join('\n'),
    );
    const loaded = loadScenario(file);
    const whole = await runTrial(configuredScenario(loaded, home), undefined, { point: {} });
    expect(whole.failure).toBeUndefined();
    expect(whole.figures['fills']).toBeGreaterThan(0);
    const { bytes } = await packInMemory(await openBarData(loaded.scenario, file));
    const away = configuredScenario({ ...loaded, file: '/nowhere/bars.yaml' }, home);
    const apart = await runTrial(away, { bytes, label: 'bars', prepared: 0 }, { point: {} });
    expect(apart).toEqual(whole);
  });

  test('stopped by Ctrl-C leaves what was done, and the same command goes on', async () => {
    const store = newStore();
    const args = [
      ...onSample('--space', 'every=1..30'),
      '--store',
      store,
      '--ledger',
      ledger,
      '--workers',
      '1',
    ];
    const child = spawn(process.execPath, [main, 'sweep', ...args], {
      cwd: home,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    const clock = new SystemClock();
    await new Promise<void>((resolve) => {
      const look = (): void => {
        let count = 0;
        try {
          count = linesOf(store).length;
        } catch {
          // It is not there yet.
        }
        if (count >= 2 || child.exitCode !== null) resolve();
        else clock.after(20_000 as Micros, look);
      };
      look();
    });
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(130);
    const done = linesOf(store).length;
    expect(done).toBeLessThan(30);
    const rest = await sweep(onSample('--space', 'every=1..30'), store);
    expect(rest.result.trials).toMatchObject({ tried: 30, stored: done });
  });
});

test('a walk chooses on one window, judges on the next, and joins the tests', async () => {
  const walk = ['--space', 'every=5..25/10', '--train', '10s', '--test', '5s'];
  const args = [
    ...onSample(...walk),
    '--store',
    newStore(),
    '--ledger',
    ledger,
    '--workers',
    '1',
    '--json',
    '--no-save',
  ];
  const rolling = JSON.parse((await run(['walk-forward', ...args])).out) as WalkResult;
  expect(rolling.windows.map(({ test: { from, to } }) => Math.round((to - from) / 1e6))).toEqual([5, 5, 5]);
  const tested = rolling.windows.map(({ chosen }) => chosen?.test?.figures['profit'] ?? Number.NaN);
  expect(rolling.profit).toBeCloseTo(
    tested.reduce((sum, one) => sum + one, 0),
    15,
  );
  expect(rolling.equity.values.at(-1)).toBeCloseTo(rolling.profit, 12);
  expect(rolling.equity.times).toEqual(rolling.equity.times.toSorted((a, b) => a - b));
  const inside = rolling.windows.reduce((sum, { chosen }) => sum + (chosen?.figures['profit'] ?? 0), 0);
  if (inside > 0) expect(rolling.efficiency).toBeCloseTo(rolling.profit / 15 / (inside / 30), 4);
  const anchored = await run(['walk-forward', ...args, '--anchored']);
  const { windows } = JSON.parse(anchored.out) as WalkResult;
  expect(new Set(windows.map(({ train }) => train.from)).size).toBe(1);
});

describe('bad input is one sentence', () => {
  const damaged = join(folder, 'damaged.ndjson');
  appendFileSync(damaged, '{"key": 1}\n');
  test.each([
    [['sweep', sample], 2, 'sweep: expected --strategy with recordings'],
    [['sweep', sample, '--strategy', moody], 2, 'sweep: expected --space with recordings'],
    [
      ['sweep', 'x.yaml', '--strategy', 'trend'],
      2,
      'expected no --strategy and no --param with a sweep file',
    ],
    [['sweep', ...onSample('--space', '=1')], 2, '--space =1: expected the form name=value'],
    [
      ['sweep', ...onSample('--space', 'evry=1..2')],
      2,
      'strategy moody has no such param, did you mean every?',
    ],
    [['sweep', ...onSample('--space', 'away=0..51')], 2, 'space.away: found 51'],
    [['sweep', ...onSample('--space', 'away=2..1')], 2, 'expected the lower bound to be below the upper one'],
    [['sweep', ...onSample('--space', 'every', '--objective', 'luck')], 2, 'there is no figure "luck"'],
    [
      ['sweep', ...onSample('--space', 'every', '--split', '1.5')],
      2,
      '--split 1.5: expected a part between 0 and 1',
    ],
    [
      ['sweep', ...onSample('--space', 'every=1,2', '--store', damaged)],
      1,
      'line 1: expected the result of a trial',
    ],
    [['sweep', ...onSample('--space', 'low=10', '--space', 'high=1')], 1, 'the strategy refuses every point'],
    [['sweep', join(folder, 'nothing.pack'), '--strategy', moody, '--space', 'every'], 4, 'nothing.pack'],
    [
      ['sweep', sample, '--strategy', 'nothing', '--space', 'every'],
      1,
      'strategy nothing: expected a .ts file',
    ],
    [['walk-forward', ...onSample('--space', 'every')], 2, 'expected the lengths of training and test'],
    [
      ['walk-forward', ...onSample('--space', 'every', '--train', '1d', '--test', '1h')],
      1,
      'expected data for one window',
    ],
  ])('%j', async (args, code, sentence) => {
    const said = await run([
      ...args,
      ...(args.includes('--store') ? [] : ['--store', newStore()]),
      '--ledger',
      ledger,
    ]);
    expect(said.err).toContain(sentence);
    expect(said.code).toBe(code);
    expect(said.err.split('\n').at(-1)).not.toMatch(/^ {4}at /);
  });
});
