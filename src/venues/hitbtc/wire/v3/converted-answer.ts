/** Candles in another currency, of one symbol or keyed by symbol. Source: v3-gaps, section 4.3. */
export function encodeV3ConvertedAnswer(targetCurrency: string, candles: object): object {
  return { target_currency: targetCurrency, data: candles };
}
