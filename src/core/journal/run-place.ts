import type { RunStarted } from '../model/event.ts';
import type { ChainPlace } from './chain.ts';
import { decodeEvent } from './canonical.ts';
import { asDamage, openForReading } from './file.ts';
import { journalAt, segmentPath } from './segments.ts';

/** Where a run begins in a journal. */
export interface RunPlace {
  readonly started: RunStarted;
  /** The number of the segment, and what the first record of the run follows in the chain. */
  readonly segment: number;
  readonly after: ChainPlace;
}

const query =
  "SELECT sequence, text, previous FROM records WHERE kind = 'runStarted' ORDER BY sequence DESC LIMIT 1";

/**
 * Where the last run of the journal in a directory begins; `undefined` where no segment holds a beginning. Read from the
 * end, so that the cost follows that run and not the journal. Errors as `readJournal`; no record is proved.
 */
export function lastRunIn(directory: string): RunPlace | undefined {
  const place = journalAt(directory);
  if ('file' in place) return undefined;
  for (const segment of place.numbers.toReversed()) {
    const file = segmentPath(place.directory, segment);
    const { database } = openForReading(file);
    try {
      const { sequence, text, previous } = database.prepare(query).get() ?? {};
      if (typeof sequence !== 'number' || typeof text !== 'string' || typeof previous !== 'string') continue;
      const started = decodeEvent(text) as RunStarted;
      return { started, segment, after: { sequence: sequence - 1, hash: previous } };
    } catch (error) {
      throw asDamage(error, file);
    } finally {
      database.close();
    }
  }
  return undefined;
}
