import { hash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ChainPlace } from '../records/index.ts';
import { syncDirectory } from './segments.ts';

/** Records that had been on the disk, and that the journal does not have any more. */
export interface JournalLoss {
  /** The sequence of the last record that is there; 0 when there is none. */
  readonly after: number;
  /** The sequence of the last record that had been synced. */
  readonly upTo: number;
  /** One sentence, for people. */
  readonly why: string;
}

/** The last record that was synced, by the file beside the journal: SQLite takes a log that is cut or gone for one that ends there. */
export type SyncedMark =
  | { readonly state: 'known'; readonly place: ChainPlace }
  /** No file, or one that a loss of power left torn. */
  | { readonly state: 'missing' | 'unreadable' };

const markName = 'journal.synced';
const digits = 16;
const shape = /^(\d{16}) ([0-9a-f]{64}) ([0-9a-f]{16})\n$/;

export function syncedMarkPath(directory: string): string {
  return join(directory, markName);
}

/** The mark of a run directory. A reader takes it before the records: a writer may go on meanwhile. */
export function readSyncedMark(directory: string): SyncedMark {
  const path = syncedMarkPath(directory);
  if (!existsSync(path)) return { state: 'missing' };
  const [text = '', sequence = '', last = ''] = shape.exec(readFileSync(path, 'latin1')) ?? [];
  const place = { sequence: Number(sequence), hash: last };
  return text !== '' && textOf(place) === text ? { state: 'known', place } : { state: 'unreadable' };
}

/** Loss of a journal that ends with `last`, by its mark. */
export function lossBehind(mark: SyncedMark, last: ChainPlace): JournalLoss | undefined {
  if (mark.state !== 'known' || mark.place.sequence <= last.sequence) return undefined;
  const after = last.sequence;
  const upTo = mark.place.sequence;
  const records = upTo === after + 1 ? `record ${upTo}` : `records ${after + 1} to ${upTo}`;
  const had = upTo === after + 1 ? 'it had been' : 'they had been';
  const why = `the journal ends with sequence ${after}, and ${records} behind it are lost: by ${markName} ${had} on the disk (a write-ahead file that is missing, cut or damaged, or a copy without it)`;
  return { after, upTo, why };
}

/** As `lossBehind`, of a segment; also where another record stands in the place that the mark names. */
export function lossIn(mark: SyncedMark, database: DatabaseSync, last: ChainPlace): JournalLoss | undefined {
  const behind = lossBehind(mark, last);
  if (behind !== undefined || mark.state !== 'known') return behind;
  const { sequence, hash: synced } = mark.place;
  const found = database.prepare('SELECT hash FROM records WHERE sequence = ?').get(sequence)?.['hash'];
  if (found === undefined || found === synced) return undefined;
  const why = `the journal has another record ${sequence} than the one that ${markName} names: records were lost, and others written in their place`;
  return { after: sequence - 1, upTo: sequence, why };
}

/** Writes the mark durably: before a run writes its first record. */
export function placeSyncedMark(directory: string, place: ChainPlace): void {
  const mark = new SyncedMarkWriter(directory);
  try {
    mark.write(place);
    mark.sync();
  } finally {
    mark.close();
  }
  syncDirectory(directory);
}

/**
 * Writes the mark after each sync of the journal, in place and without a sync of its own: after a loss of power it may be older than the
 * journal, never newer, and a killed process loses none of it.
 */
export class SyncedMarkWriter {
  readonly #file: number;

  constructor(directory: string) {
    const path = syncedMarkPath(directory);
    this.#file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  }

  write(place: ChainPlace): void {
    writeSync(this.#file, textOf(place), 0, 'latin1');
  }

  /** Also takes away what an unreadable mark had behind. */
  sync(): void {
    ftruncateSync(this.#file, markBytes);
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}

const markBytes = textOf({ sequence: 0, hash: '0'.repeat(64) }).length;

function textOf({ sequence, hash: last }: ChainPlace): string {
  const said = `${String(sequence).padStart(digits, '0')} ${last}`;
  return `${said} ${hash('sha256', said, 'hex').slice(0, 16)}\n`;
}
