import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { LineKeeping, KeptHistory, KeptLines, KeptRows, RowKeeping } from '../../operate/index.ts';
import { HistoryFile } from './history-file.ts';
import { jsonOrNothing } from './run-file.ts';

const folderName = 'history';
const bytesOfDouble = 8;

/**
 * Files in the folder `history` of a run directory, readable by the owner alone: lines of JSON, and rows of doubles in the machine's order of
 * bytes. What cannot be read is left out, and a file that cannot be read or written is a sentence in the log: the run goes on, and what it
 * shows stays in memory.
 */
export class KeptHistoryFiles implements KeptHistory {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #files: HistoryFile[] = [];

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

  open(name: string, { linesMax, all }: LineKeeping): KeptLines {
    const textOf = (line: unknown): string => `${JSON.stringify(line)}\n`;
    const file = this.#file(`${name}.jsonl`, linesMax, () => {
      const lines = all();
      return { bytes: Buffer.from(lines.map(textOf).join('')), count: lines.length };
    });
    const earlier = file.read((bytes) => linesIn(bytes.toString()));
    return {
      earlier,
      add: (line) => file.add(Buffer.from(textOf(line))),
      renew: () => file.renew(),
    };
  }

  openRows(name: string, { width, rowsMax, all }: RowKeeping): KeptRows {
    const rowBytes = width * bytesOfDouble;
    const file = this.#file(`${name}.rows`, rowsMax, () => {
      const numbers = all();
      return { bytes: bytesOf(numbers), count: numbers.length / width };
    });
    const rows = file.read((bytes) => {
      const count = Math.floor(bytes.length / rowBytes);
      // A row that a crash has torn stands at the end.
      const values = [bytes.subarray(0, count * rowBytes)];
      return { values, count, damaged: Number(bytes.length % rowBytes !== 0) };
    });
    // The bytes of a file may begin where no double may.
    const earlier = new Float64Array(new Uint8Array(rows[0] ?? []).buffer);
    return { earlier, add: (row) => file.add(bytesOf(Float64Array.from(row))) };
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await Promise.all(this.#files.map((file) => file.close()));
  }

  #file(name: string, partsMax: number, all: () => { bytes: Buffer; count: number }): HistoryFile {
    // Names of symbols are the venue's.
    const path = join(this.#folder, encodeURIComponent(name));
    const file = new HistoryFile(path, { partsMax, all, clock: this.#clock, log: this.#log });
    this.#files.push(file);
    return file;
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Values of lines of JSON, all at once where none is damaged. */
function linesIn(text: string): { values: unknown[]; count: number; damaged: number } {
  // The text behind the last end of a line is empty, or a line that a crash has torn.
  const end = text.lastIndexOf('\n');
  const lines = end < 0 ? [] : text.slice(0, end).split('\n');
  const torn = Number(end + 1 < text.length);
  const whole = jsonOrNothing(`[${lines.join(',')}]`) as unknown[] | undefined;
  if (whole?.length === lines.length) return { values: whole, count: lines.length, damaged: torn };
  const values = lines.map((line) => jsonOrNothing(line)).filter((value) => value !== undefined);
  return { values, count: values.length, damaged: lines.length - values.length + torn };
}
