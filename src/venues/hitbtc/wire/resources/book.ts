import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { microsPerMilli } from '../../../../core/base/clock.ts';
import type { Level } from '../../../../core/model/market.ts';
import { amountField, nameField, timeField } from '../fields.ts';
import { printTime } from '../formats.ts';
import { amountKind, gridOf, optionalPlainKind, orNull } from '../kinds.ts';
import { sizeText } from '../plain.ts';
import type { Kind, ValueOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';

export interface ExactLevel {
  readonly price: Amount;
  readonly quantity: Amount;
}

const pairs = z.array(
  z.tuple([amountField, amountField]).transform(([price, quantity]) => ({ price, quantity })),
);
const objects = z.array(
  z
    .object({ price: amountField, size: amountField })
    .transform(({ price, size }) => ({ price, quantity: size })),
);

/** One side of a book, best first: pairs in v3, objects in v2. */
const levelsKind: Kind<readonly ExactLevel[], readonly ExactLevel[], readonly Level[]> & {
  readonly onGrid: true;
} = {
  value: pairs,
  row: pairs,
  v2: { value: objects, row: objects },
  onGrid: true,
  write: (levels, context) => {
    const instrument = gridOf(context);
    return levels.map(({ price, quantity }) => {
      const size = sizeText(instrument, quantity);
      return context.version === 'v3'
        ? [instrument.priceText(price), size]
        : { price: instrument.priceText(price), size };
    });
  },
};

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

/**
 * An order book over REST. Average prices come with a volume, null where a side is empty; `sequence` comes on sockets.
 * Source: v3-gaps, section 4.1; API v2, "Order book".
 */
export const orderBook = resource(
  'order book',
  {
    time: { v3: 'timestamp', v2: 'timestamp', kind: bookTimeKind },
    asks: { v3: 'ask', v2: 'ask', kind: levelsKind },
    bids: { v3: 'bid', v2: 'bid', kind: levelsKind },
    symbol: { v2: 'symbol', kind: optionalPlainKind(nameField) },
    askAverage: { v2: 'askAveragePrice', kind: optional(orNull(amountKind)) },
    bidAverage: { v2: 'bidAveragePrice', kind: optional(orNull(amountKind)) },
    sequence: { v2: 'sequence', kind: optionalPlainKind(z.int().nonnegative()) },
  },
  ['symbol', 'asks', 'bids', 'time'],
);

/** An order book, best first on both sides, without sequence. Source: v3-gaps, section 4.1. */
export type V3OrderBook = ValueOf<typeof orderBook.fields, 'v3'>;
/** An order book, best first. Average prices came with a volume, `sequence` on sockets. Source: API v2, "Order book". */
export type V2OrderBook = ValueOf<typeof orderBook.fields, 'v2'>;
