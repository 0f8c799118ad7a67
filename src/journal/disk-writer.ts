import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { chained } from './chain.ts';
import type { LooseRecord } from './chain.ts';
import { FilesInPlace } from './files-in-place.ts';
import { codeOf, isSqliteError, lockPath, setDurable, sqlite } from './journal-file.ts';
import type { FromWriter, ToWriter, WriterTask } from './writer-messages.ts';

/** How many records one commit takes at most: a commit must end before the next can be waited for. */
const commitMax = 10_000;

/** The thread that writes: chains records, commits whatever waits as one group, waits for the disk. */
class DiskWriter {
  readonly #port: MessagePort;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #setTail: StatementSync;
  readonly #files: FilesInPlace;
  readonly #sizeMaxMib: number;
  #previous: string;
  #ended = false;

  constructor(port: MessagePort, task: WriterTask) {
    this.#port = port;
    this.#previous = task.previous;
    this.#sizeMaxMib = task.sizeMaxMib;
    this.#database = new DatabaseSync(task.path, { timeout: 60_000 });
    setDurable(this.#database);
    this.#files = new FilesInPlace([task.path, `${task.path}-wal`, lockPath(task.path)]);
    const pageSize = Number(this.#database.prepare('PRAGMA page_size').get()?.['page_size']);
    this.#database.exec(`PRAGMA max_page_count = ${Math.ceil((task.sizeMaxMib * 1_048_576) / pageSize)}`);
    this.#insert = this.#database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#setTail = this.#database.prepare('UPDATE tail SET sequence = ?, hash = ?');
  }

  /** Takes `first` and all that arrived behind it, so that one wait for the disk serves them all. */
  receive(first: ToWriter): void {
    let message: ToWriter | undefined = first;
    while (message !== undefined && !this.#ended) {
      const records: LooseRecord[] = [];
      let group = 0;
      while (message?.type === 'group' && records.length < commitMax) {
        for (const record of message.records) records.push(record);
        group = message.group;
        message = this.#next();
      }
      if (records.length > 0) this.#commit(records, group);
      if (message?.type === 'close') {
        this.#close();
        return;
      }
    }
  }

  #next(): ToWriter | undefined {
    return (receiveMessageOnPort(this.#port) as { message: ToWriter } | undefined)?.message;
  }

  #commit(records: readonly LooseRecord[], group: number): void {
    try {
      this.#write(records);
    } catch (error) {
      throw this.#withLimit(error);
    }
    // Looked at behind the commit: what is told to be durable is where the next start looks for it.
    const missing = this.#files.missing();
    if (missing !== undefined) throw new Error(missing);
    this.#tell({ type: 'durable', group });
  }

  #write(records: readonly LooseRecord[]): void {
    this.#database.exec('BEGIN IMMEDIATE');
    let sequence = 0;
    for (const loose of records) {
      const record = chained(loose, this.#previous);
      const { kind, text, marketCount, marketHash, previous, hash } = record;
      sequence = record.sequence;
      this.#insert.run(sequence, kind, text, marketCount, marketHash, previous, hash);
      this.#previous = hash;
    }
    this.#setTail.run(sequence, this.#previous);
    this.#database.exec('COMMIT');
  }

  /** SQLite says the same of a full disk and of a file that must not grow further. */
  #withLimit(error: unknown): unknown {
    if (!isSqliteError(error) || codeOf(error) !== sqlite.full) return error;
    return new Error(`${error.message}; journal.sizeMaxMib allows ${this.#sizeMaxMib} MiB`, { cause: error });
  }

  #close(): void {
    this.#ended = true;
    this.#database.close();
    this.#tell({ type: 'closed' });
    this.#port.close();
  }

  #tell(message: FromWriter): void {
    // A port has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(message);
  }
}

const port = parentPort;
if (port !== null) {
  // A failure ends the thread: a failed sync is never retried as a success (faults, D2).
  const writer = new DiskWriter(port, workerData as WriterTask);
  port.on('message', (message: ToWriter) => writer.receive(message));
}
