import { timeText } from '../../core/base/clock.ts';
import { failureMark, cutText, lossOf, hasJournal } from '../../core/journal/index.ts';
import type { Order } from '../../core/model/order.ts';
import type { SafeStateKind } from '../../core/model/safe-state.ts';
import {
  differenceLine,
  shownDifferences,
  heldStates,
  safeStateText,
  State,
} from '../../core/state/index.ts';
import type { StateView } from '../../core/state/index.ts';
import type { JournalInstruments } from '../run/journal-header.ts';
import { carriedOver } from '../run/journal-header.ts';
import { JournalSession } from '../run/journal-session.ts';
import { SessionFold, isOfSession } from '../live/index.ts';

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
export function readKept(directory: string, known: JournalInstruments): KeptRun {
  const { instruments } = known;
  const session = hasJournal(directory) ? JournalSession.last(directory) : undefined;
  if (session === undefined) {
    const state = new State({ instruments });
    return {
      state,
      orders: [],
      run: undefined,
      halts: haltsOf(state, failuresOf(directory)),
      refusals: [],
      notes: [],
    };
  }
  const { header } = session;
  const isCarried = known.header !== header;
  const fold = SessionFold.of(session, isCarried ? session.instruments : instruments);
  const state = isCarried ? carriedOver(fold.state, header, known) : fold.state;
  const runs = session.isWritten;
  const { run, mode, receiveTime } = session.place.started;
  const notes = [
    `the last run ${run} (${mode}) began ${timeText(receiveTime)} and ${fold.endText(runs)}`,
    ...(session.torn === undefined ? [] : [cutText(session.torn)]),
    ...fold.stopped.map(({ strategy, why }) => `strategy ${strategy} was stopped: ${why}; it starts afresh`),
  ];
  const refusals = runs
    ? [`another process writes the journal in ${directory}: stop it first (godwit stop)`]
    : [];
  return {
    state,
    orders: state.openOrders().filter(isOfSession),
    run,
    halts: haltsOf(state, failuresOf(directory, session)),
    refusals,
    notes: [...notes, ...holdsOf(state)],
  };
}

/** Why the journal is not whole: it could not be written, or records are lost. */
function failuresOf(directory: string, session?: JournalSession): readonly string[] {
  const lost = session?.lost ?? lossOf(directory);
  return [failureMark(directory), lost?.why].filter((one) => one !== undefined);
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
