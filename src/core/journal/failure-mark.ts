import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A journal that failed cannot keep the halt that follows: a file beside it does, until a later run has kept it. */
const markName = 'journal.failed';

/** Leaves word of why the journal of a directory failed, if the disk lets it: a full one has room for an empty file. */
export function leaveFailureMark(directory: string, why: string): void {
  try {
    writeFileSync(join(directory, markName), `${why}\n`, { mode: 0o600 });
  } catch {
    // Whoever cannot write the journal may not be able to write this either.
  }
}

/** Why the journal of an earlier run failed, if it did and nobody has taken note. */
export function failureMark(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, markName), 'utf8').trim() || 'the disk was full';
  } catch {
    return undefined;
  }
}

export function removeFailureMark(directory: string): void {
  rmSync(join(directory, markName), { force: true });
}
