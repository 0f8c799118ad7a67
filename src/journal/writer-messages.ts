import type { LooseRecord } from './chain.ts';

/** What the writer thread is started with. */
export interface WriterTask {
  readonly path: string;
  /** Hash of the record last written. */
  readonly previous: string;
  readonly sizeMaxMib: number;
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
