import type { Event, ModeChanged, StateCarried } from '../../core/model/event.ts';
import { evidenceHaltOf } from '../../core/model/evidence-halt.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { isDeniedExit } from '../../core/orders/controls/index.ts';
import type { StoppedStrategy } from '../../research/report/index.ts';
import { Summary } from '../../research/report/index.ts';
import { State } from '../../core/state/index.ts';
import type { JournalSession } from '../run/journal-session.ts';
import { isOfSession, ownOrders } from './account-now.ts';

/** Folds the records of one session, from its `runStarted` on, into what its report is made of. */
export class SessionFold {
  readonly state: State;
  readonly summary: Summary;
  /** Why the session was asked to stop; `undefined` while it was not. */
  stopWhy: string | undefined;
  readonly #strategies = new Set<string>();
  /** The records until a session of the venue is up, while it is not known whether a carried state stands for them. */
  #head: Event[] | undefined = [];

  constructor(instruments: Instruments) {
    this.state = new State({ instruments });
    const own = ownOrders(this.state);
    this.summary = new Summary({
      instruments,
      details: true,
      own,
      entries: (event) => this.state.entriesOf(event),
      isDeniedExit: (event) => isDeniedExit(event, this.state),
    });
  }

  /** Folds a whole session, under the numbers of its journal, which other instruments may have too. */
  static of(session: JournalSession, instruments = session.instruments): SessionFold {
    const fold = new SessionFold(instruments);
    for (const { event } of session.records()) fold.observe(event);
    fold.endSession();
    return fold;
  }

  /** Names of the strategies that wanted something. */
  get strategies(): readonly string[] {
    return [...this.#strategies].toSorted();
  }

  get stopped(): readonly StoppedStrategy[] {
    return this.strategies.flatMap((strategy) => {
      const why = this.state.stopped(strategy);
      return why === undefined || why === 'unloaded' ? [] : [{ strategy, why }];
    });
  }

  /** How the session ended, after its name. */
  endText(isWritten: boolean): string {
    if (isWritten) return 'still runs';
    return this.stopWhy === undefined ? 'was killed' : `was stopped: ${this.stopWhy}`;
  }

  observe(event: Event): void {
    const head = this.#head;
    if (head !== undefined) {
      // What earlier sessions came to is carried behind the beginning, and holds it already: a blank state takes it over.
      if (event.kind === 'stateCarried') {
        this.#beginSession(event);
        return;
      }
      // What a start settles stands before that: halts, limits and money are cleared, orders that never left are denied.
      if (event.kind !== 'sessionUp') {
        head.push(event);
        return;
      }
      this.#beginSession();
    }
    this.state.fold(event);
    this.summary.observe(event);
    this.#note(event);
  }

  #note(event: Event): void {
    if (event.kind === 'intent') this.#strategies.add(event.intent.strategy);
    // A halt that is not latched is the way in which a session stops.
    else if (event.kind === 'modeChanged' && isStop(event)) this.stopWhy = event.why;
  }

  /** The records have ended. */
  endSession(): void {
    this.#beginSession();
    this.summary.endRun();
    this.summary.finish();
  }

  #beginSession(carried?: StateCarried): void {
    const head = this.#head;
    if (head === undefined) return;
    this.#head = undefined;
    for (const event of carried === undefined ? head : [carried]) this.state.fold(event);
    this.summary.opening.bring(this.state.positions());
    this.summary.tally.bring(this.state.openOrders().filter(isOfSession));
    for (const event of head) {
      if (event.kind !== 'runStarted' && event.kind !== 'modeChanged') this.summary.observe(event);
      this.#note(event);
    }
  }
}

/** A halt that waits neither for an operator nor for evidence. */
function isStop(event: ModeChanged): boolean {
  return event.mode === 'halted' && !event.latched && evidenceHaltOf(event) === undefined;
}
