import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { BadInput, NotFound } from '../../core/base/errors.ts';

/**
 * The text of a file that was named. Throws `NotFound` where there is none, `BadInput` where it cannot be read, or is a
 * device, which may never end. Shells hand out what a command prints as a pipe: those are read.
 */
export function readText(file: string, what: string): string {
  return readFileBytes(file, what).toString('utf8');
}

/** The bytes of a file that was named, as `readText` reads its text. */
export function readFileBytes(file: string, what: string): Buffer {
  if (statSync(file, { throwIfNoEntry: false })?.isCharacterDevice() === true)
    throw new BadInput(`${file}: expected ${what}, found a device`);
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const sentence = `${file}: expected ${what}, found none that can be read (${reason})`;
    throw reason === 'ENOENT' ? new NotFound(sentence) : new BadInput(sentence);
  }
}

/** A path in a scenario, as one that can be opened: relative ones begin at the folder of its file. */
export function pathBeside(file: string, path: string): string {
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}
