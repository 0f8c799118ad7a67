import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { unwritable } from '../../data/recording/index.ts';
import { sha256Of } from '../data/read-recordings.ts';
import type { ArchiveKind } from './catalog.ts';
import type { Fetcher } from './fetch.ts';
import type { Unit } from './folder.ts';
import { daysOf, monthsOf, within } from './folder.ts';
import type { DownloadJob, Ended } from './job.ts';
import { checkedFile } from './job.ts';
import type { Packed } from './pack.ts';
import { bytesText } from './progress.ts';

/** A download from a public archive in the layout of data.binance.vision. */
export interface ArchiveJob extends DownloadJob {
  readonly fetcher: Fetcher;
  /** Path of the kinds of the market below the host, such as `/data/spot`. */
  readonly root: string;
  readonly files: ArchiveKind;
  /** Months that are over by then have a file of their own. */
  readonly now: Micros;
}

/** End of the fetching of a span. */
type Outcome =
  | { readonly kind: 'kept' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'missing' | 'stopped'; readonly why: string };

/**
 * Downloads files of an archive: a month where the span holds all of it and nothing of it is there yet, days otherwise. Each is proved by
 * the SHA-256 of its `.CHECKSUM` file. Days that the archive lacks are noted, and the rest goes on. Source:
 * github.com/binance/binance-public-data.
 */
export async function downloadArchive(job: ArchiveJob): Promise<Ended> {
  const units = planOf(job);
  job.progress.expect(units.length);
  for (const unit of units) {
    const ended = await downloadUnit(job, unit);
    if (ended !== undefined) return ended;
  }
  return undefined;
}

function planOf(job: ArchiveJob): readonly Unit[] {
  return monthsOf(job.span).flatMap((month) => {
    const wanted = within(job.span, month);
    if (job.files.spans === 'months') return [month];
    const isWhole = wanted.from === month.from && wanted.to === month.to && month.to <= job.now;
    const isFree = job.folder.touching(month).every((one) => one.from === month.from && one.to === month.to);
    return isWhole && isFree ? [month] : daysOf(wanted);
  });
}

async function downloadUnit(job: ArchiveJob, unit: Unit): Promise<Ended> {
  const { folder, progress } = job;
  const held = folder.holding(within(job.span, unit));
  if (held !== undefined) {
    progress.done(held.entry.file, 'is there already');
    return undefined;
  }
  const outcome = await fetchUnit(job, unit);
  if (outcome.kind === 'stopped') return outcome.why;
  if (outcome.kind === 'absent' && unit.length === 'month' && job.files.spans !== 'months') {
    const days = daysOf(unit);
    progress.expect(days.length - 1);
    for (const day of days) {
      const ended = await downloadUnit(job, day);
      if (ended !== undefined) return ended;
    }
    return undefined;
  }
  if (outcome.kind !== 'kept') {
    const why = outcome.kind === 'absent' ? 'the archive has no file of it' : outcome.why;
    folder.miss(within(job.span, unit), why);
    progress.done(zipName(job, unit), `missing: ${why}`);
  }
  return undefined;
}

/** Fetches a file, twice where the first one is not what its checksum says. */
async function fetchUnit(job: ArchiveJob, unit: Unit): Promise<Outcome> {
  const { folder, fetcher, progress } = job;
  const name = zipName(job, unit);
  const path = `${job.root}/${unit.length === 'day' ? 'daily' : 'monthly'}/${job.files.folder}/${job.symbol}/${job.files.hasPeriod ? `${archivePeriod(job)}/` : ''}${name}`;
  const { fetched, text } = await fetcher.text(`${path}.CHECKSUM`);
  if (fetched.kind === 'stopped') return fetched;
  if (fetched.kind === 'absent') return { kind: 'absent' };
  const sha256 = /^\s*([0-9a-f]{64})\b/i.exec(text)?.[1]?.toLowerCase();
  if (sha256 === undefined) return { kind: 'missing', why: `${name}.CHECKSUM holds no SHA-256` };
  const zip = folder.pathOf(name);
  const part = `${zip}.part`;
  for (let attempt = 0; attempt < 2; attempt++) {
    if (!existsSync(zip) || (await sha256Of(zip)) !== sha256) {
      const file = await fetcher.file(path, part, (bytes, length) =>
        progress.working(name, 'bytes', bytes, length),
      );
      if (file.kind === 'stopped') return file;
      if (file.kind === 'absent')
        return { kind: 'missing', why: `the archive has ${name}.CHECKSUM, but not its file` };
      if ((await sha256Of(part)) !== sha256) {
        rmSync(part, { force: true });
        continue;
      }
      named(part, zip);
    }
    return await keep(job, unit, { name, zip, sha256 });
  }
  return { kind: 'missing', why: `${name} has another SHA-256 than its .CHECKSUM file says, twice` };
}

interface Proved {
  readonly name: string;
  readonly zip: string;
  readonly sha256: string;
}

/** Keeps a proved file as it is, or as a pack. */
async function keep(job: ArchiveJob, unit: Unit, { name, zip, sha256 }: Proved): Promise<Outcome> {
  const { folder, packs, progress, keptAs } = job;
  const file = keptAs === 'pack' ? name.replace(/\.zip$/, '.pack') : name;
  let kept: Packed;
  try {
    kept = keptAs === 'pack' ? await packs.pack(zip, folder.pathOf(file)) : await checkedFile(job, zip);
  } catch (error) {
    // What the disk says ends the download; what is wrong with the file does not.
    if (!(error instanceof BadInput) || isOfDisk(error)) throw error;
    rmSync(zip, { force: true });
    return { kind: 'missing', why: `nothing of ${name} can be read: ${error.message}` };
  }
  if (keptAs === 'pack') rmSync(zip, { force: true });
  const { rows, partial } = kept;
  const [from, to] = [timeText(unit.from), timeText(unit.to)];
  folder.put({ file, from, to, rows, sha256, ...(partial === undefined ? {} : { partial }) });
  const size = bytesText(statSync(folder.pathOf(file)).size);
  progress.done(file, partial ?? `${rows === 0 ? '' : `${rows} rows, `}${size}`);
  return { kind: 'kept' };
}

/** Whether a file could not be written: its error carries that of the system. */
function isOfDisk({ cause }: BadInput): boolean {
  return cause instanceof Error && 'syscall' in cause;
}

function named(part: string, path: string): void {
  try {
    renameSync(part, path);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function zipName(job: ArchiveJob, unit: Unit): string {
  const { folder, hasPeriod } = job.files;
  return `${job.symbol}-${hasPeriod ? archivePeriod(job) : folder}-${unit.name}.zip`;
}

/** The archive spells a month `1mo`: some file systems do not tell `1M` from `1m`. */
function archivePeriod({ period = '' }: ArchiveJob): string {
  return period === '1M' ? '1mo' : period;
}
