import type { InstrumentSpec } from '../../core/model/instrument.ts';

/** Decimals as printed, and those of them that are ever used: BTCUSDT futures print "63943.90" on a tick of 0.10. */
export interface Scale {
  printed: number;
  used: number;
}

/** What is known of a symbol of Binance raw files. */
export interface BinanceSymbol {
  readonly price: Scale;
  readonly size: Scale;
  futures: boolean;
}

/** Symbols in the order they appear; '' stands for a depth reply without one that came before any other message. */
export type BinanceSymbols = Map<string, BinanceSymbol>;

const quotes = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'USD', 'BTC', 'ETH', 'BNB', 'EUR', 'TRY'];

/** Notes what a line says of its symbol; returns its exchange time, or `undefined` when it does not count. */
export function surveyLine(json: Buffer, from: number, symbols: BinanceSymbols): number | undefined {
  const survey = surveyOf(symbols, symbolOf(json, from, symbols));
  if (!survey.futures) survey.futures = json.includes('"pu":', from);
  if (isTop(json, from)) return undefined;
  noteDecimals(json, from, survey);
  return exchangeMillisOf(json, from);
}

function surveyOf(symbols: BinanceSymbols, symbol: string): BinanceSymbol {
  let survey = symbols.get(symbol);
  if (survey === undefined) {
    survey = { price: { printed: 0, used: 0 }, size: { printed: 0, used: 0 }, futures: false };
    symbols.set(symbol, survey);
  }
  return survey;
}

/** A depth reply without a symbol that comes before any other message counts for the first symbol that appears. */
export function adoptNameless(symbols: BinanceSymbols): void {
  const nameless = symbols.get('');
  symbols.delete('');
  const first = symbols.values().next().value;
  if (nameless === undefined || first === undefined) return;
  for (const scale of ['price', 'size'] as const) {
    first[scale].printed = Math.max(first[scale].printed, nameless[scale].printed);
    first[scale].used = Math.max(first[scale].used, nameless[scale].used);
  }
}

/** The symbol a line names; a depth reply without one belongs to the first of the file, '' when none came yet. */
function symbolOf(json: Buffer, from: number, symbols: ReadonlyMap<string, BinanceSymbol>): string {
  let at = json.indexOf('"s":"', from);
  let length = 5;
  if (at < 0) {
    at = json.indexOf('"symbol":"', from);
    length = 10;
  }
  if (at < 0) return symbols.keys().next().value ?? '';
  return json.toString('latin1', at + length, json.indexOf(34, at + length));
}

/** Whether the stream named at the beginning is one of book tickers. */
export function isTop(json: Buffer, from: number): boolean {
  const end = Math.min(json.length, from + 64);
  for (let i = from; i < end; i++) {
    if (json[i] === 64) return json.toString('latin1', i + 1, i + 11) === 'bookTicker';
  }
  return false;
}

/** Milliseconds of `T`, or of `E` where there is none; `undefined` for a row that does not count. */
function exchangeMillisOf(json: Buffer, from: number): number | undefined {
  if (json.includes('"X":"', from) && !json.includes('"X":"MARKET"', from)) return undefined;
  let at = json.indexOf('"T":', from);
  if (at < 0) at = json.indexOf('"E":', from);
  if (at < 0) return undefined;
  let value = 0;
  for (let i = at + 4; (json[i] as number) >= 48 && (json[i] as number) <= 57; i++) {
    value = value * 10 + ((json[i] as number) - 48);
  }
  return value;
}

/** Levels are `["price","size"]`; trades have `"p":"price"` and `"q":"size"`. */
function noteDecimals(json: Buffer, from: number, survey: BinanceSymbol): void {
  const end = json.length;
  for (let i = from; i < end; i++) {
    if (json[i] !== 34) continue;
    const digit = (json[i + 1] as number) - 48;
    if (digit >>> 0 > 9) continue;
    const before = json[i - 1];
    const key = json[i - 3];
    if (before === 91 || (before === 58 && key === 112)) i = noteOne(json, i + 1, survey.price);
    else if (before === 44 || (before === 58 && key === 113)) i = noteOne(json, i + 1, survey.size);
  }
}

/** Notes the decimals of the number at `at`; returns the index of its closing quote. */
function noteOne(json: Buffer, at: number, scale: Scale): number {
  const end = json.length;
  let point = -1;
  let last = -1;
  let i = at;
  for (; i < end; i++) {
    const byte = json[i];
    if (byte === 34) break;
    if (byte === 46) point = i;
    else if (byte !== 48) last = i;
  }
  if (point >= 0) {
    if (i - point - 1 > scale.printed) scale.printed = i - point - 1;
    if (last - point > scale.used) scale.used = last - point;
  }
  return i;
}

/** Perpetuals are treated as spot symbols: the simulated venue settles them in base and quote, without leverage. */
export function specOf([symbol, survey]: [string, BinanceSymbol]): InstrumentSpec {
  const pair = symbol.replace(/_.*$/, '');
  const quoteCurrency = quotes.find((end) => pair.endsWith(end) && pair.length > end.length) ?? pair;
  const baseCurrency = quoteCurrency === pair ? pair : pair.slice(0, -quoteCurrency.length);
  return {
    symbol,
    type: 'spot',
    baseCurrency,
    quoteCurrency,
    feeCurrency: quoteCurrency,
    tickSize: stepOf(survey.price),
    quantityIncrement: stepOf(survey.size),
    takeRate: survey.futures ? '0.0005' : '0.001',
    makeRate: survey.futures ? '0.0002' : '0.001',
    status: 'working',
    marginTrading: false,
  };
}

/** One unit of the last decimal in use, printed with all decimals: "0.10" for two printed and one used. */
function stepOf({ printed, used }: Scale): string {
  const digits = `1${'0'.repeat(printed - used)}`.padStart(printed + 1, '0');
  return printed === 0 ? digits : `${digits.slice(0, -printed)}.${digits.slice(-printed)}`;
}
