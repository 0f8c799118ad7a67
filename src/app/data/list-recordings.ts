import type { Stats } from 'node:fs';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BadInput, NotFound } from '../../core/base/errors.ts';
import { describeFormats, formatNameOf } from '../../data/open/market-data.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';

const filesMax = 1_000;

/** What is shown of a name behind which nothing can be looked at, such as a link to itself. */
const unreadableWord = 'unreadable';

interface Listed {
  readonly path: string;
  readonly bytes: number;
  readonly format: string;
}

/** The formats that can be read, and what of a folder is of which. */
export async function listData(folder: string | undefined, json: boolean, output: Output): Promise<number> {
  const formats = describeFormats();
  const files = folder === undefined ? [] : await filesOf(folder);
  if (json) {
    output.data(JSON.stringify({ formats, files }));
    return exitCodes.done;
  }
  if (folder === undefined) {
    for (const { name, looksLike, carries, layouts } of formats) {
      output.data(`${name.padEnd(18)} ${looksLike}`);
      output.data(`${''.padEnd(18)} ${carries}`);
      for (const layout of layouts) output.data(`${''.padEnd(20)} ${layout.name}: ${layout.file}`);
    }
    return exitCodes.done;
  }
  for (const { path, bytes, format } of files) {
    output.data(`${format.padEnd(18)} ${String(bytes).padStart(12)}  ${path}`);
  }
  return exitCodes.done;
}

async function filesOf(folder: string): Promise<readonly Listed[]> {
  const names = namesOf(folder);
  const listed: Listed[] = [];
  for (const name of names.slice(0, filesMax)) {
    const path = join(folder, name);
    const found = lookAt(path);
    if (found === unreadableWord) listed.push({ path, bytes: 0, format: unreadableWord });
    else if (found?.isFile() === true)
      listed.push({ path, bytes: found.size, format: await shownFormatOf(path) });
  }
  return listed;
}

function lookAt(path: string): Stats | undefined | typeof unreadableWord {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return unreadableWord;
  }
}

function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (!existsSync(folder)) throw new NotFound(`${folder}: expected a folder, found none`, { cause: error });
    throw new BadInput(`${folder}: expected a folder, found a file; data inspect looks into one`, {
      cause: error,
    });
  }
}

/** `-` for what is no data, or damaged. */
async function shownFormatOf(path: string): Promise<string> {
  try {
    return (await formatNameOf(path)) ?? '-';
  } catch (error) {
    if (error instanceof BadInput) return '-';
    throw error;
  }
}
