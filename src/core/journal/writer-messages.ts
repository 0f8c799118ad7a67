import type { Micros } from '../base/clock.ts';
import type { ChainPlace, LooseRecord } from './records/index.ts';
import type { JournalOptions } from './options.ts';

/** A segment that another one follows. */
export interface SealedSegment {
  readonly number: number;
  /** When the segment after it began. */
  readonly ended: Micros;
}

/** Task that the writer thread is started with. */
export interface WriterTask {
  readonly directory: string;
  readonly header: string;
  /** The segment it goes on with, behind this place. */
  readonly number: number;
  readonly last: ChainPlace;
  /** Those before it that are still there, the oldest first. */
  readonly older: readonly SealedSegment[];
  readonly limits: Pick<JournalOptions, 'segmentMib' | 'sizeMaxMib' | 'keepDays'>;
}

/** To the writer. Groups are numbered 1, 2, 3. */
export type ToWriter =
  | { readonly type: 'group'; readonly group: number; readonly records: readonly LooseRecord[] }
  | { readonly type: 'close' };

/** From the writer. `durable`: this group and all before it are on disk. After `failed` nothing follows. */
export type FromWriter =
  | { readonly type: 'durable'; readonly group: number }
  | { readonly type: 'failed'; readonly why: string }
  | { readonly type: 'closed' };
