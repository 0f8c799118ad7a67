import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli } from '../../core/base/clock.ts';
import { unwritable } from '../../data/recording/index.ts';

/** A row of a file, with its time. */
export interface PartRow {
  readonly time: Micros;
  /** Another row of that time has another one. */
  readonly id: string;
  readonly line: string;
}

/** About a page. */
const flushChars = 64_000;

/** Rows of a file that is not finished yet. Their first column is the time, the second one tells rows of one time apart. */
export class PartRows {
  readonly #path: string;
  #lines = '';
  /** Second columns of the rows of the last time that are there. */
  #ids = new Set<string>();
  count = 0;
  /** Time of the last row. */
  last: Micros | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Looks at what is there: a line that was cut is taken off, a file of other columns begins anew. */
  open(header: string): void {
    const text = existsSync(this.#path) ? readFileSync(this.#path, 'utf8') : '';
    if (!text.startsWith(`${header}\n`)) {
      writing(this.#path, () => writeFileSync(this.#path, `${header}\n`));
      return;
    }
    const end = text.lastIndexOf('\n') + 1;
    if (end < text.length) writing(this.#path, () => writeFileSync(this.#path, text.slice(0, end)));
    const lines = text.slice(0, end).split('\n').slice(1, -1);
    const stamp = lines.at(-1)?.split(',')[0];
    if (stamp === undefined) return;
    this.count = lines.length;
    this.last = ((/^\d+$/.test(stamp) ? Number(stamp) : Date.parse(stamp)) * microsPerMilli) as Micros;
    for (const line of lines) if (line.startsWith(`${stamp},`)) this.#ids.add(line.split(',')[1] ?? '');
  }

  /** Adds a row. Returns whether a page was written with it. */
  add({ time, id, line }: PartRow): boolean {
    if (time !== this.last) this.#ids.clear();
    else if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    this.last = time;
    this.count += 1;
    this.#lines += `${line}\n`;
    if (this.#lines.length < flushChars) return false;
    this.flush();
    return true;
  }

  flush(): void {
    const lines = this.#lines;
    if (lines !== '') writing(this.#path, () => appendFileSync(this.#path, lines));
    this.#lines = '';
  }
}

/** Does something to a file. Throws `BadInput` with the path when the disk refuses. */
export function writing(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    throw unwritable(path, error);
  }
}
