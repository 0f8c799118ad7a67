import { readFileSync } from 'node:fs';
import { BadInput, NotFound } from '../base/errors.ts';

/** The text of a file that was named. Throws `NotFound` where there is none, `BadInput` where it cannot be read. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    const sentence = `${file}: expected ${what}, found none that can be read (${reason})`;
    throw reason === 'ENOENT' ? new NotFound(sentence) : new BadInput(sentence);
  }
}
