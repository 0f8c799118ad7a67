import type { Amount } from '../../../core/base/amount.ts';
import { amountDecimals, formatAmount, formatAmountFixed } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerMilli } from '../../../core/base/clock.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import { BadInput } from '../../../core/base/errors.ts';

/** The largest millisecond stamp whose microseconds are still a safe integer. */
export const millisMax = 9_007_199_254_740;

const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?(?:Z|[+-]00:?00)?)?$/;

// One day is remembered: stamps of a stream share it, and the rest of a stamp is arithmetic.
let cachedDay = '';
let cachedDayMicros = 0;

/**
 * An ISO 8601 UTC stamp as `Micros`; NaN when it is none. Any number of fraction digits; those beyond
 * microseconds are cut. Source: API v3, "Conventions"; v3-gaps, section 11.
 */
export function readTime(text: string): Micros {
  // YYYY-MM-DDThh:mm:ss.fffZ by arithmetic; everything else by the pattern.
  const length = text.length;
  if (length < 20 || length > 30 || text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84) {
    return readAnyTime(text);
  }
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  if (!(hour < 24 && minute < 60 && second < 60)) return readAnyTime(text);
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return readAnyTime(text);
  let micros = 0;
  if (length > 20) {
    if (text.charCodeAt(19) !== 46 || length === 21) return readAnyTime(text);
    let unit = 100_000;
    for (let i = 20; i < length - 1; i++) {
      const digit = text.charCodeAt(i) - 48;
      if (!(digit >= 0 && digit <= 9)) return Number.NaN as Micros;
      micros += digit * unit;
      unit = unit >= 10 ? unit / 10 : 0;
    }
  }
  const day = dayOf(text);
  return (day + ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros) as Micros;
}

/** As `readTime`; throws `BadInput` with the text when it is no stamp. */
export function parseTime(text: string): Micros {
  const time = readTime(text);
  if (Number.isNaN(time)) {
    throw new BadInput(
      `expected a UTC time like 2024-01-02T03:04:05.678Z, found ${JSON.stringify(text.slice(0, 40))}`,
    );
  }
  return time;
}

/** A stamp with exactly three fraction digits. Source: API v3, "Conventions". */
export function printTime(time: Micros): string {
  const millis = Math.floor(time / microsPerMilli);
  const inDay = modulo(millis, 86_400_000);
  const rest = inDay % 1000;
  return `${printSeconds(time)}.${rest < 10 ? '00' : rest < 100 ? '0' : ''}${rest}Z`;
}

/** Integer milliseconds as `Micros`; NaN when it is no integer from 0 to the year 2255. */
export function microsOfMillis(millis: number): Micros {
  return (
    Number.isInteger(millis) && millis >= 0 && millis <= millisMax ? millis * microsPerMilli : Number.NaN
  ) as Micros;
}

/** `Micros` as whole milliseconds, cut: the socket's `t`. */
export function millisOfMicros(time: Micros): number {
  return Math.floor(time / microsPerMilli);
}

/** Fees, profits, margin balances: 12 decimals, and `"0"` when zero. Source: v3-gaps, section 11. */
export function feeText(amount: Amount): string {
  const text = formatAmountFixed(amount, 12);
  return /[1-9]/.test(text) ? text : '0';
}

/** An amount with `decimals` digits, or all it has when those do not hold it exactly. */
export function wireAmount(amount: Amount, decimals: number): string {
  const step = decimalSteps[decimals];
  return step !== undefined && (amount as bigint) % step === 0n
    ? formatAmountFixed(amount, decimals)
    : formatAmount(amount);
}

/** A price that need not be on the grid, at the scale of the tick. Source: v3-gaps, section 11. */
export function priceAmountText(instrument: Instrument, amount: Amount): string {
  return wireAmount(amount, instrument.priceDecimals);
}

/** A volume in base currency: the decimals of the increment, `"0"` when nothing was traded. */
export function volumeText(instrument: Instrument, amount: Amount): string {
  return amount === 0n ? '0' : wireAmount(amount, instrument.quantityDecimals);
}

/** A volume in quote currency: the decimals of tick and increment together, `"0"` when nothing was traded. */
export function volumeQuoteText(instrument: Instrument, amount: Amount): string {
  return amount === 0n ? '0' : wireAmount(amount, instrument.priceDecimals + instrument.quantityDecimals);
}

/** 10^(24 - decimals) by decimals: an amount that is a multiple of it has no more decimals than that. */
const decimalSteps = Array.from(
  { length: amountDecimals + 1 },
  (_, decimals) => 10n ** BigInt(amountDecimals - decimals),
);

function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function dayOf(text: string): number {
  const day = text.slice(0, 10);
  if (day !== cachedDay) {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
    if (match === null) return Number.NaN;
    const micros = dayMicrosOf(Number(match[1]), Number(match[2]), Number(match[3]));
    if (Number.isNaN(micros)) return Number.NaN;
    cachedDay = day;
    cachedDayMicros = micros;
  }
  return cachedDayMicros;
}

function dayMicrosOf(year: number, month: number, day: number): number {
  const millis = Date.UTC(year, month - 1, day);
  const back = new Date(millis);
  const real =
    back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day;
  return real && millis >= 0 && millis <= millisMax - 86_400_000 ? millis * microsPerMilli : Number.NaN;
}

function readAnyTime(text: string): Micros {
  const match = shape.exec(text);
  if (match === null) return Number.NaN as Micros;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN as Micros;
  const start = dayMicrosOf(Number(year), Number(month), Number(day));
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  return (start + seconds * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'))) as Micros;
}

// The last second printed: many reports and rows share it.
let printedSecond = Number.NaN;
let printedText = '';

function printSeconds(time: Micros): string {
  const second = Math.floor(time / 1_000_000);
  if (second !== printedSecond) {
    printedText = new Date(second * 1000).toISOString().slice(0, 19);
    printedSecond = second;
  }
  return printedText;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
