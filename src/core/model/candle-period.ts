import type { Micros } from '../base/clock.ts';
import { microsPerMilli, microsPerSecond } from '../base/clock.ts';
import type { CandlePeriod } from './market.ts';

const minute = 60 * microsPerSecond;
const week = 7 * 1_440 * minute;

/** Microseconds of every candle period; 0 for the calendar month, which has no length. */
export const candleLengths: Readonly<Record<CandlePeriod, number>> = {
  M1: minute,
  M3: 3 * minute,
  M5: 5 * minute,
  M15: 15 * minute,
  M30: 30 * minute,
  H1: 60 * minute,
  H4: 240 * minute,
  D1: week / 7,
  D7: week,
  '1M': 0,
};

/** 1 January 1970 was a Thursday; weeks begin on Mondays (the documents do not say, see assumptions). */
const firstMonday = 4 * (week / 7);

/** Start of the period of `length` that holds `time`, in UTC; of the calendar month when the length is 0. */
export function periodStart(length: number, time: Micros): Micros {
  if (length === 0) return monthStart(time, 0);
  const origin = length % week === 0 ? firstMonday : 0;
  return (Math.floor((time - origin) / length) * length + origin) as Micros;
}

/** The first moment behind the period of `length` that begins at `start`. */
export function periodEnd(length: number, start: Micros): Micros {
  return length === 0 ? monthStart(start, 1) : ((start + length) as Micros);
}

/** The start of the month of `time`, or of one of the months after it. */
function monthStart(time: Micros, after: number): Micros {
  const date = new Date(Math.floor(time / microsPerMilli));
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after, 1) * microsPerMilli) as Micros;
}

/** Whether candles of `short` make whole ones of `long`. */
export function joinsInto(short: CandlePeriod, long: CandlePeriod): boolean {
  const [part, whole] = [candleLengths[short], candleLengths[long]];
  if (part === 0 || short === long) return false;
  // A calendar month is made of days.
  return whole === 0 ? candleLengths.D1 % part === 0 : whole > part && whole % part === 0;
}
