import { join } from 'node:path';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { micros, microsPerSecond, timeText } from '../../core/base/clock.ts';
import { BadInput, NotFound } from '../../core/base/errors.ts';
import { Random } from '../../core/base/random.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { daysText } from '../../data/open/download-list.ts';
import { clientOptions, GodwitClient } from '../../venues/hitbtc/typed/index.ts';
import { restAddress } from '../../venues/index.ts';
import { FileClient } from '../../venues/net/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { exitProcess } from '../process/exit.ts';
import type { Output } from '../process/output.ts';
import { exitCodeOfStop, onStopSignal } from '../process/stop-signal.ts';
import type { StopCause } from '../process/stop-signal.ts';
import { terminalLine } from '../process/terminal-line.ts';
import { downloadFromApi } from './api.ts';
import { downloadArchive } from './archive.ts';
import type { DownloadKind, DownloadSource } from './catalog.ts';
import { apiPeriods, downloadSources } from './catalog.ts';
import { Fetcher } from './fetch.ts';
import type { TimeSpan } from './folder.ts';
import { DownloadFolder, daysOf } from './folder.ts';
import type { DownloadJob, Ended } from './job.ts';
import { Pace } from './pace.ts';
import { FolderPacks } from './pack.ts';
import { DownloadProgress } from './progress.ts';

export interface DownloadRequest {
  /** Name of a place of `downloadSources`. */
  readonly venue: string;
  readonly symbol: string;
  readonly kind: DownloadKind;
  /** Period of candles, by its name here, such as `1m`. */
  readonly period: string | undefined;
  readonly start: Micros;
  /** `undefined`: as far as there are data. */
  readonly end: Micros | undefined;
  /** The folder for files and their list; named for what is in it when left out. */
  readonly out: string | undefined;
  /** Another address than that of the place. */
  readonly address: string | undefined;
  /** Requests in a second at most; what the place allows when left out. */
  readonly rate: number | undefined;
  readonly json: boolean;
  /** Whether a command that runs the data is named at the end. */
  readonly isTried: boolean;
  readonly output: Output;
  readonly clock?: Clock;
}

/** Folder after a download, and how far the download came. */
interface Downloaded {
  readonly folder: DownloadFolder;
  readonly span: TimeSpan;
  /** Reason for an early end. */
  readonly ended: Ended;
  readonly cause: StopCause | undefined;
}

/** The archive states no limit: no more requests in a second than this. */
const archiveRate = 10;
const dayMicros = 86_400 * microsPerSecond;

/**
 * `godwit data download`: fetches history into a folder that `backtest` reads, and tells what is in it. What is there is not fetched again.
 * Exit code 1 when something of the span could not be had; what could is kept, and the list of the folder names the rest.
 */
export async function downloadData(request: DownloadRequest): Promise<number> {
  const { output, json } = request;
  const done = await download(request);
  const { folder, span, ended, cause } = done;
  const files = folder.touching(span);
  const missing = folder.missingIn(span);
  const partial = files.filter(({ entry }) => entry.partial !== undefined);
  const rows = files.reduce((sum, { entry }) => sum + entry.rows, 0);
  if (files.length === 0 && ended === undefined) throw nothingThere(request, span);
  const isComplete = ended === undefined && missing.length === 0 && partial.length === 0;
  if (json) {
    const { venue, symbol, kind, period } = request;
    const [from, to] = [timeText(span.from), timeText(span.to)];
    const entries = files.map(({ entry }) => entry);
    const said = {
      venue,
      symbol,
      kind,
      period,
      from,
      to,
      folder: folder.path,
      rows,
      files: entries,
      missing,
    };
    output.data(JSON.stringify({ ...said, complete: isComplete, ...(ended === undefined ? {} : { ended }) }));
  } else {
    output.data(`${folder.path}: ${files.length} files, ${rows} rows`);
    for (const { from, to, why } of missing) output.data(`missing  ${daysText(from, to)}: ${why}`);
    for (const { entry } of partial) output.data(`partial  ${entry.file}: ${entry.partial}`);
  }
  if (cause !== undefined) return exitCodeOfStop(cause);
  if (ended !== undefined)
    throw new BadInput(
      files.length === 0
        ? `data download: ${ended}; nothing was fetched`
        : `data download: ${ended}; what was fetched is kept, and the same command goes on from there`,
    );
  const tried = triedText(request, folder.path);
  if (!json && request.isTried && tried !== undefined) output.progress(`Try it: npx ${tried}`);
  return isComplete ? exitCodes.done : exitCodes.failed;
}

/** A command that runs the data, where a shipped strategy can. */
function triedText({ kind, symbol, period }: DownloadRequest, path: string): string | undefined {
  if (kind !== 'klines' && kind !== 'trades' && kind !== 'aggTrades') return undefined;
  const candles = Object.entries(apiPeriods).find(([name]) => name === (period ?? '1m'))?.[1];
  if (candles === undefined) return undefined;
  return `godwit backtest ${path} --bars --strategy trend --param symbol=${symbol} --param period=${candles}`;
}

/** Downloads into a folder, as far as it goes. Throws `BadInput` when the span is still to come, or the disk refuses. */
async function download(request: DownloadRequest): Promise<Downloaded> {
  const { venue, symbol, kind, period, output } = request;
  const clock = request.clock ?? new SystemClock();
  const source = downloadSources.find(({ name }) => name === venue);
  if (source === undefined)
    throw new BadInput(`expected a venue that data can be downloaded of, found ${venue}`);
  const span = spanOf(request, source, clock.now());
  const path = request.out ?? join('data', venue, symbol, period === undefined ? kind : `${kind}-${period}`);
  const folder = new DownloadFolder(path, { venue, symbol, kind, period });
  const progress = new DownloadProgress({
    clock,
    output,
    overwrite: output.watched === true ? terminalLine() : undefined,
  });
  const stop = new AbortController();
  let cause: StopCause | undefined;
  const letGo = onStopSignal(
    (by) => {
      cause = by;
      stop.abort();
    },
    (by) => exitProcess(exitCodeOfStop(by)),
  );
  const packs = new FolderPacks(folder, symbol);
  const keptAs = source.kinds.find((one) => one.kind === kind)?.keptAs ?? 'file';
  const job = { symbol, kind, keptAs, period, span, folder, packs, progress, signal: stop.signal };
  try {
    const ended = await fetchFrom(source, job, request, clock);
    if (keptAs === 'pack') await packs.align();
    if (ended !== undefined) noteRest(folder, span, ended);
    return { folder, span, ended, cause };
  } finally {
    progress.close();
    letGo();
    folder.release();
  }
}

async function fetchFrom(
  source: DownloadSource,
  job: DownloadJob,
  { address, rate }: DownloadRequest,
  clock: Clock,
): Promise<Ended> {
  const base = address ?? source.address;
  if (base === undefined) throw new BadInput(`--address: expected the address of ${source.name}, found none`);
  const { origin, prefix } = restAddress(base);
  const host = new URL(origin).host;
  const { progress, signal } = job;
  if (source.type === 'api') {
    const client = new GodwitClient({
      baseUrl: base,
      clock,
      random: new Random(1),
      // Each call is asked once: how long to wait before the next says the answer.
      options: { rest: { readAttempts: 1, timeoutMs: 30_000 } },
    });
    try {
      const pace = rate === undefined ? undefined : new Pace(rate, clock);
      return await downloadFromApi({ ...job, client, pace, clock, host, now: clock.now() });
    } finally {
      await client.close();
    }
  }
  const files = source.kinds.find(({ kind }) => kind === job.kind);
  if (files === undefined)
    throw new BadInput(`expected a kind of data that ${source.name} has, found ${job.kind}`);
  const { rest } = clientOptions.parse({ rest: { connections: 2, timeoutMs: 30_000 } });
  const client = new FileClient(origin, clock, rest);
  const onWait = (text: string): void => progress.tell(text);
  const fetcher = new Fetcher({ client, clock, signal, rate: rate ?? archiveRate, host, onWait });
  try {
    return await downloadArchive({
      ...job,
      fetcher,
      files,
      root: `${prefix}/${source.root}`,
      now: clock.now(),
    });
  } finally {
    await client.close();
  }
}

/** The span that can be had: an archive ends with yesterday. Throws `BadInput` when all of it is still to come. */
function spanOf({ start, end }: DownloadRequest, source: DownloadSource, now: Micros): TimeSpan {
  const last = source.type === 'archive' ? micros(now - (now % dayMicros)) : now;
  const to = micros(Math.min(end ?? last, last));
  if (start < to) return { from: start, to };
  const words =
    source.type === 'archive'
      ? `the archive ends with the day before today, at ${timeText(last)}`
      : `it is ${timeText(last)}`;
  throw new BadInput(`--from ${timeText(start)}: expected a time that is over (${words}), found one to come`);
}

/** Notes what a download that was stopped did not come to. */
function noteRest(folder: DownloadFolder, span: TimeSpan, why: string): void {
  for (const day of daysOf(span))
    if (folder.touching(day).length === 0 && folder.missingIn(day).length === 0)
      folder.miss(
        { from: micros(Math.max(day.from, span.from)), to: micros(Math.min(day.to, span.to)) },
        `not downloaded yet: ${why}`,
      );
}

function nothingThere({ venue, symbol, kind }: DownloadRequest, { from, to }: TimeSpan): NotFound {
  return new NotFound(
    `expected ${kind} of ${symbol} for ${daysText(timeText(from), timeText(to))}, found none: ${venue} does not know the symbol, or has no such data of that time`,
  );
}
