import { expect, test } from 'vitest';
import { millis } from '../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { DownloadProgress } from '../../../src/app/download/progress.ts';

function progressOf(isTerminal: boolean) {
  const shown: string[] = [];
  const clock = new VirtualClock(millis(0));
  const output = { data: () => undefined, progress: (line: string) => void shown.push(line), colour: false };
  const overwrite = isTerminal ? (text: string) => void shown.push(`\r${text}`) : undefined;
  return { shown, clock, progress: new DownloadProgress({ clock, output, overwrite }) };
}

test('a terminal has a bar that grows with files and their bytes, and is drawn ten times a second at most', () => {
  const { shown, clock, progress } = progressOf(true);
  progress.expect(4);
  progress.working('a.zip', 'bytes', 500_000, 1_000_000);
  progress.working('a.zip', 'bytes', 600_000, 1_000_000);
  clock.advanceTo(millis(150));
  progress.working('a.zip', 'bytes', 1_000_000, 1_000_000);
  progress.done('a.zip', '24 rows');
  progress.close();
  expect(shown).toEqual([
    '\r[###.....................] 0 of 4 a.zip  500 kB of 1000 kB',
    '\r[######..................] 0 of 4 a.zip  1000 kB of 1000 kB',
    '\r[######..................] 1 of 4 a.zip  24 rows',
    '\r',
  ]);
});

test('elsewhere there is one line for each file, and what is to be known', () => {
  const { shown, progress } = progressOf(false);
  progress.expect(1);
  progress.working('a.zip', 'bytes', 5, 10);
  progress.tell('the host asks for a pause');
  progress.done('a.zip', '24 rows');
  progress.close();
  expect(shown).toEqual(['download: the host asks for a pause', 'a.zip  24 rows']);
});
