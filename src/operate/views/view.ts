import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import type { LaneUsage } from '../../core/budgets/lanes.ts';
import type { Lane } from '../../core/model/command.ts';
import type { DenialCode } from '../../core/model/denial.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, InstrumentId, Ticks } from '../../core/model/instrument.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { StrategyLimits } from '../../core/orders/base/options.ts';
import type { OrderOptions } from '../../core/orders/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { Days } from '../history/index.ts';

/**
 * One field of a row. The readers of live state, the commands and the page take types and words from it, the server makes its schema: a
 * command that only sees a daemon does not load a library of schemas.
 */
export interface ViewField<Value = unknown> {
  /** `word`, `text`: one line, or a sentence. `time`: ISO 8601, UTC. `decimal`: a decimal as text. `count`: a whole number. */
  readonly type: 'word' | 'text' | 'time' | 'decimal' | 'count' | 'number' | 'flag' | 'rows';
  /** Description in the interface document. */
  readonly about: string | undefined;
  /** Whether a row may lack it: it is `null` then. */
  readonly optional: boolean;
  /** Words that it may have; any without them. */
  readonly values?: readonly string[];
  /** Words for a person of a flag: set, and not set. */
  readonly words?: readonly [string, string];
  /** Fields of the rows within it. */
  readonly fields?: ViewFields;
  /** Its type alone; it is never set. */
  readonly value?: Value;
}

export type ViewFields = Readonly<Record<string, ViewField>>;

/** Type of a row as it is sent. */
export type ViewRowOf<Of extends ViewFields> = {
  readonly [Name in keyof Of]: Of[Name] extends ViewField<infer Value> ? Value : never;
};

/** A row as it is sent, of any list. */
export type ViewRow = Readonly<Record<string, unknown>>;

type Maker<Value> = (about?: string) => ViewField<Value>;

const maker =
  <Value>(type: ViewField['type']): Maker<Value> =>
  (about) => ({ type, about, optional: false });

export const word = maker<string>('word');
export const text = maker<string>('text');
export const time = maker<string>('time');
export const decimal = maker<string>('decimal');
export const count = maker<number>('count');
export const number = maker<number>('number');

/** A field that is true or false. */
export function flag(about: string | undefined, words: readonly [string, string]): ViewField<boolean> {
  return { type: 'flag', about, optional: false, words };
}

/** One of these words. */
export function oneOf<const Word extends string>(values: readonly Word[], about?: string): ViewField<Word> {
  return { type: 'word', about, optional: false, values };
}

/** Unit of the quantities of a row: base currency, or contracts. */
export const quantityUnit = word('of quantities: the base currency, or contracts');

/** Currency of the prices of a row. */
export const priceCurrency = word('of prices: the quote currency');

/** Rows within a row. */
export function rowsOf<Of extends ViewFields>(
  fields: Of,
  about: string,
): ViewField<readonly ViewRowOf<Of>[]> {
  return { type: 'rows', about, optional: false, fields };
}

/** A field that may be `null`; `about` says what that means. */
export function orNull<Value>(field: ViewField<Value>, about = field.about): ViewField<Value | null> {
  const { value: _, ...rest } = field;
  return { ...rest, about, optional: true };
}

/** One column of a card. Fields of rows within a row are named by both: `positions.entry`. */
export interface CardColumn {
  readonly field: string;
  readonly title: string;
  /** Manner in which it is drawn, where the type of its field does not say that. `age`: milliseconds until now. */
  readonly type?: 'text' | 'dateTime' | 'timeMs' | 'age';
  /** Field that stands there where the first one is `null`. */
  readonly or?: string;
  /** Field that stands behind it in the same cell, after these characters. */
  readonly with?: readonly [separator: string, field: string];
  /** Colours by the text of the cell; `+` and `-`: of numbers above and below zero, `*`: of any other text. */
  readonly tones?: Readonly<Record<string, 'good' | 'bad'>>;
  /** A button: it opens what is known of an order, or cancels it. */
  readonly act?: 'explain' | 'cancel';
}

/** Drawing of a list on the page. */
export interface Card {
  /** Its place among the cards, from the top: in tens, so that others find room between. */
  readonly order: number;
  readonly title: string;
  /** `gauges`: a bar for each row. Its columns are names, what is used, the limit, and a unit or what waits. */
  readonly kind: 'table' | 'gauges';
  /** Fields that identify a row. */
  readonly key: readonly string[];
  /** Whether it is there only while the list has rows. */
  readonly hides?: boolean;
  /** Rows that are drawn at most. */
  readonly rowsMax?: number;
  /** Field whose rows have a line each; a row without any has one line. */
  readonly each?: string;
  /** Columns in their order; a name alone is that of its field too. */
  readonly columns: readonly (CardColumn | string)[];
}

/**
 * One list of a running daemon. Route, schema, command, completion, JSON, card of the page, metric, news and table of the documents are made
 * from it: a list is described in its file and nowhere else.
 */
export interface View {
  /** `/api/NAME`, and the key in the live state. */
  readonly name: string;
  /** `godwit COMMAND`: the name of its file. */
  readonly command: string;
  /** One line: of the command and of the interface document. */
  readonly text: string;
  /** Sentence where there are no rows. */
  readonly empty: string;
  readonly fields: ViewFields;
  /** Columns of the command. */
  readonly columns: readonly string[];
  /** Rows that a person is shown, where these are not all; `--all` of the command prints every row, and JSON has every row. */
  readonly shows?: (row: ViewRow) => boolean;
  /** Rows within a row that the command prints as a second table. */
  readonly within?: { readonly field: string; readonly columns: readonly string[] };
  readonly card: Card;
  /** A gauge with the number of rows by one field; rows of other values are not counted. */
  readonly metric?: {
    readonly name: string;
    readonly text: string;
    readonly by: string;
    readonly values: readonly string[];
  };
  readonly rows: (run: ViewedRun) => readonly ViewRow[];
  /** The same rows, each made when it is its turn, where they may be very many: they are sent in slices. */
  readonly long?: (run: ViewedRun) => Iterable<ViewRow>;
  /**
   * Rows in the live state, where these are others or may be very many: each is made when it is its turn. None where readers are sent each row as
   * it comes.
   */
  readonly live?: ((run: ViewedRun) => Iterable<ViewRow>) | 'as they come';
  /** Whether its rows are figures of money: those of all such lists stand in the live state as they were at one moment. */
  readonly isOfMoney?: true;
  /** The news of an event that changes rows; `undefined` where it is none. It is kept until it has arrived. */
  readonly news?: (event: Event) => string | undefined;
}

/** A view whose columns and rows are those of its fields. */
export function view<const Of extends ViewFields>(
  row: Omit<View, 'fields' | 'columns' | 'rows' | 'shows'> & {
    readonly fields: Of;
    readonly shows?: (row: ViewRowOf<Of>) => boolean;
    readonly columns: readonly (keyof Of & string)[];
    readonly rows: (run: ViewedRun) => readonly ViewRowOf<Of>[];
  },
): View {
  // Rows of a view are made of its fields, by the server that it describes.
  return row as View;
}

/** Run that rows are read from: the state of the trader, and what the state forgets. */
export interface ViewedRun {
  readonly trader: Pick<Trader, 'instruments' | 'view' | 'differences' | 'safeStates' | 'waiting' | 'limits'>;
  readonly clock: Clock;
  readonly strategies: readonly { readonly name: string; readonly limits: StrategyLimits }[];
  readonly orders: () => OrderOptions;
  readonly shown: () => readonly InstrumentId[];
  readonly budgets: () => Readonly<Record<Lane, LaneUsage>>;
  /** The last own executions, those of earlier sessions too, the oldest first. */
  readonly fills: readonly ViewRow[];
  /** The last alerts, those of earlier sessions too, the oldest first. */
  readonly alerts: readonly { readonly time: Micros; readonly text: string }[];
  /** UTC days of the run, as they stand now. */
  readonly days: () => Days;
  /** Equity by quote currency, as far as it can be valued in it. */
  readonly equities: () => ReadonlyMap<string, Amount>;
  /** Sequence gaps by symbol. */
  readonly gaps: ReadonlyMap<string, number>;
  readonly denials: ReadonlyMap<DenialCode, KeptDenial>;
  /** The last records of the journal, the oldest first. */
  readonly records: readonly StampedEvent[];
}

/** Count of what a code denied, and the last of it. */
export interface KeptDenial {
  readonly denied: number;
  readonly strategy: string;
  readonly time: Micros;
  readonly why: string;
}

/** A price in decimals, where there is one. */
export function priceText(instrument: Instrument, price: Ticks | undefined): string | null {
  return price === undefined ? null : instrument.priceText(price);
}

/** An amount in decimals, where there is one. */
export function amountCell(amount: Amount | undefined): string | null {
  return amount === undefined ? null : formatAmount(amount);
}
