import { accessSync, constants, existsSync, mkdirSync, opendirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';

/**
 * Throws `BadInput` when no file can be put under this name; folders that are missing above it are made. `option` is what
 * the person named it with.
 */
export function prepareFile(option: string, path: string): void {
  const found = prepare(option, path);
  if (found !== undefined && !found.isFile())
    throw new BadInput(`${option} ${path}: expected the name of a file, found ${wordOf(found)} there`);
}

/** The same for a file that is written where it stands: a pipe or a device will do. */
export function prepareStream(option: string, path: string): void {
  const found = prepare(option, path);
  if (found?.isDirectory() === true)
    throw new BadInput(`${option} ${path}: expected the name of a file, found a folder there`);
}

/** Makes a folder and those above it, one by one: `mkdirSync` alone never ends where a system takes no folders. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process has created it meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function prepare(option: string, path: string): Stats | undefined {
  if (path === '') throw new BadInput(`${option}: expected the name of a file, found an empty text`);
  try {
    const folder = dirname(resolve(path));
    makeFolder(folder);
    // Throws where a file stands in the place of the folder.
    opendirSync(folder).closeSync();
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) accessSync(folder, constants.W_OK);
    else if (found.isFile()) accessSync(path, constants.W_OK);
    return found;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${option} ${path}: expected a file that can be written, found: ${why}`, {
      cause: error,
    });
  }
}

function wordOf(found: Stats): string {
  return found.isDirectory() ? 'a folder' : 'a device, pipe or socket';
}
