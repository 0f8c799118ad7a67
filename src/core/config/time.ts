import { z } from 'zod';
import type { Micros } from '../base/clock.ts';

const durationShape = /^(\d{1,12})(us|ms|s|m|h|d)$/;
const durationHint = 'expected a length of time such as 250us, 10ms, 1s, 5m, 1h or 1d';
const unitMicros: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

/** A length of time such as `250us`, `10ms`, `1s`, `5m`, `1h` or `1d`; becomes whole microseconds. */
export const duration = z
  .string({ error: durationHint })
  .regex(durationShape, durationHint)
  .transform((text) => microsOfDuration(text));

/** The same, left as it was written: for a configuration that is kept and read again. `microsOfDuration` reads it. */
export const durationOption = z.string({ error: durationHint }).regex(durationShape, durationHint);

/**
 * A point in time: ISO 8601 with its zone, or digits: 10 are seconds since the epoch, 13 milliseconds, 16
 * microseconds, 19 nanoseconds (rounded up to microseconds, as receive times are).
 */
export const pointInTime = z
  .union([z.string(), z.number()])
  .transform((value) => microsOfPoint(String(value)))
  .refine(
    (micros) => Number.isSafeInteger(micros),
    'expected an ISO time with its zone, or the digits of seconds (10), ms (13), us (16) or ns (19)',
  )
  .transform((micros) => micros as Micros);

/** Micros of a length of time that was checked. */
export function microsOfDuration(text: string): Micros {
  const [, count = '0', unit = 'us'] = durationShape.exec(text) ?? [];
  return (Number(count) * (unitMicros[unit] ?? 1)) as Micros;
}

function microsOfPoint(text: string): number {
  if (/^\d+$/.test(text)) return microsOfDigits(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text)) return Number.NaN;
  const fraction = /\.(\d+)/.exec(text)?.[1]?.padEnd(6, '0').slice(0, 6) ?? '000000';
  return Date.parse(text.replace(/\.\d+/, '')) * 1_000 + Number(fraction);
}

function microsOfDigits(text: string): number {
  switch (text.length) {
    case 10:
      return Number(text) * 1_000_000;
    case 13:
      return Number(text) * 1_000;
    case 16:
      return Number(text);
    case 19:
      return Number(text.slice(0, 16)) + (text.endsWith('000') ? 0 : 1);
    default:
      return Number.NaN;
  }
}
