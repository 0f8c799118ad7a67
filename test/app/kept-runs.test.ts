import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { backtestCommand } from '../../src/app/backtest/command.ts';
import type { ReportOptions } from '../../src/app/backtest/report.ts';
import { keepNewestFiles, keepNewestRuns, keepNewestSessions } from '../../src/app/run/kept-files.ts';
import { loadSweepOf } from '../../src/app/sweep/load.ts';
import { sessionIdentity } from '../../src/app/live/session-identity.ts';
import { sweepCommand } from '../../src/app/sweep/command.ts';
import { walkForwardCommand } from '../../src/app/sweep/walk-forward-command.ts';
import type { WalkResult } from '../../src/app/sweep/walk-forward.ts';
import type { Tree } from '../../src/core/config/layers.ts';
import { loadConfig } from '../../src/app/config/load.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { figureOf } from '../../src/research/report/document/document.ts';
import { readReport } from '../../src/research/report/stored.ts';
import { run } from './cli/support/run.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const sample = join(home, 'backtest/feeds/sample');
const moody = join(home, 'test/app/fixtures/moody.ts');
const folder = mkdtempSync(join(tmpdir(), 'godwit-kept-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is kept', () => {
  const reports = join(folder, 'many');
  const hash = (n: number): string => n.toString(16).padStart(16, '0');
  const put = (name: string, age: number, files = ['report.json', 'report.html']): void => {
    const path = join(reports, name);
    mkdirSync(path, { recursive: true });
    for (const file of files) writeFileSync(join(path, file), '{}');
    utimesSync(path, 1_000_000 - age, 1_000_000 - age);
  };
  beforeEach(() => rmSync(reports, { recursive: true, force: true }));

  test('are the newest runs, and every run with a name of its own or with added files', () => {
    for (let n = 1; n <= 6; n++) put(hash(n), n);
    put('before-the-change', 100);
    put(hash(7), 200, ['report.json', 'my-notes.txt']);
    keepNewestRuns(reports, 2);
    expect(readdirSync(reports).toSorted()).toEqual([hash(1), hash(2), hash(7), 'before-the-change']);
    keepNewestRuns(reports, 2);
    expect(readdirSync(reports)).toHaveLength(4);
  });

  test('are the newest grades', () => {
    mkdirSync(reports);
    for (let n = 1; n <= 4; n++) {
      writeFileSync(join(reports, `${n}.json`), '');
      utimesSync(join(reports, `${n}.json`), 1_000 - n, 1_000 - n);
    }
    writeFileSync(join(reports, 'other.md'), '');
    keepNewestFiles(reports, '.json', 3);
    expect(readdirSync(reports)).toEqual(['1.json', '2.json', '3.json', 'other.md']);
  });

  test('are the newest hundred sessions of a run directory', () => {
    const sessions = join(reports, 'sessions');
    mkdirSync(sessions, { recursive: true });
    for (let n = 1; n <= 102; n++) {
      for (const end of ['json', 'html', 'csv']) {
        const file = join(sessions, `20261124T101112Z-${n}.${end}`);
        writeFileSync(file, '');
        utimesSync(file, n, n);
      }
    }
    keepNewestSessions(reports);
    const left = readdirSync(sessions);
    expect(left).toHaveLength(300);
    expect(left.filter((name) => /-[12]\./.test(name))).toEqual([]);
  });

  test('a name for a run is no path and no hash', async () => {
    const said = async (name: string) => await run(['backtest', sample, '--strategy', moody, '--name', name]);
    for (const name of ['../up', 'a/b', '0123456789abcdef', '']) {
      const { code, err } = await said(name);
      expect([code, err]).toEqual([2, expect.stringContaining('expected letters, digits')]);
    }
  });
});

const silent = { data: () => {}, progress: () => {}, colour: false };
const runs = join(folder, 'runs');
const configure = (base: Tree) => loadConfig({ files: [], environment: {}, sets: [], base }).config;

async function backtest(params: Readonly<Record<string, unknown>>, options: Partial<ReportOptions> = {}) {
  const config = configure({ strategies: [{ name: 'moody', path: moody, params }] });
  const report = { save: true, band: false, directory: runs, name: 'latest', ...options };
  await backtestCommand({ scenario: { config, recordings: [sample] }, output: silent, json: false, report });
  return readReport(join(runs, 'backtests', 'latest'));
}

const searched = (said: Tree) => ({
  loaded: loadSweepOf([], {
    data: [sample],
    strategy: { path: moody, params: { mood: 'calm' } },
    space: { every: [20, 30] },
    ...said,
  }),
  home,
  configure,
  output: silent,
  workers: 1,
  store: join(folder, 'store.ndjson'),
  trialLog: join(runs, 'trials.ndjson'),
  resume: false,
  queue: undefined,
  timeoutMs: undefined,
});

describe('the trial log', () => {
  test('counts a trial of a sweep and a backtest with the same parameters once', async () => {
    const trials = async (params: Readonly<Record<string, unknown>>) =>
      figureOf(await backtest(params), 'ratios.trials')?.number;
    expect(await trials({ every: 20 })).toBe(1);
    expect(await sweepCommand({ ...searched({}), json: true, csv: undefined })).toBe(0);
    // `every: 20` is what a sweep tried and what the strategy does when nothing is said; 30 is the other one.
    expect(await trials({})).toBe(2);
    expect(await trials({ mood: 'calm', every: 30 })).toBe(2);
    expect(await trials({ every: 31 })).toBe(3);
  });
});

describe('a walk-forward', () => {
  test('leaves a report with its efficiency, and backtests of the strategy on the data report it', async () => {
    const before = await backtest({ every: 20 });
    expect(figureOf(before, 'robustness.walkForward')?.reason).toContain('none was run on this data');
    const html = join(folder, 'walk.html');
    const lines: string[] = [];
    const code = await walkForwardCommand({
      ...searched({ walk: { train: '30s', test: '20s' } }),
      output: { ...silent, data: (line) => void lines.push(line) },
      json: true,
      report: { html, save: true, directory: runs },
    });
    const { efficiency, profit, windows } = JSON.parse(lines.join('')) as WalkResult;
    expect([code, existsSync(html)]).toEqual([0, true]);
    const [kept = ''] = readdirSync(join(runs, 'walk-forwards'));
    const walk = readReport(join(runs, 'walk-forwards', kept));
    expect(figureOf(walk, 'walk.profit')?.number).toBe(profit);
    expect(walk.sections.find(({ key }) => key === 'return')?.tables[0]?.rows).toHaveLength(windows.length);
    expect(walk.charts.map(({ id }) => id)).toEqual(['profit-walk']);
    expect(figureOf(walk, 'walk.days')).toMatchObject({
      value: expect.stringMatching(/^[\d.]+ (s|min|h|d)$/),
    });
    const noted = figureOf(walk, 'robustness.walkForward');
    expect(noted?.number).toBe(efficiency);
    const after = figureOf(await backtest({ every: 20 }), 'robustness.walkForward');
    expect([after?.number, after?.reason]).toEqual([efficiency, noted?.reason]);
    const shown = await run(['report', join(runs, 'walk-forwards', kept)]);
    expect(shown.out).toContain('Walk-forward efficiency');
  });
});

test('the report of a session says what it was made of, and that its data is no file', () => {
  const config = configSchema.parse({ run: { directory: 'runs/x', seed: 7 } });
  const identity = sessionIdentity('paper', config, { run: 'r1', strategies: 'maker 0123456789abcdef' });
  expect(identity).toMatchObject({
    mode: 'paper',
    data: 'live: received from the venue',
    seed: 7,
    configuration: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
    code: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
    strategy: 'maker 0123456789abcdef',
    'fill model': 'simulated, queue conservative',
    journal: 'runs/x',
  });
  const other = configSchema.parse({ run: { directory: 'runs/y', seed: 7 }, gate: { newDeadlineMs: 2_000 } });
  const again = configSchema.parse({ run: { directory: 'runs/y', seed: 7 } });
  const hashOf = (one: typeof config) =>
    sessionIdentity('live', one, { run: '', strategies: '' })['configuration'];
  // Where things are kept decides nothing.
  expect([hashOf(again) === hashOf(config), hashOf(other) === hashOf(config)]).toEqual([true, false]);
});
