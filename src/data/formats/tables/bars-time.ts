import { nineCode, pointCode, zeroCode } from '../../../core/base/number-text.ts';
import { microsPerMilli, microsPerSecond } from '../../../core/base/clock.ts';

/**
 * How a table writes its times. Epoch counts may carry a fraction; `calendar` is a date with or without a time of day
 * (`2023-03-10`, `2023-03-10T00:00:00.5Z`, `20150427 00:00`), `dayFirst` one with points (`31.01.2025 14:00`), `digits` one of digits alone, to the hour or finer
 * (`2024010209`, `202401020930`, `20240102093000`), `hour12` one with AM or PM (`2019-10-17 09-AM`), `localDay` the beginning of a day
 * in a zone, which is the day and no time of it (`2024-01-02 00:00:00-05:00`).
 */
export type TimeForm =
  | 'seconds'
  | 'millis'
  | 'micros'
  | 'nanos'
  | 'calendar'
  | 'dayFirst'
  | 'digits'
  | 'hour12'
  | 'localDay';

/** The forms of `--columns`-less tables in words, for sentences about bad input. */
export const timeFormsInWords =
  'seconds, milliseconds, microseconds or nanoseconds since 1970, or a date such as 2023-03-10 14:00:00 or 10.03.2023';

const number = /^(\d{1,20})(?:\.(\d{1,12}))?$/;
const calendar =
  /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,12}))?)?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/;
/** With slashes day and month could not be told apart. */
const dayFirst =
  /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ T,]+(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,12})?)?))? ?(?:UTC|GMT)?(Z|[+-]\d{2}:?\d{2})?$/;
const digits = /^(\d{4})(\d{2})(\d{2})(\d{2})(?:(\d{2})(?:(\d{2})(\d{3})?)?)?$/;
const localDay = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?[+-]\d{2}:?\d{2}$/;
const hour12 = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{1,2})(?:[-: ]?(\d{2})(?::(\d{2}))?)?[- ]?([AP])M$/i;

/** Times outside 1973 to 2200, by the number of their digits, are no times of a market. */
const microsMax = 7_258_118_400_000_000;

/**
 * The form of a time, or `undefined` when it is none we read. Digits that are a date are one: as a count of seconds or
 * milliseconds they would lie behind 2032 or in 1976.
 */
export function timeFormOf(text: string): TimeForm | undefined {
  const epoch = epochFormOf(text);
  const forms: readonly TimeForm[] = [
    'calendar',
    'dayFirst',
    'digits',
    'hour12',
    ...(epoch === undefined ? [] : [epoch]),
  ];
  return forms.find((form) => !Number.isNaN(readTableTime(text, form)));
}

/** A time in micros since the epoch, UTC unless it names another zone; NaN when it is not of that form. */
export function readTableTime(text: string, form: TimeForm): number {
  const micros = readAs[form](text);
  return micros >= 0 && micros <= microsMax ? micros : Number.NaN;
}

const readAs: Readonly<Record<TimeForm, (text: string) => number>> = {
  calendar: readCalendar,
  dayFirst: readDayFirst,
  digits: readDigits,
  hour12: readHour12,
  localDay: (text) => readCalendar(localDay.exec(text)?.[1] ?? ''),
  seconds: (text) => readEpoch(text, 'seconds'),
  millis: (text) => readEpoch(text, 'millis'),
  micros: (text) => readEpoch(text, 'micros'),
  nanos: (text) => readEpoch(text, 'nanos'),
};

/** Form by size: 10 digits are seconds, 13 milliseconds, 16 microseconds, 19 nanoseconds; in all years from 1973 to 2200. */
function epochFormOf(text: string): 'seconds' | 'millis' | 'micros' | 'nanos' | undefined {
  const digits = number.exec(text)?.[1]?.length ?? 0;
  if (digits <= 8) return undefined;
  if (digits <= 11) return 'seconds';
  if (digits <= 14) return 'millis';
  return digits <= 17 ? 'micros' : 'nanos';
}

function readEpoch(text: string, form: 'seconds' | 'millis' | 'micros' | 'nanos'): number {
  const match = number.exec(text);
  // Another length is another unit: read as this one, it would be another year.
  if (match === null || epochFormOf(text) !== form) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  switch (form) {
    case 'seconds':
      return Number(whole) * microsPerSecond + Number(fraction.padEnd(6, '0').slice(0, 6));
    case 'millis':
      return Number(whole) * microsPerMilli + Number(fraction.padEnd(3, '0').slice(0, 3));
    case 'micros':
      return Number(whole);
    case 'nanos':
      // As text, because 19 digits are more than a double holds.
      return Number(whole.slice(0, -3));
  }
}

function readCalendar(text: string): number {
  const micros = readUsual(text);
  return Number.isNaN(micros) ? readAnyCalendar(text) : micros;
}

/** The place of the last digit of a second in `2023-03-10 14:00:00`, from 1. */
const usualLength = 19;
const sixDigits = 6;

/** The usual form, `2023-03-10 14:00:00` with or without a fraction of six digits at most: one pass over its signs. NaN for any other. */
function readUsual(text: string): number {
  const { length } = text;
  if (length < usualLength || length > usualLength + 1 + sixDigits || length === usualLength + 1)
    return Number.NaN;
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) return Number.NaN;
  if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return Number.NaN;
  const between = text.charCodeAt(10);
  if (between !== space && between !== letterT) return Number.NaN;
  const second = microsOf(
    digitsAt(text, 0, 4),
    digitsAt(text, 5, 7),
    digitsAt(text, 8, 10),
    digitsAt(text, 11, 13),
    digitsAt(text, 14, 16),
    digitsAt(text, 17, usualLength),
  );
  if (length === usualLength) return second;
  if (text.charCodeAt(usualLength) !== pointCode) return Number.NaN;
  const used = length - usualLength - 1;
  return second + digitsAt(text, usualLength + 1, length) * 10 ** (sixDigits - used);
}

const hyphen = 0x2d;
const colon = 0x3a;
const space = 0x20;
const letterT = 0x54;

/** The number that digits stand for; NaN where another sign is among them. */
function digitsAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < zeroCode || code > nineCode) return Number.NaN;
    value = value * 10 + (code - zeroCode);
  }
  return value;
}

function readAnyCalendar(text: string): number {
  const match = calendar.exec(text);
  if (match === null) return Number.NaN;
  const [
    ,
    year = '',
    ,
    month = '',
    day = '',
    hour = '0',
    minute = '0',
    second = '0',
    fraction = '',
    zone = 'Z',
  ] = match;
  const micros = microsOfTexts(year, month, day, hour, minute, second);
  return micros + Number(fraction.padEnd(6, '0').slice(0, 6)) - zoneMicros(zone);
}

function readDayFirst(text: string): number {
  const match = dayFirst.exec(text);
  if (match === null) return Number.NaN;
  const [, day = '', month = '', year = '', time = '00:00', zone = ''] = match;
  return readCalendar(
    `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}${zone}`,
  );
}

function readDigits(text: string): number {
  const [, year = '', month = '', day = '', hour = '', minute = '0', second = '0', millis = '0'] =
    digits.exec(text) ?? [];
  // Earlier years are counts of seconds of today.
  if (!(Number(year) >= 1973)) return Number.NaN;
  const micros = microsOfTexts(year, month, day, hour, minute, second);
  return micros + Number(millis) * microsPerMilli;
}

function readHour12(text: string): number {
  const match = hour12.exec(text);
  if (match === null) return Number.NaN;
  const [, year = '', month = '', day = '', hour = '', minute = '0', second = '0', half = ''] = match;
  const twelve = Number(hour);
  if (twelve < 1 || twelve > 12) return Number.NaN;
  const hours = (twelve % 12) + (half.toUpperCase() === 'P' ? 12 : 0);
  return microsOfTexts(year, month, day, String(hours), minute, second);
}

function microsOfTexts(
  year: string,
  month: string,
  day: string,
  hour: string,
  minute: string,
  second: string,
): number {
  return microsOf(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
}

/** NaN for a date or time of day that does not exist. */
function microsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  // A part that is no number is not within its limits either.
  if (!(hour <= 23 && minute <= 59 && second <= 59 && day >= 1 && day <= 31)) return Number.NaN;
  const dayMillis = Date.UTC(year, month - 1, day);
  const date = new Date(dayMillis);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN;
  return (dayMillis + ((hour * 60 + minute) * 60 + second) * 1_000) * microsPerMilli;
}

function zoneMicros(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60 * microsPerSecond;
}
