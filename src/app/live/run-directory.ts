import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a run directory already holds a journal. */
export function hasJournal(directory: string): boolean {
  return existsSync(join(directory, 'journal.sqlite'));
}
