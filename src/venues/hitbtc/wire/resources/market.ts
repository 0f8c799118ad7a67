import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import { subtract } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { Decimal } from '../../../../core/base/decimal.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { candlePeriods } from '../../../../core/model/market.ts';
import { amountField, parseList } from '../fields.ts';
import { entriesOf, readKeyed } from '../keyed.ts';
import { priceAmountText, volumeQuoteText, volumeText } from '../formats.ts';
import {
  amountKind,
  idKind,
  timeKind,
  nameKind,
  oneOfKind,
  nullableKind,
  plainKind,
  priceKind,
  quantityKind,
  sizeKind,
} from '../kinds.ts';
import type { Kind, RowOf, WireForm, ValueOf } from '../resource.ts';
import { optional, resource } from '../resource.ts';
import { reads } from '../sent.ts';

/** An unrounded percentage, as text. */
const percentField = z.union([z.string().max(80), z.number().transform(String)]);
const percentKind: Kind<string, string, string> = plainKind(percentField);

type PrintedKind = Kind<Amount, Amount, Amount> & { readonly onGrid: true };

/** An exact amount, printed in the decimals of an instrument. */
function printedBy(text: (instrument: Instrument, amount: Amount) => string): PrintedKind {
  return {
    value: amountField,
    row: amountField,
    onGrid: true,
    write: (amount, { instrument }) => text(instrument as Instrument, amount),
  };
}

const priceAmount = printedBy(priceAmountText);
const volumeAmount = printedBy(volumeText);
const quoteAmount = printedBy(volumeQuoteText);
/** The change since the open, `"0"` when there is none. */
const changeAmount = printedBy((instrument, amount) =>
  amount === 0n ? '0' : priceAmountText(instrument, amount),
);
const time = { v3: 'timestamp', v2: 'timestamp', channel: 't', kind: timeKind } as const;

const best = {
  ask: { v3: 'ask', v2: 'ask', channel: 'a', kind: nullableKind(priceKind) },
  bid: { v3: 'bid', v2: 'bid', channel: 'b', kind: nullableKind(priceKind) },
  askQuantity: { channel: 'A', kind: nullableKind(sizeKind) },
  bidQuantity: { channel: 'B', kind: nullableKind(sizeKind) },
} as const;
const day = {
  last: { v3: 'last', v2: 'last', channel: 'c', kind: nullableKind(priceAmount) },
  low: { v3: 'low', v2: 'low', channel: 'l', kind: nullableKind(priceAmount) },
  high: { v3: 'high', v2: 'high', channel: 'h', kind: nullableKind(priceAmount) },
  open: { v3: 'open', v2: 'open', channel: 'o', kind: nullableKind(priceAmount) },
  volume: { v3: 'volume', v2: 'volume', channel: 'v', kind: nullableKind(volumeAmount) },
  volumeQuote: { v3: 'volume_quote', v2: 'volumeQuote', channel: 'q', kind: nullableKind(quoteAmount) },
} as const;
const bestFirst = ['time', 'ask', 'askQuantity', 'bid', 'bidQuantity'] as const;
const dayFirst = ['open', 'last', 'high', 'low'] as const;

/**
 * 24-hour numbers of a symbol; values without data are null, or left out on channels. Only channels give the quantities
 * of the best prices and the change, its percentage unrounded. Source: API v3, "Ticker"; API v2, "Ticker"; v3-gaps,
 * section 1.3.
 */
export const ticker = resource(
  'ticker',
  {
    ...best,
    ...day,
    time,
    symbol: { v2: 'symbol', kind: nameKind },
    change: { channel: 'p', kind: optional(changeAmount) },
    changePercent: { channel: 'P', kind: optional(percentKind) },
    lastTradeId: { channel: 'L', kind: optional(idKind) },
  },
  {
    v2: ['ask', 'bid', 'last', 'open', 'low', 'high', 'volume', 'volumeQuote', 'time', 'symbol'],
    channel: [...bestFirst, ...dayFirst],
  },
);

/** A ticker without best prices: the channels `ticker/price/*`. */
export const priceTicker = resource(
  'ticker',
  { time, ...day },
  { channel: ['time', ...dayFirst], title: 'price ticker' },
);

/** Best prices and what stands there: the channels `orderbook/top/*`. */
export const topOfBook = resource('top of book', { time, ...best }, { channel: bestFirst });

/** One public trade; `side` is the taker's. Source: API v3, "Public trade"; API v2, "Public trade"; v3-gaps, section 1.3. */
export const publicTrade = resource(
  'trade',
  {
    tradeId: { v3: 'id', v2: 'id', channel: 'i', kind: idKind },
    price: { v3: 'price', v2: 'price', channel: 'p', kind: priceKind },
    quantity: { v3: 'qty', v2: 'quantity', channel: 'q', kind: quantityKind },
    side: { v3: 'side', v2: 'side', channel: 's', kind: oneOfKind(['buy', 'sell']) },
    time,
  },
  { channel: ['time'], title: 'public trade' },
);

/** The stamp of a candle is the start of its period. Source: v3-gaps, sections 1.3 and 4.2; API v2, "Candle". */
function candleOf<Price extends Kind, Volume extends Kind, Quote extends Kind>(
  price: Price,
  volume: Volume,
  quote: Quote,
  title = 'candle',
) {
  const fields = {
    time,
    open: { v3: 'open', v2: 'open', channel: 'o', kind: price },
    close: { v3: 'close', v2: 'close', channel: 'c', kind: price },
    min: { v3: 'min', v2: 'min', channel: 'l', kind: price },
    max: { v3: 'max', v2: 'max', channel: 'h', kind: price },
    volume: { v3: 'volume', v2: 'volume', channel: 'v', kind: volume },
    volumeQuote: { v3: 'volume_quote', v2: 'volumeQuote', channel: 'q', kind: quote },
  } as const;
  return resource('candle', fields, { title, channel: ['time', 'open', 'close', 'max', 'min'] });
}

export const candle = candleOf(priceAmount, volumeAmount, quoteAmount);
/** A candle in another currency, whose scale the symbol does not give. Source: v3-gaps, section 4.3. */
export const convertedCandle = candleOf(amountKind, amountKind, amountKind, 'converted candle');

const symbol = { v2: 'symbol', kind: nameKind } as const;
/** Trades of one symbol on a v2 socket. Source: API v2, "Socket methods". */
export const tradesNotice = resource('trades', {
  data: { v2: 'data', rows: publicTrade, needed: true },
  symbol,
});
/** Candles of one symbol and period on a v2 socket. Source: API v2, "Socket methods". */
export const candlesNotice = resource('candles', {
  data: { v2: 'data', rows: candle, needed: true },
  period: { v2: 'period', kind: oneOfKind(candlePeriods) },
  symbol,
});

/** The last price of a symbol. Source: API v3, "Price objects", Last price. */
export const lastPrice = resource('last price', { price: { v3: 'price', kind: priceAmount }, time });

/** Price of one unit of a currency, under the source currency. Source: API v3, "Price objects", Rate; v3-gaps, section 1.3. */
export const priceRate = resource(
  'rate',
  {
    to: { v3: 'currency', kind: nameKind },
    price: { v3: 'price', channel: 'r', kind: amountKind },
    time,
  },
  { channel: ['time'] },
);

const priceBar = resource('rate history entry', {
  time,
  open: { v3: 'open', kind: amountKind },
  close: { v3: 'close', kind: amountKind },
  min: { v3: 'min', kind: amountKind },
  max: { v3: 'max', kind: amountKind },
});

/** Rates over time, under the source currency. Source: API v3, "Price objects", History entry. */
export const priceHistory = resource('rate history', {
  to: { v3: 'currency', kind: nameKind },
  history: { v3: 'history', rows: priceBar, needed: true },
});

/** Candles in another currency, of one symbol or keyed by symbol. Source: v3-gaps, section 4.3. */
export const convertedAnswer = resource(
  'converted candle',
  {
    targetCurrency: { v3: 'target_currency', kind: nameKind },
    data: { v3: 'data', kind: plainKind(z.unknown()) },
  },
  { title: 'converted answer' },
);

/** A rate from a currency to another. */
export type PriceRate = { readonly from: string } & RowOf<typeof priceRate.fields, 'v3'>;
/** One period of a rate history. */
export type PriceBar = RowOf<typeof priceBar.fields, 'v3'>;
/** Rates over time from a currency to another. */
export type PriceHistory = { readonly from: string } & RowOf<typeof priceHistory.fields, 'v3'>;
/** Something in another currency. Source: v3-gaps, section 4.3. */
export interface V3Converted<Value> {
  readonly targetCurrency: string;
  readonly data: Value;
}
/** 24-hour numbers of a symbol; a value that is not known yet is absent. Source: API v3, "Ticker". */
export type V3Ticker = ValueOf<typeof ticker.fields, 'v3'>;
/** Source: API v3, "Price objects", Last price. */
export type V3LastPrice = ValueOf<typeof lastPrice.fields, 'v3'>;
/** One public trade; `side` is the taker's. Source: API v3, "Public trade". */
export type V3PublicTrade = ValueOf<typeof publicTrade.fields, 'v2'>;
/** A candle; `timestamp` is the start of its period. Source: v3-gaps, section 4.2. */
export type V3Candle = ValueOf<typeof candle.fields, 'v3'>;
/** 24-hour numbers; a value that is not known yet is absent. Source: API v2, "Ticker". */
export type V2Ticker = ValueOf<typeof ticker.fields, 'v2'>;
/** One public trade; `side` is the taker's. Source: API v2, "Public trade". */
export type V2PublicTrade = ValueOf<typeof publicTrade.fields, 'v2'>;
/** Trades of one symbol. */
export type V2TradesOf = ValueOf<typeof tradesNotice.fields, 'v2'>;
/** Candles of one symbol and period. */
export type V2CandlesOf = ValueOf<typeof candlesNotice.fields, 'v2'>;
/** A ticker of the socket. Source: v3-gaps, section 1.3. */
export type V3ChannelTicker = ValueOf<typeof ticker.fields, 'channel'>;
/** Best prices and what stands there. */
export type V3ChannelTop = ValueOf<typeof topOfBook.fields, 'channel'>;
/** A candle; `timestamp` is the start of its period. Source: API v2, "Candle". */
export type V2Candle = ValueOf<typeof candle.fields, 'v2'>;

/** Rates keyed by source currency. */
export const decodeV3Rates = reads(ratesOf, () => z.record(z.string(), priceRate.members.v3.sent));

function ratesOf(json: unknown): readonly PriceRate[] {
  return entriesOf(json, 'v3 rates').map(([from, value]) => ({
    from,
    ...priceRate.v3.decodeAs(`rate of ${from.slice(0, 40)}`, value),
  }));
}

/** Rates over time keyed by source currency. */
export const decodeV3RateHistory = reads(rateHistoryOf, () =>
  z.record(z.string(), priceHistory.members.v3.sent),
);

function rateHistoryOf(json: unknown): readonly PriceHistory[] {
  return entriesOf(json, 'v3 rate history').map(([from, value]) => ({
    from,
    ...priceHistory.v3.decodeAs(`rate history of ${from.slice(0, 40)}`, value),
  }));
}

/** Converted candles of many symbols. */
export const readV3ConvertedCandles = reads(convertedOfMany, () =>
  convertedWith(z.record(z.string(), z.array(convertedCandle.members.v3.sent))),
);

/** Converted candles of one symbol. */
export const readV3ConvertedCandlesOf = reads(convertedOfOne, () =>
  convertedWith(z.array(convertedCandle.members.v3.sent)),
);

function convertedWith(data: z.ZodType): z.ZodType {
  return convertedAnswer.members.v3.sent.extend({ data });
}

function convertedOfMany(json: unknown): V3Converted<ReadonlyMap<string, readonly V3Candle[]>> {
  const { targetCurrency, data } = convertedAnswer.v3.readAs('v3 converted candles', json);
  return { targetCurrency, data: readKeyed(data, 'v3 converted candles', candle.v3.readList) };
}

function convertedOfOne(json: unknown): V3Converted<readonly V3Candle[]> {
  const { targetCurrency, data } = convertedAnswer.v3.readAs('v3 converted candles', json);
  return { targetCurrency, data: candle.v3.readList(data) };
}

/** Public trades of one symbol; callers of both versions read of a quantity. */
export const readV3PublicTrades = reads(tradesOf, () => z.array(publicTrade.members.v3.sent));

function tradesOf(json: unknown): readonly V3PublicTrade[] {
  return parseList(json, 'v3 trades', (row) => {
    const { qty, ...rest } = publicTrade.v3.read(row);
    return { ...rest, quantity: qty };
  });
}

export const readV2PublicTrades = publicTrade.v2.readList;

/** A rate of the channel `price/rate/*`. */
export function readV3ChannelRate(json: unknown): { readonly timestamp: Micros; readonly rate: Amount } {
  const { timestamp, price } = priceRate.channel.read(json);
  return { timestamp, rate: price };
}

export function encodeTicker(
  form: WireForm,
  seen: Ticker & { readonly lastTradeId?: string | undefined },
  instrument: Instrument,
): object {
  const { open, last, lastTradeId } = seen;
  const model = { ...tickerModel(seen), symbol: instrument.symbol, lastTradeId };
  const changed = form === 'channel' && open !== undefined && last !== undefined && changeOf(open, last);
  return ticker[form].write({ ...model, ...changed }, instrument);
}

export function encodePriceTicker(seen: Ticker, instrument: Instrument): object {
  return priceTicker.channel.write(tickerModel(seen), instrument);
}

function tickerModel(seen: Ticker) {
  return {
    time: seen.time,
    ask: seen.ask ?? null,
    bid: seen.bid ?? null,
    askQuantity: seen.askQuantity ?? null,
    bidQuantity: seen.bidQuantity ?? null,
    last: seen.last ?? null,
    low: seen.low ?? null,
    high: seen.high ?? null,
    open: seen.open ?? null,
    volume: seen.volume ?? null,
    volumeQuote: seen.volumeQuote ?? null,
  };
}

/** The change since the open, and its percentage with 16 significant digits. Source: v3-gaps, section 1.3. */
function changeOf(open: Amount, last: Amount): { readonly change: Amount; readonly changePercent: string } {
  const change = subtract(last, open);
  const percent =
    open === 0n ? new Decimal(0) : new Decimal(String(change)).times(100).dividedBy(String(open));
  return { change, changePercent: percent.toSignificantDigits(16).toDecimalPlaces(18).toFixed() };
}

export function encodePublicTrade(form: WireForm, trade: MarketTrade, instrument: Instrument): object {
  return publicTrade[form].write(trade, instrument);
}

export function encodeCandle(form: WireForm, bar: Candle, instrument: Instrument): object {
  return candle[form].write(bar, instrument);
}

/** Trades of one symbol as a v2 socket sends them, in the order given (the service sends ascending ids). */
export function encodeV2Trades(trades: readonly MarketTrade[], instrument: Instrument): object {
  return tradesNotice.v2.write({ data: trades, symbol: instrument.symbol }, instrument);
}

/** Candles of one symbol as a v2 socket sends them, in the order given. */
export function encodeV2Candles(
  period: CandlePeriod,
  candles: readonly Candle[],
  instrument: Instrument,
): object {
  return candlesNotice.v2.write({ data: candles, period, symbol: instrument.symbol }, instrument);
}
