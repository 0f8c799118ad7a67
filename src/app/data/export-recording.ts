import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Writable } from 'node:stream';
import { BadInput } from '../../core/base/errors.ts';
import { unwritable } from '../../data/recording/index.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { ExportRow } from '../../data/formats/index.ts';
import { exportColumns, rowsOfEvent, isPartialFinding } from '../../data/formats/index.ts';
import { openData } from '../../data/open/market-data.ts';
import type { ParquetTable } from '../../data/formats/parquet/index.ts';
import { writeParquet } from '../../data/formats/parquet/index.ts';
import type { Event } from '../../core/model/event.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { prepareOutput } from '../process/output-file.ts';
import type { Output } from '../process/output.ts';

/** Forms of text a recording can be written in. */
export type ExportText = 'ndjson' | 'csv';

export interface ExportRequest {
  readonly files: readonly string[];
  readonly format: ExportText | 'parquet';
  /** Which events a Parquet file holds. */
  readonly table: ParquetTable;
  readonly out: string;
  /** The quote currency of symbols that tell none. */
  readonly quote?: string | undefined;
  /** Bars that are made of the data before they are written. */
  readonly bars?: string | undefined;
  readonly json: boolean;
  readonly output: Output;
}

interface Target {
  readonly stream: Writable;
  /** Rejects when the stream fails. */
  readonly done: Promise<void>;
}

/** Writes a recording as NDJSON or CSV (a row per level, trade and side of a ticker), or one table of it as Parquet. */
export async function exportData(request: ExportRequest): Promise<number> {
  const { files, format, table, out, quote, bars, json, output } = request;
  if (existsSync(out))
    throw new BadInput(`${out}: expected no file of that name, found one; name another with --out`);
  prepareOutput(files, out);
  const recording = await openData(files, {
    ...(quote !== undefined && { quote }),
    ...(bars !== undefined && { bars }),
  });
  const rows =
    format === 'parquet'
      ? (await writeParquet(recording, out, { table })).rows
      : await writeText(recording, format, out);
  const lost = recording.findings.filter(isPartialFinding);
  for (const finding of lost) output.progress(`data: ${finding}`);
  output.data(json ? JSON.stringify({ out, format, rows }) : `${out}: ${rows} rows`);
  return lost.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** The file appears under its name only when it is whole. */
async function writeText(recording: Recording, format: ExportText, out: string): Promise<number> {
  const unfinished = `${out}.unfinished`;
  const stream = createWriteStream(unfinished);
  // A stream that cannot be opened says so on the first write.
  const done = finished(stream);
  done.catch(() => undefined);
  try {
    const rows = await writeRows(recording, format, { stream, done });
    stream.end();
    await done;
    renameSync(unfinished, out);
    return rows;
  } catch (error) {
    stream.destroy();
    rmSync(unfinished, { force: true });
    if (error instanceof Error && 'syscall' in error) throw unwritable(out, error);
    throw error;
  }
}

async function writeRows(recording: Recording, format: ExportText, target: Target): Promise<number> {
  let rows = 0;
  let bars = 0;
  if (format === 'csv') await write(target, `${exportColumns.join(',')}\n`);
  for await (const batch of recording.events()) {
    let text = '';
    for (const event of batch) {
      if (event.kind === 'candles') bars += 1;
      for (const row of rowsOf(event, recording)) {
        rows += 1;
        text += format === 'csv' ? csvOf(row) : `${JSON.stringify(row)}\n`;
      }
    }
    await write(target, text);
  }
  if (rows === 0 && bars > 0)
    throw new BadInput(
      `${recording.paths.join(', ')}: expected books, trades or tickers to write as ${format}, found bars alone; write them with --to parquet --table bars`,
    );
  return rows;
}

function rowsOf(event: Event, { instruments, printing }: Recording): readonly ExportRow[] {
  return rowsOfEvent(event, instruments, printing ?? 'fixed');
}

function csvOf(row: ExportRow): string {
  return `${exportColumns.map((column) => quoted(String(row[column]))).join(',')}\n`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function write({ stream, done }: Target, text: string): Promise<void> {
  if (stream.errored !== null) throw stream.errored;
  if (!stream.write(text)) await Promise.race([once(stream, 'drain'), done]);
}
