import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { deviationsOf, runsOf } from '../../src/app/check/determinism.ts';
import { openCheck } from '../../src/app/check/setting.ts';
import { checkWarmUp } from '../../src/app/check/warm-up.ts';
import { barsBegin, barScenario } from './support/bar-scenario.ts';
import { godwit, home } from './support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-check-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (name: string, clock = {}) =>
  openCheck({ scenario: { file: barScenario(folder, name, clock), home }, home });

test('an honest strategy takes one timeline in two processes and two threads', async () => {
  const runs = await runsOf(await open('bar-follower'), 2);
  expect(runs.map(({ name }) => name)).toEqual([
    'first process',
    'second process',
    'thread 1 of 2',
    'thread 2 of 2',
  ]);
  expect(new Set(runs.map(({ timeline }) => timeline.digest)).size).toBe(1);
  expect(runs[0]?.timeline.steps.length).toBeGreaterThan(100);
  expect(deviationsOf(runs)).toEqual([]);
});

test('one that draws random numbers of its own is shown by the first event that differs, and the exit code is 7', async () => {
  const scenario = barScenario(folder, 'bar-gambler');
  const { code, out } = await godwit([
    'check',
    'determinism',
    '--scenario',
    scenario,
    '--threads',
    '1',
    '--json',
  ]);
  expect(code).toBe(7);
  const { holds, deviations } = JSON.parse(out) as {
    holds: boolean;
    deviations: { parting: { site: string; one: { event: object }; other: { event: object } } }[];
  };
  expect(holds).toBe(false);
  const [first] = deviations;
  expect(first?.parting.site).toMatch(/^bar-gambler\.ts:\d+$/);
  expect(first?.parting.one.event).not.toEqual(first?.parting.other.event);
});

test('a strategy that looks back at ten bars needs the nine before the one it decides on', async () => {
  const minute = 60_000_000;
  const { rows, warmUp, facts } = await checkWarmUp(await open('window-follower'), 3, 7 * minute);
  expect(rows.map(({ alike }) => alike > 50)).toEqual([true, true, true]);
  expect(warmUp).toBeGreaterThan(0);
  expect(warmUp).toBeLessThanOrEqual(9 * minute);
  expect(facts).toBeLessThanOrEqual(9);
});

test('later starts lie within the clock of the scenario', async () => {
  const clock = { start: String(barsBegin + 20 * 60), end: String(barsBegin + 90 * 60) };
  const { rows, warmUp } = await checkWarmUp(await open('window-follower', clock), 4);
  const minutes = rows.map(({ start }) => (start / 1e6 - barsBegin) / 60);
  expect(minutes).toHaveLength(4);
  for (const at of minutes) expect(at).toBeGreaterThan(20);
  for (const at of minutes) expect(at).toBeLessThan(90);
  expect(warmUp).toBeLessThanOrEqual(10 * 60e6);
});
