import type { Micros } from '../../../core/base/clock.ts';
import type { ContractInfo, MarketEvent } from '../../../core/model/event.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { BarSpec } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';

/** Options of reading: what a file does not say itself. Every member is the option of `godwit data import` of that name. */
export interface OpenDataOptions {
  /** Name of the format, instead of finding it by the content. */
  readonly format?: string;
  /** Symbol of data that name none. */
  readonly symbol?: string;
  /** Quote currency of symbols whose names tell none. */
  readonly quote?: string;
  /** Tick size instead of the one inferred, such as `'0.01'`. */
  readonly tick?: string;
  /** Quantity increment instead of the one inferred. */
  readonly increment?: string;
  /** Column of a table for each field, such as `{ time: 'Date', open: '1' }`. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Period of bars instead of the one inferred, such as `1m`. */
  readonly period?: string;
  /** End of a bar that its time names; `open` when left out. */
  readonly stamp?: 'open' | 'close';
  /** Prices of bars and trades are rounded to `tick`. */
  readonly round?: 'tick';
  /** Rows of tables without numbers are left out. */
  readonly skip?: 'empty';
  /** Bars that are made of the data, such as `45m` or `volume:2.5`. */
  readonly bars?: BarSpec;
  /** Data that are damaged somewhere are opened, and end at the damage with its `BadInput`. */
  readonly partial?: boolean;
  /** Reads the file as a series by timestamp: `true`, or with what its table does not say itself. */
  readonly series?: true | SeriesOptions;
}

/** Terms of a series, as a scenario has them under `series`. */
export interface SeriesOptions {
  /** Column with the time of a row. */
  readonly time?: string;
  /** Zone of times that name none: `UTC` or an offset such as `+02:00`. */
  readonly zone?: string;
  /** Column with the time at which a row was published. */
  readonly availableAt?: string;
  /** A row is known so long after its time, such as `6h`. */
  readonly delay?: string;
  /** Columns by other names: `{ value: 'fng_value' }`. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Members of every row. Times are microseconds since 1970, prices and quantities decimal text as the venue printed them. */
export interface ReceivedRow {
  readonly symbol: string;
  readonly exchangeTime: Micros;
  /** Equal to `exchangeTime` where the data have one time only. */
  readonly receiveTime: Micros;
}

export interface PriceLevel {
  readonly price: string;
  /** Total of the level; `0` takes it away. */
  readonly quantity: string;
}

/** A whole book, changes of it, or that it may not be used until the next snapshot. */
export interface BookRow extends ReceivedRow {
  readonly kind: 'snapshot' | 'update' | 'stale';
  /** 0 of a stale book. */
  readonly sequence: number;
  /** Best first in a snapshot. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
  /** Reason of a stale book. */
  readonly why: string | undefined;
}

export interface TradeRow extends ReceivedRow {
  readonly id: string;
  readonly price: string;
  readonly quantity: string;
  /** Side of the taker. */
  readonly side: Side;
  /** Whether it was sent as history, on subscription. */
  readonly history: boolean;
}

export interface TickerRow extends ReceivedRow {
  readonly bid: string | undefined;
  readonly bidQuantity: string | undefined;
  readonly ask: string | undefined;
  readonly askQuantity: string | undefined;
  readonly last: string | undefined;
  /** Volume of 24 hours, in base currency. */
  readonly volume: string | undefined;
}

export interface BarRow extends ReceivedRow {
  readonly period: BarSpec;
  /** Begin of the bar. */
  readonly time: Micros;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly volumeQuote: string;
}

/** A change of a single order of the recorded market, of data that have them. */
export interface OrderChangeRow extends ReceivedRow {
  /**
   * `joins`: it stands at the end of the queue of its price; `leaves`: it lost that quantity without a trade; `executes`: to a taker;
   * `hidden`: a taker took it of an order that no book shows.
   */
  readonly action: 'joins' | 'leaves' | 'executes' | 'hidden';
  /** Number of the order in this recording; 0 of one that was never shown. */
  readonly order: number;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
}

/** A row of a series. */
export interface SeriesDataRow {
  readonly time: Micros;
  /** Time at which it is known: a strategy gets it then. */
  readonly knownAt: Micros;
  /** Cells by column, as they are written. */
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Recorded data, opened. Each call reads them from the beginning, in the order in which they were received, and gives what it is asked
 * for; rows of other kinds are passed over. Memory is bounded, but for a series, which is read whole. An early `break` frees the files.
 * A file that is damaged, or not as its format has it, ends the reading with `BadInput`: one sentence with file and place.
 */
export interface OpenedData {
  /** Name of the format, as `godwit data list` shows it; `series` of a table by timestamp. */
  readonly format: string;
  readonly paths: readonly string[];
  /** Symbols of the data with their tick and lot; none of a series. */
  readonly instruments: readonly Instrument[];
  /** Notes on what was inferred or left out. */
  readonly notes: readonly string[];
  /** Events as strategies and backtests get them: prices in ticks, quantities in lots (`instruments` convert them). */
  events(): AsyncIterableIterator<MarketEvent>;
  books(): AsyncIterableIterator<BookRow>;
  trades(): AsyncIterableIterator<TradeRow>;
  tickers(): AsyncIterableIterator<TickerRow>;
  bars(): AsyncIterableIterator<BarRow>;
  /** Single orders of the market, of data that have them (`l3`). */
  orders(): AsyncIterableIterator<OrderChangeRow>;
  /** Mark and index prices and funding rates of contracts. */
  contracts(): AsyncIterableIterator<ContractInfo>;
  series(): AsyncIterableIterator<SeriesDataRow>;
  /** Ends every reading that is under way and frees its files; afterwards each call throws `BadInput`. */
  close(): Promise<void>;
}
