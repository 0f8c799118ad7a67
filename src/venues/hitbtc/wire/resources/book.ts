import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { microsPerMilli } from '../../../../core/base/clock.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Level } from '../../../../core/model/market.ts';
import { amountField, nameField, timeField } from '../fields.ts';
import { printTime } from '../formats.ts';
import {
  amountKind,
  gridOf,
  timeKind,
  nameKind,
  optionalPlainKind,
  nullableKind,
  wholeKind,
} from '../kinds.ts';
import { codeParam, decimalParam, integerParam, listParam } from '../param-fields.ts';
import { sizeText } from '../plain.ts';
import { param } from '../request.ts';
import type { Kind, ModelOf, ValueOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';
import { decimalForm, sentAs } from '../sent.ts';

export interface ExactLevel {
  readonly price: Amount;
  readonly quantity: Amount;
}

type TextLevel = { readonly price: string; readonly quantity: string };

const exactPairs = z
  .array(
    sentAs(z.tuple([amountField, amountField]), {
      type: 'array',
      description: 'price and quantity',
      items: decimalForm,
      minItems: 2,
      maxItems: 2,
    }),
  )
  .transform(levelsOfPairs);
const exactObjects = z.array(z.object({ price: amountField, size: amountField })).transform(levelsOfObjects);
// The reader that puts a level on the grid checks its texts.
const textPairs = z.array(z.tuple([z.string(), z.string()])).transform(levelsOfPairs);
const textObjects = z.array(z.object({ price: z.string(), size: z.string() })).transform(levelsOfObjects);

/** One side of a book, best first: pairs in v3, objects in v2. */
const levelsKind: Kind<readonly ExactLevel[], readonly TextLevel[], readonly Level[]> & {
  readonly onGrid: true;
} = {
  value: exactPairs,
  row: textPairs,
  v2: { value: exactObjects, row: textObjects },
  onGrid: true,
  write: (levels, context) => {
    const instrument = gridOf(context);
    return levels.map(({ price, quantity }) => {
      const size = sizeText(instrument, quantity);
      return context.version === 'v2'
        ? { price: instrument.priceText(price), size }
        : [instrument.priceText(price), size];
    });
  },
};

function levelsOfPairs<Text>(pairs: readonly (readonly [Text, Text])[]) {
  return pairs.map(([price, quantity]) => ({ price, quantity }));
}

function levelsOfObjects<Text>(objects: readonly { readonly price: Text; readonly size: Text }[]) {
  return objects.map(({ price, size }) => ({ price, quantity: size }));
}

/** A stamp with nine fraction digits in v2. Source: API v2, "Conventions", 1. */
const bookTimeKind: Kind<Micros, Micros, Micros> = {
  value: timeField,
  row: timeField,
  write: (time, { version }) => (version === 'v3' ? printTime(time) : printTimeNanos(time)),
};

function printTimeNanos(time: Micros): string {
  const rest = ((time % microsPerMilli) + microsPerMilli) % microsPerMilli;
  return `${printTime(time).slice(0, -1)}${String(rest).padStart(3, '0')}000Z`;
}

const sides = {
  asks: { v3: 'ask', v2: 'ask', channel: 'a', kind: levelsKind },
  bids: { v3: 'bid', v2: 'bid', channel: 'b', kind: levelsKind },
} as const;

/**
 * An order book over REST. Average prices come with a volume, null where a side is empty.
 * Source: v3-gaps, section 4.1; API v2, "Order book".
 */
export const orderBook = resource(
  'order book',
  {
    time: { v3: 'timestamp', v2: 'timestamp', kind: bookTimeKind },
    ...sides,
    symbol: { v2: 'symbol', kind: optionalPlainKind(nameField) },
    askAverage: { v2: 'askAveragePrice', kind: optional(nullableKind(amountKind)) },
    bidAverage: { v2: 'bidAveragePrice', kind: optional(nullableKind(amountKind)) },
    sequence: { v2: 'sequence', kind: optionalPlainKind(z.int().nonnegative()) },
  },
  { v2: ['symbol', 'asks', 'bids', 'time'] },
);

/** How many levels a side may have: 0 means all, in v3 -1 too; 100 is what live hosts send. Source: v3-gaps, section 4.1. */
const depth = param(
  integerParam(-1, Number.MAX_SAFE_INTEGER)
    .default(100)
    .transform((given) => Math.max(0, given)),
  undefined,
  integerParam(0, Number.MAX_SAFE_INTEGER).default(100),
);

/** Levels of each side that a read of a book asks for: what lies deeper is compared once the price has come near. */
export const bookDepth = 100;

/** Which books are asked for. Source: v3-gaps, section 4.1; API v2, GET /api/2/public/orderbook. */
export const booksQuery = resource('order books', {
  symbols: { v3: 'symbols', v2: 'symbols', kind: param(listParam.optional()) },
  depth: { v3: 'depth', v2: 'limit', kind: depth },
});
/** Which part of one book is asked for: with `volume` the fewest levels that hold it. */
export const bookQuery = resource('order book', {
  symbol: { v3: 'symbol', v2: 'symbol', kind: param(codeParam) },
  depth: { v3: 'depth', v2: 'limit', kind: depth },
  volume: { v3: 'volume', v2: 'volume', kind: param(decimalParam.optional()) },
});

/**
 * A book on sockets, or what changed in it: quantity zero deletes a level, every update is the last sequence plus one.
 * Source: v3-gaps, sections 1.3 and 1.4; v2-gaps, section 5.1.
 */
export const bookNotice = resource(
  'order book',
  {
    time: { v2: 'timestamp', channel: 't', kind: timeKind },
    sequence: { v2: 'sequence', channel: 's', kind: wholeKind },
    ...sides,
    symbol: { v2: 'symbol', kind: nameKind },
  },
  { v2: ['asks', 'bids', 'symbol', 'sequence'] },
);

/** A book, or what changed in it (quantity 0: gone), as encoders take it. Asks ascend, bids descend. */
export type BookLevels = ModelOf<typeof bookNotice.fields, 'channel'>;

export function encodeBook(form: 'v2' | 'channel', book: BookLevels, instrument: Instrument): object {
  return bookNotice[form].write({ ...book, symbol: instrument.symbol }, instrument);
}

/** An order book, best first on both sides, without sequence. Source: v3-gaps, section 4.1. */
export type V3OrderBook = ValueOf<typeof orderBook.fields, 'v3'>;
/** An order book, best first. Average prices came with a volume. Source: API v2, "Order book". */
export type V2OrderBook = ValueOf<typeof orderBook.fields, 'v2'>;
/** A book of the v2 socket or a change of one: quantity zero deletes a level, every update is the last sequence plus one. Source: v2-gaps, section 5.1. */
export type V2BookOf = ValueOf<typeof bookNotice.fields, 'v2'>;
/** A book of a v3 channel or a change of one: quantity zero deletes a level. Source: v3-gaps, section 1.4. */
export type V3ChannelBook = ValueOf<typeof bookNotice.fields, 'channel'>;
