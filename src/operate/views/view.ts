import type { Event } from '../../core/model/event.ts';
import type { Trader } from '../../core/trader/trader.ts';

/** One field of a row. */
export interface ViewField {
  /** A description for the interface document. */
  readonly text: string;
  /** `count`: a whole number. `time`: ISO 8601, UTC. `decimal`: a decimal as text. */
  readonly type: 'text' | 'time' | 'decimal' | 'count';
  /** Whether a row may lack it: it is `null` then. */
  readonly optional: boolean;
  /** Title of its column, in the command and on the page; without one it stands in JSON alone. */
  readonly title?: string;
}

/** A row as it is sent. */
export type ViewRow = Readonly<Record<string, string | number | null>>;

/**
 * One list of a running daemon. Route, schema, command, JSON, card of the page, metric and news are made from it: a list is described here
 * and nowhere else.
 */
export interface ListView {
  /** `/api/NAME`, `godwit NAME`, and the key in the live state. */
  readonly name: string;
  /** One line: of the command and of the interface document. */
  readonly text: string;
  /** Title of the card. */
  readonly title: string;
  /** What is said where there are no rows. */
  readonly empty: string;
  readonly fields: Readonly<Record<string, ViewField>>;
  /** Field that identifies a row. */
  readonly key: string;
  /** A gauge with the number of rows by one field; rows of other values are counted by another one. */
  readonly metric: {
    readonly name: string;
    readonly text: string;
    readonly by: string;
    readonly values: readonly string[];
  };
  rows(trader: ViewedTrader): readonly ViewRow[];
  /** The news of an event that changes rows; `undefined` where it is none. It is kept until it has arrived. */
  news(event: Event): string | undefined;
}

/** What rows are read from. */
export type ViewedTrader = Pick<Trader, 'instruments' | 'differences' | 'safeStates'>;

/** Names of the fields that have a column, in their order. */
export function columnsOf({ fields }: ListView): readonly string[] {
  return Object.entries(fields).flatMap(([name, { title }]) => (title === undefined ? [] : [name]));
}
