import { closeSync, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SystemClock } from '../../../../src/core/base/system-clock.ts';
import { DiskJournal } from '../../../../src/core/journal/disk.ts';
import { failureMark } from '../../../../src/core/journal/failure-mark.ts';
import { readJournal } from '../../../../src/core/journal/replay.ts';
import { at, carried, noted } from './events.ts';

/**
 * Writes a journal on a small file system that it fills, and prints what it has seen as JSON. Run as a child process:
 * node filler.ts DIRECTORY END, where END is `room` or `close`: what ends the time in which the disk is full.
 */
const [directory, end] = process.argv.slice(2);
if (directory === undefined) throw new Error('expected a directory');
const ballast = join(directory, 'ballast');
const run = join(directory, 'run');
const open = (): DiskJournal =>
  new DiskJournal({ directory: run, clock: new SystemClock(), options: { segmentMib: 1 } });
const journal = open();
const said: (string | undefined)[] = [];
const failures: string[] = [];
let acknowledged = 0;
let sequence = 0;
let wake = (): void => {};
journal.onFailure(({ message }) => failures.push(message));
journal.onWaiting((why) => {
  said.push(why);
  wake();
});

/** Lines of 18 kB, and a carried state after every nine of them, with which a new segment begins once there is one mebibyte. */
function append(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    sequence += 1;
    const own = sequence;
    const isCarried = sequence % 10 === 0;
    journal.append(
      isCarried ? { ...carried(3), ...at(sequence * 1_000_000) } : noted(sequence, 18_000),
      sequence,
    );
    journal.whenDurable(() => (acknowledged = own));
  }
  return new Promise((resolve) => journal.whenDurable(resolve));
}

function fill(): void {
  const file = openSync(ballast, 'w');
  const block = Buffer.alloc(4_096, 1);
  try {
    for (;;) writeSync(file, block);
  } catch {
    closeSync(file);
  }
}

await append(55);
fill();
const full = new Promise<void>((resolve) => (wake = resolve));
void append(30);
await full;
// Some that come while others wait.
void append(30);
const during = { acknowledged, mark: failureMark(run), isTriedAgain: journal.nextTry !== undefined };
if (end === 'room') {
  const over = new Promise<void>((resolve) => (wake = resolve));
  rmSync(ballast);
  await over;
  await append(20);
}
await journal.close();
const after = { acknowledged, mark: failureMark(run), failures };
if (existsSync(ballast)) rmSync(ballast);
const sequences = [...readJournal(run)].map((stamped) => stamped.sequence);
const again = open();
const files = readdirSync(run).filter((name) => name.endsWith('.sqlite')).length;
const restart = { tail: again.tail, loss: again.loss?.why, cut: again.cut?.why };
await again.close();
process.stdout.write(
  JSON.stringify({ said, during, after, read: sequences.length, last: sequences.at(-1), files, restart }),
);
