import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount, subtract } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { Decimal } from '../../../../core/base/decimal.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, Level, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import type { BookLevels } from '../book-levels.ts';
import { millisOfMicros, priceAmountText, volumeQuoteText, volumeText } from '../formats.ts';
import { sizeText } from '../plain.ts';

// What a server says on the v3 public socket: payloads of one symbol as JSON text, and the frame around them.

/** A payload with the symbol (or, for price rates, the currency) it is about. */
export interface KeyedPayload {
  readonly key: string;
  /** JSON text. */
  readonly text: string;
}

/** A notification: `{"ch":channel,[target_currency,]kind:{key:payload,...}}`. Source: v3-gaps, section 1.2. */
export function encodeV3Notification(
  channel: string,
  kind: 'snapshot' | 'update' | 'data',
  payloads: readonly KeyedPayload[],
  targetCurrency?: string,
): string {
  let body = '';
  for (const { key, text } of payloads) body += `${body === '' ? '' : ','}${JSON.stringify(key)}:${text}`;
  const target = targetCurrency === undefined ? '' : `"target_currency":${JSON.stringify(targetCurrency)},`;
  return `{"ch":"${channel}",${target}"${kind}":{${body}}}`;
}

/** Payload of `orderbook/full` and of the partial books: `{t,s,a,b}`. Source: v3-gaps, section 1.3. */
export function encodeV3Book(instrument: Instrument, book: BookLevels): string {
  const asks = levelsText(instrument, book.asks);
  const bids = levelsText(instrument, book.bids);
  return `{"t":${millisOfMicros(book.time)},"s":${book.sequence},"a":[${asks}],"b":[${bids}]}`;
}

/** Payload of `orderbook/top/*`: `{t,a,A,b,B}`; a side without a level is left out. */
export function encodeV3Top(
  instrument: Instrument,
  time: Micros,
  ask: Level | undefined,
  bid: Level | undefined,
): string {
  const asks =
    ask === undefined
      ? ''
      : `,"a":"${instrument.priceText(ask.price)}","A":"${sizeText(instrument, ask.quantity)}"`;
  const bids =
    bid === undefined
      ? ''
      : `,"b":"${instrument.priceText(bid.price)}","B":"${sizeText(instrument, bid.quantity)}"`;
  return `{"t":${millisOfMicros(time)}${asks}${bids}}`;
}

/** Payload of `trades`: a list of `{t,i,p,q,s}` in the order given. */
export function encodeV3Trades(instrument: Instrument, trades: readonly MarketTrade[]): string {
  let body = '';
  for (const trade of trades) {
    const price = instrument.priceText(trade.price);
    const quantity = instrument.quantityText(trade.quantity);
    body += `${body === '' ? '' : ','}{"t":${millisOfMicros(trade.time)},"i":${trade.tradeId},"p":"${price}","q":"${quantity}","s":"${trade.side}"}`;
  }
  return `[${body}]`;
}

/** Payload of `candles/*`: a list of `{t,o,c,h,l,v,q}` in the order given. */
export function encodeV3Candles(instrument: Instrument, candles: readonly Candle[]): string {
  const rows = candles.map((candle) => {
    const prices = `"o":"${priceAmountText(instrument, candle.open)}","c":"${priceAmountText(instrument, candle.close)}","h":"${priceAmountText(instrument, candle.max)}","l":"${priceAmountText(instrument, candle.min)}"`;
    return `{"t":${millisOfMicros(candle.time)},${prices},"v":"${volumeText(instrument, candle.volume)}","q":"${volumeQuoteText(instrument, candle.volumeQuote)}"}`;
  });
  return `[${rows.join(',')}]`;
}

/** Payload of `converted/candles/*`: as candles, in a currency whose scale the symbol does not give. */
export function encodeV3ConvertedCandles(candles: readonly Candle[]): string {
  const rows = candles.map((candle) => {
    const prices = `"o":"${formatAmount(candle.open)}","c":"${formatAmount(candle.close)}","h":"${formatAmount(candle.max)}","l":"${formatAmount(candle.min)}"`;
    return `{"t":${millisOfMicros(candle.time)},${prices},"v":"${formatAmount(candle.volume)}","q":"${formatAmount(candle.volumeQuote)}"}`;
  });
  return `[${rows.join(',')}]`;
}

/**
 * Payload of `ticker/*`: `{t,a,A,b,B,o,c,h,l,v,q,p,P,L}`, members without a value left out. The change `p` and
 * its percentage `P` (16 significant digits) follow from open and last. Source: v3-gaps, section 1.3.
 */
export function encodeV3Ticker(
  instrument: Instrument,
  ticker: Ticker,
  lastTradeId?: string | number,
): string {
  const { ask, askQuantity, bid, bidQuantity } = ticker;
  let text = `{"t":${millisOfMicros(ticker.time)}`;
  if (ask !== undefined) text += `,"a":"${instrument.priceText(ask)}"`;
  if (askQuantity !== undefined) text += `,"A":"${sizeText(instrument, askQuantity)}"`;
  if (bid !== undefined) text += `,"b":"${instrument.priceText(bid)}"`;
  if (bidQuantity !== undefined) text += `,"B":"${sizeText(instrument, bidQuantity)}"`;
  text += dayText(instrument, ticker);
  text += changeText(instrument, ticker.open, ticker.last);
  if (lastTradeId !== undefined) text += `,"L":${lastTradeId}`;
  return `${text}}`;
}

/** Payload of `ticker/price/*`: `{t,o,c,h,l,v,q}`, members without a value left out. */
export function encodeV3PriceTicker(instrument: Instrument, ticker: Ticker): string {
  return `{"t":${millisOfMicros(ticker.time)}${dayText(instrument, ticker)}}`;
}

/** Payload of `price/rate/*`: `{t,r}`. */
export function encodeV3Rate(time: Micros, rate: Amount): string {
  return `{"t":${millisOfMicros(time)},"r":"${formatAmount(rate)}"}`;
}

function dayText(instrument: Instrument, ticker: Ticker): string {
  let text = '';
  if (ticker.open !== undefined) text += `,"o":"${priceAmountText(instrument, ticker.open)}"`;
  if (ticker.last !== undefined) text += `,"c":"${priceAmountText(instrument, ticker.last)}"`;
  if (ticker.high !== undefined) text += `,"h":"${priceAmountText(instrument, ticker.high)}"`;
  if (ticker.low !== undefined) text += `,"l":"${priceAmountText(instrument, ticker.low)}"`;
  if (ticker.volume !== undefined) text += `,"v":"${volumeText(instrument, ticker.volume)}"`;
  if (ticker.volumeQuote !== undefined) text += `,"q":"${volumeQuoteText(instrument, ticker.volumeQuote)}"`;
  return text;
}

function changeText(instrument: Instrument, open: Amount | undefined, last: Amount | undefined): string {
  if (open === undefined || last === undefined) return '';
  const change = subtract(last, open);
  const percent =
    open === 0n ? new Decimal(0) : new Decimal(String(change)).times(100).dividedBy(String(open));
  const percentText = percent.toSignificantDigits(16).toDecimalPlaces(18).toFixed();
  return `,"p":"${change === 0n ? '0' : priceAmountText(instrument, change)}","P":"${percentText}"`;
}

function levelsText(instrument: Instrument, levels: readonly Level[]): string {
  let text = '';
  for (const { price, quantity } of levels) {
    text += `${text === '' ? '' : ','}["${instrument.priceText(price)}","${sizeText(instrument, quantity)}"]`;
  }
  return text;
}
