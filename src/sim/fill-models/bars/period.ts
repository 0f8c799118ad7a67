import type { Micros } from '../../../core/base/clock.ts';
import { barLengthOf } from '../../../core/model/bar-spec.ts';
import { periodEnd } from '../../../core/model/candle-period.ts';
import type { BarSpec, Candle } from '../../../core/model/market.ts';

/** A map, because it is asked with every bar: texts are not read again. */
const lengths = new Map<BarSpec, number>();

/** End of a bar: its own where it ended with a trade, otherwise that of its period, of a month that of the calendar's. */
export function endOfBar({ period, time, end }: Pick<Candle, 'period' | 'time' | 'end'>): Micros {
  if (end !== undefined) return end;
  let length = lengths.get(period);
  if (length === undefined) {
    // Of a bar that ends with a trade and has not ended nothing but its begin is known.
    length = barLengthOf(period) ?? 1;
    lengths.set(period, length);
  }
  return length === 0 ? periodEnd(0, time) : ((time + length) as Micros);
}
