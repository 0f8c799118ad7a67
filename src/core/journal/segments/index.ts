/** Files of a journal on the disk, and how they are read. */
export type { JournalCut } from './file.ts';
export {
  asDamage,
  codeOf,
  createSegment,
  cutText,
  isSqliteError,
  isWritten,
  lockDirectory,
  lockPath,
  openForReading,
  openForWriting,
  readRecords,
  sqlite,
  tailOf,
} from './file.ts';
export type { JournalLoss, JournalNumbers, SyncedMark } from './segments.ts';
export {
  JournalDamaged,
  JournalFailed,
  JournalForeign,
  SyncedMarkWriter,
  clearLeftovers,
  hasJournal,
  journalAt,
  lossBehind,
  lossIn,
  placeSyncedMark,
  readSyncedMark,
  removeSegment,
  segmentPath,
  segmentsIn,
  syncedMarkPath,
} from './segments.ts';
export type { About, RemovedRecords } from './tables.ts';
export {
  RecordWriter,
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
