/** Files of a journal on the disk, and how they are read. */
export { JournalDamaged, JournalFailed, JournalForeign } from './errors.ts';
export {
  asDamage,
  createSegment,
  isSqliteError,
  isWritten,
  lockDirectory,
  openForReading,
  openForWriting,
} from './file.ts';
export type { JournalCut } from './read-records.ts';
export { cutText, readRecords, tailOf } from './read-records.ts';
export type { JournalNumbers } from './segments.ts';
export { clearLeftovers, hasJournal, journalAt, segmentPath, segmentsIn } from './segments.ts';
export type { JournalLoss, SyncedMark } from './synced-mark.ts';
export { lossBehind, lossIn, placeSyncedMark, readSyncedMark, syncedMarkPath } from './synced-mark.ts';
export type { About, RemovedRecords } from './tables.ts';
export {
  checkNumber,
  firstSegment,
  isMarkedSegment,
  missingNext,
  removedBefore,
  renew,
  seal,
  setMarked,
  startOf,
} from './tables.ts';
