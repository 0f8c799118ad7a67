import type { Micros } from '../../core/base/clock.ts';
import {
  changeHeader,
  DiskJournal,
  failureMark,
  removeFailureMark,
  readHeader,
  hasJournal,
} from '../../core/journal/index.ts';
import type { RunStarted, StateCarried } from '../../core/model/event.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { onFinerGrid } from '../../core/state/index.ts';
import { stateAfter } from '../../core/trader/index.ts';
import type { Config } from '../config/schema.ts';
import {
  checkJournalAccount,
  factorsBetween,
  instrumentsOfHeader,
  isFiner,
  journalAccount,
  journalHeader,
} from '../run/journal-header.ts';
import type { LiveParts } from './parts.ts';

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
  checkJournalAccount(header, account, directory);
  return header;
}

/** The journal of a run directory under the header of the run, to which one of another grid is carried over first. */
export function openJournal({ config, clock, log }: Opening, header: string): Past {
  const { directory } = config.run;
  const before = hasJournal(directory) ? readHeader(directory) : header;
  if (before !== header && isFiner(header, before)) {
    changeHeader({
      directory,
      header: before,
      next: header,
      carried: (history) => carriedTo(header, before, { history, options: config.state, now: clock.now() }),
    });
    log.warn({ directory }, 'a tick size or quantity increment changed: the state was carried over');
  }
  const history: StampedEvent[] = [];
  const journal = new DiskJournal({
    directory: config.run.directory,
    header,
    options: config.journal,
    clock,
    onEvent: (stamped) => history.push(stamped),
  });
  if (journal.cut !== undefined)
    log.warn({ ...journal.cut }, 'the journal ended in a torn record, which was cut off');
  if (journal.loss !== undefined) log.error({ ...journal.loss }, 'the journal lost records');
  if (journal.unchecked !== undefined) log.warn({}, journal.unchecked);
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

interface CarriedPast {
  readonly history: readonly StampedEvent[];
  readonly options: Config['state'];
  readonly now: Micros;
}

/** Carries a history in the numbers of one header to those of another one that is finer. */
function carriedTo(header: string, before: string, { history, options, now }: CarriedPast): StateCarried {
  const { instruments } = instrumentsOfHeader(before);
  const state = stateAfter(history, { instruments, options });
  return {
    kind: 'stateCarried',
    exchangeTime: now,
    receiveTime: now,
    state: onFinerGrid(state.carry(), factorsBetween(before, header)),
  };
}
