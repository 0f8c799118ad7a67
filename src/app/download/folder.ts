import { existsSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli, timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { DownloadList, DownloadedFile, AbsentSpan } from '../../data/open/download-list.ts';
import { downloadListName, readDownloadList, writeDownloadList } from '../../data/open/download-list.ts';
import { unwritable } from '../../data/recording/index.ts';
import { makeFolder } from '../../research/report/index.ts';

/** A span of time: from `from` on, up to and without `to`. */
export interface TimeSpan {
  readonly from: Micros;
  readonly to: Micros;
}

/** A day or a month in UTC, the span of one file; `name` as archives write it: `2024-01-31` or `2024-01`. */
export interface Unit extends TimeSpan {
  readonly name: string;
  readonly length: 'day' | 'month';
}

/** Days that a span touches. */
export function daysOf(span: TimeSpan): readonly Unit[] {
  return unitsOf(span, 'day');
}

/** Months that a span touches. */
export function monthsOf(span: TimeSpan): readonly Unit[] {
  return unitsOf(span, 'month');
}

function unitsOf({ from, to }: TimeSpan, length: Unit['length']): readonly Unit[] {
  const units: Unit[] = [];
  for (let time = beginOf(from, length); time < to;) {
    const end = nextOf(time, length);
    units.push({ name: timeText(time).slice(0, length === 'day' ? 10 : 7), length, from: time, to: end });
    time = end;
  }
  return units;
}

function beginOf(time: number, length: Unit['length']): Micros {
  const date = new Date(Math.floor(time / microsPerMilli));
  const day = length === 'day' ? date.getUTCDate() : 1;
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), day) * microsPerMilli) as Micros;
}

function nextOf(time: number, length: Unit['length']): Micros {
  const date = new Date(Math.floor(time / microsPerMilli));
  const [month, day] =
    length === 'day' ? [date.getUTCMonth(), date.getUTCDate() + 1] : [date.getUTCMonth() + 1, 1];
  return (Date.UTC(date.getUTCFullYear(), month, day) * microsPerMilli) as Micros;
}

/** The part of a span that lies in a unit. */
export function within(span: TimeSpan, unit: TimeSpan): TimeSpan {
  return {
    from: Math.max(span.from, unit.from) as Micros,
    to: Math.min(span.to, unit.to) as Micros,
  };
}

/** A kept file with its span as numbers. */
export interface KeptFile extends TimeSpan {
  readonly path: string;
  readonly entry: DownloadedFile;
}

/**
 * A folder of downloaded data and its list, which is written after every file: what it names is whole. Files are known by
 * their names, in the order of time.
 */
export class DownloadFolder {
  readonly path: string;
  readonly #lock: string;
  #list: DownloadList;

  /** Makes the folder when it is not there. Throws `BadInput` when it holds other data, or another process downloads into it. */
  constructor(path: string, about: Pick<DownloadList, 'venue' | 'symbol' | 'kind' | 'period'>) {
    try {
      makeFolder(path);
    } catch (error) {
      throw unwritable(path, error);
    }
    this.path = path;
    const known = readDownloadList(path);
    for (const name of ['venue', 'symbol', 'kind', 'period'] as const) {
      if (known === undefined || known[name] === about[name]) continue;
      throw new BadInput(
        `${path}: expected a folder for ${about.kind} of ${about.symbol}, found one with the ${name} ${known[name]}; name another with --out`,
      );
    }
    this.#list = known ?? { ...about, files: [], missing: [] };
    this.#lock = join(path, lockName);
    claimLock(this.#lock);
  }

  /** Files that are named and there. */
  get files(): readonly KeptFile[] {
    return this.#list.files.flatMap((entry) => {
      const path = this.pathOf(entry.file);
      return existsSync(path) ? [{ path, entry, from: microsOf(entry.from), to: microsOf(entry.to) }] : [];
    });
  }

  /** Spans of `span` that could not be had. */
  missingIn({ from, to }: TimeSpan): readonly AbsentSpan[] {
    return this.#list.missing.filter((one) => microsOf(one.from) < to && microsOf(one.to) > from);
  }

  /** The file that holds all of `span`, if one does; of a file that is partial this is not known. */
  holding({ from, to }: TimeSpan): KeptFile | undefined {
    return this.files.find((one) => one.entry.partial === undefined && one.from <= from && one.to >= to);
  }

  /** Files that have something of `span`. */
  touching({ from, to }: TimeSpan): readonly KeptFile[] {
    return this.files.filter((one) => one.from < to && one.to > from);
  }

  pathOf(file: string): string {
    return join(this.path, file);
  }

  /** Names a file that is whole, in place of one of that name, and of what was missing of its span. */
  put(entry: DownloadedFile): void {
    const files = [...this.#list.files.filter(({ file }) => file !== entry.file), entry];
    this.#write(
      files.toSorted((one, other) => (one.from < other.from ? -1 : 1)),
      this.#without(entry),
    );
  }

  /** Notes a span of which there is nothing to be had. */
  miss(span: TimeSpan, why: string): void {
    const { from, to } = span;
    const gap = { from: timeText(from), to: timeText(to), why };
    const missing = [...this.#without(gap), gap].toSorted((one, other) => (one.from < other.from ? -1 : 1));
    this.#write(this.#list.files, joined(missing));
  }

  /** Lets other processes download into it; removes the folder where nothing came into it. */
  release(): void {
    rmSync(this.#lock, { force: true });
    if (this.#list.files.length > 0) return;
    rmSync(this.pathOf(downloadListName), { force: true });
    try {
      rmdirSync(this.path);
    } catch {
      // Something else is in it.
    }
  }

  /** Gaps besides those of `span`. */
  #without({ from, to }: Pick<AbsentSpan, 'from' | 'to'>): readonly AbsentSpan[] {
    return this.#list.missing.flatMap((one) => {
      if (one.to <= from || one.from >= to) return [one];
      return [
        ...(one.from < from ? [{ ...one, to: from }] : []),
        ...(one.to > to ? [{ ...one, from: to }] : []),
      ];
    });
  }

  #write(files: DownloadList['files'], missing: DownloadList['missing']): void {
    this.#list = { ...this.#list, files, missing };
    writeDownloadList(this.path, this.#list);
  }
}

const lockName = 'download.lock';

/** Writes the number of this process, in place of one that has ended. Throws `BadInput` while another process has it. */
function claimLock(path: string): void {
  const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined;
  if (owner !== undefined && owner !== process.pid && isRunning(owner))
    throw new BadInput(
      `${path}: expected no other download into this folder, found that of process ${owner}; wait for its end`,
    );
  try {
    writeFileSync(path, String(process.pid), { flag: owner === undefined ? 'wx' : 'w' });
  } catch (error) {
    throw unwritable(path, error);
  }
}

function isRunning(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Spans that follow one another for the same reason as one. */
function joined(missing: readonly AbsentSpan[]): readonly AbsentSpan[] {
  const all: AbsentSpan[] = [];
  for (const one of missing) {
    const last = all.at(-1);
    if (last !== undefined && last.to === one.from && last.why === one.why)
      all[all.length - 1] = { ...last, to: one.to };
    else all.push(one);
  }
  return all;
}

function microsOf(time: string): Micros {
  return (Date.parse(time) * microsPerMilli) as Micros;
}
