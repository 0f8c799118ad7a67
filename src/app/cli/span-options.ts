import type { Command } from 'commander';
import type { Micros } from '../../core/base/clock.ts';
import { later, micros, microsPerMilli, seconds } from '../../core/base/clock.ts';
import { UsageError } from './errors.ts';

/** Span of time of a command line: from `start` on, up to and without `end`. */
export interface NamedSpan {
  readonly start?: Micros | undefined;
  readonly end?: Micros | undefined;
}

/** Options of a span, as they were typed. */
export interface SpanOptions {
  readonly from?: string;
  readonly to?: string;
}

/** `--from` and `--to`; `what` is taken from one to the other. */
export function withSpanOptions(command: Command, what: string): Command {
  return command
    .option('--from <time>', `${what} from this UTC day or time on, such as 2024-01-01 or 2024-01-01T12:00`)
    .option('--to <time>', `${what} up to this day, which counts too, or up to this time, which does not`);
}

const day = seconds(86_400);
const shape = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?$/;

/** The span that options name. Throws `UsageError` when one is no time, or the span ends before it begins. */
export function spanOf({ from, to }: SpanOptions): NamedSpan {
  const start = from === undefined ? undefined : momentOf('--from', from);
  const last = to === undefined ? undefined : momentOf('--to', to);
  const end = last && (last.isDay ? later(last.time, day) : last.time);
  if (start !== undefined && end !== undefined && start.time >= end)
    throw new UsageError(`--from ${from} --to ${to}: expected a span that begins before it ends`);
  return { start: start?.time, end };
}

function momentOf(option: string, text: string): { readonly time: Micros; readonly isDay: boolean } {
  const found = shape.exec(text);
  const [, year = '', month = '', date = '', hour = '00', minute = '00', second = '00'] = found ?? [];
  const written = `${year}-${month}-${date}T${hour}:${minute}:${second}.000Z`;
  const time = found === null ? Number.NaN : Date.parse(written);
  // The 31st of February would be a day of March.
  if (Number.isNaN(time) || new Date(time).toISOString() !== written)
    throw new UsageError(
      `${option} ${text}: expected a day such as 2024-01-31 or a time such as 2024-01-31T12:00, in UTC`,
    );
  return { time: micros(time * microsPerMilli), isDay: found?.[4] === undefined };
}
