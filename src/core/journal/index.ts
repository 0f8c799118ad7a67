/** The journal of a run: its writer, its start and its replay. */
export type { JournalSync } from './disk.ts';
export { changeHeader } from './change-header.ts';
export { DiskJournal } from './disk.ts';
export { failureMark, removeFailureMark } from './failure-mark.ts';
export type { Journal, KeptEvent } from './records/index.ts';
export { MemoryJournal, RunDigest, decodeEvent, encodeEvent, isKept } from './records/index.ts';
export type { RecordPlace, RunPlace } from './replay.ts';
export { copyJournal, lastCarriedIn, lastRunIn, lossOf, readHeader, readJournal } from './replay.ts';
export type { JournalCut, JournalLoss, RemovedRecords } from './segments/index.ts';
export { JournalForeign, cutText, hasJournal, isWritten } from './segments/index.ts';
