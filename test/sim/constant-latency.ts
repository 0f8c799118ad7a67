import type { Micros } from '../../src/core/base/clock.ts';
import type { Latency } from '../../src/sim/latency.ts';

/** The same latency every time. */
export function constantLatency(entry: Micros, report: Micros): Latency {
  return { entry: () => entry, report: () => report };
}
