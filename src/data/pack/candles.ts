import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { Candle, CandlePeriod } from '../../core/model/market.ts';

// Candles are few, and stand in packs as JSON.

type CandleRow = readonly [
  instrument: InstrumentId,
  period: CandlePeriod,
  time: Micros,
  ...amounts: readonly [string, string, string, string, string, string],
];

export function candlesText(candles: readonly Candle[]): string {
  const amount = (value: Amount): string => formatAmount(value);
  return JSON.stringify(
    candles.map((candle) => [
      candle.instrument,
      candle.period,
      candle.time,
      amount(candle.open),
      amount(candle.close),
      amount(candle.min),
      amount(candle.max),
      amount(candle.volume),
      amount(candle.volumeQuote),
    ]),
  );
}

export function readCandles(text: string): readonly Candle[] {
  const rows = JSON.parse(text) as readonly CandleRow[];
  return rows.map(([instrument, period, time, open, close, min, max, volume, volumeQuote]) => ({
    instrument,
    period,
    time,
    open: parseAmount(open),
    close: parseAmount(close),
    min: parseAmount(min),
    max: parseAmount(max),
    volume: parseAmount(volume),
    volumeQuote: parseAmount(volumeQuote),
  }));
}
