import type { Micros } from '../base/clock.ts';
import { microsPerMilli, microsPerSecond } from '../base/clock.ts';
import type { CandlePeriod } from '../model/market.ts';

const minute = 60 * microsPerSecond;
const day = 1_440 * minute;

/** Lengths of the periods that have one; a month has none. */
const lengths: Readonly<Record<Exclude<CandlePeriod, '1M'>, number>> = {
  M1: minute,
  M3: 3 * minute,
  M5: 5 * minute,
  M15: 15 * minute,
  M30: 30 * minute,
  H1: 60 * minute,
  H4: 240 * minute,
  D1: day,
  D7: 7 * day,
};

/** 1 January 1970 was a Thursday; weeks begin on Mondays (the documents do not say, see assumptions). */
const firstMonday = 4 * day;

/** Start (included) and end (excluded) of the period around `time`, in UTC. */
export function periodAround(period: CandlePeriod, time: Micros): { start: Micros; end: Micros } {
  if (period === '1M') {
    const date = new Date(time / microsPerMilli);
    const year = date.getUTCFullYear();
    const month = date.getUTCMonth();
    return {
      start: (Date.UTC(year, month, 1) * microsPerMilli) as Micros,
      end: (Date.UTC(year, month + 1, 1) * microsPerMilli) as Micros,
    };
  }
  const length = lengths[period];
  const origin = period === 'D7' ? firstMonday : 0;
  const start = Math.floor((time - origin) / length) * length + origin;
  return { start: start as Micros, end: (start + length) as Micros };
}
