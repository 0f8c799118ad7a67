import type { StampedEvent } from '../model/stamped-event.ts';
import { decodeEvent } from './canonical.ts';
import { chainStart } from './chain.ts';
import { JournalDamaged } from './errors.ts';
import { asDamage, journalPath, openForReading } from './journal-file.ts';
import { readRecords } from './read-records.ts';
import type { JournalCut } from './read-records.ts';

export interface ReadOptions {
  /** Told when the journal's end was torn: what was yielded is the longest valid prefix. */
  readonly onCut?: (cut: JournalCut) => void;
}

/**
 * The kept events of a journal, oldest first, each proved by the chain; also of one that is being written.
 *
 * `path` is the run directory or the file. Throws `BadInput` when there is none, `JournalForeign` for another
 * version, `JournalDamaged` (naming the sequence) for damage before the tail. A torn tail ends the sequence and is
 * told to `onCut`.
 */
export function* readJournal(
  path: string,
  { onCut = ignore }: ReadOptions = {},
): Generator<StampedEvent, void> {
  const file = journalPath(path);
  const { database, header } = openForReading(file);
  try {
    // One snapshot for the records and their tail: a writer may commit between the two.
    database.exec('BEGIN');
    for (const record of readRecords(database, chainStart(header), onCut)) {
      const event = decodeEvent(record.text);
      if (event.kind !== record.kind) {
        throw new JournalDamaged(
          `record ${record.sequence} of the journal is called ${record.kind} and holds ${event.kind}`,
        );
      }
      yield { sequence: record.sequence, event };
    }
  } catch (error) {
    throw asDamage(error, file);
  } finally {
    database.close();
  }
}

/** The header that the journal was created with: what its instrument numbers mean. Errors as `readJournal`. */
export function readHeader(path: string): string {
  const { database, header } = openForReading(journalPath(path));
  database.close();
  return header;
}

function ignore(): void {}
