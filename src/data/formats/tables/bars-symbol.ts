import { basename } from 'node:path';
import { BadInput } from '../../../core/base/errors.ts';
import { listed } from '../../../core/base/listed.ts';
import type { Instruments, InstrumentSpec } from '../../../core/model/instrument.ts';
import type { Pair } from '../../../core/model/pair.ts';
import { pairOf, pairOrShareIn, shareQuote } from '../../../core/model/pair.ts';
import type { OpenOptions } from '../format.ts';
import { specOf } from '../symbol-survey.ts';

/** A symbol, and its two currencies where its name tells them. */
export interface SymbolGuess {
  readonly symbol: string;
  readonly pair: Pair | undefined;
}

/** Words in the names of files that are no symbols: where data are from, and the periods of bars. */
const sources =
  /^(?:BINANCE(?:US|USDM|COINM)?|BITSTAMP|COINBASE(?:PRO)?|GDAX|KRAKEN|BITFINEX|BYBIT|OK[EX]X|BITMEX|DERIBIT|HITBTC|BEQUANT|FTX|GEMINI|POLONIEX|HUOBI|HTX|KUCOIN|GATE(?:IO)?|BITTREX|BITGET|MEXC|UPBIT|BITHUMB|CRYPTODATADOWNLOAD|CRYPTO|YAHOO|STOOQ|TIINGO|POLYGON|ALPACA|DUKASCOPY|HISTDATA|DAT|ASCII|OANDA|FOREXCOM|METATRADER|MT[45]|NASDAQ|NYSE|AMEX|CME|UM|CM)$/;
const periods =
  /^(?:\d*[SMHDWY]|[SMHDW]\d+|MN1?|\d+(?:MIN|MO|HR?|HOUR|SEC|DAY|T|MS)S?|(?:1?)(?:DAILY|HOURLY|MINUTE|MINUTELY|SECOND|WEEKLY|MONTHLY|YEARLY|DAY|HOUR|WEEK|MONTH|TICK)|INTRADAY|EOD)$/;
/** Words for what a file holds: a symbol only where there is no other. */
const contents =
  /^(?:BARS?|CANDLES?|KLINES?|OHLCV?T?|TRADES?|AGGTRADES|QUOTES?|TICKS|PRICES?|DATA|HISTOR(?:Y|ICAL)|SAMPLE|TABLE|BOOKS?|ORDERBOOK|DEPTH|SPOT|FUTURES|PERP|SWAP|FULL|CLEAN|NEW|OLD|OUT|TEST|RAW|ADJ|ADJUSTED)$/;

/**
 * The symbol a file is named for: `BTCUSDT-1m-2023-03-10.zip` is BTCUSDT, `XRP_ETH-trades.json.gz` is XRPETH of XRP and
 * ETH, `GOOG.csv` is GOOG, `BINANCE_BTCUSDT, 1D.csv` is BTCUSDT. Empty where the name is of venues, periods and dates alone.
 */
export function symbolOfPath(path: string): SymbolGuess {
  const stooq = /^(\w+)_(?:us|uk|de|pl|jp|hu|hk)_[dwmqy]\.csv/.exec(basename(path))?.[1];
  if (stooq !== undefined) return symbolOfText(stooq.toUpperCase());
  const stem = basename(path).replace(
    /(?:\.(?:csv|txt|prn|json|data|parquet|feather|arrow|ipc|npy|dbn|log|zip|gz|zst|xz)){1,8}$/i,
    '',
  );
  const words = stem
    .split(/[-_ .,()/]/)
    .map(withoutMark)
    .filter((word) => word !== '' && !isOther(word))
    // A stem such as `bitstamp_btcusd` or `mine_GOOG` begins with its source.
    .filter((word, at, all) => at > 0 || all.length === 1 || !isLower(word) || !hasSource(stem, word));
  const [first = '', second = ''] = words.filter((word) => /^[A-Z0-9]+$/.test(word));
  const pair = namedPair(stem, first, second);
  if (pair !== undefined) return { symbol: `${first}${second}`, pair };
  const traded = words.find((word) => (pairOf(word)?.base.length ?? 0) > 1);
  const of = traded === undefined ? undefined : pairOf(traded);
  // Bitcoin's prices by venue: bitstampUSD.
  if (of !== undefined && sources.test(of.base)) return symbolOfText(`BTC${of.quote}`);
  const named = words.filter((word) => !contents.test(word.toUpperCase()));
  const upper = [...named, ...words].find((word) => /^[A-Z][A-Z0-9]*$/.test(word));
  const symbol = traded ?? upper ?? (named[0] ?? words[0] ?? '').toUpperCase();
  // A word such as TRADES is no pair of currencies.
  return contents.test(symbol) ? { symbol, pair: { base: symbol, quote: shareQuote } } : symbolOfText(symbol);
}

/** Two words of a name that are the currencies of a pair: a known quote currency behind any mark, another behind an underscore. */
function namedPair(stem: string, base: string, quote: string): Pair | undefined {
  const isPair = stem.includes(`${base}_${quote}`) && /^[A-Z]{3,6}$/.test(quote);
  const isKnown = stem.includes(`${base}-${quote}`) && pairOf(`ABC${quote}`)?.quote === quote;
  if (base.length < 2 || contents.test(base) || contents.test(quote)) return undefined;
  return isPair || isKnown ? pairOf(`${base}/${quote}`) : undefined;
}

/** Bitfinex writes a t before a pair (tBTCUSD), MetaTrader 4 the minutes of the bars behind it (EURUSD240). */
function withoutMark(word: string): string {
  const bitfinex = /^t([A-Z]{6,})$/.exec(word)?.[1];
  const metaTrader = /^([A-Z]{6,})(?:1|5|15|30|60|240|1440|10080|43200)$/.exec(word)?.[1];
  const pair = bitfinex ?? metaTrader;
  return pair !== undefined && pairOf(pair) !== undefined ? pair : word;
}

function isOther(word: string): boolean {
  const upper = word.toUpperCase();
  return /^\d+$/.test(word) || sources.test(upper) || periods.test(upper);
}

function isLower(word: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(word);
}

/** Whether the word stands before an underscore at the beginning, where another word that may be a symbol follows. */
function hasSource(stem: string, word: string): boolean {
  return stem.startsWith(`${word}_`) && pairOf(word) === undefined;
}

/** The symbol as venues write it: `BTCUSDT`, `BTC/USDT`, `BTC-USD`. */
export function symbolOfText(symbol: string): SymbolGuess {
  return { symbol, pair: pairOf(symbol) };
}

/** The smallest step of numbers with this many decimals: `0.01` for 2. */
export function stepOf(decimals: number): string {
  return decimals === 0 ? '1' : `0.${'0'.repeat(decimals - 1)}1`;
}

/** Throws `BadInput`, with the ways to name it, where nothing says what the symbol is. */
export function refuseNoSymbol(symbol: string): void {
  if (symbol !== '') return;
  throw new BadInput(
    'expected a symbol in a column of the table or in the name of its file, found neither; name it with --symbol SYMBOL, in a scenario with instrument: { symbol: SYMBOL }',
  );
}

/**
 * A spec of what was inferred; fee rates cannot be seen and are those of the service. Throws `BadInput` where neither the data
 * nor the options say what the symbol is, or in which currency it is quoted.
 */
export function specOfGuess(
  { symbol, pair }: SymbolGuess,
  { quote }: OpenOptions,
  steps: { readonly tick: string; readonly increment: string },
): InstrumentSpec {
  refuseNoSymbol(symbol);
  const known = quote === undefined ? pair : undefined;
  return specOf(symbol, known ?? pairOrShareIn(symbol, quote), steps);
}

/** Notes which symbols are taken to be quoted in dollars, because nothing says in what. */
export function quoteNote(instruments: Instruments, options: OpenOptions): readonly string[] {
  if (options.instruments !== undefined || options.quote !== undefined) return [];
  const assumed = instruments.all.filter(
    ({ symbol, spec }) => spec.quoteCurrency === shareQuote && pairOf(symbol) === undefined,
  );
  if (assumed.length === 0) return [];
  const names = listed(
    assumed.map(({ symbol }) => symbol),
    4,
  );
  return [`${names}: nothing names the quote currency, taken to be ${shareQuote}; --quote names another`];
}
