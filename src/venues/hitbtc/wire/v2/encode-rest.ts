import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { microsPerMilli } from '../../../../core/base/clock.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Level } from '../../../../core/model/market.ts';
import { printTime } from '../formats.ts';
import { sizeText } from '../plain.ts';

/** A book as the REST answers of v2 need it. */
export interface V2BookContent {
  readonly time: Micros;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
  /** What the volume asked for costs on average; undefined when a side is empty. */
  readonly averages?: { readonly ask: Amount | undefined; readonly bid: Amount | undefined };
}

/** `{symbol,ask,bid,timestamp}`, with average prices when a volume was asked for. Source: API v2, "Order book". */
export function encodeV2RestBook(instrument: Instrument, book: V2BookContent): object {
  const rows = (levels: readonly Level[]) =>
    levels.map(({ price, quantity }) => ({
      price: instrument.priceText(price),
      size: sizeText(instrument, quantity),
    }));
  const average = (price: Amount | undefined) => (price === undefined ? null : formatAmount(price));
  return {
    symbol: instrument.symbol,
    ask: rows(book.asks),
    bid: rows(book.bids),
    timestamp: printTimeNanos(book.time),
    ...(book.averages !== undefined && {
      askAveragePrice: average(book.averages.ask),
      bidAveragePrice: average(book.averages.bid),
    }),
  };
}

/** A stamp with nine fraction digits: books over REST. Source: API v2, "Conventions", 1. */
function printTimeNanos(time: Micros): string {
  const rest = ((time % microsPerMilli) + microsPerMilli) % microsPerMilli;
  return `${printTime(time).slice(0, -1)}${String(rest).padStart(3, '0')}000Z`;
}
