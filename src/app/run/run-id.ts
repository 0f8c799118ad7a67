import type { Clock } from '../../base/clock.ts';
import { microsPerMilli } from '../../base/clock.ts';

/** The run's name inside client order ids: its start in milliseconds, base 36. Restarts never share one. */
export function runId(clock: Clock): string {
  return Math.floor(clock.now() / microsPerMilli).toString(36);
}
