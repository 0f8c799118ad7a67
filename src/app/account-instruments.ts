import { BadInput } from '../base/errors.ts';
import type { Instrument } from '../model/instrument.ts';
import { Instruments } from '../model/instrument.ts';

/** What an instrument's number means in a journal: its symbol and grid, in id order. */
type Grid = readonly [symbol: string, tickSize: string, quantityIncrement: string];

/** The header of a journal: the grids of its instruments, as JSON. */
export function journalHeader(instruments: Instruments): string {
  return JSON.stringify(instruments.all.map(gridOf));
}

/**
 * The venue's instruments as an existing journal numbers them: its symbols in its order, whatever the venue lists
 * besides. Throws `BadInput` when a symbol is gone or has another grid, because the journal's ticks and lots would
 * mean something else.
 */
export function instrumentsOfJournal(header: string, listed: Instruments, directory: string): Instruments {
  const specs = (JSON.parse(header) as readonly Grid[]).map((grid) => {
    const found = listed.find(grid[0]);
    const now = found === undefined ? undefined : gridOf(found);
    if (found === undefined || now?.[1] !== grid[1] || now[2] !== grid[2]) {
      const shown = now === undefined ? 'the venue no longer lists it' : `now it is ${now[1]} and ${now[2]}`;
      throw new BadInput(
        `the journal in ${directory} was written for ${grid[0]} with tick size ${grid[1]} and quantity increment ${grid[2]}; ${shown}; name another run.directory`,
      );
    }
    return found.spec;
  });
  return new Instruments(specs);
}

function gridOf(instrument: Instrument): Grid {
  return [instrument.symbol, instrument.spec.tickSize, instrument.spec.quantityIncrement];
}
