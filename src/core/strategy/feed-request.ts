import { BadInput } from '../base/errors.ts';
import type { InstrumentId, Instruments } from '../model/instrument.ts';
import type { Instrument } from '../model/instrument.ts';
import type { BarSpec } from '../model/market.ts';
import { barFault, barNameOf, barSizeFault } from '../model/bar-spec.ts';
import type { SeriesDeclaration } from '../model/event.ts';
import { refuseUnknown } from './known-keys.ts';

/**
 * The feeds of one symbol that a strategy subscribes to. It may trade the symbols it declares, by whatever feed, or by none. An order
 * leaves only while the book of its symbol is fresh, and those of the symbols in `needs` (faults, I9).
 */
export interface FeedRequest {
  readonly symbol: string;
  readonly book?: boolean | undefined;
  readonly trades?: boolean | undefined;
  readonly ticker?: boolean | undefined;
  /** Candles of the venue's periods, and bars of one's own: see `BarSpec`. */
  readonly candles?: readonly BarSpec[] | undefined;
  /**
   * Symbols that orders of this one are priced from: while the book of one is not fresh, only orders that reduce leave. `feeds()` names
   * them with `book: true`.
   */
  readonly needs?: readonly string[] | undefined;
  /** Symbols of one name are held against one another: a limit on loss does not break the hedge apart. */
  readonly hedge?: string | undefined;
  /** Mark and index price and the coming funding rate of a contract. */
  readonly contract?: boolean | undefined;
}

/** Every field of a request, without its value. A field that is missing here does not compile. */
const fields: Readonly<Record<keyof FeedRequest, true>> = {
  symbol: true,
  book: true,
  trades: true,
  ticker: true,
  candles: true,
  needs: true,
  hedge: true,
  contract: true,
};
const known: ReadonlySet<string> = new Set(Object.keys(fields));

/**
 * The request as plain data, with every field that it has and nothing else: what crosses to another thread, and what tells whether two
 * requests are the same. Fields that are left out, false or empty mean the same and are not there.
 */
export function plainFeed(request: FeedRequest): FeedRequest {
  const given = (Object.keys(fields) as (keyof FeedRequest)[]).map((name) => {
    const value = request[name];
    return [name, Array.isArray(value) ? [...value] : value] as const;
  });
  const isSaid = (value: unknown): boolean =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(given.filter(([, value]) => isSaid(value))) as unknown as FeedRequest;
}

const noSpecs: readonly BarSpec[] = [];

/** The declared feeds by instrument id: one byte each, read on every market event. */
export class DeclaredFeeds {
  /** Requests as declared, bars by their one name. */
  readonly requests: readonly FeedRequest[];
  readonly books: Uint8Array;
  readonly trades: Uint8Array;
  readonly tickers: Uint8Array;
  readonly contracts: Uint8Array;
  /** Names of the declared series. */
  readonly series: ReadonlySet<string>;
  /** Kinds of bars by instrument id, by their one name; an empty list where none was declared. */
  readonly candles: readonly (readonly BarSpec[])[];
  /** Names that the strategy has for bars that it declares by another one, by instrument id. */
  readonly #names = new Map<InstrumentId, Map<BarSpec, BarSpec>>();

  /** Throws `BadInput` naming the strategy and what is wrong: an unknown symbol or period, or nothing wanted. */
  constructor(
    strategy: string,
    requests: readonly FeedRequest[],
    series: readonly SeriesDeclaration[],
    instruments: Instruments,
  ) {
    const count = instruments.all.length;
    this.series = new Set(series.map(({ name }) => name));
    this.books = new Uint8Array(count);
    this.trades = new Uint8Array(count);
    this.tickers = new Uint8Array(count);
    this.contracts = new Uint8Array(count);
    const candles: (readonly BarSpec[])[] = Array.from({ length: count }, () => noSpecs);
    checkFeeds(strategy, requests);
    this.requests = requests.map((request) =>
      request.candles === undefined ? request : { ...request, candles: request.candles.map(barNameOf) },
    );
    for (const request of requests) {
      const instrument = instruments.find(request.symbol);
      if (instrument === undefined) {
        throw new BadInput(
          `strategy ${strategy}: feeds() asks for ${JSON.stringify(request.symbol)}, expected a symbol of this run; ${instruments.listed()} (a strategy with a parameter symbol takes it as --param symbol=NAME, in a file under params)`,
        );
      }
      const { id } = instrument;
      if (request.book === true) this.books[id] = 1;
      if (request.trades === true) this.trades[id] = 1;
      if (request.ticker === true) this.tickers[id] = 1;
      if (request.contract === true) this.contracts[id] = 1;
      for (const declared of request.candles ?? noSpecs) {
        checkSize(strategy, declared, instrument);
        this.#nameBars(id, declared);
      }
      candles[id] = [
        ...new Set([...(candles[id] ?? noSpecs), ...(request.candles ?? noSpecs).map(barNameOf)]),
      ];
    }
    this.candles = candles;
  }

  /** The name by which the strategy declares these bars: `60m` where it does not say `H1`. */
  declaredName(id: InstrumentId, spec: BarSpec): BarSpec {
    return this.#names.size === 0 ? spec : (this.#names.get(id)?.get(spec) ?? spec);
  }

  #nameBars(id: InstrumentId, declared: BarSpec): void {
    const spec = barNameOf(declared);
    if (spec === declared) return;
    const names = this.#names.get(id) ?? new Map<BarSpec, BarSpec>();
    this.#names.set(id, names);
    if (!names.has(spec)) names.set(spec, declared);
  }

  /** Whether anything at all was declared for an instrument. */
  any(id: InstrumentId): boolean {
    return (
      this.books[id] === 1 ||
      this.trades[id] === 1 ||
      this.tickers[id] === 1 ||
      this.contracts[id] === 1 ||
      (this.candles[id] ?? noSpecs).length > 0
    );
  }
}

/** Throws `BadInput` naming the strategy and what no request of any run may say: an unknown member or period, a need without a book. */
export function checkFeeds(strategy: string, requests: readonly FeedRequest[]): void {
  const books = new Set(requests.filter(({ book }) => book === true).map(({ symbol }) => symbol));
  for (const request of requests) {
    refuseUnknown(request, known, `feeds() of strategy ${strategy}`);
    for (const needed of request.needs ?? []) {
      if (books.has(needed)) continue;
      throw new BadInput(
        `strategy ${strategy}: feeds() says that ${request.symbol} needs ${JSON.stringify(needed)}, expected a symbol that it names with book: true`,
      );
    }
    for (const declared of request.candles ?? noSpecs) checkSpec(strategy, declared);
  }
}

function checkSpec(strategy: string, declared: string): void {
  const fault = barFault(declared);
  if (fault === undefined) return;
  throw new BadInput(`strategy ${strategy}: feeds() asks for candles ${JSON.stringify(declared)}, ${fault}`);
}

/** Throws `BadInput` when less than the smallest trade would make a bar. */
function checkSize(strategy: string, declared: BarSpec, instrument: Instrument): void {
  const fault = barSizeFault(declared, instrument);
  if (fault === undefined) return;
  throw new BadInput(`strategy ${strategy}: feeds() asks for candles ${JSON.stringify(declared)}, ${fault}`);
}
