import { DiskJournal, failureMark, removeFailureMark } from '../../core/journal/disk.ts';
import { readHeader } from '../../core/journal/replay.ts';
import { hasJournal } from '../../core/journal/segments.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { LiveParts } from './parts.ts';
import { checkAccount, journalAccount, journalHeader } from './journal-header.ts';

/** A run that opens its journal. */
interface Opening extends LiveParts {
  readonly mode: RunStarted['mode'];
  readonly clearHalt?: boolean;
}

export interface Past {
  readonly journal: DiskJournal;
  readonly history: readonly StampedEvent[];
}

/** That of the journal that is there, or of the one to be. Throws `JournalForeign` when that is of another account. */
export function headerOf({ config, mode, listed, addresses }: Opening): string {
  const { directory } = config.run;
  const account = journalAccount(mode, config, addresses);
  if (!hasJournal(directory)) return journalHeader(listed, account);
  const header = readHeader(directory);
  checkAccount(header, account, directory);
  return header;
}

export function openJournal({ config, log }: Opening, header: string): Past {
  const history: StampedEvent[] = [];
  const journal = new DiskJournal({
    directory: config.run.directory,
    header,
    options: config.journal,
    onEvent: (stamped) => history.push(stamped),
  });
  if (journal.cut !== undefined)
    log.warn({ ...journal.cut }, 'the journal ended in a torn record, which was cut off');
  if (journal.removed !== undefined) log.info({ upTo: journal.removed.upTo }, journal.removed.why);
  return { journal, history };
}

/** A journal that failed could not keep the halt that followed: this one does, unless the operator has cleared it. */
export function keepFailure(
  { config, clearHalt }: Opening,
  journal: DiskJournal,
  halt: (why: string) => void,
): void {
  const { directory } = config.run;
  const failure = failureMark(directory);
  if (failure === undefined) return;
  if (clearHalt !== true) halt(`the journal of an earlier run failed: ${failure}`);
  journal.whenDurable(() => removeFailureMark(directory));
}
