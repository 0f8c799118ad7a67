import type { Clock } from '../../core/base/clock.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerMilli, timeText } from '../../core/base/clock.ts';

/** The run's name inside client order ids: its start in milliseconds, base 36. Restarts never share one. */
export function runId(clock: Clock): string {
  return Math.floor(clock.now() / microsPerMilli).toString(36);
}

/** Name of the files of a session: its start in UTC, then its run. */
export function sessionName(run: string): string {
  const start = (parseInt(run, 36) * microsPerMilli) as Micros;
  return `${timeText(start).slice(0, 19).replaceAll(/[-:]/g, '')}Z-${run}`;
}
