import type { Clock } from '../../core/base/clock.ts';
import type { Output } from '../process/output.ts';

export interface DownloadProgressDeps {
  readonly clock: Clock;
  readonly output: Output;
  /** Writes over one line of a terminal; `undefined` elsewhere. */
  readonly overwrite: ((text: string) => void) | undefined;
}

const barWidth = 24;
const redrawMicros = 100_000;

/** Progress of a download: a bar on a terminal, a line for each file elsewhere. */
export class DownloadProgress {
  readonly #deps: DownloadProgressDeps;
  #done = 0;
  #total = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(deps: DownloadProgressDeps) {
    this.#deps = deps;
  }

  /** Adds files that are to come. */
  expect(count: number): void {
    this.#total += count;
  }

  /** A file is under way: bytes or rows of it, and how many there will be where that is known. */
  working(file: string, noun: 'bytes' | 'rows', count: number, length?: number): void {
    const { clock, overwrite } = this.#deps;
    if (overwrite === undefined || clock.uptime() - this.#drawnAt < redrawMicros) return;
    this.#drawnAt = clock.uptime();
    const amount = noun === 'rows' ? `${count} rows` : bytesText(count);
    const of = length === undefined ? '' : ` of ${bytesText(length)}`;
    overwrite(`${this.#bar(length === undefined ? 0 : count / Math.max(1, length))} ${file}  ${amount}${of}`);
  }

  /** A file has come to its end: what became of it. */
  done(file: string, what: string): void {
    this.#done += 1;
    const { output, overwrite } = this.#deps;
    if (overwrite === undefined) output.progress(`${file}  ${what}`);
    else overwrite(`${this.#bar(0)} ${file}  ${what}`);
  }

  /** Tells a person of something, such as a pause. */
  tell(text: string): void {
    this.#deps.overwrite?.('');
    this.#deps.output.progress(`download: ${text}`);
  }

  /** Leaves the line clean for what comes next. */
  close(): void {
    this.#deps.overwrite?.('');
  }

  #bar(part: number): string {
    const share = (this.#done + Math.min(part, 1)) / Math.max(1, this.#total);
    const full = Math.min(barWidth, Math.round(share * barWidth));
    return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${this.#done} of ${this.#total}`;
  }
}

/** Bytes in a unit that people read. */
export function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 10_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
