import { ascii, cursor, scanInteger, standsAt } from '../../core/base/scan-bytes.ts';
import { isMembers } from '../../core/base/members.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { pairIn } from '../../core/model/pair.ts';

import { refuseTooMany } from '../../core/model/symbols-max.ts';
import { jsonOf } from './line.ts';
import type { LeftOut } from './message.ts';
import { isOfBook, messageOf, partialDepth } from './message.ts';
import { dataHead, depthHead, streamHead, tradeHead } from './scan.ts';

const transactionName = ascii('"T":');
const quote = 0x22;

/** Decimals as printed, and those of them that are ever used: BTCUSDT futures print "63943.90" on a tick of 0.10. */
export interface Scale {
  printed: number;
  used: number;
}

/** Terms of a symbol of Binance raw files. */
export interface BinanceSymbol {
  readonly price: Scale;
  readonly size: Scale;
  futures: boolean;
}

/** Symbols in the order they appear; '' stands for a depth reply without one that came before any other message. */
export type BinanceSymbols = Map<string, BinanceSymbol>;

/** Symbols known after a look at lines. */
export interface BinanceSeen {
  readonly symbols: BinanceSymbols;
  readonly leftOut: LeftOut;
}

/**
 * Notes what a line says of its symbol; returns its exchange time, or `undefined` when it does not count. Messages in the
 * venue's usual form are searched as bytes, all others go through JSON, so that no member of another message is taken for one.
 */
export function surveyLine(json: Buffer, from: number, seen: BinanceSeen): number | undefined {
  const kind = usualKindOf(json, from);
  if (kind === undefined) return surveyJson(json, from, seen);
  const survey = surveyOf(seen.symbols, symbolOf(json, from, seen.symbols));
  if (!survey.futures) survey.futures = json.includes('"pu":', from);
  if (kind === 'top') return undefined;
  noteDecimals(json, from, survey);
  return exchangeMillisOf(json, from, kind);
}

/** A line of another form, or of another stream. What is no JSON only names its symbol: the reader refuses it. */
function surveyJson(json: Buffer, from: number, { symbols, leftOut }: BinanceSeen): number | undefined {
  let read: unknown;
  try {
    read = JSON.parse(jsonOf(json, from));
  } catch {
    surveyOf(symbols, symbolOf(json, from, symbols));
    return undefined;
  }
  if (!isMembers(read)) return undefined;
  const message = messageOf(read);
  if (message.kind === 'other') {
    leftOut.message(message.name);
    return undefined;
  }
  const { kind, body } = message;
  if (kind === 'trade' && !isOfBook(body)) {
    leftOut.trade(body['X']);
    return undefined;
  }
  const named = body['s'] ?? body['symbol'];
  const survey = surveyOf(symbols, typeof named === 'string' ? named : (firstOf(symbols) ?? ''));
  survey.futures ||= body['pu'] !== undefined;
  if (kind === 'top') return undefined;
  noteText(body['p'], survey.price);
  noteText(body['q'], survey.size);
  for (const side of [body['b'], body['a'], body['bids'], body['asks']]) noteLevels(side, survey);
  const millis = body['T'] ?? body['E'];
  return Number.isSafeInteger(millis) ? (millis as number) : undefined;
}

function noteLevels(levels: unknown, survey: BinanceSymbol): void {
  if (!Array.isArray(levels)) return;
  for (const level of levels as readonly unknown[]) {
    if (!Array.isArray(level)) continue;
    noteText(level[0], survey.price);
    noteText(level[1], survey.size);
  }
}

function noteText(value: unknown, scale: Scale): void {
  if (typeof value === 'string') noteOne(Buffer.from(`${value}"`, 'latin1'), 0, scale);
}

/** `undefined` for whatever is not in the form of the venue's streams, combined or not, and for executions that are not of the book. */
function usualKindOf(json: Buffer, from: number): 'depth' | 'trade' | 'top' | undefined {
  if (!standsAt(json, from, streamHead)) return usualOf(json, from, kindAt(json, from + 1, false));
  const end = json.indexOf(quote, from + streamHead.length);
  if (end < 0 || !standsAt(json, end, dataHead)) return undefined;
  const kind = kindAt(json, end + dataHead.length, isTop(json, from));
  if (kind === 'depth' && partialDepth.test(json.toString('latin1', from, end + 1))) return undefined;
  return usualOf(json, from, kind);
}

function usualOf<Kind>(json: Buffer, from: number, kind: Kind): Kind | undefined {
  const isOther = kind === 'trade' && json.includes('"X":"', from) && !json.includes('"X":"MARKET"', from);
  return isOther ? undefined : kind;
}

function kindAt(json: Buffer, at: number, isTicker: boolean): 'depth' | 'trade' | 'top' | undefined {
  if (standsAt(json, at, depthHead)) return 'depth';
  if (standsAt(json, at, tradeHead)) return 'trade';
  return isTicker ? 'top' : undefined;
}

function surveyOf(symbols: BinanceSymbols, symbol: string): BinanceSymbol {
  let survey = symbols.get(symbol);
  if (survey === undefined) {
    refuseTooMany(symbols.size, symbol);
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
  if (at < 0) return firstOf(symbols) ?? '';
  return json.toString('latin1', at + length, json.indexOf(quote, at + length));
}

function firstOf(symbols: ReadonlyMap<string, BinanceSymbol>): string | undefined {
  return symbols.keys().next().value;
}

/** Whether the stream named at the beginning is one of book tickers. */
export function isTop(json: Buffer, from: number): boolean {
  const end = Math.min(json.length, from + 64);
  for (let i = from; i < end; i++) {
    if (json[i] === 64) return json.toString('latin1', i + 1, i + 11) === 'bookTicker';
  }
  return false;
}

/** Milliseconds of `T`, or of `E` where there is none: of a difference `T` stands right behind `E`. */
function exchangeMillisOf(json: Buffer, from: number, kind: 'depth' | 'trade'): number | undefined {
  const event = json.indexOf('"E":', from);
  const millis = scanInteger(json, event + 4);
  if (millis < 0) return undefined;
  const at = kind === 'depth' ? cursor.at + 1 : json.indexOf('"T":', from);
  const transaction = standsAt(json, at, transactionName) ? scanInteger(json, at + 4) : -1;
  return transaction < 0 ? millis : transaction;
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

/**
 * Perpetuals are treated as spot symbols: the simulated venue settles them in base and quote, without leverage. Throws
 * `BadInput` where neither the symbol nor `quote` tells the currencies.
 */
export function binanceSpec(symbol: string, survey: BinanceSymbol, quote?: string): InstrumentSpec {
  const { base: baseCurrency, quote: quoteCurrency } = pairIn(symbol, quote);
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
    feesAssumed: true,
    status: 'working',
    marginTrading: false,
  };
}

/** One unit of the last decimal in use, printed with all decimals: "0.10" for two printed and one used. */
function stepOf({ printed, used }: Scale): string {
  const digits = `1${'0'.repeat(printed - used)}`.padStart(printed + 1, '0');
  return printed === 0 ? digits : `${digits.slice(0, -printed)}.${digits.slice(-printed)}`;
}
