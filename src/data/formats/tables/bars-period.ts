import type { Micros } from '../../../core/base/clock.ts';
import { microsPerMilli, microsPerSecond } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { barLengthOf, candleLengths } from '../../../core/model/bar-spec.ts';
import type { BarSpec, CandlePeriod } from '../../../core/model/market.ts';
import { candlePeriods } from '../../../core/model/market.ts';

/** How long a bar is. Sources have more lengths than candles: seconds, two hours, twelve hours. */
export interface BarPeriod {
  /** A number and a unit, as people write it: `1s`, `5m`, `4h`, `1d`, `1w`, `1M`. */
  readonly name: string;
  /** The length; 0 for the calendar month. */
  readonly micros: number;
}

const minute = 60 * microsPerSecond;
const day = 24 * 60 * minute;
const units: Readonly<Record<string, number>> = {
  s: microsPerSecond,
  m: minute,
  h: 60 * minute,
  d: day,
  w: 7 * day,
};

/** The calendar month, UTC. */
export const monthPeriod: BarPeriod = { name: '1M', micros: 0 };

/** Reads `1m`, `4h`, `1d`, `1w`, `1M` (month), or a candle period (`M1`, `H4`, `D7`). Throws `BadInput`. */
export function parsePeriod(text: string): BarPeriod {
  if (text === '1M') return monthPeriod;
  const candle = candlePeriods.find((one) => one === text);
  if (candle !== undefined) return periodOfMicros(candleLengths[candle]);
  const match = /^([1-9]\d{0,4})([smhdw])$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new BadInput(`expected a period such as 1s, 1m, 4h, 1d, 1w or 1M, found ${JSON.stringify(text)}`);
  }
  return periodOfMicros(Number(match[1]) * unit);
}

/** The period of that length, named by its largest whole unit. */
export function periodOfMicros(micros: number): BarPeriod {
  if (micros === 0) return monthPeriod;
  const name = ['w', 'd', 'h', 'm', 's'].find((unit) => micros % (units[unit] as number) === 0);
  if (name === undefined) return { name: `${micros / microsPerMilli}ms`, micros };
  return { name: `${micros / (units[name] as number)}${name}`, micros };
}

/** The period of a candle that ends with a time. */
export function periodOfCandle(spec: BarSpec): BarPeriod {
  return periodOfMicros(barLengthOf(spec) ?? 0);
}

/** The shortest candle period that a whole number of these bars fills, or `undefined`. */
export function candlePeriodAbove(period: BarPeriod): CandlePeriod | undefined {
  if (period.micros === 0) return '1M';
  return candlePeriods.find(
    (one) => candleLengths[one] >= period.micros && candleLengths[one] % period.micros === 0,
  );
}

/** How many periods `later` begins after `earlier`; whole when both stand on the same grid. */
export function periodsBetween(period: BarPeriod, earlier: Micros, later: Micros): number {
  if (period.micros > 0) return (later - earlier) / period.micros;
  return monthNumber(later) - monthNumber(earlier);
}

function monthNumber(time: Micros): number {
  const date = new Date(Math.floor(time / microsPerMilli));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
