import { percentText } from './figure-text.ts';
import type { CurrencyMeasures } from './measures.ts';
import type { ReportTable } from './document.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Growth of equity by calendar month (UTC) and year; without a known start there is no table. */
export function monthTable(
  { days: { times, equity }, start }: Pick<CurrencyMeasures, 'days' | 'start'>,
  group: string | undefined,
): readonly ReportTable[] {
  if (Number.isNaN(start) || times.length === 0) return [];
  const rows: string[][] = [];
  let row: string[] | undefined;
  let yearStart = start;
  let monthStart = start;
  for (const [i, value] of equity.entries()) {
    const [year, month] = monthOf(times[i] as number);
    const next = i + 1 < times.length ? monthOf(times[i + 1] as number) : undefined;
    if (next?.[0] === year && next[1] === month) continue;
    if (row === undefined) {
      row = [String(year), ...months.map(() => ''), ''];
      rows.push(row);
    }
    row[month + 1] = percentText(value / monthStart - 1);
    row[13] = percentText(value / yearStart - 1);
    monthStart = value;
    if (next?.[0] === year) continue;
    yearStart = value;
    row = undefined;
  }
  return [
    {
      title: `Return by month${group === undefined ? '' : `, ${group}`}`,
      definition:
        'Growth of equity from the end of one calendar month (UTC) to that of the next; the first from the start.',
      columns: ['year', ...months, 'year'],
      rows,
    },
  ];
}

/** What stands at midnight ends the day before: a bar of the last of a month is told at the first of the next. */
function monthOf(time: number): readonly [year: number, month: number] {
  const date = new Date(Math.ceil(time / 1_000) - 1);
  return [date.getUTCFullYear(), date.getUTCMonth()];
}
