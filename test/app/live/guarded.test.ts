import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { enterRun, protectionNotes } from '../../../src/app/live/guarded.ts';
import { fullCapabilities } from '../../../src/core/model/capabilities.ts';
import type { Guard } from '../../../src/app/sentinel/index.ts';
import { readOthers } from '../../../src/app/sentinel/run-files.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';

const directory = mkdtempSync(join(tmpdir(), 'guarded-'));
const configOf = (sentinel = {}) => configSchema.parse({ run: { directory }, sentinel });
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('the sentinel knows which runs under our prefix are of other Godwits, those of before a restart and each that is seen', () => {
  let watcher: (stamped: StampedEvent) => void = () => {};
  const row = (run: string) => ({ kind: 'otherGodwit', key: `godwit gw-${run}` });
  const daemon = {
    run: 'mb3x1k30',
    act() {},
    trader: {
      view: { differences: { all: [row('mb3x1k2z'), { kind: 'order', key: 'order by-hand-1' }] } },
      watch: (one: typeof watcher) => {
        watcher = one;
        return () => {};
      },
    },
  };
  const guard: Pick<Guard, 'enter' | 'followRun'> = { enter() {}, followRun() {} };
  enterRun(guard as Guard, { daemon: daemon as never, config: configOf(), say: () => {} });
  expect(readOthers(directory)).toEqual(['gw-mb3x1k2z-']);
  const found = (difference: object): void =>
    watcher({ sequence: 1, event: { kind: 'differenceFound', difference } as Event });
  found({ kind: 'order', key: 'order by-hand-2' });
  found(row('mb3x1k31'));
  found(row('mb3x1k31'));
  expect(readOthers(directory)).toEqual(['gw-mb3x1k2z-', 'gw-mb3x1k31-']);
});

test('what a sentinel did, and a kill file, are acts of the run, with what the configuration lets stay', () => {
  for (const cancel of ['raising', 'all'] as const) {
    const acts: unknown[] = [];
    const daemon = {
      run: 'mb3x1k30',
      act: (...act: unknown[]) => void acts.push(act),
      trader: { view: { differences: { all: [] } }, watch: () => () => {} },
    };
    const result = { at: 7, canceled: 1, orders: ['gw-mb3x1k2z-grid-00001'], kept: 1, unresolved: [] };
    const guard: Pick<Guard, 'enter' | 'followRun'> = {
      enter() {},
      followRun: ({ kill, acted }) => {
        acted({ ...result, epoch: 3, cause: 'gone', why: 'the daemon is gone', done: true });
        kill('the kill file is there');
      },
    };
    enterRun(guard as Guard, { daemon: daemon as never, config: configOf({ cancel }), say: () => {} });
    expect(acts).toEqual([
      [{ act: 'sentinel', ...result }, 'sentinel', 'the daemon is gone'],
      [{ act: 'kill', cancel }, 'kill file', 'the kill file is there'],
    ]);
  }
});

test('what cancels orders when the daemon is gone is said: by mode and settings, and by what the venue has', () => {
  const notes = (mode: 'sim' | 'paper' | 'live', sentinel: object, capabilities = fullCapabilities) =>
    protectionNotes(
      { mode, config: configSchema.parse({ run: { directory: 'runs/none-here' }, sentinel }) },
      capabilities,
    );
  expect(notes('paper', {})).toEqual([]);
  expect(notes('live', {})).toEqual([
    'trade starts a sentinel, which ends where the whole cgroup of the daemon is ended; it cancels own orders that can raise exposure',
    'the venue has no switch of its own that would cancel orders',
  ]);
  expect(notes('live', { enabled: false })[0]).toBe('no sentinel: sentinel.enabled is false');
  expect(notes('sim', {})[0]).toBe('no sentinel: mode sim has one where sentinel.enabled is true');
  expect(notes('sim', { enabled: true, startedBy: 'service', cancel: 'all' })[0]).toBe(
    'the sentinel is to be a service, and none watches this run directory now (godwit-sentinel.service); it cancels every own order',
  );
  const own = { ...fullCapabilities, keepAlive: { msMin: 1_000, msMax: 60_000 } };
  expect(notes('live', {}, own)[1]).toBe(
    'a switch of the venue is armed, which cancels all orders of the account after 60 s',
  );
  expect(notes('live', { keepAlive: false }, own)[1]).toBe(
    'the switch of the venue is not armed: sentinel.keepAlive is false',
  );
});
