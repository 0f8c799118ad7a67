import { DatabaseSync } from 'node:sqlite';
import { fail } from '../../src/core/base/assert.ts';
import { chainHash, chainStart, chained, decodeEvent } from '../../src/core/journal/records/records.ts';
import type { ChainPlace, JournalRecord, LooseRecord } from '../../src/core/journal/records/records.ts';
import { setDurable, readRecords } from '../../src/core/journal/segments/file.ts';
import { lastCarried } from '../../src/core/journal/start-directory.ts';
import type { JournalCut } from '../../src/core/journal/segments/file.ts';
import type { StampedEvent } from '../../src/core/model/stamped-event.ts';
import type { CounterRandom } from '../../src/app/virtual/counter-random.ts';

export const journalHeader = 'simulation';
const schema = `
  CREATE TABLE tail (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL, hash TEXT NOT NULL);
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL,
    market_count INTEGER NOT NULL, market_hash TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT;
`;

/** What a start finds on the disk. */
export interface DiskImage {
  /** From the last `stateCarried` on: what a restart is given. */
  readonly history: readonly StampedEvent[];
  /** Everything, oldest first. */
  readonly all: readonly StampedEvent[];
  readonly cut: JournalCut | undefined;
}

/** Of commits that do not wait for the disk, so many come between two that do: SQLite's checkpoints. */
const checkpointEvery = 50;

/** The disk under the journal: what a sync made durable, and the group that was on its way when the lights went out. */
export class SimDisk {
  readonly #records: JournalRecord[] = [];
  /** Client ids of all orders and replacements whose record is durable. */
  readonly intents = new Set<string>();
  /** Called with the text of every record. */
  onRecord: (text: string) => void = () => {};
  /** Handed to the disk, and not synced. */
  #group: readonly LooseRecord[] = [];
  #previous = chainStart(journalHeader).hash;
  /** Whether every commit waits for the disk, as SQLite understands the journal's settings. */
  readonly #waits = waitsForDisk();
  #commits = 0;
  /** What readers of the journal have found right, and decoded. */
  #proved = nothingProved();
  /** So many records outlive a loss of power. */
  #safe = 0;

  /** How far acknowledged records go. */
  get tail(): number {
    return this.#records.at(-1)?.sequence ?? 0;
  }

  get records(): readonly JournalRecord[] {
    return this.#records;
  }

  begin(group: readonly LooseRecord[]): void {
    this.#group = group;
  }

  commit(): void {
    for (const loose of this.#group) {
      const record = chained(loose, this.#previous);
      this.#records.push(record);
      this.#previous = record.hash;
      this.#note(record);
      this.onRecord(record.text);
    }
    this.#group = [];
    this.#commits += 1;
    if (this.#waits || this.#commits % checkpointEvery === 0) this.#safe = this.#records.length;
  }

  #note({ kind, text }: JournalRecord): void {
    if (kind !== 'orderPending' && kind !== 'replacePending') return;
    const { command } = JSON.parse(text) as {
      command: { request?: { clientOrderId: string }; newClientOrderId?: string };
    };
    const id = command.newClientOrderId ?? command.request?.clientOrderId;
    if (id !== undefined) this.intents.add(id);
  }

  /** Takes away the last `count` records, as a broken disk would. */
  lose(count: number): void {
    this.#records.length = Math.max(0, this.#records.length - count);
    this.#previous = this.#records.at(-1)?.hash ?? chainStart(journalHeader).hash;
    if (this.tail < this.#proved.place.sequence) this.#proved = nothingProved();
  }

  /**
   * The lights go out: the group on its way is on the disk whole, not at all, or with a torn end. Then the journal's
   * own readers find out what can be trusted.
   */
  crash(random: CounterRandom): DiskImage {
    const fate = this.#group.length === 0 ? 'none' : random.pick(['none', 'whole', 'torn'] as const);
    const torn = fate === 'torn' ? random.between(1, this.#group.length) : 0;
    if (fate === 'none') this.#group = [];
    this.lose(this.#records.length - random.between(this.#safe, this.#records.length));
    this.commit();
    const image = this.read(torn);
    if (torn > 0) this.lose(torn);
    this.#safe = this.#records.length;
    return image;
  }

  /**
   * Reads what is durable through the journal's own code; the last `torn` records do not match their hashes. What an earlier reading has
   * proved is not read again: the file begins with the last `stateCarried` in that, as a new file of the journal does.
   */
  read(torn = 0): DiskImage {
    const database = new DatabaseSync(':memory:');
    try {
      const { carried } = this.#proved;
      this.#write(database, carried.sequence, torn);
      let cut: JournalCut | undefined;
      const from = lastCarried(database, carried);
      const all = this.#proved.events;
      let last = this.#proved.place;
      for (const { sequence, text, hash } of readRecords(database, last, (found) => (cut = found))) {
        all.push({ sequence, event: decodeEvent(text) });
        last = { sequence, hash };
      }
      this.#proved = { events: all, place: last, carried: from };
      const image = [...all];
      return { all: image, history: image.slice(after(image, from.sequence)), cut };
    } finally {
      database.close();
    }
  }

  /** Every event that is durable, oldest first; `isChained` says whether their records follow one another. */
  events(): readonly StampedEvent[] {
    const { events, place } = this.#proved;
    const others = this.#records.slice(after(this.#records, place.sequence));
    return [...events, ...others.map(({ sequence, text }) => ({ sequence, event: decodeEvent(text) }))];
  }

  /** Writes all records behind a sequence. */
  #write(database: DatabaseSync, sequence: number, torn: number): void {
    database.exec(`BEGIN; ${schema}`);
    const insert = database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)');
    const whole = this.#records.length - torn;
    for (let index = after(this.#records, sequence); index < this.#records.length; index++) {
      const record = this.#records[index] ?? fail('a record went while it was written');
      const { kind, text, marketCount, marketHash, previous, hash } = record;
      const written = index < whole ? text : text.slice(0, -1);
      insert.run(record.sequence, kind, written, marketCount, marketHash, previous, hash);
    }
    database.prepare('INSERT INTO tail VALUES (1, ?, ?)').run(this.tail, this.#previous);
    database.exec('COMMIT');
  }

  /** Whether every record follows the one before it. */
  isChained(): boolean {
    let previous = chainStart(journalHeader).hash;
    return this.#records.every((record) => {
      const follows = record.previous === previous && chainHash(record, previous) === record.hash;
      previous = record.hash;
      return follows;
    });
  }
}

interface Proved {
  readonly events: StampedEvent[];
  /** Behind the last of them. */
  readonly place: ChainPlace;
  /** Before the last `stateCarried` among them. */
  readonly carried: ChainPlace;
}

function nothingProved(): Proved {
  const start = chainStart(journalHeader);
  return { events: [], place: start, carried: start };
}

/** Index of the first one behind a sequence. */
function after(ordered: readonly { readonly sequence: number }[], sequence: number): number {
  return ordered.findLastIndex((one) => one.sequence <= sequence) + 1;
}

function waitsForDisk(): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    setDurable(database);
    return Number(database.prepare('PRAGMA synchronous').get()?.['synchronous']) >= 2;
  } finally {
    database.close();
  }
}
