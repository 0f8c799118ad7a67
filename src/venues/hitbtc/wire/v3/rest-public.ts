import { z } from 'zod';
import { amountField, nameField, parseWith, timeField } from '../fields.ts';
import type { PriceHistory, PriceRate } from '../market-rows.ts';
import { entriesOf } from './symbols.ts';

const rateMembers = z.object({ currency: nameField, price: amountField, timestamp: timeField });
const historyMembers = z.object({
  currency: nameField,
  history: z.array(
    z.object({
      timestamp: timeField,
      open: amountField,
      close: amountField,
      min: amountField,
      max: amountField,
    }),
  ),
});

/** Rates keyed by source currency. Source: API v3, "Price objects", Rate. */
export function decodeV3Rates(json: unknown): readonly PriceRate[] {
  return entriesOf(json, 'v3 rates').map(([from, value]) => {
    const row = parseWith(rateMembers, value, `rate of ${from.slice(0, 40)}`);
    return { from, to: row.currency, price: row.price, time: row.timestamp };
  });
}

/** Rates over time keyed by source currency. Source: API v3, "Price objects", History entry. */
export function decodeV3RateHistory(json: unknown): readonly PriceHistory[] {
  return entriesOf(json, 'v3 rate history').map(([from, value]) => {
    const row = parseWith(historyMembers, value, `rate history of ${from.slice(0, 40)}`);
    return {
      from,
      to: row.currency,
      history: row.history.map(({ timestamp, ...prices }) => ({ time: timestamp, ...prices })),
    };
  });
}
