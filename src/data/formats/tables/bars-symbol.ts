import { basename } from 'node:path';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { quoteOf } from '../quote-currencies.ts';
import { specOf } from '../symbol-survey.ts';

/** A symbol and what is known of its two currencies. */
export interface SymbolGuess {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
}

/**
 * The symbol a file is named for: `BTCUSDT-1m-2023-03-10.zip` is BTCUSDT, `XRP_ETH-trades.json.gz` is XRPETH of XRP and
 * ETH, `GOOG.csv` is GOOG. What stands before the last underscore of a name in lower case is a source and left out.
 */
export function symbolOfPath(path: string): SymbolGuess {
  const stem = basename(path)
    .replace(/(\.(csv|txt|json|data|parquet|dbn|log|zip|gz|zst|xz))+$/i, '')
    .replace(/^[a-z][a-z0-9.-]*_(?=[A-Za-z])/, '');
  const pair = /^([A-Z0-9]{2,12})[_/]([A-Z]{3,6})(?![A-Za-z0-9])/.exec(stem);
  if (pair !== null && !/^\d+$/.test(pair[1] ?? '')) return ofPair(pair[1] ?? '', pair[2] ?? '');
  const words = stem.split(/[-_ .]/).filter((word) => word !== '');
  const traded = words.find((word) => {
    const quote = quoteOf(word);
    return quote !== undefined && word.length > quote.length + 1;
  });
  const upper = words.find((word) => /^[A-Z][A-Z0-9]*$/.test(word));
  return symbolOfText(traded ?? upper ?? words[0]?.toUpperCase() ?? 'UNKNOWN');
}

/** The currencies of a symbol as venues write it: `BTCUSDT`, `BTC/USDT`, `BTC-USD`. */
export function symbolOfText(symbol: string): SymbolGuess {
  const pair = /^([A-Za-z0-9]+)[-/_]([A-Za-z0-9]+)$/.exec(symbol);
  if (pair !== null)
    return { symbol, base: (pair[1] ?? '').toUpperCase(), quote: (pair[2] ?? '').toUpperCase() };
  const plain = symbol.toUpperCase();
  const quote = quoteOf(plain);
  return { symbol, base: quote === undefined ? plain : plain.slice(0, -quote.length), quote: quote ?? 'USD' };
}

/** The smallest step of numbers with this many decimals: `0.01` for 2. */
export function stepOf(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
}

/** A spec of what was inferred; fee rates cannot be seen and are those of the service. */
export function specOfGuess(guess: SymbolGuess, tickSize: string, quantityIncrement: string): InstrumentSpec {
  const spec = specOf(guess.symbol, tickSize, quantityIncrement);
  return { ...spec, baseCurrency: guess.base, quoteCurrency: guess.quote, feeCurrency: guess.quote };
}

function ofPair(base: string, quote: string): SymbolGuess {
  return { symbol: `${base}${quote}`, base, quote };
}
