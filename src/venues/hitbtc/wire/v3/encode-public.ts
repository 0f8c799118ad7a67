import { formatAmount } from '../../../../core/base/amount.ts';
import { printTime } from '../formats.ts';
import type { PriceHistory, PriceRate } from '../market-rows.ts';

// Writers of the public REST answers: the value of one symbol. Lists are objects of these keyed by symbol.

/** The value under the source currency. Source: API v3, "Price objects", Rate. */
export function encodeV3RestRate(rate: Omit<PriceRate, 'from'>): object {
  return { currency: rate.to, price: formatAmount(rate.price), timestamp: printTime(rate.time) };
}

/** The value under the source currency. Source: API v3, "Price objects", History entry. */
export function encodeV3RateHistory(history: Omit<PriceHistory, 'from'>): object {
  return {
    currency: history.to,
    history: history.history.map((entry) => ({
      timestamp: printTime(entry.time),
      open: formatAmount(entry.open),
      close: formatAmount(entry.close),
      min: formatAmount(entry.min),
      max: formatAmount(entry.max),
    })),
  };
}

/** Candles in another currency, of one symbol or keyed by symbol. Source: v3-gaps, section 4.3. */
export function encodeV3ConvertedAnswer(targetCurrency: string, candles: object): object {
  return { target_currency: targetCurrency, data: candles };
}
