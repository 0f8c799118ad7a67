import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Instrument } from '../../../../core/model/instrument.ts';
import type { Candle, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { amountField, parseList } from '../fields.ts';
import { entriesOf, readKeyed } from '../keyed.ts';
import { priceAmountText, volumeQuoteText, volumeText } from '../formats.ts';
import {
  amountKind,
  idKind,
  marketTimeKind,
  nameKind,
  oneOf,
  orNull,
  plainKind,
  priceKind,
  quantityKind,
} from '../kinds.ts';
import type { Kind, RowOf, ValueOf, WireVersion } from '../resource.ts';
import { resource } from '../resource.ts';

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
const volume = printedBy(volumeText);
const volumeQuote = printedBy(volumeQuoteText);
const time = { v3: 'timestamp', v2: 'timestamp', kind: marketTimeKind } as const;

/** 24-hour numbers of a symbol; values without data are null. Source: API v3, "Ticker"; API v2, "Ticker". */
export const ticker = resource(
  'ticker',
  {
    ask: { v3: 'ask', v2: 'ask', kind: orNull(priceKind) },
    bid: { v3: 'bid', v2: 'bid', kind: orNull(priceKind) },
    last: { v3: 'last', v2: 'last', kind: orNull(priceAmount) },
    low: { v3: 'low', v2: 'low', kind: orNull(priceAmount) },
    high: { v3: 'high', v2: 'high', kind: orNull(priceAmount) },
    open: { v3: 'open', v2: 'open', kind: orNull(priceAmount) },
    volume: { v3: 'volume', v2: 'volume', kind: orNull(volume) },
    volumeQuote: { v3: 'volume_quote', v2: 'volumeQuote', kind: orNull(volumeQuote) },
    time,
    symbol: { v2: 'symbol', kind: nameKind },
  },
  ['ask', 'bid', 'last', 'open', 'low', 'high', 'volume', 'volumeQuote', 'time', 'symbol'],
);

/** One public trade; `side` is the taker's. Source: API v3, "Public trade"; API v2, "Public trade". */
const publicTrade = resource('trade', {
  tradeId: { v3: 'id', v2: 'id', kind: idKind },
  price: { v3: 'price', v2: 'price', kind: priceKind },
  quantity: { v3: 'qty', v2: 'quantity', kind: quantityKind },
  side: { v3: 'side', v2: 'side', kind: oneOf(['buy', 'sell']) },
  time,
});

/** A candle; the stamp is the start of its period. Source: v3-gaps, section 4.2; API v2, "Candle". */
export const candle = resource('candle', {
  time,
  open: { v3: 'open', v2: 'open', kind: priceAmount },
  close: { v3: 'close', v2: 'close', kind: priceAmount },
  min: { v3: 'min', v2: 'min', kind: priceAmount },
  max: { v3: 'max', v2: 'max', kind: priceAmount },
  volume: { v3: 'volume', v2: 'volume', kind: volume },
  volumeQuote: { v3: 'volume_quote', v2: 'volumeQuote', kind: volumeQuote },
});

/** A candle in another currency, whose scale the symbol does not give. Source: v3-gaps, section 4.3. */
export const convertedCandle = resource('candle', {
  time,
  open: { v3: 'open', kind: amountKind },
  close: { v3: 'close', kind: amountKind },
  min: { v3: 'min', kind: amountKind },
  max: { v3: 'max', kind: amountKind },
  volume: { v3: 'volume', kind: amountKind },
  volumeQuote: { v3: 'volume_quote', kind: amountKind },
});

/** The last price of a symbol. Source: API v3, "Price objects", Last price. */
export const lastPrice = resource('last price', { price: { v3: 'price', kind: priceAmount }, time });

/** What one unit of a currency costs, under the source currency. Source: API v3, "Price objects", Rate. */
export const priceRate = resource('rate', {
  to: { v3: 'currency', kind: nameKind },
  price: { v3: 'price', kind: amountKind },
  time,
});

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
export const convertedAnswer = resource('converted candle', {
  targetCurrency: { v3: 'target_currency', kind: nameKind },
  data: { v3: 'data', kind: plainKind(z.unknown()) },
});

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
/** 24-hour numbers of a symbol; a value nobody knows yet is absent. Source: API v3, "Ticker". */
export type V3Ticker = ValueOf<typeof ticker.fields, 'v3'>;
/** Source: API v3, "Price objects", Last price. */
export type V3LastPrice = ValueOf<typeof lastPrice.fields, 'v3'>;
/** One public trade; `side` is the taker's. Source: API v3, "Public trade". */
export type V3PublicTrade = ValueOf<typeof publicTrade.fields, 'v2'>;
/** A candle; `timestamp` is the start of its period. Source: v3-gaps, section 4.2. */
export type V3Candle = ValueOf<typeof candle.fields, 'v3'>;
/** 24-hour numbers; a value nobody knows yet is absent. Source: API v2, "Ticker". */
export type V2Ticker = ValueOf<typeof ticker.fields, 'v2'>;
/** One public trade; `side` is the taker's. Source: API v2, "Public trade". */
export type V2PublicTrade = ValueOf<typeof publicTrade.fields, 'v2'>;
/** A candle; `timestamp` is the start of its period. Source: API v2, "Candle". */
export type V2Candle = ValueOf<typeof candle.fields, 'v2'>;

/** Rates keyed by source currency. */
export function decodeV3Rates(json: unknown): readonly PriceRate[] {
  return entriesOf(json, 'v3 rates').map(([from, value]) => ({
    from,
    ...priceRate.v3.decodeAs(`rate of ${from.slice(0, 40)}`, value),
  }));
}

/** Rates over time keyed by source currency. */
export function decodeV3RateHistory(json: unknown): readonly PriceHistory[] {
  return entriesOf(json, 'v3 rate history').map(([from, value]) => ({
    from,
    ...priceHistory.v3.decodeAs(`rate history of ${from.slice(0, 40)}`, value),
  }));
}

/** Converted candles of many symbols. */
export function readV3ConvertedCandles(json: unknown): V3Converted<ReadonlyMap<string, readonly V3Candle[]>> {
  const { targetCurrency, data } = convertedAnswer.v3.readAs('v3 converted candles', json);
  return { targetCurrency, data: readKeyed(data, 'v3 converted candles', candle.v3.readList) };
}

/** Converted candles of one symbol. */
export function readV3ConvertedCandlesOf(json: unknown): V3Converted<readonly V3Candle[]> {
  const { targetCurrency, data } = convertedAnswer.v3.readAs('v3 converted candles', json);
  return { targetCurrency, data: candle.v3.readList(data) };
}

/** Public trades of one symbol; callers of both versions read of a quantity. */
export function readV3PublicTrades(json: unknown): readonly V3PublicTrade[] {
  return parseList(json, 'v3 trades', (row) => {
    const { qty, ...rest } = publicTrade.v3.read(row);
    return { ...rest, quantity: qty };
  });
}

export const readV2PublicTrades = publicTrade.v2.readList;

export function encodeTicker(version: WireVersion, seen: Ticker, instrument: Instrument): object {
  const { time: at, ask, bid, last, low, high, open, volume: traded, volumeQuote: quote } = seen;
  const model = {
    time: at,
    ask: ask ?? null,
    bid: bid ?? null,
    last: last ?? null,
    low: low ?? null,
    high: high ?? null,
    open: open ?? null,
    volume: traded ?? null,
    volumeQuote: quote ?? null,
    symbol: instrument.symbol,
  };
  return ticker[version].write(model, instrument);
}

export function encodePublicTrade(version: WireVersion, trade: MarketTrade, instrument: Instrument): object {
  return publicTrade[version].write(trade, instrument);
}

export function encodeCandle(version: WireVersion, bar: Candle, instrument: Instrument): object {
  return candle[version].write(bar, instrument);
}
