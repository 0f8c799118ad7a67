import type { Micros } from '../../../core/base/clock.ts';
import { microsPerMilli, seconds } from '../../../core/base/clock.ts';
import type { CandlePeriod } from '../../../core/model/market.ts';

/** A map, because it is asked with every bar: members of a plain object by a name that changes are slower to find. */
const lengths: ReadonlyMap<CandlePeriod, Micros> = new Map([
  ['M1', seconds(60)],
  ['M3', seconds(180)],
  ['M5', seconds(300)],
  ['M15', seconds(900)],
  ['M30', seconds(1_800)],
  ['H1', seconds(3_600)],
  ['H4', seconds(14_400)],
  ['D1', seconds(86_400)],
  ['D7', seconds(604_800)],
]);

/** When a bar that begins at `time` ends. A month ends with the calendar's, counted from its first bar's day. */
export function endOfBar(period: CandlePeriod, time: Micros): Micros {
  const length = lengths.get(period);
  if (length !== undefined) return (time + length) as Micros;
  const date = new Date(time / microsPerMilli);
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) * microsPerMilli) as Micros;
}
