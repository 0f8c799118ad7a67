import type { Instrument } from '../../../../core/model/instrument.ts';
import type { LevelBuffer } from '../../../../core/model/level-buffer.ts';
import type { CandlePeriod, MarketTrade } from '../../../../core/model/market.ts';
import type { futuresGlance } from './futures.ts';
import type { DecodeResult, MarketSink } from '../market-sink.ts';
import { decoded } from '../market-sink.ts';
import { isBeyondTicks, offGrid, readPrice, readSize } from '../plain.ts';
import type { RowOf } from '../resource.ts';
import type { bookNotice } from './book.ts';
import type { candle, publicTrade, ticker } from './market.ts';

// From what a public frame says of one symbol, read by its resource, to the sink: prices and sizes go on the grid.

/** Where decoded payloads go, and what the frame said of them all. `name` is what refusals call the payload. */
export interface PayloadTarget {
  readonly name: string;
  readonly buffer: LevelBuffer;
  readonly sink: MarketSink;
  readonly snapshot: boolean;
}

/** Passes a book, or a change of one. Absurd asks are left out; any other level off the grid refuses the whole. */
export function passBook(
  instrument: Instrument,
  book: RowOf<typeof bookNotice.fields, 'channel'>,
  { name, buffer, sink, snapshot }: PayloadTarget,
): DecodeResult {
  buffer.beginMessage();
  for (const [side, levels] of [
    [1, book.asks],
    [0, book.bids],
  ] as const) {
    for (const level of levels) {
      const price = readPrice(instrument, level.price);
      const size = readSize(instrument, level.quantity);
      if (side === 1 && size >= 0 && !(price > 0) && isBeyondTicks(instrument, level.price)) continue;
      if (!(price > 0 && size >= 0)) {
        buffer.abandon();
        return offGrid(name, instrument, `${level.price} ${level.quantity}`);
      }
      buffer.push(side, price, size);
    }
  }
  sink.book(instrument, snapshot, book.time, book.sequence);
  return decoded;
}

/** Passes public trades, in the order of the frame. */
export function passTrades(
  instrument: Instrument,
  rows: readonly RowOf<typeof publicTrade.fields, 'channel'>[],
  { name, sink, snapshot }: PayloadTarget,
): DecodeResult {
  const trades: MarketTrade[] = [];
  for (const { tradeId, side, time, ...texts } of rows) {
    const price = readPrice(instrument, texts.price);
    const quantity = readSize(instrument, texts.quantity);
    if (!(price > 0 && quantity > 0)) return offGrid(name, instrument, `${texts.price} ${texts.quantity}`);
    trades.push({ tradeId, price, quantity, side, time });
  }
  sink.trades(instrument, snapshot, trades);
  return decoded;
}

/** Passes a ticker. */
export function passTicker(
  instrument: Instrument,
  row: RowOf<typeof ticker.fields, 'channel'>,
  { name, sink }: PayloadTarget,
): DecodeResult {
  const price = (text: string | undefined) => (text === undefined ? undefined : readPrice(instrument, text));
  const size = (text: string | undefined) => (text === undefined ? undefined : readSize(instrument, text));
  const best = {
    bid: price(row.bid),
    bidQuantity: size(row.bidQuantity),
    ask: price(row.ask),
    askQuantity: size(row.askQuantity),
  };
  if (Object.values(best).some((value) => Number.isNaN(value))) {
    const found = [row.ask, row.askQuantity, row.bid, row.bidQuantity].filter((text) => text !== undefined);
    return offGrid(name, instrument, found.join(' '));
  }
  const { time, last, open, high, low, volume, volumeQuote } = row;
  sink.ticker(instrument, {
    instrument: instrument.id,
    time,
    ...best,
    last,
    open,
    high,
    low,
    volume,
    volumeQuote,
  });
  return decoded;
}

/** Passes candles of one period, in the order of the frame. */
export function passCandles(
  instrument: Instrument,
  period: CandlePeriod,
  rows: readonly RowOf<typeof candle.fields, 'channel'>[],
  { sink, snapshot }: PayloadTarget,
): DecodeResult {
  const head = { instrument: instrument.id, period };
  sink.candles(
    instrument,
    snapshot,
    rows.map((row) => ({ ...head, ...row })),
  );
  return decoded;
}

/** Passes on what a contract shows of itself, where it has both its prices; an event without its arrival, which the handler knows. */
export function passContract(
  instrument: Instrument,
  row: RowOf<typeof futuresGlance.fields, 'channel'>,
  { sink }: PayloadTarget,
): DecodeResult {
  const { time, markPrice, indexPrice, fundingRate: lastFundingRate, openInterest } = row;
  const { indicativeFundingRate: fundingRate, nextFundingTime: nextFundingAt } = row;
  if (markPrice === undefined || indexPrice === undefined) return decoded;
  sink.contract(instrument, {
    markPrice,
    indexPrice,
    fundingRate,
    nextFundingAt,
    lastFundingRate,
    openInterest,
    exchangeTime: time,
  });
  return decoded;
}
