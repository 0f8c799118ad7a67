import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { enterRun } from '../../../src/app/live/guarded.ts';
import type { Guard } from '../../../src/app/sentinel/index.ts';
import { readOthers } from '../../../src/app/sentinel/run-files.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';

const directory = mkdtempSync(join(tmpdir(), 'guarded-'));
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
  enterRun(guard as Guard, { daemon: daemon as never, directory, say: () => {} });
  expect(readOthers(directory)).toEqual(['gw-mb3x1k2z-']);
  const found = (difference: object): void =>
    watcher({ sequence: 1, event: { kind: 'differenceFound', difference } as Event });
  found({ kind: 'order', key: 'order by-hand-2' });
  found(row('mb3x1k31'));
  found(row('mb3x1k31'));
  expect(readOthers(directory)).toEqual(['gw-mb3x1k2z-', 'gw-mb3x1k31-']);
});
