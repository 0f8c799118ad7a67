import { readFileSync } from 'node:fs';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';

/** Parts are written together, once in this time. */
const writeEvery = seconds(1);
/** Bytes that wait for a disk that does not take them. */
const waitingMax = 4_000_000;
/** A file is written anew once it has so many times the parts that are kept of it. */
const partsShare = 1.25;

export interface HistoryFileDeps {
  /** Number of parts, lines or rows, that are kept. */
  readonly partsMax: number;
  /** All parts that are to be kept, the oldest first, and their number. */
  readonly all: () => { readonly bytes: Buffer; readonly count: number };
  readonly clock: Clock;
  readonly log: Logger;
}

/** Values read of a file, the number of parts that they stand in, and that of parts that cannot be read. */
interface ReadParts<Value> {
  readonly values: readonly Value[];
  readonly count: number;
  readonly damaged: number;
}

/** File of parts, each added at the end, that is written anew when it has grown too long or is damaged. */
export class HistoryFile {
  readonly #path: string;
  readonly #setting: HistoryFileDeps;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Parts in the file and of what waits. */
  #count = 0;
  #isWhole = true;
  /** End of the wait for the next write. */
  #cancel: Cancel | undefined;
  #hasFailed = false;
  #written: Promise<void> = Promise.resolve();

  constructor(path: string, setting: HistoryFileDeps) {
    this.#path = path;
    this.#setting = setting;
  }

  /** Values that earlier sessions left, as `decode` finds them in the bytes of the file. */
  read<Value>(decode: (bytes: Buffer) => ReadParts<Value>): readonly Value[] {
    let bytes: Buffer;
    try {
      bytes = readFileSync(this.#path);
    } catch (error) {
      if (!isMissing(error)) this.#warn(String(error), 'the history of an earlier session cannot be read');
      return [];
    }
    const { values, count, damaged } = decode(bytes);
    this.#count = count;
    this.#isWhole = damaged === 0;
    if (damaged > 0)
      this.#warn(
        `${damaged} ${damaged === 1 ? 'part' : 'parts'} cannot be read`,
        'part of the history of an earlier session is left out',
      );
    return values;
  }

  add(part: Buffer): void {
    this.#waiting.push(part);
    this.#waitingBytes += part.length;
    this.#count += 1;
    this.#writeSoon();
  }

  /** Writes all of it anew. */
  renew(): void {
    this.#isWhole = false;
    this.#writeSoon();
  }

  async close(): Promise<void> {
    if (this.#cancel !== undefined) this.#write();
    await this.#written;
  }

  #writeSoon(): void {
    this.#cancel ??= this.#setting.clock.after(writeEvery, () => this.#write());
  }

  #write(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const { partsMax, all } = this.#setting;
    const isAnew = !this.#isWhole || this.#count > partsShare * partsMax || this.#waitingBytes > waitingMax;
    let bytes: Buffer;
    if (isAnew) {
      const kept = all();
      bytes = kept.bytes;
      this.#count = kept.count;
      this.#isWhole = true;
    } else {
      bytes = Buffer.concat(this.#waiting);
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#written = this.#written.then(() => (isAnew ? this.#replace(bytes) : this.#append(bytes)));
  }

  async #append(bytes: Buffer): Promise<void> {
    await this.#trying(() => appendFile(this.#path, bytes, { mode: 0o600 }));
  }

  /** Under another name first: who reads it meanwhile, or after a crash, finds one or the other. */
  async #replace(bytes: Buffer): Promise<void> {
    await this.#trying(async () => {
      const unfinished = `${this.#path}.unfinished`;
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, this.#path);
    });
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#hasFailed = false;
    } catch (error) {
      // The whole of it, part of which may stand in the file, is written with the next part.
      this.#isWhole = false;
      if (!this.#hasFailed) this.#warn(String(error), 'the history of the run could not be written');
      this.#hasFailed = true;
    }
  }

  #warn(why: string, text: string): void {
    this.#setting.log.warn({ path: this.#path, why }, text);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
