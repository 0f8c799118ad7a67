import type { Micros } from '../../core/base/clock.ts';
import type { Reading } from '../http/page.ts';

/** Pages of candles: whatever has the start of its period as its time. */
export const candleReading: Reading<{ readonly time: Micros }> = {
  numberOf: (bar) => bar.time,
  timeOf: (bar) => bar.time,
  accepts: () => true,
};
