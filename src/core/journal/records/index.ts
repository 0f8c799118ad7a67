/** Records of a journal: their text, chain and digest, and a journal in memory. */
export type { ChainPlace, Journal, JournalRecord, KeptEvent, LooseRecord, SegmentPlace } from './records.ts';
export { decodeEvent, encodeEvent, encodeInPieces, isKept, lanesOf, lanesText } from './records.ts';
export { MemoryJournal, RunDigest } from './run-digest.ts';
