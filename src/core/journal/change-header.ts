import type { StateCarried } from '../model/event.ts';
import type { StampedEvent } from '../model/stamped-event.ts';
import { keepLoss } from './failure-mark.ts';
import { encodeEvent, lanesText } from './records/index.ts';
import { createSegment, lockDirectory, placeSyncedMark } from './segments/index.ts';
import { startDirectory } from './start-directory.ts';

export interface HeaderChange {
  readonly directory: string;
  /** The header that the journal has now, and the one it gets. */
  readonly header: string;
  readonly next: string;
  /** The state that what was read comes to, in the numbers of the new header. */
  readonly carried: (history: readonly StampedEvent[]) => StateCarried;
}

/**
 * Lets the journal of a directory go on under another header: a new segment begins with the state carried over, from which alone a
 * restart goes on. A process that is killed meanwhile leaves the journal as it was, or changed. Errors as `DiskJournal`.
 */
export function changeHeader({ directory, header, next, carried }: HeaderChange): void {
  const lock = lockDirectory(directory);
  try {
    const history: StampedEvent[] = [];
    const start = startDirectory(directory, header, (stamped) => history.push(stamped));
    if (start.loss !== undefined) keepLoss(directory, start.loss);
    const event = carried(history);
    const { count, laneA, laneB } = start.digest.market;
    const { last, number } = start.task;
    const record = {
      sequence: last.sequence + 1,
      kind: event.kind,
      text: encodeEvent(event),
      marketCount: count,
      marketHash: lanesText(laneA, laneB),
    };
    const place = { header: next, number: number + 1, begun: event.receiveTime, after: last };
    placeSyncedMark(directory, createSegment(directory, place, [record]));
  } finally {
    lock.close();
  }
}
