import { writeSync } from 'node:fs';
import { DiskJournal } from '../../../../src/core/journal/disk.ts';
import { filled, pending } from './events.ts';

/**
 * Appends under load until it is killed, and prints the sequence of every record that was acknowledged. Run as a
 * child process: node appender.ts DIRECTORY
 */
const directory = process.argv[2];
if (directory === undefined) throw new Error('expected a directory');
const journal = new DiskJournal({ directory });
let sequence = journal.tail;

function turn(): void {
  for (let i = 0; i < 20; i++) {
    sequence += 1;
    const acknowledged = sequence;
    journal.append(i % 2 === 0 ? pending(sequence) : filled(sequence), sequence);
    if (i % 5 === 0) journal.whenDurable(() => writeSync(1, `${acknowledged}\n`));
  }
  if (journal.outstanding < 5_000) setImmediate(turn);
  else journal.whenDurable(turn);
}

turn();
