import { hash } from 'node:crypto';
import type { Micros } from '../../base/clock.ts';

/** An event as it is kept: whole, with what the market had come to, and tied to the record before it. */
export interface JournalRecord {
  readonly sequence: number;
  readonly kind: string;
  /** Canonical JSON of the event. */
  readonly text: string;
  /** How many market events came before it, and their running hash as 16 hexadecimal digits. */
  readonly marketCount: number;
  readonly marketHash: string;
  /** Hash of the record before it; of the first, the hash of the header. */
  readonly previous: string;
  /** SHA-256 over everything above, as hexadecimal. */
  readonly hash: string;
}

/** A record that is not chained yet. */
export type LooseRecord = Omit<JournalRecord, 'previous' | 'hash'>;

/** A place in the chain: the record with this sequence and hash, or the chain's start with sequence 0. */
export interface ChainPlace {
  readonly sequence: number;
  readonly hash: string;
}

/** Place that the first record of a journal with this header follows. */
export function chainStart(header: string): ChainPlace {
  return { sequence: 0, hash: hash('sha256', `godwit journal\n${header}`, 'hex') };
}

/** Where a segment stands in a journal. */
export interface SegmentPlace {
  /** Meaning of the records' numbers. */
  readonly header: string;
  /** 1 for the first. */
  readonly number: number;
  /** When its first record was made; 0 for the first segment. */
  readonly begun: Micros;
  /** The last record of the segment before it; of the first, sequence 0 and no hash. */
  readonly after: ChainPlace;
}

/** Place that the first record of a later segment follows: it proves where the segment stands, and its header. */
export function segmentStart({ header, number, begun, after }: SegmentPlace): ChainPlace {
  const text = `godwit journal segment\n${number}\n${begun}\n${after.sequence}\n${after.hash}\n${header}`;
  return { sequence: after.sequence, hash: hash('sha256', text, 'hex') };
}

/** The hash that ties `record` to the one whose hash is `previous`. */
export function chainHash(record: LooseRecord, previous: string): string {
  const { sequence, kind, marketCount, marketHash, text } = record;
  // The text stands last: no other field contains a line break, so no two records give one input.
  return hash('sha256', `${previous}\n${sequence}\n${kind}\n${marketCount}\n${marketHash}\n${text}`, 'hex');
}

/** `record` as the successor of the record whose hash is `previous`. */
export function chained(record: LooseRecord, previous: string): JournalRecord {
  const { sequence, kind, text, marketCount, marketHash } = record;
  return { sequence, kind, text, marketCount, marketHash, previous, hash: chainHash(record, previous) };
}

/** The two lanes of a market hash as 16 hexadecimal digits. */
export function lanesText(a: number, b: number): string {
  return a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0');
}

/** The two lanes of `lanesText`. */
export function lanesOf(text: string): { a: number; b: number } {
  return { a: Number.parseInt(text.slice(0, 8), 16), b: Number.parseInt(text.slice(8), 16) };
}
