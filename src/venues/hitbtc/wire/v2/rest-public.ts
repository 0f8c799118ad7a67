import { z } from 'zod';
import type { Amount } from '../../../../core/base/amount.ts';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { Candle, CandlePeriod, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import { amountField, idField, nameField, optionalAmountField, parseWith } from '../fields.ts';
import { sideField, timeField, unsignedField } from '../fields.ts';
import type { CandlesOf, RestBook, TradesOf } from '../market-rows.ts';
import {
  candleOf,
  candleShape,
  levelOf,
  readBySymbol,
  tickerOf,
  tickerShape,
  tradeOf,
} from '../rest-rows.ts';

// Readers of the public REST answers of v2. Symbols that are not among the instruments are passed over.

const tickerMembers = z.object({ symbol: nameField, ...tickerShape, volumeQuote: optionalAmountField });
const tradeRows = z.array(
  z.object({
    id: idField,
    price: unsignedField,
    quantity: unsignedField,
    side: sideField,
    timestamp: timeField,
  }),
);
const candleRows = z.array(z.object({ ...candleShape, volumeQuote: amountField }));
const levels = z.array(z.object({ price: unsignedField, size: unsignedField }));
const bookMembers = z.object({
  timestamp: timeField,
  ask: levels,
  bid: levels,
  askAveragePrice: optionalAmountField,
  bidAveragePrice: optionalAmountField,
});

/** An order book of v2; the average prices are there when a volume was asked for. */
export interface V2RestBook extends RestBook {
  readonly askAveragePrice: Amount | undefined;
  readonly bidAveragePrice: Amount | undefined;
}

/** Every ticker of a list. Source: API v2, "Ticker". */
export function decodeV2Tickers(json: unknown, instruments: Instruments): readonly Ticker[] {
  const rows = parseWith(z.array(tickerMembers), json, 'v2 tickers');
  return rows.flatMap((row) => {
    const instrument = instruments.find(row.symbol);
    return instrument === undefined ? [] : [tickerOf(row, row.volumeQuote, instrument)];
  });
}

/** One ticker. */
export function decodeV2Ticker(json: unknown, instrument: Instrument): Ticker {
  const row = parseWith(tickerMembers, json, `ticker of ${instrument.symbol}`);
  return tickerOf(row, row.volumeQuote, instrument);
}

/** Public trades keyed by symbol. Source: API v2, "Public trade". */
export function decodeV2TradesBySymbol(json: unknown, instruments: Instruments): readonly TradesOf[] {
  return readBySymbol(json, instruments, 'v2 trades', (value, instrument) => ({
    instrument: instrument.id,
    trades: decodeV2Trades(value, instrument),
  }));
}

/** Public trades of one symbol. */
export function decodeV2Trades(json: unknown, instrument: Instrument): readonly MarketTrade[] {
  return parseWith(tradeRows, json, `trades of ${instrument.symbol}`).map((row) =>
    tradeOf(row, [row.quantity, 'quantity'], instrument),
  );
}

/** Order books keyed by symbol. */
export function decodeV2Books(json: unknown, instruments: Instruments): readonly V2RestBook[] {
  return readBySymbol(json, instruments, 'v2 order books', decodeV2Book);
}

/** One order book. Source: API v2, "Order book". */
export function decodeV2Book(json: unknown, instrument: Instrument): V2RestBook {
  const row = parseWith(bookMembers, json, `order book of ${instrument.symbol}`);
  const side = (rows: z.output<typeof levels>) =>
    rows.map(({ price, size }) => levelOf(instrument, price, size));
  return {
    instrument: instrument.id,
    time: row.timestamp,
    asks: side(row.ask),
    bids: side(row.bid),
    askAveragePrice: row.askAveragePrice,
    bidAveragePrice: row.bidAveragePrice,
  };
}

/** Candles keyed by symbol. Source: API v2, "Candle". */
export function decodeV2CandlesBySymbol(
  json: unknown,
  instruments: Instruments,
  period: CandlePeriod,
): readonly CandlesOf[] {
  return readBySymbol(json, instruments, 'v2 candles', (value, instrument) => ({
    instrument: instrument.id,
    candles: decodeV2Candles(value, instrument, period),
  }));
}

/** Candles of one symbol; the answer does not repeat the period. */
export function decodeV2Candles(
  json: unknown,
  instrument: Instrument,
  period: CandlePeriod,
): readonly Candle[] {
  const rows = parseWith(candleRows, json, `candles of ${instrument.symbol}`);
  return rows.map((row) => candleOf(row, row.volumeQuote, { instrument, period }));
}
