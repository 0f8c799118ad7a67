import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalLoss } from './segments/index.ts';

/** A journal that failed cannot keep the halt that follows: a file beside it does, until a later run has kept it. */
const markName = 'journal.failed';

/** Records why the journal of a directory failed, if the disk allows: a full disk still takes an empty file. */
export function leaveFailureMark(directory: string, why: string): void {
  try {
    writeFileSync(join(directory, markName), `${why}\n`, { mode: 0o600 });
  } catch {
    // When the journal cannot be written, this may fail too.
  }
}

/** Keeps what is lost as a failure of the journal; what failed before stands before it. */
export function keepLoss(directory: string, { why }: JournalLoss): void {
  const all = [failureMark(directory), why].filter((one) => one !== undefined);
  leaveFailureMark(directory, all.join('; '));
}

/** Why the journal of an earlier run failed, if it did and the mark was not removed. */
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
