import type { KeptTrade } from './market.ts';
import type { OwnFill } from '../orders/log.ts';
import type { Reading } from '../http/page.ts';

/** Pages of public trades. */
export const publicTradeReading: Reading<KeptTrade> = {
  numberOf: (trade) => trade.number,
  timeOf: (trade) => trade.time,
  accepts: () => true,
};

/** Pages of an account's own trades, filtered. */
export function ownTradeReading(accepts: (row: OwnFill) => boolean): Reading<OwnFill> {
  return { numberOf: (row) => row.number, timeOf: (row) => row.fill.time, accepts };
}
