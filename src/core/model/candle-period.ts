import type { Micros } from '../base/clock.ts';
import { microsPerMilli } from '../base/clock.ts';
import { barLengthOf, candleLengths } from './bar-spec.ts';
import type { BarSpec, CandlePeriod } from './market.ts';
import { candlePeriods } from './market.ts';

const week = candleLengths.D7;

/** 1 January 1970 was a Thursday; weeks begin on Mondays (the documents do not say, see assumptions). */
const firstMonday = 4 * (week / 7);

/**
 * Start of the period of `length` that holds `time`, in UTC; of the calendar month when the length is 0. Periods of any length stand
 * at whole multiples of it since 1 January 1970, those of whole weeks since Monday, 5 January 1970.
 */
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

/** Whether bars of `short` make whole ones of `long`. */
export function joinsInto(short: BarSpec, long: BarSpec): boolean {
  const [part, whole] = [barLengthOf(short), barLengthOf(long)];
  if (part === undefined || whole === undefined || part === 0 || short === long) return false;
  // Weeks make whole ones of weeks alone; a calendar month is made of days.
  return whole === 0 ? candleLengths.D1 % part === 0 : whole > part && whole % part === 0;
}

/** The candles of a venue that such bars are, or are joined from: the longest ones. `undefined` where trades alone make them. */
export function feedPeriodOf(spec: BarSpec): CandlePeriod | undefined {
  const own = candlePeriods.find((period) => period === spec);
  return own ?? candlePeriods.findLast((period) => joinsInto(period, spec));
}
