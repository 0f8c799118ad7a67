import type { SeriesValues } from '../../core/model/series.ts';
import { microsPerMilli, timeText } from '../../core/base/clock.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import { number, oneOf, orNull, text, time, view, word } from './view.ts';

const fields = {
  series: word(),
  status: oneOf(['live', 'stale', 'empty']),
  why: orNull(text(), 'while it is stale'),
  time: orNull(time(), 'that the latest row names'),
  values: orNull(text(), 'of the latest row'),
  ageMs: orNull(number(), 'since the latest row was received'),
};

type SeriesViewRow = ViewRowOf<typeof fields>;

/** Characters of the values of a row that are shown. */
const shownMax = 200;

export const seriesView = view({
  name: 'series',
  command: 'series',
  text: "every series of one's own with its age",
  empty: 'no series',
  fields,
  columns: ['series', 'status', 'time', 'ageMs', 'values'],
  card: {
    order: 92,
    title: 'Series',
    kind: 'table',
    key: ['series'],
    columns: [
      'series',
      { field: 'status', title: 'status', with: [': ', 'why'], tones: { live: 'good', '*': 'bad' } },
      'time',
      'values',
      { field: 'ageMs', title: 'age', type: 'age' },
    ],
  },
  rows: seriesRows,
  // The clock is not part of a state: one in which nothing else changed is not sent again.
  live: (run) => seriesRows(run).map(({ ageMs: _age, ...series }) => series),
});

function seriesRows({ trader, clock }: ViewedRun): readonly SeriesViewRow[] {
  return trader.view.series.all.map(({ series, row, stale }) => ({
    series,
    status: stale === undefined ? (row === undefined ? 'empty' : 'live') : 'stale',
    why: stale?.why ?? null,
    time: row === undefined ? null : timeText(row.exchangeTime),
    values: row === undefined ? null : valuesText(row.values),
    ageMs: row === undefined ? null : Math.round((clock.now() - row.receiveTime) / microsPerMilli),
  }));
}

function valuesText(values: SeriesValues): string {
  const text = Object.entries(values)
    .map(([name, value]) => `${name} ${value ?? '-'}`)
    .join(', ');
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
