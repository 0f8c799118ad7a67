import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, parseAmount } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { BarSpec, Candle } from '../../core/model/market.ts';

// Candles are few, and stand in packs as JSON.

type CandleRow = readonly [
  instrument: InstrumentId,
  period: BarSpec,
  time: Micros,
  open: string,
  close: string,
  min: string,
  max: string,
  volume: string,
  volumeQuote: string,
  /** There for bars that are made of trades, or not whole: end, number of trades, whether it is incomplete. */
  ...made: readonly [] | readonly [end: Micros | null, trades: number | null, incomplete: boolean],
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
      ...madeOf(candle),
    ]),
  );
}

function madeOf({ end, trades, incomplete }: Candle): readonly unknown[] {
  if (end === undefined && trades === undefined && incomplete === undefined) return [];
  return [end ?? null, trades ?? null, incomplete === true];
}

export function readCandles(text: string): readonly Candle[] {
  const rows = JSON.parse(text) as readonly CandleRow[];
  return rows.map(([instrument, period, time, open, close, min, max, volume, volumeQuote, ...made]) => ({
    instrument,
    period,
    time,
    open: parseAmount(open),
    close: parseAmount(close),
    min: parseAmount(min),
    max: parseAmount(max),
    volume: parseAmount(volume),
    volumeQuote: parseAmount(volumeQuote),
    ...(made.length > 0 && {
      ...(made[0] !== null && { end: made[0] }),
      ...(made[1] !== null && { trades: made[1] }),
      ...(made[2] === true && { incomplete: true as const }),
    }),
  }));
}
