import { timeText } from '../../core/base/clock.ts';
import { failureMark } from '../../core/journal/disk.ts';
import { isWritten } from '../../core/journal/segments/file.ts';
import type { JournalCut } from '../../core/journal/segments/read-records.ts';
import { cutText } from '../../core/journal/segments/read-records.ts';
import { lastRunIn, lossOf, readJournal } from '../../core/journal/replay.ts';
import { hasJournal } from '../../core/journal/segments/segments.ts';
import type { Order } from '../../core/model/order.ts';
import type { SafeStateKind } from '../../core/model/safe-state.ts';
import { differenceLine, shownDifferences } from '../../core/state/differences.ts';
import { heldStates, safeStateText } from '../../core/state/safe-states.ts';
import { State } from '../../core/state/state.ts';
import type { StateView } from '../../core/state/view.ts';
import type { JournalInstruments } from '../run/journal-header.ts';
import { carriedOver, instrumentsOfHeader } from '../run/journal-header.ts';
import { SessionFold } from '../live/session-fold.ts';
import { isOurs } from '../live/account-now.ts';

/** What the journal of a run directory says before the next start. */
export interface KeptRun {
  /** The state that a start takes over. */
  readonly state: State;
  /** Own orders that may live, by the journal. */
  readonly orders: readonly Order[];
  readonly run: string | undefined;
  /** Why nothing, or not all, may leave once trading begins. */
  readonly halts: readonly string[];
  /** Why a start would be refused. */
  readonly refusals: readonly string[];
  readonly notes: readonly string[];
}

/** Reads it; of a directory without a journal, nothing. Errors as `readJournal`. */
export function readKept(
  directory: string,
  { header, known }: { readonly header: string; readonly known: JournalInstruments },
): KeptRun {
  const { instruments } = known;
  const place = hasJournal(directory) ? lastRunIn(directory) : undefined;
  const failures = [failureMark(directory), lossOf(directory)?.why].filter((one) => one !== undefined);
  if (place === undefined) {
    const state = new State({ instruments });
    return {
      state,
      orders: [],
      run: undefined,
      halts: haltsOf(state, failures),
      refusals: [],
      notes: [],
    };
  }
  const isCarried = known.header !== header;
  const fold = new SessionFold(isCarried ? instrumentsOfHeader(header).instruments : instruments);
  const notes: string[] = [];
  const onCut = (cut: JournalCut): void => {
    if (cut.lostUpTo === undefined) notes.push(cutText(cut));
  };
  for (const { event } of readJournal(directory, { from: place, onCut })) fold.observe(event);
  fold.end();
  const { stopped } = fold;
  const state = isCarried ? carriedOver(fold.state, header, known) : fold.state;
  const runs = isWritten(directory);
  const { run, mode, receiveTime } = place.started;
  notes.unshift(`the last run ${run} (${mode}) began ${timeText(receiveTime)} and ${endOf(fold, runs)}`);
  for (const { strategy, why } of stopped)
    notes.push(`strategy ${strategy} was stopped: ${why}; it starts afresh`);
  const refusals = runs
    ? [`another process writes the journal in ${directory}: stop it first (godwit stop)`]
    : [];
  return {
    state,
    orders: state.openOrders().filter(isOurs),
    run,
    halts: haltsOf(state, failures),
    refusals,
    notes: [...notes, ...holdsOf(state)],
  };
}

function endOf({ stopWhy }: SessionFold, runs: boolean): string {
  if (runs) return 'still runs';
  return stopWhy === undefined ? 'was killed' : `was stopped: ${stopWhy}`;
}

/** What holds and hinders orders of all strategies, or of a product. */
function haltsOf(state: StateView, failures: readonly string[]): readonly string[] {
  const clear = 'once you know the cause, trade --clear-halt ends it';
  const held = heldStates(state).filter(({ kind, needsOperator }) => needsOperator && isHalt(kind));
  return [
    ...held.map((state) => `${safeStateText(state)}; ${clear}`),
    ...failures.map((failure) => `the journal of the last run failed: ${failure}; ${clear}`),
  ];
}

function isHalt(kind: SafeStateKind): boolean {
  return kind === 'halted' || kind === 'reducing' || kind === 'productHalted';
}

/** Strategies that are paused, limits on loss, and differences with the venue: what else outlives the run. */
function holdsOf(state: StateView): readonly string[] {
  const holds = heldStates(state)
    .filter(({ kind }) => kind === 'paused' || kind === 'lossLimit')
    .map((state) =>
      state.nextLook === undefined
        ? safeStateText(state)
        : `${state.cause}; until ${timeText(state.nextLook)}`,
    );
  return [
    ...holds,
    ...shownDifferences(state.differences.all).map(
      (row) => `our books and the venue differ: ${differenceLine(row)}`,
    ),
  ];
}
