import { padRight } from '../../core/base/display-width.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import { openData, seriesIn } from '../../data/open/market-data.ts';
import { PartialRecording, isPartialFinding } from '../../data/formats/index.ts';
import { EventCounts, futureWords, summaryJson } from './recording-summary.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import type { DataOptions } from './open-options.ts';
import { inspectSeries } from './inspect-series.ts';
import { openOptionsOf } from './open-options.ts';
import { foldBookStates } from '../../data/recording/index.ts';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { BadInput } from '../../core/base/errors.ts';
import { anyQuote } from '../../core/model/pair.ts';
import type { Recording } from '../../data/recording/index.ts';

/** Reads a whole recording, or a series of a venue, and prints its content. */
export async function inspectRecording(
  files: readonly string[],
  json: boolean,
  output: Output,
  options: DataOptions = {},
): Promise<number> {
  const given = { ...openOptionsOf(options), partial: true };
  const series = await seriesIn(files, given);
  if (series !== undefined) return await inspectSeries(series, json, output, given);
  const recording = new PartialRecording(await openData(files, given));
  const counts = new EventCounts(recording);
  for await (const batch of counts.watch(recording.events())) void batch;
  if (json) output.data(JSON.stringify(summaryJson(recording, counts)));
  else for (const line of counts.lines(recording)) output.data(line);
  const future = futureWords(counts, new SystemClock().now());
  if (future !== undefined) output.progress(`data: ${future}`);
  return recording.isPartial ? exitCodes.failed : exitCodes.done;
}

/** Prints the books a recording ends in, with their hashes. */
export async function printBooks(
  files: readonly string[],
  json: boolean,
  output: Output,
  options: DataOptions = {},
): Promise<number> {
  const recording = await openData(files, openOptionsOf(options));
  const states = (
    await foldBookStates(recording.instruments, recording.events(), recording.printing)
  ).toJSON();
  const lost = recording.findings.filter(isPartialFinding);
  for (const finding of lost) output.progress(`data: ${finding}`);
  const code = lost.length > 0 ? exitCodes.failed : exitCodes.done;
  if (json) {
    output.data(JSON.stringify(states));
    return code;
  }
  if (Object.keys(states).length === 0) output.progress('data: there is no book in it');
  for (const [symbol, state] of Object.entries(states)) {
    const bid = state.best_bid === null ? '-' : state.best_bid.join(' x ');
    const ask = state.best_ask === null ? '-' : state.best_ask.join(' x ');
    output.data(
      `${padRight(symbol, 12)} sequence ${state.last_seq}  bids ${state.bids}  asks ${state.asks}  ${bid} / ${ask}  ${state.book_sha256}`,
    );
  }
  return code;
}

interface Verdict {
  readonly path: string;
  readonly sha256: string | undefined;
  readonly format: string | undefined;
  readonly events: number;
  readonly holds: boolean;
  /** What does not hold, and what else was met. */
  readonly words: readonly string[];
}

/**
 * Reads each file to its end: checksums of blocks, sequence, checksums of venues, and prints its SHA-256. Exit code 7
 * when a file is damaged, torn, not ended properly, has gaps or a wrong checksum.
 */
export async function verifyData(files: readonly string[], json: boolean, output: Output): Promise<number> {
  let holds = true;
  for (const path of files) {
    const verdict = await verdictOf(path);
    holds &&= verdict.holds;
    if (json) output.data(JSON.stringify(verdict));
    else output.data(lineOf(verdict));
  }
  return holds ? exitCodes.done : exitCodes.checkFailed;
}

async function verdictOf(path: string): Promise<Verdict> {
  const sha256 = await sha256Of(path);
  let format: string | undefined;
  let events = 0;
  try {
    const series = await seriesIn([path], {});
    if (series !== undefined) {
      for await (const rows of series.series.read(path, {})) events += rows.length;
      return { path, sha256, format: series.name, events, holds: true, words: [] };
    }
    // What is proved does not depend on currencies.
    const recording = await openData(path, { quote: anyQuote });
    format = recording.format;
    for await (const batch of recording.events()) events += batch.length;
    const broken = brokenOf(recording);
    return { path, sha256, format, events, holds: broken.length === 0, words: recording.findings };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { path, sha256, format, events, holds: false, words: [error.message] };
  }
}

/** Findings that mean lost or damaged data; others are peculiarities of the source. */
function brokenOf({ findings, proof }: Recording): readonly string[] {
  const lost = findings.filter((one) => /torn tail|not ended properly|sequence gaps|malformed/.test(one));
  const isProved = proof === undefined || proof.correct === proof.checked;
  return isProved ? lost : [...lost, `${proof.checked - proof.correct} wrong checksums`];
}

/** The SHA-256 of a file in hexadecimal digits; `undefined` where there is no file. */
export async function sha256Of(path: string): Promise<string | undefined> {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}

function lineOf({ path, sha256, format, events, holds, words }: Verdict): string {
  const head = `${holds ? 'ok     ' : 'damaged'} ${format ?? '-'}  ${events} events  ${sha256 ?? '-'}  ${path}`;
  return [head, ...words.map((word) => `        ${word}`)].join('\n');
}
