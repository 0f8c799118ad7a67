import type { Amount } from '../../core/base/amount.ts';
import { parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId, Lots, Ticks } from '../../core/model/instrument.ts';
import type { Ticker } from '../../core/model/market.ts';
import type { ByteReader } from '../recording/index.ts';
import { isBase } from '../recording/index.ts';
import type { PackBases } from './block.ts';

/** The ticker of one message of a pack. Throws `BadInput` when the bytes say something else. */
export function readTicker(
  reader: ByteReader,
  bases: PackBases,
  instrument: InstrumentId,
  exchangeTime: Micros,
): Ticker {
  const flags = reader.varint();
  const time = ((flags & 1) !== 0 ? reader.delta(exchangeTime) : exchangeTime) as Micros;
  const price = (side: 0 | 1): Ticks => {
    const value = reader.delta(bases.tickerPrice[side] as number);
    if (isBase(value)) bases.tickerPrice[side] = value;
    return value as Ticks;
  };
  const amount = (bit: number): Amount | undefined =>
    (flags & bit) !== 0 ? parseAmount(reader.text()) : undefined;
  // Members are read in the order they were written.
  return {
    instrument,
    time,
    bid: (flags & 2) !== 0 ? price(0) : undefined,
    bidQuantity: (flags & 4) !== 0 ? (reader.varint() as Lots) : undefined,
    ask: (flags & 8) !== 0 ? price(1) : undefined,
    askQuantity: (flags & 16) !== 0 ? (reader.varint() as Lots) : undefined,
    last: amount(32),
    open: amount(64),
    high: amount(128),
    low: amount(256),
    volume: amount(512),
    volumeQuote: amount(1024),
  };
}
