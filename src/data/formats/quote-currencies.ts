const quotes = [
  'USDT',
  'USDC',
  'FDUSD',
  'BUSD',
  'TUSD',
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CHF',
  'TRY',
  'BTC',
  'XBT',
  'ETH',
  'BNB',
];

export function isQuote(currency: string): boolean {
  return quotes.includes(currency);
}

/** The currency in which a symbol in capitals, such as `BTCUSDT`, is quoted; `undefined` when none ends it. */
export function quoteOf(symbol: string): string | undefined {
  const isEnd = (quote: string, base: number): boolean =>
    symbol.endsWith(quote) && symbol.length >= quote.length + base;
  // Most bases have three letters or more: XBTUSD is not XB and TUSD.
  return quotes.find((quote) => isEnd(quote, 3)) ?? quotes.find((quote) => isEnd(quote, 1));
}
