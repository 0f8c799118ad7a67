import { formatAmount } from '../../core/base/amount.ts';
import type { Day } from '../history/index.ts';
import { sumsOf } from '../history/index.ts';
import type { ViewRowOf } from './view.ts';
import { amountCell, count, decimal, orNull, view, word } from './view.ts';

const fields = {
  day: word('a UTC day, such as 2026-11-28'),
  currency: word('a quote currency'),
  profit: decimal('realised and unrealised of the day, less fees, funding and interest'),
  drawdown: decimal('the largest fall of the profit within the day'),
  fees: decimal('in the quote currency; fees in a third currency are no part'),
  fills: count('executions of the day, those of external counted'),
  equity: orNull(
    decimal(),
    'wallets and margin accounts at the end of the day, as far as the books value them in this currency; null: the account was not read',
  ),
};

export type DayRow = ViewRowOf<typeof fields>;

/** Rows in the live state: the days before are read once. */
const liveMax = 10;

const gain = { '+': 'good', '-': 'bad' } as const;

export const daysView = view({
  name: 'days',
  command: 'days',
  isOfMoney: true,
  text: 'profit, drawdown, fees, fills and equity of each UTC day, by quote currency, the newest first',
  empty: 'no days: nothing was traded',
  fields,
  columns: ['day', 'currency', 'profit', 'drawdown', 'fees', 'fills', 'equity'],
  card: {
    order: 17,
    title: 'Days',
    kind: 'table',
    key: ['day', 'currency'],
    rowsMax: 60,
    columns: [
      'day',
      'currency',
      { field: 'profit', title: 'profit', tones: gain },
      'drawdown',
      'fees',
      'fills',
      'equity',
    ],
  },
  rows: ({ days }) => days().all.map(dayRow).toReversed(),
  live: ({ days }) => days().all.slice(-liveMax).map(dayRow).toReversed(),
});

function dayRow(day: Day): DayRow {
  const { profit, fees, fills } = sumsOf(day);
  return {
    day: day.day,
    currency: day.currency,
    profit: formatAmount(profit),
    drawdown: formatAmount(day.drawdownMax),
    fees: formatAmount(fees),
    fills,
    equity: amountCell(day.equity),
  };
}
