import { dayMicros } from './equity.ts';

/** How many returns a year has, by the days on which the data have any. */
export interface Calendar {
  /** Days of a year of the data: 365, 313, 252, 52 or 12; or what the user named. */
  readonly daysPerYear: number;
  /** Why, in a few words. */
  readonly why: string;
  /** Doubt about it in one clause; `undefined` when nothing does. */
  readonly doubt: string | undefined;
}

const perYear = { everyDay: 365, withoutSaturdays: 313, tradingDays: 252, weeks: 52, months: 12 } as const;

/** Below this share of its Saturdays (or Sundays) a market counts as closed on them: exchanges open for a test now and then. */
const closedBelow = 0.1;
/** A calendar with more days missing than this share is doubtful; exchanges close on one weekday in 26. */
const missingMax = 0.1;
/** Fewer days show no pattern of weeks. */
const daysMin = 7;

/**
 * The calendar of data from the UTC days that have any, as ends of days in microseconds, ascending: every day (365), no
 * Saturdays (313), no weekends (252), one sample a week (52) or a month (12). Under a week of days counts as every day.
 */
export function calendarOf(ends: ArrayLike<number>): Calendar {
  const days = Array.from(ends, (end) => Math.round(end / dayMicros) - 1);
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const span = last - first + 1;
  if (days.length < 2 || span < daysMin)
    return { daysPerYear: perYear.everyDay, why: 'less than a week of data', doubt: undefined };
  const step = (last - first) / (days.length - 1);
  if (step >= 25) return { daysPerYear: perYear.months, why: 'one sample a month', doubt: undefined };
  if (step >= 6) return { daysPerYear: perYear.weeks, why: 'one sample a week', doubt: undefined };
  const share = (weekday: number): number => shareOf(weekday, days, first, last);
  const [noSaturdays, noSundays] = [share(6) < closedBelow, share(0) < closedBelow];
  const [daysPerYear, perWeek, why] =
    noSaturdays && noSundays
      ? [perYear.tradingDays, 5, 'the data have no weekends']
      : noSaturdays
        ? [perYear.withoutSaturdays, 6, 'the data have no Saturdays']
        : [perYear.everyDay, 7, 'the data have every day of the week'];
  const expected = Math.round((span * perWeek) / 7);
  const isDoubtful = days.length < expected * (1 - missingMax);
  return {
    daysPerYear,
    why,
    doubt: isDoubtful
      ? `${days.length} of about ${expected} days have data, and a year counts as ${daysPerYear} of them`
      : undefined,
  };
}

/** The share of the weekdays of that number (0: Sunday) between two days that have data; the epoch began on a Thursday. */
function shareOf(weekday: number, days: readonly number[], first: number, last: number): number {
  let all = 0;
  for (let day = first; day <= last; day++) if ((day + 4) % 7 === weekday) all += 1;
  const found = days.filter((day) => (day + 4) % 7 === weekday).length;
  return all === 0 ? 1 : found / all;
}
