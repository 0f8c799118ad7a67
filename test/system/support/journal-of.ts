import { hasJournal } from '../../../src/core/journal/segments/segments.ts';
import { readHeader, readJournal } from '../../../src/core/journal/replay.ts';
import type { Instrument } from '../../../src/core/model/instrument.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { OrderRequest } from '../../../src/core/model/order.ts';
import { stateDefaults } from '../../../src/core/state/options.ts';
import { State } from '../../../src/core/state/state.ts';
import { spotSpec } from '../../support/markets.ts';
import type { VenueRow } from './account.ts';

/** What a journal on disk says, also while it is being written: read anew with every call. */
export interface JournalNow {
  /** The last run that began. */
  readonly run: string;
  /** Whether that run has compared the account with the venue: it has all answers of its first look. */
  readonly runIsReconciled: boolean;
  /** Orders that may be live, by the state folded from the journal. */
  readonly openIds: readonly string[];
  compare(venue: readonly VenueRow[]): { duplicates: number; unrecorded: number; oversized: number };
}

export function journalOf(directory: string): JournalNow {
  if (!hasJournal(directory)) return nothing;
  const { grids } = JSON.parse(readHeader(directory)) as { grids: [string, string, string][] };
  const instruments = new Instruments(
    grids.map(([symbol, tickSize, quantityIncrement]) => spotSpec(symbol, { tickSize, quantityIncrement })),
  );
  const state = new State({ instruments, options: stateDefaults });
  const intended = new Map<string, number>();
  const of = new Map<string, Instrument>();
  let run = '';
  let reads = 0;
  for (const { event } of readJournal(directory)) {
    state.fold(event);
    if (event.kind === 'runStarted') {
      run = event.run;
      reads = 0;
    } else if (event.kind === 'readAnswered') {
      reads += 1;
    } else if (event.kind === 'orderPending') {
      const { clientOrderId, quantity, instrument }: OrderRequest = event.command.request;
      intended.set(clientOrderId, quantity);
      of.set(clientOrderId, instruments.at(instrument));
    } else if (event.kind === 'replacePending') {
      intended.set(event.command.newClientOrderId, event.command.quantity);
      of.set(event.command.newClientOrderId, instruments.at(event.command.instrument));
    }
  }
  return {
    run,
    runIsReconciled: reads >= 3,
    openIds: state
      .openOrders()
      .map(({ clientOrderId }): string => clientOrderId)
      .sort(),
    compare(venue) {
      const ids = venue.map(({ id }) => id);
      const lotsOf = (row: VenueRow, text: string): number => of.get(row.id)?.lots(text) ?? 0;
      return {
        duplicates: ids.length - new Set(ids).size,
        unrecorded: ids.filter((id) => !intended.has(id)).length,
        oversized: venue.filter((row) => {
          const most = intended.get(row.id);
          return (
            most !== undefined && (lotsOf(row, row.quantity) > most || lotsOf(row, row.cumulative) > most)
          );
        }).length,
      };
    },
  };
}

const nothing: JournalNow = {
  run: '',
  runIsReconciled: false,
  openIds: [],
  compare: (venue) => ({ duplicates: 0, unrecorded: venue.length, oversized: 0 }),
};
