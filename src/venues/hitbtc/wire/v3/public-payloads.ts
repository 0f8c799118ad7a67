import { z } from 'zod';
import type { Instrument, Instruments } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import type { Candle, CandlePeriod, MarketTrade, Ticker } from '../../../../core/model/market.ts';
import {
  amountField,
  decimalField,
  idField,
  issueText,
  millisField,
  optionalAmountField,
} from '../fields.ts';
import { sequenceField, sideField } from '../fields.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded, malformed } from '../market-sink.ts';
import { isBeyondTicks, offGrid, readPrice, readSize } from '../plain.ts';
import type { V3Channel } from './channels.ts';

const level = z.tuple([z.string(), z.string()]);
const bookPayload = z.object({ t: millisField, s: sequenceField, a: z.array(level), b: z.array(level) });
const bestField = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);
const topPayload = z.object({ t: millisField, a: bestField, A: bestField, b: bestField, B: bestField });
const tickerPayload = topPayload.extend({
  o: optionalAmountField,
  c: optionalAmountField,
  h: optionalAmountField,
  l: optionalAmountField,
  v: optionalAmountField,
  q: optionalAmountField,
  p: decimalField.nullish(),
  P: decimalField.nullish(),
  L: idField.nullish(),
});
const priceTickerPayload = tickerPayload.pick({
  t: true,
  o: true,
  c: true,
  h: true,
  l: true,
  v: true,
  q: true,
});
const tradesPayload = z.array(
  z.object({ t: millisField, i: idField, p: z.string(), q: z.string(), s: sideField }),
);
const candlesPayload = z.array(
  z.object({
    t: millisField,
    o: amountField,
    c: amountField,
    h: amountField,
    l: amountField,
    v: amountField,
    q: amountField,
  }),
);
const ratePayload = z.object({ t: millisField, r: amountField });
const futuresInfoPayload = z.object({ t: millisField, m: amountField.nullish(), i: amountField.nullish() });

/** Where decoded payloads go, and what the frame said of them all. */
export interface PayloadTarget {
  readonly instruments: Instruments;
  readonly buffer: LevelBuffer;
  readonly sink: MarketSink;
  readonly snapshot: boolean;
}

/** Reads what a frame says of one symbol (or currency) and tells the sink. */
export function decodeV3Payload(
  channel: V3Channel,
  key: string,
  payload: unknown,
  target: PayloadTarget,
): DecodeResult {
  if (channel.kind === 'priceRate') return checked(ratePayload, channel, key, payload);
  const instrument = target.instruments.find(key);
  if (instrument === undefined) return decoded;
  switch (channel.kind) {
    case 'book':
      return decodeBook(instrument, payload, target);
    case 'trades':
      return decodeTrades(instrument, payload, target);
    case 'ticker':
      return decodeTicker(channel.name, instrument, payload, target);
    case 'candles':
      return decodeCandles(channel.period, instrument, payload, target);
    case 'convertedCandles':
      return checked(candlesPayload, channel, key, payload);
    case 'partialBook':
      return checked(bookPayload, channel, key, payload);
    case 'top':
      return checked(topPayload, channel, key, payload);
    case 'priceTicker':
      return checked(priceTickerPayload, channel, key, payload);
    case 'futuresInfo':
      return checked(futuresInfoPayload, channel, key, payload);
  }
}

function checked(schema: z.ZodType, channel: V3Channel, key: string, payload: unknown): DecodeResult {
  const read = schema.safeParse(payload);
  return read.success
    ? decoded
    : malformed(`${channel.name} of ${key.slice(0, 40)}: ${issueText(read.error)}`, key);
}

function decodeBook(instrument: Instrument, payload: unknown, target: PayloadTarget): DecodeResult {
  const read = bookPayload.safeParse(payload);
  if (!read.success)
    return malformed(`orderbook/full of ${instrument.symbol}: ${issueText(read.error)}`, instrument.symbol);
  const { buffer } = target;
  buffer.begin();
  for (const [side, levels] of [
    [1, read.data.a],
    [0, read.data.b],
  ] as const) {
    for (const [priceText, sizeText] of levels) {
      const price = readPrice(instrument, priceText);
      const size = readSize(instrument, sizeText);
      if (side === 1 && size >= 0 && !(price > 0) && isBeyondTicks(instrument, priceText)) continue;
      if (!(price > 0 && size >= 0)) {
        buffer.abandon();
        return offGrid('orderbook/full', instrument, `${priceText} ${sizeText}`);
      }
      buffer.push(side, price, size);
    }
  }
  target.sink.book(instrument, target.snapshot, read.data.t, read.data.s);
  return decoded;
}

function decodeTrades(instrument: Instrument, payload: unknown, target: PayloadTarget): DecodeResult {
  const read = tradesPayload.safeParse(payload);
  if (!read.success)
    return malformed(`trades of ${instrument.symbol}: ${issueText(read.error)}`, instrument.symbol);
  const trades: MarketTrade[] = [];
  for (const row of read.data) {
    const price = readPrice(instrument, row.p);
    const quantity = readSize(instrument, row.q);
    if (!(price > 0 && quantity > 0)) return offGrid('trades', instrument, `${row.p} ${row.q}`);
    trades.push({ tradeId: row.i, price, quantity, side: row.s, time: row.t });
  }
  target.sink.trades(instrument, target.snapshot, trades);
  return decoded;
}

function decodeTicker(
  name: string,
  instrument: Instrument,
  payload: unknown,
  target: PayloadTarget,
): DecodeResult {
  const read = tickerPayload.safeParse(payload);
  if (!read.success)
    return malformed(`${name} of ${instrument.symbol}: ${issueText(read.error)}`, instrument.symbol);
  const row = read.data;
  const ticker: Ticker = {
    instrument: instrument.id,
    time: row.t,
    bid: row.b === undefined ? undefined : readPrice(instrument, row.b),
    bidQuantity: row.B === undefined ? undefined : readSize(instrument, row.B),
    ask: row.a === undefined ? undefined : readPrice(instrument, row.a),
    askQuantity: row.A === undefined ? undefined : readSize(instrument, row.A),
    last: row.c,
    open: row.o,
    high: row.h,
    low: row.l,
    volume: row.v,
    volumeQuote: row.q,
  };
  if (
    isNaNOf(ticker.bid) ||
    isNaNOf(ticker.ask) ||
    isNaNOf(ticker.bidQuantity) ||
    isNaNOf(ticker.askQuantity)
  ) {
    return offGrid(name, instrument, `${row.a} ${row.A} ${row.b} ${row.B}`);
  }
  target.sink.ticker(instrument, ticker);
  return decoded;
}

function decodeCandles(
  period: CandlePeriod,
  instrument: Instrument,
  payload: unknown,
  target: PayloadTarget,
): DecodeResult {
  const read = candlesPayload.safeParse(payload);
  if (!read.success)
    return malformed(
      `candles/${period} of ${instrument.symbol}: ${issueText(read.error)}`,
      instrument.symbol,
    );
  const candles = read.data.map((row): Candle => ({
    instrument: instrument.id,
    period,
    time: row.t,
    open: row.o,
    close: row.c,
    min: row.l,
    max: row.h,
    volume: row.v,
    volumeQuote: row.q,
  }));
  target.sink.candles(instrument, target.snapshot, candles);
  return decoded;
}

function isNaNOf(value: number | undefined): boolean {
  return value !== undefined && Number.isNaN(value);
}
