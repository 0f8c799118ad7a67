import type { Amount } from '../../../src/core/base/amount.ts';
import { add, zero } from '../../../src/core/base/amount.ts';
import { instrumentsOfHeader } from '../../../src/app/run/journal-header.ts';
import { hasJournal, lastRunIn, readHeader, readJournal } from '../../../src/core/journal/index.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Instruments } from '../../../src/core/model/instrument.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { State } from '../../../src/core/state/state.ts';

/** The books of the last run of a journal, folded up to some record. */
export interface RunBooks {
  readonly run: string;
  readonly instruments: Instruments;
  readonly state: State;
  /** Whether a record was found that `stop` asked for. */
  readonly stopped: boolean;
}

/** Executions that a run booked, by name, and of how many records that was read. */
interface BookedOfRun {
  readonly folded: number;
  readonly booked: ReadonlyMap<string, number>;
}

/**
 * What a journal on disk has of all runs that were read: intents and booked executions. A run is read from its beginning, also while it is being
 * written; what a reading of the same run found before is replaced.
 */
export class JournalBooks {
  readonly #directory: string;
  /** What was intended of each order, in base currency. */
  readonly #intended = new Map<string, Amount>();
  /** Name by which a program knows an order, with whose it is. */
  readonly #aliases = new Map<string, string>();
  readonly #booked = new Map<string, BookedOfRun>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reads the last run, up to the first record that `stop` is true for; `undefined` while there is none. */
  read(stop: (event: Event) => boolean = () => false): RunBooks | undefined {
    if (!hasJournal(this.#directory)) return undefined;
    const place = lastRunIn(this.#directory);
    if (place === undefined) return undefined;
    const { instruments } = instrumentsOfHeader(readHeader(this.#directory));
    const state = new State({ instruments, options: stateDefaults });
    const booked = new Map<string, number>();
    let folded = 0;
    let stopped = false;
    let head: Event[] | undefined = [];
    for (const { event } of readJournal(this.#directory, { from: place, anyGrid: true })) {
      // What a start settles stands before the carried state, which holds it already, and only a blank state takes that over.
      if (head !== undefined && event.kind !== 'stateCarried') {
        head.push(event);
        if (event.kind !== 'sessionUp') continue;
        for (const one of head.slice(0, -1)) state.fold(one);
      }
      head = undefined;
      stopped ||= stop(event);
      this.#intend(event, instruments);
      if (stopped) continue;
      state.fold(event);
      folded += 1;
      for (const entry of state.entriesOf(event)) {
        if (!('trade' in entry)) continue;
        const by = entry.kind === 'correction' ? (entry.holds === undefined ? -1 : 0) : 1;
        const { trade } = entry;
        const key = executionName(instruments.at(trade.instrument).symbol, trade.side, trade.tradeId);
        booked.set(key, (booked.get(key) ?? 0) + by);
      }
    }
    // A shorter reading has less than what is known.
    const { run } = place.started;
    if (folded >= (this.#booked.get(run)?.folded ?? 0)) this.#booked.set(run, { folded, booked });
    return { run, instruments, state, stopped };
  }

  intendedOf(clientOrderId: string): Amount | undefined {
    return this.#intended.get(clientOrderId);
  }

  /** The program of an order with the id that it gave; `undefined` of an order without one. */
  aliasOf(clientOrderId: string): string | undefined {
    return this.#aliases.get(clientOrderId);
  }

  /** How often each execution was booked, over all runs that were read. */
  get booked(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const { booked } of this.#booked.values())
      for (const [key, times] of booked) all.set(key, (all.get(key) ?? 0) + times);
    return all;
  }

  #intend(event: Event, instruments: Instruments): void {
    if (event.kind !== 'orderPending' && event.kind !== 'replacePending') return;
    const { command } = event;
    const isNew = command.kind === 'newOrder';
    const { instrument, quantity, alias } = isNew ? command.request : command;
    const id = isNew ? command.request.clientOrderId : command.newClientOrderId;
    this.#intended.set(id, instruments.at(instrument).quantityAmount(quantity));
    if (alias !== undefined) this.#aliases.set(id, `${command.strategy} ${alias}`);
  }
}

/** Name of one execution: a trade with oneself has one number and two sides. */
export function executionName(symbol: string, side: 'buy' | 'sell', tradeId: string): string {
  return `${symbol} ${side} ${tradeId}`;
}

/** Own lots on spot over all strategies, in base currency. */
export function spotHeld({ state, instruments }: RunBooks, symbol: string): Amount {
  const found = instruments.find(symbol);
  if (found === undefined) return zero;
  return state
    .positions()
    .filter(({ instrument, account }) => instrument === found.id && account === 'spot')
    .reduce((sum, { held }) => add(sum, held), zero);
}
