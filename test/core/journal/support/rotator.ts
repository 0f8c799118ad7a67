import { DiskJournal } from '../../../../src/core/journal/disk.ts';
import { carried, noted } from './events.ts';

/**
 * Writes a journal of five segments of one MiB, of which three are kept, one record a group: group and sequence are
 * one number. Run as a child process: node rotator.ts DIRECTORY
 */
const directory = process.argv[2];
if (directory === undefined) throw new Error('expected a directory');
const journal = new DiskJournal({ directory, options: { segmentMib: 1, sizeMaxMib: 4 } });
for (let sequence = 1; sequence <= 330; sequence++) {
  journal.append(sequence % 10 === 0 ? carried(3) : noted(sequence, 16_000), sequence);
  await new Promise<void>((resolve) => journal.whenDurable(resolve));
}
await journal.close();
