import type { DatabaseSync } from 'node:sqlite';
import type { StampedEvent } from '../model/stamped-event.ts';
import { decodeEvent } from './canonical.ts';
import { chainStart, lanesOf } from './chain.ts';
import { JournalDamaged } from './errors.ts';
import { asDamage, openForStart } from './journal-file.ts';
import { lastCarried } from './last-carried.ts';
import { readRecords } from './read-records.ts';
import type { JournalCut } from './read-records.ts';
import { RunDigest } from './run-digest.ts';
import type { WriterTask } from './writer-messages.ts';

/** Where a journal goes on after its start. */
export interface Start {
  readonly tail: number;
  readonly cut: JournalCut | undefined;
  readonly digest: RunDigest;
  readonly task: Pick<WriterTask, 'path' | 'previous'>;
}

/**
 * Opens the journal of a locked directory, verifies its chain, tells `onEvent` of every event from the last
 * `stateCarried` on (of all when there is none), takes away a torn tail, and returns where to go on. A journal whose
 * tables are unreadable is damaged, wherever that is.
 */
export function startDirectory(
  directory: string,
  header: string,
  onEvent: (stamped: StampedEvent) => void,
): Start {
  const { database, path } = openForStart(directory, header);
  try {
    let cut: JournalCut | undefined;
    const digest = new RunDigest();
    const from = lastCarried(database, chainStart(header));
    let tail = from.sequence;
    let previous = from.hash;
    const keep = (found: JournalCut): void => {
      cut = found;
    };
    for (const record of readRecords(database, from, keep)) {
      const event = decodeEvent(record.text);
      const lanes = lanesOf(record.marketHash);
      digest.market.resume(record.marketCount, lanes.a, lanes.b);
      digest.addKept(event, record.sequence);
      tail = record.sequence;
      previous = record.hash;
      onEvent({ sequence: record.sequence, event });
    }
    if (cut !== undefined) removeTail(database, cut, previous);
    return { tail, cut, digest, task: { path, previous } };
  } catch (error) {
    throw asDamage(error, path);
  } finally {
    database.close();
  }
}

function removeTail(database: DatabaseSync, cut: JournalCut, hash: string): void {
  if (cut.unreadable) {
    throw new JournalDamaged(`the journal is damaged after sequence ${cut.after}: ${cut.why}`);
  }
  database.exec('BEGIN IMMEDIATE');
  database.prepare('DELETE FROM records WHERE sequence > ?').run(cut.after);
  database.prepare('UPDATE tail SET sequence = ?, hash = ?').run(cut.after, hash);
  database.exec('COMMIT');
}
