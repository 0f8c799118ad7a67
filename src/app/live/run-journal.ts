import { BadInput } from '../../core/base/errors.ts';
import { DiskJournal, failureMark, removeFailureMark } from '../../core/journal/disk.ts';
import { JournalForeign } from '../../core/journal/errors.ts';
import { readHeader } from '../../core/journal/replay.ts';
import { hasJournal } from '../../core/journal/segments.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { Instrument, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { isLoopback } from '../../venues/address.ts';
import type { VenueAddresses } from '../../venues/port.ts';
import type { Config } from '../config/schema.ts';
import type { LiveParts } from './parts.ts';

/** What an instrument's number means in a journal: its symbol and grid, in id order, and its terms when it was created. */
type Grid = readonly [symbol: string, tickSize: string, quantityIncrement: string, terms?: Terms];

/** Currencies, contract and rates of an instrument: a report from the journal alone needs them. */
type Terms = Omit<InstrumentSpec, 'symbol' | 'tickSize' | 'quantityIncrement' | 'status'>;

/** Whose orders and positions a journal holds. */
export interface JournalAccount {
  /** Paper positions must not be mixed with real ones. */
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
export function journalAccount(
  mode: RunStarted['mode'],
  { account }: Config,
  { baseUrl }: VenueAddresses,
): JournalAccount {
  return {
    money: mode === 'paper' ? 'paper' : 'venue',
    venue: isLoopback(baseUrl) ? 'this machine' : new URL(baseUrl).host,
    account: account ?? '',
  };
}

/** The header of a new journal, as JSON: the account, and the grids of its instruments. */
export function journalHeader(instruments: Instruments, account: JournalAccount): string {
  return JSON.stringify({ account, grids: instruments.all.map((one) => [...gridOf(one), termsOf(one)]) });
}

/** Throws `JournalForeign` when the journal is of another account, or of paper trading and this run is not. */
export function checkAccount(header: string, account: JournalAccount, directory: string): void {
  const kept = parse(header).account;
  if (kept === undefined || textOf(kept) === textOf(account)) return;
  throw new JournalForeign(
    `the journal in ${directory} is of ${textOf(kept)}, and this run trades on ${textOf(account)}: name another run.directory`,
  );
}

/** The instruments of a run, and what the venue has changed about those of its journal. */
export interface JournalInstruments {
  readonly instruments: Instruments;
  /** By symbol, what has changed: it has another grid. */
  readonly changed: ReadonlyMap<string, string>;
  /** Symbols that the venue no longer lists. */
  readonly gone: ReadonlySet<string>;
}

/**
 * The venue's instruments as an existing journal numbers them: its symbols in its order, whatever the venue lists
 * besides. A symbol that is gone or has another grid keeps its place and its grid, since the journal's ticks and lots
 * mean them; it is expired, or suspended.
 */
export function instrumentsOfJournal(
  header: string,
  listed: Instruments,
  directory: string,
): JournalInstruments {
  const changed = new Map<string, string>();
  const left = new Set<string>();
  const specs = parse(header).grids.map((grid): InstrumentSpec => {
    const [symbol, tickSize, quantityIncrement, terms] = grid;
    const found = listed.find(symbol);
    if (found === undefined) {
      left.add(symbol);
      return { ...gone(symbol), ...terms, tickSize, quantityIncrement, status: 'expired' };
    }
    const now = gridOf(found);
    if (now[1] === tickSize && now[2] === quantityIncrement) return found.spec;
    changed.set(
      symbol,
      `the journal in ${directory} was written for ${symbol} with tick size ${tickSize} and quantity increment ${quantityIncrement}; now it is ${now[1]} and ${now[2]}; name another run.directory`,
    );
    return { ...found.spec, tickSize, quantityIncrement, status: 'suspended' };
  });
  return { instruments: new Instruments(specs), changed, gone: left };
}

/** The instruments as the header of a journal describes them, and whether it names their currencies: older ones do not. */
export function instrumentsOfHeader(header: string): {
  readonly instruments: Instruments;
  readonly hasTerms: boolean;
} {
  const { grids } = parse(header);
  const specs = grids.map(([symbol, tickSize, quantityIncrement, terms]): InstrumentSpec => ({
    ...gone(symbol),
    ...terms,
    tickSize,
    quantityIncrement,
    status: 'working',
  }));
  return { instruments: new Instruments(specs), hasTerms: grids.every((grid) => grid[3] !== undefined) };
}

/** What to say of those of `symbols` that the venue no longer lists: a run goes on without them. */
export function goneNotes(symbols: Iterable<string>, { gone: left }: JournalInstruments): readonly string[] {
  return [...new Set(symbols)]
    .filter((symbol) => left.has(symbol))
    .map(
      (symbol) =>
        `the venue no longer lists ${symbol}: nothing of it is followed and no order of it leaves, until it is listed again; what is held of it stays in the journal`,
    );
}

/** Throws `BadInput` when one of `symbols`, which a run needs, has another grid. */
export function checkNeeded(symbols: Iterable<string>, { changed }: JournalInstruments): void {
  for (const symbol of symbols) {
    const sentence = changed.get(symbol);
    if (sentence !== undefined) throw new BadInput(sentence);
  }
}

/** Stands for a symbol that is no longer listed: only its grid is known. */
function gone(symbol: string): Omit<InstrumentSpec, 'tickSize' | 'quantityIncrement' | 'status'> {
  return {
    symbol,
    type: 'spot',
    baseCurrency: symbol,
    quoteCurrency: symbol,
    feeCurrency: symbol,
    takeRate: '0',
    makeRate: '0',
    marginTrading: false,
  };
}

function parse(header: string): Header {
  const said = JSON.parse(header) as readonly Grid[] | Header;
  return 'grids' in said ? said : { grids: said, account: undefined };
}

function textOf({ money, venue, account }: JournalAccount): string {
  const named = account === '' ? 'an account without a name' : `account ${account}`;
  return money === 'paper' ? `paper, with the market of ${venue}` : `${named} at ${venue}`;
}

function termsOf({ spec }: Instrument): Terms {
  const { symbol: _symbol, tickSize: _tick, quantityIncrement: _increment, status: _status, ...terms } = spec;
  return terms;
}

function gridOf(instrument: Instrument): Grid {
  return [instrument.symbol, instrument.spec.tickSize, instrument.spec.quantityIncrement];
}

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

export function openJournal({ config, clock, log }: Opening, header: string): Past {
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
