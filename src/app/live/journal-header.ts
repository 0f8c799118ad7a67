import { BadInput } from '../../base/errors.ts';
import type { Config } from '../../config/schema.ts';
import { JournalForeign } from '../../journal/errors.ts';
import type { RunStarted } from '../../model/event.ts';
import type { Instrument } from '../../model/instrument.ts';
import { Instruments } from '../../model/instrument.ts';
import { isLoopback, venueAddresses } from './venue-addresses.ts';

/** What an instrument's number means in a journal: its symbol and grid, in id order. */
type Grid = readonly [symbol: string, tickSize: string, quantityIncrement: string];

/** Whose orders and positions a journal holds. */
export interface JournalAccount {
  /** Paper positions are nobody's: they must not meet real ones. */
  readonly money: 'paper' | 'venue';
  /** The host of the venue, whatever the port of one on this machine. */
  readonly venue: string;
  /** As the configuration names it, empty when it does not. */
  readonly account: string;
}

interface Header {
  readonly grids: readonly Grid[];
  /** Not there in a journal of before it was kept. */
  readonly account: JournalAccount | undefined;
}

/** Whose journal a run in `mode` writes. */
export function journalAccount(mode: RunStarted['mode'], { venue, account }: Config): JournalAccount {
  const { baseUrl } = venueAddresses(venue);
  return {
    money: mode === 'paper' ? 'paper' : 'venue',
    venue: isLoopback(baseUrl) ? 'this machine' : new URL(baseUrl).host,
    account: account ?? '',
  };
}

/** The header of a new journal, as JSON: the account, and the grids of its instruments. */
export function journalHeader(instruments: Instruments, account: JournalAccount): string {
  return JSON.stringify({ account, grids: instruments.all.map(gridOf) });
}

/** Throws `JournalForeign` when the journal is of another account, or of paper trading and this run is not. */
export function checkAccount(header: string, account: JournalAccount, directory: string): void {
  const kept = parse(header).account;
  if (kept === undefined || textOf(kept) === textOf(account)) return;
  throw new JournalForeign(
    `the journal in ${directory} is of ${textOf(kept)}, and this run trades on ${textOf(account)}: name another run.directory`,
  );
}

/**
 * The venue's instruments as an existing journal numbers them: its symbols in its order, whatever the venue lists
 * besides. Throws `BadInput` when a symbol is gone or has another grid, because the journal's ticks and lots would
 * mean something else.
 */
export function instrumentsOfJournal(header: string, listed: Instruments, directory: string): Instruments {
  const specs = parse(header).grids.map((grid) => {
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

function parse(header: string): Header {
  const said = JSON.parse(header) as readonly Grid[] | Header;
  return 'grids' in said ? said : { grids: said, account: undefined };
}

function textOf({ money, venue, account }: JournalAccount): string {
  const named = account === '' ? 'an account without a name' : `account ${account}`;
  return money === 'paper' ? `paper, with the market of ${venue}` : `${named} at ${venue}`;
}

function gridOf(instrument: Instrument): Grid {
  return [instrument.symbol, instrument.spec.tickSize, instrument.spec.quantityIncrement];
}
