import type { Dirent } from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { listed } from '../../core/base/listed.ts';

/** Folders within folders that are looked into: a catalog has four. */
const depthMax = 5;
const filesMax = 10_000;

/**
 * The Parquet files of a folder, such as that of a kind and an instrument in a catalog of NautilusTrader, by their names; `undefined`
 * where there are none. Throws `BadInput` where several folders within have some.
 */
export function parquetFilesIn(path: string): readonly string[] | undefined {
  const folders = parquetFoldersIn(path);
  if (folders.length < 2) return folders[0]?.files;
  const names = listed(
    folders.map(({ folder }) => folder),
    3,
  );
  throw new BadInput(
    `${path}: expected a folder with Parquet files of one kind and instrument, found ${folders.length} (${names}); name one of them`,
  );
}

interface ParquetFolder {
  readonly folder: string;
  readonly files: readonly string[];
}

function parquetFoldersIn(path: string, depth = 0): readonly ParquetFolder[] {
  const entries = entriesOf(path);
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map(({ name }) => join(path, name));
  if (files.length > filesMax)
    throw new BadInput(
      `${path}: expected at most ${filesMax} Parquet files in a folder, found ${files.length}`,
    );
  const own = files.length === 0 ? [] : [{ folder: path, files }];
  if (depth === depthMax) return own;
  const within = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return [...own, ...within.flatMap(({ name }) => parquetFoldersIn(join(path, name), depth + 1))];
}

function entriesOf(path: string): readonly Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // A file, a name that no file system takes and a folder that cannot be looked into are left to what opens them.
    return [];
  }
}
