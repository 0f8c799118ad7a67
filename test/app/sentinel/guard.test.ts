import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { micros, millis, seconds } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { GuardDeps } from '../../../src/app/sentinel/guard.ts';
import { Guard } from '../../../src/app/sentinel/guard.ts';
import type { SentinelAct, SentinelState } from '../../../src/app/sentinel/run-files.ts';
import {
  readBeat,
  readLease,
  readSentinel,
  removeKill,
  writeKill,
  writeSentinel,
} from '../../../src/app/sentinel/run-files.ts';
import { processMark, runs, thisProcess } from '../../../src/app/process/alive.ts';

let directory = '';
const clock = new VirtualClock(seconds(1_700_000_000));
let guard: Guard | undefined;
let said: string[] = [];
let children: EventEmitter[] = [];

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'godwit-guard-')), 'run');
  said = [];
  children = [];
});

afterEach(() => {
  guard?.close();
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

function partsOf(change: Partial<GuardDeps> = {}): GuardDeps {
  return {
    directory,
    clock,
    random: new Random(1),
    log: silentLogger,
    isWanted: true,
    say: (line) => void said.push(line),
    start: () => {
      const child = Object.assign(new EventEmitter(), { kill: () => true });
      children.push(child);
      return child as unknown as ChildProcess;
    },
    ...change,
  };
}

function pass(duration: number): void {
  clock.advanceTo(micros(clock.uptime() + duration));
}

function stateOf(change: Partial<SentinelState> = {}): SentinelState {
  return {
    ...thisProcess(),
    startedBy: 'daemon',
    epoch: 1,
    stage: 'watches',
    since: clock.now(),
    lastLook: clock.now(),
    waitsFor: '',
    trouble: '',
    acts: [],
    ...change,
  };
}

test('a daemon takes the lease with a higher number, beats four times a second, and says farewell', async () => {
  guard = await Guard.open(partsOf());
  expect(readLease(directory)).toMatchObject({ epoch: 1, pid: process.pid });
  guard.enter('trades', 'run1');
  const first = readBeat(directory);
  expect(first).toMatchObject({ phase: 'trades', run: 'run1', pid: process.pid });
  pass(seconds(10));
  expect(readBeat(directory)?.count).toBe((first?.count ?? 0) + 40);
  // Over itself: a disk that is full takes a beat.
  expect(readFileSync(join(directory, 'heartbeat'))).toHaveLength(160);
  guard.farewell('exit code 0');
  expect(readLease(directory)).toMatchObject({ epoch: 1, ended: 'exit code 0' });
  const second = await Guard.open(partsOf());
  second.close();
  expect(readLease(directory)).toMatchObject({ epoch: 2 });
});

test('a sentinel that ends is named at once and started again, each time a little later', async () => {
  guard = await Guard.open(partsOf());
  expect(children).toHaveLength(1);
  pass(seconds(1));
  writeSentinel(directory, stateOf());
  pass(seconds(2));
  expect(said).toEqual([`The sentinel watches (process ${process.pid}).`]);
  expect(guard.view).toMatchObject({ isWanted: true, isUp: true, trouble: '' });
  writeSentinel(directory, stateOf({ stage: 'ended' }));
  children[0]?.emit('exit', null, 'SIGKILL');
  expect(said[1]).toBe(
    'Nothing would cancel orders if this daemon were gone: there is none; it is started again. Trading goes on.',
  );
  expect(guard.view).toMatchObject({ isUp: false, trouble: 'no sentinel watches: there is none' });
  pass(seconds(3));
  expect(children).toHaveLength(2);
  for (let time = 0; time < 8; time++) {
    children.at(-1)?.emit('exit', 1, null);
    pass(seconds(1));
  }
  expect(children.length).toBeLessThan(6);
  expect(said).toHaveLength(2);
});

test('one that hangs, and one whose venue does not answer, are said', async () => {
  guard = await Guard.open(partsOf({ start: undefined }));
  pass(seconds(16));
  expect(said).toEqual([
    'Nothing would cancel orders if this daemon were gone: there is none; start godwit-sentinel.service, or godwit sentinel. Trading goes on.',
  ]);
  writeSentinel(directory, stateOf({ startedBy: 'service', trouble: 'the venue cannot be asked: refused' }));
  pass(seconds(2));
  expect(said.slice(1)).toEqual([
    `The sentinel watches (process ${process.pid}).`,
    'The sentinel could not cancel orders now: the venue cannot be asked: refused.',
  ]);
  pass(seconds(12));
  expect(said.at(-1)).toContain('it has not looked since');
});

test('an act that ended is recorded once: to the run that goes on, or to the first that trades after it', async () => {
  guard = await Guard.open(partsOf());
  const act: SentinelAct = {
    epoch: 1,
    cause: 'silent',
    why: 'the event loop of the daemon, process 70, has stood for 2000 ms',
    at: seconds(1_700_000_000),
    clearedAt: seconds(1_700_000_001),
    canceled: 3,
    orders: ['gw-mb3x1k2z-grid-00001'],
    kept: 1,
    unresolved: [],
    done: false,
  };
  const text =
    'The sentinel cancelled 3 orders at 2023-11-14T22:13:20.000Z because the event loop of the daemon, process 70, has stood for 2000 ms; 1 that only reduce stayed.';
  const lines: string[] = [];
  let acts: SentinelAct[] = [];
  const run = {
    say: (line: string) => void lines.push(line),
    kill: () => {},
    acted: (one: SentinelAct) => void acts.push(one),
  };
  guard.followRun(run);
  // The loop turned again before all was seen gone: that is recorded as well.
  const { clearedAt: _, ...broken } = { ...act, at: act.at - 1, canceled: 2 };
  writeSentinel(directory, stateOf({ stage: 'acts', acts: [broken] }));
  pass(seconds(3));
  expect(acts).toEqual([]);
  writeSentinel(directory, stateOf({ stage: 'acts', acts: [broken, act] }));
  pass(seconds(3));
  expect(lines.slice(-1)).toEqual([text]);
  expect(acts).toEqual([broken, act]);
  acts = [];
  const late = { ...act, canceled: 4 };
  writeSentinel(directory, stateOf({ acts: [broken, late] }));
  pass(seconds(3));
  expect(acts).toEqual([late]);
  acts = [];
  guard.close();
  const gone = { ...act, at: act.at + 1, cause: 'gone' as const };
  writeSentinel(directory, stateOf({ acts: [broken, late, gone], stage: 'ended' }));
  // This one ends before it trades, and the next sentinel writes its file anew.
  guard = await Guard.open(partsOf());
  writeSentinel(directory, stateOf({ epoch: 2, stage: 'ended' }));
  guard.close();
  guard = await Guard.open(partsOf());
  guard.followRun(run);
  guard.followRun(run);
  guard.close();
  guard = await Guard.open(partsOf());
  guard.followRun(run);
  expect(acts).toEqual([gone]);
});

test('a kill file halts the run that is followed, also one that begins while it is there', async () => {
  guard = await Guard.open(partsOf());
  const kills: string[] = [];
  const run = { say: () => {}, kill: (why: string) => void kills.push(why), acted: () => {} };
  guard.followRun(run);
  writeKill(directory, 'wrong size');
  pass(millis(600));
  expect(kills).toHaveLength(1);
  expect(kills[0]).toMatch(/^the kill file is there since 20/);
  guard.enter('starts');
  guard.followRun(run);
  expect(kills).toHaveLength(2);
  expect(removeKill(directory)).toBe(true);
  expect(removeKill(directory)).toBe(false);
  pass(millis(600));
  expect(existsSync(join(directory, 'kill'))).toBe(false);
});

test('a beat that cannot be written is said with what follows from it, and again when it can', async () => {
  guard = await Guard.open(partsOf({ isWanted: false }));
  rmSync(directory, { recursive: true });
  // The file is open still: its daemon would not notice.
  guard.close();
  mkdirSync(directory);
  mkdirSync(join(directory, 'heartbeat'));
  guard = await Guard.open(partsOf({ isWanted: false }));
  expect(said[0]).toMatch(
    /^The heartbeat cannot be written, so the sentinel will take this daemon for silent/,
  );
  expect(guard.view.trouble).toContain('the heartbeat cannot be written');
  rmSync(join(directory, 'heartbeat'), { recursive: true });
  pass(millis(300));
  expect(said[1]).toBe('The heartbeat is written again.');
  expect(guard.view.trouble).toBe('');
});

test('files that are none, torn or of another make are taken for absent', () => {
  mkdirSync(directory, { recursive: true });
  expect([readLease(directory), readBeat(directory), readSentinel(directory)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  for (const name of ['lease.json', 'heartbeat', 'sentinel.json'])
    for (const text of ['', '{', '[]', 'null', '{"epoch":"7"}', '1 trades 5 6 7 run 2']) {
      writeFileSync(join(directory, name), text);
      expect([readLease(directory), readBeat(directory), readSentinel(directory)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
});

test('a process is known by its number and its start: another one with its number is not it', () => {
  const self = thisProcess();
  expect(runs(self)).toBe(true);
  expect(runs({ ...self, mark: self.mark === '' ? '' : '1' })).toBe(self.mark === '');
  expect(processMark(2 ** 22 + 1)).toBeUndefined();
});
