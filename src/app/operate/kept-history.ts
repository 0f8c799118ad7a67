import { mkdirSync, readFileSync } from 'node:fs';
import { appendFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cancel, Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { LineKeeping, KeptHistory, KeptLines } from '../../operate/index.ts';
import { jsonOrNothing } from './run-file.ts';

const folderName = 'history';
/** Lines are written together, once in this time. */
const writeEvery = seconds(1);
/** Text that waits for a disk that does not take it, in characters of one file. */
const waitingMax = 4_000_000;

/**
 * Files of lines in the folder `history` of a run directory, each line JSON, readable by the owner alone. A line that cannot be read is left
 * out, and a file that cannot be read or written is a sentence in the log: the run goes on, and what it shows stays in memory.
 */
export class KeptHistoryFiles implements KeptHistory {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #files: KeptFile[] = [];

  constructor(directory: string, clock: Clock, log: Logger) {
    this.#folder = join(directory, folderName);
    this.#clock = clock;
    this.#log = log;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      log.warn({ why: String(error) }, 'the history of the run cannot be kept over a restart');
    }
  }

  open(name: string, kept: LineKeeping): KeptLines {
    // Names of symbols are the venue's.
    const path = join(this.#folder, `${encodeURIComponent(name)}.jsonl`);
    const file = new KeptFile(path, { ...kept, clock: this.#clock, log: this.#log });
    this.#files.push(file);
    return file;
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }
}

interface KeptFileDeps extends LineKeeping {
  readonly clock: Clock;
  readonly log: Logger;
}

class KeptFile implements KeptLines {
  readonly earlier: readonly unknown[];
  readonly #path: string;
  readonly #setting: KeptFileDeps;
  #waiting = '';
  /** Lines in the file and of what waits. */
  #count = 0;
  #isWhole: boolean;
  /** End of the wait for the next write. */
  #cancel: Cancel | undefined;
  #hasFailed = false;
  #written: Promise<void> = Promise.resolve();

  constructor(path: string, setting: KeptFileDeps) {
    this.#path = path;
    this.#setting = setting;
    const { lines, isWhole } = this.#read();
    this.earlier = lines;
    this.#count = lines.length;
    this.#isWhole = isWhole;
  }

  add(line: unknown): void {
    this.#waiting += `${JSON.stringify(line)}\n`;
    this.#count += 1;
    this.#writeSoon();
  }

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
    const { linesMax, all } = this.#setting;
    const isAnew = !this.#isWhole || this.#count > 2 * linesMax || this.#waiting.length > waitingMax;
    let text = this.#waiting;
    if (isAnew) {
      const lines = all();
      text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      this.#count = lines.length;
      this.#isWhole = true;
    }
    this.#waiting = '';
    this.#written = this.#written.then(() => (isAnew ? this.#replace(text) : this.#append(text)));
  }

  async #append(text: string): Promise<void> {
    await this.#trying(() => appendFile(this.#path, text, { mode: 0o600 }));
  }

  /** Under another name first: who reads it meanwhile, or after a crash, finds one or the other. */
  async #replace(text: string): Promise<void> {
    await this.#trying(async () => {
      const unfinished = `${this.#path}.unfinished`;
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, this.#path);
    });
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#hasFailed = false;
    } catch (error) {
      // The whole of it, part of which may stand in the file, is written with the next line.
      this.#isWhole = false;
      if (!this.#hasFailed) this.#warn(String(error), 'the history of the run could not be written');
      this.#hasFailed = true;
    }
  }

  #read(): { readonly lines: readonly unknown[]; readonly isWhole: boolean } {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (!isMissing(error)) this.#warn(String(error), 'the history of an earlier session cannot be read');
      return { lines: [], isWhole: true };
    }
    const lines: unknown[] = [];
    let damaged = 0;
    // The text behind the last end of a line is empty, or a line that a crash has torn.
    for (const line of text.split('\n').slice(0, -1)) {
      const value = jsonOrNothing(line);
      if (value === undefined) damaged += 1;
      else lines.push(value);
    }
    const isTorn = !text.endsWith('\n') && text !== '';
    if (damaged > 0 || isTorn)
      this.#warn(
        `${damaged + Number(isTorn)} lines cannot be read`,
        'part of the history of an earlier session is left out',
      );
    return { lines, isWhole: damaged === 0 && !isTorn };
  }

  #warn(why: string, text: string): void {
    this.#setting.log.warn({ path: this.#path, why }, text);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
