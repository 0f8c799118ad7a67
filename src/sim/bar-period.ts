import type { Micros } from '../base/clock.ts';
import { microsPerMilli, microsPerSecond } from '../base/clock.ts';
import type { CandlePeriod } from '../model/market.ts';

const minute = 60 * microsPerSecond;

/** When a bar that begins at `time` ends. A month ends with the calendar's, counted from its first bar's day. */
export function endOfBar(period: CandlePeriod, time: Micros): Micros {
  switch (period) {
    case 'M1':
      return (time + minute) as Micros;
    case 'M3':
      return (time + 3 * minute) as Micros;
    case 'M5':
      return (time + 5 * minute) as Micros;
    case 'M15':
      return (time + 15 * minute) as Micros;
    case 'M30':
      return (time + 30 * minute) as Micros;
    case 'H1':
      return (time + 60 * minute) as Micros;
    case 'H4':
      return (time + 240 * minute) as Micros;
    case 'D1':
      return (time + 1_440 * minute) as Micros;
    case 'D7':
      return (time + 10_080 * minute) as Micros;
    case '1M': {
      const date = new Date(time / microsPerMilli);
      return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) * microsPerMilli) as Micros;
    }
  }
}
