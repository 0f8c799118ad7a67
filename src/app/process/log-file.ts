import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const logName = 'godwit.log';

export interface LogFileOptions {
  /** The run directory. */
  readonly directory: string;
  /** A file that has grown beyond this is put aside, MiB. */
  readonly sizeMaxMib: number;
  /** So many are kept beside the one that is written. */
  readonly keep: number;
}

/** The log of a run directory: number 0 is written, larger ones were put aside, the oldest with the largest number. */
export function logPath(directory: string, number = 0): string {
  return join(directory, number === 0 ? logName : `${logName}.${number}`);
}

/**
 * A log on disk of bounded size. It is opened with the first line. What cannot be written is dropped: a full disk must not stop
 * whoever logs, and the lines stand on standard error too.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #sizeMax: number;
  #descriptor: number | undefined;
  #size = 0;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#sizeMax = options.sizeMaxMib * 1_048_576;
  }

  /** Takes whole lines. */
  write(text: string): void {
    try {
      this.#descriptor ??= this.#open();
      if (this.#size >= this.#sizeMax) this.#putAside(this.#descriptor);
      this.#size += writeSync(this.#descriptor, text);
    } catch {
      // Tried again with the next line.
    }
  }

  #open(): number {
    mkdirSync(this.#options.directory, { recursive: true });
    const descriptor = openSync(logPath(this.#options.directory), 'a', 0o600);
    this.#size = fstatSync(descriptor).size;
    return descriptor;
  }

  #putAside(written: number): void {
    const { directory, keep } = this.#options;
    this.#descriptor = undefined;
    closeSync(written);
    rmSync(logPath(directory, keep), { force: true });
    for (let number = keep - 1; number >= 0; number--) {
      const path = logPath(directory, number);
      if (existsSync(path)) renameSync(path, logPath(directory, number + 1));
    }
    this.#descriptor = this.#open();
  }
}
