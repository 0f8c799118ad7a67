import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { isMembers } from '../../core/base/members.ts';
import { parquetFilesIn } from './catalog-folders.ts';
import { countsAnomalies } from '../formats/index.ts';
import type { ImportedRecording } from '../formats/index.ts';
import { unreadableFile, unwritable } from '../recording/index.ts';
import type { Recording } from '../recording/index.ts';

/** Name of the list in a folder of downloaded data. */
export const downloadListName = 'download.json';

/** A file of downloaded data. Times are ISO 8601 in UTC; it holds what happened from `from` on and before `to`. */
export interface DownloadedFile {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** SHA-256 of the file of the archive that it was made of, or is. */
  readonly sha256?: string | undefined;
  /** Reason why it does not hold all of its span. */
  readonly partial?: string | undefined;
}

/** A span of which no data could be had. */
export interface AbsentSpan {
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

/** Content of a folder of downloaded data: one kind of data of one symbol, files in the order of time. */
export interface DownloadList {
  readonly venue: string;
  readonly symbol: string;
  readonly kind: string;
  readonly period?: string | undefined;
  readonly files: readonly DownloadedFile[];
  readonly missing: readonly AbsentSpan[];
}

/** The list of a folder; `undefined` where it has none. Throws `BadInput` when it is not as it is written here. */
export function readDownloadList(folder: string): DownloadList | undefined {
  const path = join(folder, downloadListName);
  if (!existsSync(path)) return undefined;
  const list = parsed(path);
  const isList = (value: unknown, names: readonly string[]): boolean =>
    Array.isArray(value) &&
    value.every((one: unknown) => isMembers(one) && names.every((name) => typeof one[name] === 'string'));
  const isRight =
    isMembers(list) &&
    ['venue', 'symbol', 'kind'].every((name) => typeof list[name] === 'string') &&
    isList(list['files'], ['file', 'from', 'to']) &&
    isList(list['missing'], ['from', 'to', 'why']);
  if (!isRight)
    throw new BadInput(
      `${path}: expected the list that godwit data download writes, found something else; remove the folder and download again`,
    );
  return list as unknown as DownloadList;
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw unreadableFile(path, error);
  }
}

/** Writes the list of a folder; the one that is there stays whole until the new one is. Throws `BadInput` when the disk refuses. */
export function writeDownloadList(folder: string, list: DownloadList): void {
  const path = join(folder, downloadListName);
  const unfinished = `${path}.unfinished`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(list, undefined, 2)}\n`);
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw unwritable(path, error);
  }
}

/** Files behind a path: those of a folder of downloaded data or of Parquet files, otherwise the path. Throws `BadInput` when such a folder has none. */
export function filesBehind(path: string): readonly string[] {
  const list = readDownloadList(path);
  if (list === undefined) return parquetFilesIn(path) ?? [path];
  if (list.files.length === 0)
    throw new BadInput(`${path}: expected downloaded data, found none; godwit data download gets them`);
  return list.files.map(({ file }) => join(path, file));
}

/** Sentences on what is not in folders of downloaded data, for readers of results. */
export function missingNotes(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const { files, missing } = readDownloadList(path) ?? { files: [], missing: [] };
    return [
      ...missing.map(({ from, to, why }) => `${path}: ${daysText(from, to)} is missing: ${why}`),
      ...files.flatMap(({ file, partial }) =>
        partial === undefined ? [] : [`${file} is partial: ${partial}`],
      ),
    ];
  });
}

/** A span in words: days where it begins and ends with one, the last one included. */
export function daysText(from: string, to: string): string {
  const isDays = [from, to].every((time) => time.endsWith('T00:00:00.000Z'));
  if (!isDays) return `${from} to ${to}`;
  const first = from.slice(0, 10);
  const last = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  return first === last ? first : `${first} to ${last}`;
}

/** The recording with more notes. */
export function withNotes(recording: Recording, notes: readonly string[]): Recording {
  if (notes.length === 0) return recording;
  const { format, paths, instruments, grade, frames, printing, orders } = recording;
  const noted: ImportedRecording = {
    format,
    paths,
    instruments,
    grade,
    frames,
    printing,
    ...(orders === undefined ? {} : { orders }),
    notes: [...recording.notes, ...notes],
    get findings() {
      return recording.findings;
    },
    get counters() {
      return recording.counters;
    },
    get proof() {
      return recording.proof;
    },
    get anomalies() {
      return countsAnomalies(recording) ? recording.anomalies : [];
    },
    events: (heard) => recording.events(heard),
  };
  return noted;
}
