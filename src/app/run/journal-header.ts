import { parseAmount } from '../../core/base/amount.ts';
import { JournalForeign } from '../../core/journal/index.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { isSameStep, onCommonGrid } from '../../core/model/joint-grid.ts';
import type { GridFactors } from '../../core/state/index.ts';
import { onFinerGrid, State } from '../../core/state/index.ts';
import { isLoopback } from '../../venues/index.ts';
import type { VenueAddresses } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';

/** Meaning of an instrument's number in a journal: its symbol and grid, in id order, and its terms when it was created. */
type Grid = readonly [symbol: string, tickSize: string, quantityIncrement: string, terms?: Terms];

/** Currencies, contract and rates of an instrument: a report from the journal alone needs them. */
type Terms = Omit<
  InstrumentSpec,
  'symbol' | 'tickSize' | 'quantityIncrement' | 'status' | 'orderTick' | 'orderIncrement'
>;

/** Account whose orders and positions a journal holds. */
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

/** Account whose journal a run in `mode` writes. */
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
export function checkJournalAccount(header: string, account: JournalAccount, directory: string): void {
  const kept = parse(header).account;
  if (kept === undefined || textOf(kept) === textOf(account)) return;
  throw new JournalForeign(
    `the journal in ${directory} is of ${textOf(kept)}, and this run trades on ${textOf(account)}: name another run.directory`,
  );
}

/** The instruments of a run, and what the venue has changed about those of its journal. */
export interface JournalInstruments {
  readonly instruments: Instruments;
  /** The header that a journal of these instruments has. */
  readonly header: string;
  /** Symbols that the venue no longer lists. */
  readonly gone: ReadonlySet<string>;
  /** One sentence on each symbol whose grid is another than that of the journal. */
  readonly regridded: readonly string[];
}

/**
 * The venue's instruments as an existing journal numbers them: its symbols in its order, whatever the venue lists besides. A symbol that
 * is gone keeps its place and its grid, and is expired. Where the venue has another grid, the run counts in steps that both grids are
 * multiples of, so that everything held and known stays exact; orders are multiples of what the venue takes.
 */
export function instrumentsOfJournal(header: string, listed: Instruments): JournalInstruments {
  const left = new Set<string>();
  const regridded: string[] = [];
  const said = parse(header);
  const specs = said.grids.map((grid): InstrumentSpec => {
    const [symbol, tickSize, quantityIncrement, terms] = grid;
    const found = listed.find(symbol)?.spec;
    if (found === undefined) {
      left.add(symbol);
      return { ...unlisted(symbol), ...terms, tickSize, quantityIncrement, status: 'expired' };
    }
    const spec = onCommonGrid(found, { tickSize, quantityIncrement });
    if (!isSameStep(found.tickSize, tickSize) || !isSameStep(found.quantityIncrement, quantityIncrement))
      regridded.push(
        `${symbol} has tick size ${found.tickSize} and quantity increment ${found.quantityIncrement}, and the journal ${tickSize} and ${quantityIncrement}: its state is carried over, and orders off the new grid are cancelled`,
      );
    return spec;
  });
  const instruments = new Instruments(specs);
  const grids = said.grids.map(([symbol, tickSize, quantityIncrement, ...terms]): Grid => {
    const { spec } = instruments.get(symbol);
    const isKept =
      isSameStep(spec.tickSize, tickSize) && isSameStep(spec.quantityIncrement, quantityIncrement);
    return isKept
      ? [symbol, tickSize, quantityIncrement, ...terms]
      : [symbol, spec.tickSize, spec.quantityIncrement, ...terms];
  });
  const isKept = grids.every(([, ...grid], at) =>
    grid.every((one, key) => one === said.grids[at]?.[key + 1]),
  );
  return {
    instruments,
    header: isKept ? header : JSON.stringify({ account: said.account, grids }),
    gone: left,
    regridded,
  };
}

/** The instruments as the header of a journal describes them, and whether it names their currencies: older ones do not. */
export function instrumentsOfHeader(header: string): {
  readonly instruments: Instruments;
  readonly hasTerms: boolean;
} {
  const { grids } = parse(header);
  const specs = grids.map(([symbol, tickSize, quantityIncrement, terms]): InstrumentSpec => ({
    ...unlisted(symbol),
    ...terms,
    tickSize,
    quantityIncrement,
    status: 'working',
  }));
  return { instruments: new Instruments(specs), hasTerms: grids.every((grid) => grid[3] !== undefined) };
}

/** Notes on those of `symbols` that the venue no longer lists: a run goes on without them. */
export function goneNotes(symbols: Iterable<string>, { gone: left }: JournalInstruments): readonly string[] {
  return [...new Set(symbols)]
    .filter((symbol) => left.has(symbol))
    .map(
      (symbol) =>
        `the venue no longer lists ${symbol}: nothing of it is followed and no order of it leaves, until it is listed again; what is held of it stays in the journal`,
    );
}

/** Stands for a symbol that is no longer listed: only its grid is known. */
function unlisted(symbol: string): Omit<InstrumentSpec, 'tickSize' | 'quantityIncrement' | 'status'> {
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
  const { symbol: _symbol, tickSize: _tick, quantityIncrement: _increment, status: _status, ...rest } = spec;
  const { orderTick: _orderTick, orderIncrement: _orderIncrement, ...terms } = rest;
  return terms;
}

function gridOf(instrument: Instrument): Grid {
  return [instrument.symbol, instrument.spec.tickSize, instrument.spec.quantityIncrement];
}

/** Whether a header has the instruments of another one on grids that are as fine or finer. */
export function isFiner(header: string, before: string): boolean {
  const [grids, coarser] = [parse(header).grids, parse(before).grids];
  return (
    grids.length === coarser.length &&
    grids.every(([symbol, tick, increment], at) => {
      const [other, ...steps] = coarser[at] as Grid;
      return symbol === other && isMultiple(steps[0], tick) && isMultiple(steps[1], increment);
    })
  );
}

function isMultiple(coarser: string, step: string): boolean {
  return parseAmount(coarser) % parseAmount(step) === 0n;
}

/** The state that a start takes over, in the numbers of the run. */
export function carriedOver(
  state: State,
  before: string,
  { instruments, header }: JournalInstruments,
): State {
  const over = new State({ instruments });
  const { time } = state;
  const carried = onFinerGrid(state.carry(), factorsBetween(before, header));
  over.fold({ kind: 'stateCarried', exchangeTime: time, receiveTime: time, state: carried });
  return over;
}

export function factorsBetween(before: string, header: string): (instrument: InstrumentId) => GridFactors {
  const [coarser, finer] = [parse(before).grids, parse(header).grids];
  const factors = coarser.map(([, tick, increment], at): GridFactors => {
    const [, finerTick, finerIncrement] = finer[at] as Grid;
    return { ticks: ratio(tick, finerTick), lots: ratio(increment, finerIncrement) };
  });
  return (instrument) => factors[instrument] as GridFactors;
}

function ratio(coarser: string, step: string): number {
  return Number(parseAmount(coarser) / parseAmount(step));
}
