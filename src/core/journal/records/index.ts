/** Records of a journal: their text, chain and digest, and a journal in memory. */
export { decodeEvent, encodeEvent } from './canonical.ts';
export type { ChainPlace, JournalRecord, LooseRecord, SegmentPlace } from './chain.ts';
export { chainHash, lanesOf, lanesText } from './chain.ts';
export type { Journal, KeptEvent } from './journal.ts';
export { isKept } from './journal.ts';
export { MemoryJournal } from './memory.ts';
export { RunDigest } from './run-digest.ts';
